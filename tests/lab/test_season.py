"""A season: what the places of proved games come to."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ferrovia import Game
from ferrovia.bots import make
from ferrovia.cli import main
from ferrovia.lab.season import Season, SeasonError, played, read_season, standings
from tests.server.support.people import PERSON, Person, create
from tests.server.support.processes import Server


def record(names: list[str], seed: int, edition: str = "usa") -> bytes:
    game = Game(edition, names, seed=seed)
    bots = [make("greedy" if name.startswith("Ada") else "random", seed) for name in names]
    while not game.over:
        for seat in game.awaited:
            game.play(seat, bots[seat].decide(game.view(seat)))
    return game.record().text().encode()


SEASON = Season("Winter", ("1", "2", "3"), points=(3, 1), people={"Ada L": "Ada"}, without=("Cy",))


def test_points_are_those_of_the_places_and_names_are_joined() -> None:
    games = [
        played(SEASON, "1", record(["Ada", "Bo"], 1)),
        played(SEASON, "2", record(["Bo", "Ada L", "Cy"], 2)),
        played(SEASON, "3", record(["Di", "Ada"], 3)),
    ]
    best, *others = standings(SEASON, games)
    assert (best.name, best.games, best.wins, best.points) == ("Ada", 3, 3, 9)
    assert {it.name: it.games for it in others} == {"Bo": 2, "Di": 1}
    assert best.elo is not None
    assert all(it.elo is not None and best.elo > it.elo for it in others)
    scores = [total for game in games for name, total, _ in game.results if name == "Ada"]
    assert best.mean == sum(scores) / 3
    assert best.best == max(scores)


def test_what_the_rules_do_not_prove_does_not_count() -> None:
    true = record(["Ada", "Bo"], 1)
    with pytest.raises(SeasonError, match="1: line"):
        played(SEASON, "1", true.replace(b'"card":"red"', b'"card":"blue"', 1))
    cut = b"\n".join(true.splitlines()[:20]) + b"\n"
    with pytest.raises(SeasonError, match="1: "):
        played(SEASON, "1", cut)
    with pytest.raises(SeasonError, match="same name"):
        played(SEASON, "1", record(["Ada", "Ada L"], 1))


@pytest.mark.parametrize("text", ["name = 1", "name = 'x'\ngames = []\nby = 'luck'", "name"])
def test_a_file_that_describes_no_season(text: str) -> None:
    with pytest.raises(SeasonError):
        read_season(text)


def test_the_command_reads_files_and_links_and_writes_a_page(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_bytes(record(["Ada", "<b>Bo"], 1))
    with Server(str(tmp_path / "games.sqlite")) as server:
        made = create(server.address, PERSON, {"kind": "bot", "bot": "greedy"})
        ada = Person(server.address, made["table"], made["held"][0]["token"]).come()
        ada.play()
        link = f"{server.address}table/{made['table']}"
        file = tmp_path / "winter.toml"
        file.write_text(f'name = "Winter"\nby = "elo"\ngames = ["one.jsonl", "{link}"]\n')
        page = tmp_path / "winter.html"
        done = CliRunner().invoke(main, ["season", str(file), "-o", str(page), "--json"])
    assert done.exit_code == 0, done.output
    assert sum(it["games"] for it in json.loads(done.stdout)) == 4
    shown = page.read_text()
    assert f"#/replay/{made['table']}" in shown
    assert "&lt;b&gt;Bo" in shown
    assert "<b>Bo" not in shown


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "winter.toml"
    file.write_text('name = "Winter"\ngames = ["none.jsonl"]\n')
    told = CliRunner().invoke(main, ["season", str(file)])
    assert told.exit_code == 2
    assert "there is no record none.jsonl" in told.stderr
