"""Films, pictures and forks over HTTP: of finished tables, and of records that people send."""

import json
import random
from pathlib import Path
from typing import Any

import httpx2
import pytest

from ferrovia import Game
from ferrovia.game.records.record import record_of
from ferrovia.server.catalog import Catalog
from ferrovia.server.film.fork import beginning
from ferrovia.server.protocol.from_client import ForkGame
from ferrovia.server.records.source import MAX_RECORD, source_of_text
from ferrovia.server.refusals import Refusal
from tests.server.support.people import OPEN, PERSON, Person, api, bot, create, join
from tests.server.support.processes import Server

OWN_BOARD = Path(__file__).parents[2] / "boards" / "small.json"


def played(edition: str = "usa", players: int = 2, seed: int = 4, decisions: int = 100_000) -> Game:
    """A random game that somebody has the record of."""
    game, chance = Game(edition, players, seed=seed), random.Random(seed)
    while not game.over and decisions:
        seat = chance.choice(game.awaited)
        actions = list(map(str, game.legal_actions(seat)))
        claims = [one for one in actions if one.startswith(("claim", "pay"))]
        game.play(seat, chance.choice(claims or actions))
        decisions -= 1
    return game


@pytest.fixture(scope="module")
def finished(house: Server) -> Person:
    """Ada, after a game against a bot."""
    made = create(house.address, PERSON, bot(), edition="usa")
    ada = Person(house.address, made["table"], made["held"][0]["token"], seed=3).come()
    ada.play()
    return ada


def film(ada: Person, token: str | None = None, **asked: Any) -> httpx2.Response:
    return api(ada.address, token).get(f"/api/tables/{ada.table}/film", params=asked)


def _hidden(event: dict[str, Any]) -> dict[str, Any]:
    """An event without the card that only some see."""
    return {**event, "card": None} if "card" in event else event


def test_everybody_sees_the_film_of_a_finished_table(finished: Person) -> None:
    answer = film(finished)
    assert answer.headers["content-encoding"] == "gzip"
    shown = answer.json()
    assert shown["edition"] is shown["picture"] is None  # known by name
    whole = shown["film"]
    assert (whole["eyes"], whole["whole"], whole["over"]) == ("all", True, True)
    assert whole["players"] == ["Ada", "bot:greedy"]
    assert whole["seed"] == finished.state["final"]["seed"]
    assert whole["result"] == finished.state["final"]["result"]
    assert whole["finale"] == finished.state["final"]["finale"]
    assert film(finished, finished.token).json() == shown


def test_from_a_seat_s_eyes_there_is_nothing_that_it_did_not_know(finished: Person) -> None:
    for seat in (0, 1):
        seen = film(finished, view=seat).json()["film"]
        for step in seen["steps"][:-1]:
            assert set(step["hands"]) <= {str(seat)}
            for event in step["events"]:
                if event["event"] == "draw" and event["player"] != seat:
                    assert event["card"] is None
    assert film(finished, view=5).json()["code"] == "no_such_seat"
    assert film(finished, view="x").json()["code"] == "no_such_seat"


def test_a_film_without_spoilers_ends_at_its_turn(finished: Person) -> None:
    whole = film(finished).json()["film"]
    answer = film(finished, until="5")
    part = answer.json()["film"]
    assert part["steps"] == [step for step in whole["steps"] if step["turn"] <= 5]
    assert (part["whole"], part["over"], part["result"], part["seed"]) == (False, False, None, None)
    assert whole["seed"] not in answer.text
    assert film(finished, until="-1").json()["code"] == "bad_message"
    assert film(finished, until="5.0").json()["code"] == "bad_message"


def test_a_turn_is_a_picture_and_some_turns_are_a_clip(finished: Person) -> None:
    client = api(finished.address)
    path = f"/api/tables/{finished.table}/picture"
    still = client.get(path, params={"at": "9"})
    assert still.headers["content-type"].startswith("image/svg+xml")
    assert "Ada" in still.text
    assert "<animate" not in still.text
    nameless = client.get(path, params={"at": "9", "names": "no"}).text
    assert "Ada" not in nameless
    clip = client.get(path, params={"since": "0", "at": "30", "names": "no"}).text
    whole = film(finished, until="30").json()["film"]
    events = [event for step in whole["steps"] for event in step["events"]]
    claims = [event for event in events if event["event"] == "claim"]
    assert claims
    assert clip.count('opacity="0"><animate') >= len(claims)
    assert "Ada" not in clip
    assert client.get(path, params={"since": "30", "at": "0"}).json()["code"] == "bad_message"


# Records that people send


def send(house: Server, record: bytes, path: str = "/api/films", **asked: Any) -> httpx2.Response:
    return api(house.address).post(path, content=record, params=asked)


