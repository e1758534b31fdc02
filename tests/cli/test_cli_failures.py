"""Whatever is wrong with the input is reported in one line, with the exit status to match."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ferrovia.cli import main
from ferrovia.game import Game


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with things that are no records and no boards."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "broken.jsonl").write_text('{"record": "ferr')
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe\x00\x01")
    (tmp_path / "file").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ("nonsense", 2, "No such command 'nonsense'"),
        ("simulat europe", 2, "No such command 'simulat'; did you mean simulate?"),
        ("boards chek x.json", 2, "No such command 'chek'; did you mean check?"),
        ("simulate", 2, "Missing argument 'EDITION'"),
        ("play --bots", 2, "requires an argument. (see ferrovia play --help)"),
        ("tables list --state", 2, "requires an argument. (see ferrovia tables list --help)"),
        ("simulate europe", 2, "Missing option '--bots'"),
        ("simulate europe --bots random,random --gaems 3", 2, "; did you mean --games?"),
        ("simulate europe --bots random,random --xyz 3", 2, "No such option --xyz (see"),
        ("simulate europ --bots random,random", 2, "did you mean 'europe'?"),
        ("simulate nowhere.json --bots random,random", 2, "there is no such file"),
        ("simulate broken.json --bots random,random", 2, "broken.json:1: is not valid JSON"),
        ("simulate ./empty --bots random,random", 2, "is a folder"),
        ("simulate europe --bots randon,random", 2, "did you mean random?"),
        ("simulate europe --bots random", 2, "2 to 5 players, not 1"),
        ("simulate europe --bots ,", 2, "2 to 5 players, not 0"),
        (
            "simulate europe --bots random,random --games 0",
            2,
            "is not a whole number from 1",
        ),
        ("simulate europe --bots random,random --games many", 2, "'many' is not a whole number"),
        ("simulate europe --bots random,random --report r.pdf", 2, "r.pdf must end in .html"),
        ("tournament usa --bots random,greedy --picture a.gif", 2, "must end in .svg or .png"),
        ("report file --out page.pdf", 2, "page.pdf must end in .html"),
        ("simulate europe --bots random,random --seed -1", 2, "--seed"),
        ("simulate europe --bots random,random --extras none-such", 2, "no ticket pack"),
        ("simulate europe --bots random,random --record file", 2, "is a file"),
        ("simulate europe --bots random,random --record file/in", 2, "Not a directory"),
        ("simulate europe --bots random,random --extras none-such", 2, "extra; packs are looked"),
        ("simulate europe --bots random,random --out a.txt", 2, "in .run, .parquet or .csv"),
        ("tournament usa --bots random,greedy --anchor greedy=nan", 2, "'nan' is not a rating"),
        ("tournament usa --bots random,greedy --anchor greedy=1e400", 2, "is not a rating"),
        ("analyse broken.jsonl --seconds nan", 2, "'nan' is not a number of seconds, 1 or more"),
        ("analyse broken.jsonl --seconds inf", 2, "'inf' is not a number of seconds, 1 or more"),
        ("analyse empty", 2, "is a directory"),
        ("serve --store empty", 2, "is a folder: name a file in it"),
        ("serve --port 0 --store file/games.sqlite", 2, "File exists: "),
        ("serve --config bytes.jsonl", 2, "bytes.jsonl: is not UTF-8 text"),
        ("serve --bot club", 2, "'club' names no program: give name and command"),
        ("score nowhere.txt", 2, "does not exist"),
        ("score broken.json", 2, "broken.json: "),
        ("score bytes.jsonl", 2, "bytes.jsonl: "),
        ("replay", 2, "Missing argument"),
        ("replay nowhere.jsonl", 2, "does not exist"),
        ("replay empty", 2, "there are no records"),
        ("replay broken.jsonl", 1, "broken.jsonl:1: WRONG:"),
        ("replay bytes.jsonl", 1, "bytes.jsonl:1: WRONG:"),
        ("replay file", 1, "file: WRONG: the record is empty"),
        ("show nowhere", 2, "there is no edition 'nowhere'"),
        ("show nowhere.jsonl", 2, "No such file or directory: nowhere.jsonl"),
        ("show broken.jsonl", 2, "broken.jsonl:1: "),
        ("show europe -o picture.gif", 2, "must end in .svg or .png"),
        ("show broken.jsonl -o picture.gif", 2, "must end in .svg or .png"),
        ("show europe -o nowhere/picture.svg", 2, "nowhere/picture.svg"),
        ("show europe -o empty/picture.svg --width 3", 2, "--width"),
        ("show europe --turn 3", 2, "--turn is for records"),
        ("boards nonsense", 2, "No such command 'nonsense'"),
        ("boards check nowhere.json", 2, "does not exist"),
        ("boards check empty", 2, "is a directory"),
        ("boards check broken.json", 1, "broken.json:1: is not valid JSON"),
        ("play ./nonexistent.json --bots nobody --seed 5", 2, "there is no such file"),
        ("play --bots nobody", 2, "there is no bot 'nobody'"),
        ("play --bots greedy,greedy,greedy,greedy,greedy", 2, "name 1 to 4 bots"),
        ("play europ", 2, "did you mean 'europe'?"),
        ("play broken.json", 2, "broken.json:1: is not valid JSON"),
        ("play --extras none-such", 2, "no ticket pack"),
        ("play --name bot:greedy", 2, "does not begin with 'bot:'"),
        ("play --name \u3164", 2, "all of them visible"),
        ("play --language xx", 2, "'xx' is not one of 'en', 'de', 'es', "),
        ("play --seed -1", 2, "is not a whole number from 0"),
        ("play --port 99999", 2, "is not a whole number from 0 to 65535"),
        ("play usa --record game.jsonl", 2, "--record is for the text game"),
        ("play --text --language es", 2, "the text game is in English"),
        ("play --text --lan", 2, "the text game is for this terminal: --lan is for the browser"),
        ("play --text --name bot:greedy", 2, "does not begin with 'bot:'"),
        ("play --text --name A\u3164a", 2, "all of them visible"),
        ("learn usa --seconds soon", 2, "'soon' is not a number of seconds, 1 or more"),
        ("learn usa --seconds 0", 2, "'0' is not a number of seconds, 1 or more"),
        ("play --text --bots nobody", 2, "there is no bot 'nobody'"),
        ("play --text --bots greedy,greedy,greedy,greedy,greedy", 2, "name 1 to 4 bots"),
        ("play --text europ", 2, "did you mean 'europe'?"),
        ("play --text --record nowhere/game.jsonl", 2, "nothing can be written to nowhere"),
        ("play --text --record file", 2, "exists already"),
    ],
)
def test_bad_input_is_reported_in_one_line(arguments: str, status: int, message: str) -> None:
    result = CliRunner().invoke(main, arguments.split())
    assert result.exit_code == status, result.output
    [line] = result.output.strip().splitlines()
    assert message in line
    if status == 2:
        assert result.stdout == ""


def test_an_edition_without_a_name() -> None:
    result = CliRunner().invoke(main, ["simulate", "", "--bots", "random,random"])
    assert result.exit_code == 2
    assert "the edition has no name" in result.stderr


@pytest.mark.parametrize("arguments", ["terminal europe", "replay --watch GAME"])
def test_a_screen_needs_a_terminal(arguments: str, folder: Path) -> None:
    pytest.importorskip("textual")
    game = Game("europe", ["Ada", "Grace"], seed=1)
    (folder / "game.jsonl").write_text(game.record().text())
    result = CliRunner().invoke(main, arguments.replace("GAME", "game.jsonl").split())
    assert result.exit_code == 2
    assert "the screen needs a terminal" in result.stderr.splitlines()[-1]


def test_what_was_found_out_about_a_game_and_cannot_be_read(folder: Path) -> None:
    record = Path(__file__).parents[1] / "game" / "records"
    text = (record / "0.1-usa.jsonl").read_text()
    (folder / "game.jsonl").write_text(text)
    (folder / "game.analysis.json").write_text('{"analyses": 3}')
    result = CliRunner().invoke(main, ["analyse", "game.jsonl"])
    assert result.exit_code == 2
    assert "move it elsewhere to analyse again" in result.stderr.splitlines()[-1]
    assert (folder / "game.analysis.json").read_text() == '{"analyses": 3}'


def test_what_a_board_lacks_is_reported_in_one_line_too(folder: Path) -> None:
    (folder / "poor.json").write_text("{}")
    result = CliRunner().invoke(main, ["simulate", "poor.json", "--bots", "random,random"])
    assert result.exit_code == 2
    [line] = result.stderr.strip().splitlines()
    assert "more: ferrovia boards check poor.json" in line


def test_a_file_that_cannot_be_written_because_the_disk_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "picture.svg")

    monkeypatch.setattr(Path, "write_text", full)
    result = CliRunner().invoke(main, ["show", "usa", "-o", "picture.svg"])
    assert result.exit_code == 2
    assert result.stderr == "ferrovia: No space left on device: picture.svg\n"


def test_an_error_of_our_own_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("ferrovia.cli.commands.boards.pack_names", broken)
    result = CliRunner().invoke(main, ["boards", "list"])
    assert isinstance(result.exception, ZeroDivisionError)


@pytest.mark.parametrize("wrong", ["xyzzy", "no", "reindeer"])
def test_only_near_misses_are_guessed(wrong: str) -> None:
    for arguments in ([wrong], ["show", wrong], ["simulate", "usa", f"--{wrong}"]):
        assert "did you mean" not in CliRunner().invoke(main, arguments).stderr


@pytest.mark.parametrize(
    "arguments",
    [
        "simulate nowhere --bots random,random --json",
        "simulate europe --bots random,random --games many --json",
        "replay nowhere.jsonl --json",
    ],
)
def test_with_json_an_error_is_an_object_too(arguments: str) -> None:
    result = CliRunner().invoke(main, arguments.split())
    assert result.exit_code == 2
    assert json.loads(result.stdout) == {"error": result.stderr.strip(), "status": 2}
