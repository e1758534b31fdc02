"""What the commands do when all is well."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ferrovia.cli import main
from ferrovia.game import Game
from ferrovia.machine.doctor import Finding
from tests.typed_game import typed_game


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ferrovia(arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments.split(), input=text, catch_exceptions=False)


def simulate(arguments: str = "") -> Result:
    return ferrovia(f"simulate europe --bots greedy,random --games 4 --seed 7 {arguments}")


def test_simulate_shows_a_table() -> None:
    result = simulate()
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Europe, 2 players, 4 games, seed 7"
    assert lines[3].split()[:2] == ["0", "greedy"]
    assert lines[4].split()[:2] == ["1", "random"]
    assert result.stderr.splitlines()[-1].partition(" ")[2].startswith("games per second (")
    assert result.stdout == simulate().stdout
    assert max(map(len, lines)) <= 80


def test_simulate_for_programs_and_for_people_agree_with_the_records() -> None:
    report = json.loads(simulate("--json --record games").stdout)
    assert (report["edition"], report["seed"], report["games"]) == ("europe", 7, 4)
    games = [Game.from_record(path.read_bytes()) for path in sorted(Path("games").iterdir())]
    for seat in (0, 1):
        mean = sum(game.result().scores[seat].total for game in games) / 4
        assert report["seats"][seat]["total"] == pytest.approx(mean)
    assert sum(seat["win_share"] for seat in report["seats"]) == pytest.approx(1)
    again = simulate("--json --workers 2")
    assert report == json.loads(again.stdout)
    assert "games per second" in again.stderr


def test_simulate_without_a_seed_tells_which_one_it_took() -> None:
    runs = [
        json.loads(ferrovia("simulate usa --bots random,random --games 1 --json").stdout)
        for _ in range(2)
    ]
    assert runs[0]["seed"] != runs[1]["seed"]


def test_simulate_does_not_replace_records_without_overwrite() -> None:
    assert simulate("--record games").exit_code == 0
    before = {path: path.read_bytes() for path in Path("games").iterdir()}
    refused = simulate("--record games")
    assert refused.exit_code == 2
    assert "exists already" in refused.stderr
    assert simulate("--record games --first-game 4").exit_code == 0
    assert simulate("--record games --overwrite").exit_code == 0
    assert len(list(Path("games").iterdir())) == 8
    assert all(path.read_bytes() == record for path, record in before.items())


def test_replay_proves_records_and_refuses_those_that_break_a_rule() -> None:
    simulate("--record games")
    result = ferrovia("replay games")
    assert result.exit_code == 0
    assert result.stdout.count(": right; bot:greedy ") == 4
    assert result.stdout.endswith("4 of 4 records are right\n")
    path = Path("games/europe-2p-seed7-000002.jsonl")
    lines = path.read_text().splitlines()
    last = json.loads(lines[-1])
    last["result"]["winners"] = [1]
    lines[-1] = json.dumps(last)
    path.write_text("\n".join(lines) + "\n")
    result = ferrovia("replay games")
    assert result.exit_code == 1
    assert f"{path}:{len(lines)}: WRONG: " in result.stdout
    assert "(R10.6)" in result.stdout
    reports = json.loads(ferrovia("replay games --json").stdout)
    assert [report["ok"] for report in reports] == [True, True, False, True]
    assert (reports[2]["line"], reports[2]["rule"]) == (len(lines), "R10.6")


def test_replay_tells_a_game_turn_by_turn() -> None:
    simulate("--record games --games 1")
    path = next(Path("games").iterdir())
    result = ferrovia(f"replay --turns {path}")
    game = Game.from_record(path.read_bytes())
    assert f"{game.view(None).turns:>3}. bot:" in result.stdout
    assert "Final score" in result.stdout
    assert max(map(len, result.stdout.splitlines()[1:])) <= 80


def test_replay_of_a_game_that_goes_on() -> None:
    Path("game.jsonl").write_text(Game("usa", 2, seed=1).record().text())
    result = ferrovia("replay game.jsonl")
    assert result.exit_code == 0
    assert "right so far; the game is not over" in result.stdout


def test_show_draws_boards_and_records() -> None:
    assert ferrovia("show usa").stdout == "usa.svg\n"
    assert Path("usa.svg").read_text().startswith("<svg")
    assert ferrovia("show europe -o -").stdout.startswith("<svg")
    simulate("--record games --games 1")
    path = next(Path("games").iterdir())
    assert ferrovia(f"show {path}").stdout == f"{path.stem}.svg\n"
    game = Game.from_record(path.read_bytes())
    assert Path(f"{path.stem}.svg").read_text() == game.svg()
    turns = game.view(None).turns
    assert ferrovia(f"show {path} --turn {turns} -o -").stdout == game.svg() + "\n"
    assert ferrovia(f"show {path} --turn 0 -o -").stdout != game.svg() + "\n"
    too_many = ferrovia(f"show {path} --turn {turns + 1}")
    assert too_many.exit_code == 2
    assert f"the game has {turns} turns" in too_many.stderr


def test_show_writes_png_where_the_extra_is_installed() -> None:
    pytest.importorskip("resvg_py")
    assert ferrovia("show usa -o usa.png --width 400").exit_code == 0
    assert Path("usa.png").read_bytes().startswith(b"\x89PNG")


def test_boards() -> None:
    listed = ferrovia("boards list")
    assert "mega-europe" in listed.stdout
    editions = json.loads(ferrovia("boards list --json").stdout)["editions"]
    assert {"id": "usa", "name": "USA"}.items() <= editions[0].items()
    small = Path(__file__).parent.parent / "boards" / "small.json"
    checked = ferrovia(f"boards check {small}")
    assert checked.exit_code == 0
    assert "cities" in checked.stdout
    assert json.loads(ferrovia(f"boards check {small} --json").stdout)["ok"] is True


def test_doctor_says_each_thing_as_soon_as_it_has_looked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order: list[str] = []

    def look_over(look: Callable[[str], None]) -> Iterator[Finding]:
        for what in ("one", "two"):
            order.append(f"look {what}")
            yield Finding(what, "ok", "found", "")

    monkeypatch.setattr("ferrovia.machine.doctor.look_over", look_over)
    monkeypatch.setattr(
        "ferrovia.cli.commands.doctor.click.echo", lambda text, **_: order.append(text.split()[1])
    )
    ferrovia("doctor")
    assert order[:4] == ["look one", "one", "look two", "two"]


def test_doctor() -> None:
    result = ferrovia("doctor")
    assert result.exit_code == 0
    assert "ok    game" in result.stdout
    findings = json.loads(ferrovia("doctor --json").stdout)
    assert {"what", "state", "found", "to_do"} == set(findings[0])


def test_play_from_a_pipe_ends_politely_and_keeps_the_record() -> None:
    result = ferrovia("play --text usa --seed 3 --record game.jsonl", "keep 1 2\ndraw\ndraw\n")
    assert result.exit_code == 0
    assert "> keep 1 2" in result.stdout
    assert "You leave the game." in result.stdout
    game = Game.from_record(Path("game.jsonl").read_bytes())
    assert game.names == ("Player", "bot:greedy")
    assert not game.over


def test_play_a_whole_game_from_a_pipe() -> None:
    typed, game = typed_game("usa", "Ada", ["greedy", "random"], seed=3)
    result = ferrovia(
        "play --text usa --bots greedy,random --name Ada --seed 3 --record game.jsonl",
        typed,
    )
    assert result.exit_code == 0
    assert "Final score" in result.stdout
    assert Path("game.jsonl").read_text() == game.record().text()


def test_play_is_the_text_game_where_the_browser_game_is_not_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ferrovia.cli.commands.play.client_folder", lambda: None)
    result = ferrovia("play", "quit\n")
    assert result.exit_code == 0
    assert "browser is not built here" in result.stderr
    assert "You leave the game." in result.stdout
