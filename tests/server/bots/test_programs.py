"""Programs that the people who run a server offer: by name, and never by a stranger's command."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from ferrovia.cli import main
from tests.bots.test_programs import example
from tests.server.support.people import PERSON, Person, api, bot, create
from tests.server.support.processes import Server


def test_a_program_plays_under_its_name(tmp_path: Path, serving: Callable[..., Server]) -> None:
    program = tmp_path / "club.py"
    program.write_text(example("python"))
    command = f"'{sys.executable}' '{program}'"
    server = serving(f"{tmp_path}/games.sqlite", programs={"club": command})
    offered = api(server.address).get("/api/offerings").json()
    assert "club" in offered["bots"]
    assert "club" not in offered["levels"]
    assert not any("program" in name for name in offered["bots"])
    made = create(server.address, PERSON, bot("club"), edition="usa")
    ada = Person(server.address, made["table"], made["held"][0]["token"]).come()
    ada.play(upto=24)
    decided = [e for e in ada.entries if e["entry"] == "decided" and e["seat"] == 1]
    assert len(decided) > 3
    assert {entry["bot"] for entry in decided} == {"club"}
    assert not any("bot_failed" in line for line in server.log)


def test_one_that_fails_plays_plain_moves_and_its_words_are_not_in_the_log(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    program = tmp_path / "club.py"
    program.write_text("import sys; print('my secret hand'); print('aloud', file=sys.stderr)")
    command = f"'{sys.executable}' '{program}'"
    server = serving(f"{tmp_path}/games.sqlite", programs={"club": command})
    made = create(server.address, PERSON, bot("club"), edition="usa")
    ada = Person(server.address, made["table"], made["held"][0]["token"]).come()
    ada.play(upto=8)
    server.stop()
    log = "".join(server.log)
    assert "its answer cannot be read" in log
    assert "secret" not in log
    assert "aloud" not in log


@pytest.mark.parametrize("name", ["program:true", "program", "program:python my_bot.py", "true"])
def test_a_stranger_can_name_no_program(house: Server, name: str) -> None:
    for request in (
        {"seats": [PERSON, bot(name)]},
        {"seats": [PERSON, PERSON], "stand_in": name},
    ):
        answer = api(house.address).post("/api/tables", json={"edition": "europe", **request})
        assert (answer.status_code, answer.json()["code"]) == (422, "no_such_bot")
    made = create(house.address, PERSON, {"kind": "open"})
    ada = Person(house.address, made["table"], made["held"][0]["token"]).come()
    assert ada.command("fill", seat=1, bot=name)["code"] == "no_such_bot"
    ada.say(type="hint", id="h", bot=name)
    assert ada.hear("refused")["code"] == "no_such_bot"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("greedy=true", "'greedy' cannot be its name"),
        ("program:x=true", "'program:x' cannot be its name"),
        ("club", "names no program: give name and command"),
        ("club=no-such-program-here", "there is no program 'no-such-program-here'"),
    ],
)
def test_a_program_that_cannot_be_offered_is_refused_at_the_start(value: str, message: str) -> None:
    done = CliRunner().invoke(main, ["serve", "--bot", value])
    assert done.exit_code == 2
    assert message in done.stderr