def test_a_record_is_shown_once_the_rules_have_proved_it(house: Server) -> None:
    record = record_of(played()).text().encode()
    assert send(house, record).json()["film"]["over"]
    assert send(house, record, view=1, until="3").json()["film"]["eyes"] == 1
    assert send(house, record, "/api/films/picture", at="4").text.startswith("<svg")


def test_broken_and_hostile_records_are_refused_with_line_and_rule(house: Server) -> None:
    lines = record_of(played()).text().splitlines()
    claim = next(at for at, line in enumerate(lines) if '"claim"' in line)
    cheat = json.loads(lines[claim]) | {"points": 99}
    broken = [*lines[:claim], json.dumps(cheat), *lines[claim + 1 :]]
    refused = send(house, "\n".join(broken).encode())
    assert refused.status_code == 422
    problem = refused.json()
    assert (problem["code"], problem["line"]) == ("invalid_record", claim + 1)
    assert problem["rule"].startswith("R")
    for hostile in (
        b"",
        b"\0" * 100,
        b"{}" * 5,
        b"[" * 100_000,
        b'{"record":"ferrovia"}',
        b"\xff\xfe",
    ):
        assert send(house, hostile).json()["code"] == "invalid_record"
    too_large = send(house, b" " * (MAX_RECORD + 1))
    assert (too_large.status_code, too_large.json()["code"]) == (413, "too_large")


def test_a_record_with_a_board_of_its_own_brings_its_picture(house: Server) -> None:
    game = played(str(OWN_BOARD), 2, 2)
    record = record_of(game).text().encode()
    shown = send(house, record).json()
    assert shown["film"]["over"]
    assert {city["id"] for city in shown["picture"]["cities"]} == {
        city.id for city in game.edition.board.cities
    }
    assert shown["edition"]["edition"]["id"] == game.edition.id
    lines = record.decode().splitlines()
    refused = send(house, "\n".join([*lines[:9], *lines[10:]]).encode()).json()
    assert (refused["code"], refused["line"]) == ("invalid_record", 10)


# Forks


def fork(house: Server, token: str, **wanted: Any) -> httpx2.Response:
    request = {"at": "6", "seat": 0, "name": "Bob", "bot": "greedy", **wanted}
    return api(house.address, token).post("/api/forks", json=request)


TOKEN = "f" * 43


@pytest.mark.parametrize("cards", ["same", "new"])
def test_a_finished_game_is_played_on_from_a_turn(
    house: Server, finished: Person, cards: str
) -> None:
    before = film(finished, until="6").json()["film"]
    made = fork(house, TOKEN, table=finished.table, cards=cards, id=f"fork-{cards}").json()
    again = fork(house, TOKEN, table=finished.table, cards=cards, id=f"fork-{cards}").json()
    assert again == made
    bob = Person(house.address, made["table"], TOKEN, seed=8).come()
    assert bob.state["table"]["practice"]
    assert bob.state["table"]["seats"][1]["bot"] == "greedy"
    began = [event for event in bob.entries[1]["events"] if event["event"] == "claim"]
    steps = [event for step in before["steps"] for event in step["events"]]
    assert began == [event for event in steps if event["event"] == "claim"]
    bob.play()
    text = api(house.address).get(f"/api/tables/{bob.table}/record").text
    game = Game.from_record(text)
    assert game.over
    assert game.names[0] == "Bob"
    assert game.seed_known == (cards == "same")
    if cards == "same":
        assert game.seed.hex() == finished.state["final"]["seed"]


def test_the_same_deal_is_a_challenge_to_friends(house: Server, finished: Person) -> None:
    before = film(finished).json()["film"]
    first = before["first"]["public"]["first"]
    made = create(
        house.address,
        PERSON,
        OPEN,
        edition="usa",
        seed=before["seed"],
        first=first,
        stand_in="greedy",
    )
    seat = join(house.address, made["table"], "Bob")
    ada = Person(house.address, made["table"], made["held"][0]["token"], seed=5).come()
    bob = Person(house.address, made["table"], seat["token"], seed=6).come()
    for person, again in ((ada, 0), (bob, 1)):
        while person.state["own"] is None:
            person.hear("state")
        dealt = before["first"]["hands"][again]
        assert sorted(person.state["own"]["offer"]) == sorted(dealt["offer"])
        assert person.state["own"]["hand"] == dealt["hand"]
    ada.go()
    bob.go()


@pytest.mark.parametrize("cards", ["same", "new"])
def test_what_was_played_after_a_fork_is_taken_back_to_the_same_cards(
    house: Server, finished: Person, cards: str
) -> None:
    made = fork(house, TOKEN, table=finished.table, cards=cards, at="2", bot="random").json()
    bob = Person(house.address, made["table"], TOKEN, seed=8).come()
    while bob.moves is None:
        bob.hear("state")

    def draw() -> str | None:
        number = bob.command("decide", action="draw")["number"]
        while bob.state["number"] < number:
            bob.hear("state")
        entry = next(one for one in bob.entries if one["number"] == number)
        return next(one["card"] for one in entry["events"] if one["event"] == "draw")

    if "draw" not in (bob.moves or []):
        pytest.skip("it stands in the middle of something else")
    first = draw()
    assert bob.command("undo")["type"] == "accepted"
    while bob.moves is None or bob.entries[-1]["entry"] != "undone":
        bob.hear("state")
    assert draw() == first
    bob.go()


def test_a_record_is_played_on_too_and_nonsense_is_refused(house: Server, finished: Person) -> None:
    record = record_of(played()).text()
    assert fork(house, "g" * 43, record=record).status_code == 201
    refused = {
        "no_such_seat": {"table": finished.table, "seat": 4},
        "game_over": {"table": finished.table, "at": "9999"},
        "no_such_bot": {"table": finished.table, "bot": "nobody"},
        "no_such_table": {"table": "nowhere"},
        "invalid_record": {"record": "{}"},
        "bad_message": {},
    }
    for code, wanted in refused.items():
        assert fork(house, "h" * 43, **wanted).json()["code"] == code
    own = record_of(played(str(OWN_BOARD), 2, 2)).text()
    assert fork(house, "h" * 43, record=own).json()["code"] == "no_such_edition"


def test_a_fork_keeps_only_so_many_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kept all of 4,000 decisions: 437 KB in the store, and 1.4 MB in memory."""
    source = source_of_text(record_of(played()).text().encode())
    monkeypatch.setattr("ferrovia.server.film.fork.MOST_DECISIONS", 5)
    steps = source.replayed[1]
    with pytest.raises(Refusal, match="too_large"):
        beginning(
            source, ForkGame(seat=0, name="Eve", bot="random", at=str(steps[12].turn)), Catalog()
        )
    begun = beginning(source, ForkGame(seat=0, name="Eve", bot="random", at="1"), Catalog())
    assert 0 < len(begun.events) < len(source.record.events)


def test_chat_and_moves_taken_back_are_in_the_film_only_where_they_are_asked_for(
    house: Server,
) -> None:
    made = create(house.address, PERSON, bot(), edition="usa", practice=True)
    ada = Person(house.address, made["table"], made["held"][0]["token"], seed=3).come()
    ada.play(upto=ada.state["number"] + 12)
    # The first card of a turn: the bot cannot answer before it is taken back.
    while not {"draw", "tickets"} <= set(ada.moves or ()):
        if ada.moves is None:
            ada.hear("state")
        else:
            ada.decide()
    drawn = ada.command("decide", action="draw")["number"]
    assert ada.command("undo")["type"] == "accepted"
    assert ada.command("say", text="Oh no.")["type"] == "accepted"
    while "draw" not in (ada.moves or ()):
        ada.hear("state")
    ada.play()

    plain = film(ada, ada.token).json()
    assert plain["interludes"] == []
    asked = film(ada, ada.token, interludes="yes").json()
    assert asked["film"] == plain["film"]
    kinds = [it["entry"]["entry"] for it in asked["interludes"]]
    assert kinds == ["decided", "undone", "said"]
    [gone, _, said] = asked["interludes"]
    assert gone["entry"]["number"] == drawn
    assert gone["entry"]["events"][0]["card"] is not None  # all is open after the end
    assert said["entry"]["text"] == "Oh no."
    before = [it for it in ada.entries if it["entry"] == "decided" and it["number"] < drawn]
    assert {it["frame"] for it in asked["interludes"]} == {len(before)}
    last = asked["film"]["steps"][len(before) - 1]["events"]
    assert [_hidden(event) for event in last] == [_hidden(event) for event in before[-1]["events"]]
    [seen, *_] = film(ada, ada.token, interludes="yes", view=1).json()["interludes"]
    assert seen["entry"]["events"][0]["card"] is None  # as the other seat saw it
    turn = asked["film"]["steps"][len(before) - 1]["turn"] - 1
    assert film(ada, ada.token, interludes="yes", until=str(turn)).json()["interludes"] == []
    assert len(film(ada, interludes="yes").json()["interludes"]) == 3
    ada.go()


def test_what_was_said_where_there_are_no_spectators_stays_at_the_table(house: Server) -> None:
    made = create(house.address, PERSON, bot(), edition="usa", spectators=False)
    ada = Person(house.address, made["table"], made["held"][0]["token"], seed=3).come()
    ada.command("say", text="Among us.")
    ada.play()
    assert film(ada).status_code == 200
    assert film(ada, interludes="yes").json()["code"] == "no_spectators"
    assert len(film(ada, ada.token, interludes="yes").json()["interludes"]) == 1
    ada.go()
