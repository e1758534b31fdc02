"""Whole games over real sockets, to the final score."""

import hashlib
import json
import threading
from collections.abc import Callable

import pytest

from ferrovia import Game
from tests.server.support.people import (
    OPEN,
    PERSON,
    Closed,
    Person,
    api,
    bot,
    create,
    join,
    metrics,
    together,
)
from tests.server.support.processes import FREE, Server


def seated(server: Server, *more: dict[str, str], **setup: object) -> tuple[Person, Person]:
    """Ada and Bob at a table, connected; more seats may follow theirs."""
    made = create(server.address, PERSON, OPEN, *more, **setup)
    joined = join(server.address, made["table"], "Bob")
    ada = Person(server.address, made["table"], made["held"][0]["token"], seed=1)
    bob = Person(server.address, made["table"], joined["token"], seed=2)
    return ada.come(), bob.come()


def check_record(server: Server, *people: Person) -> Game:
    """The record proves the final state that everybody was shown."""
    text = api(server.address).get(f"/api/tables/{people[0].table}/record").text
    game = Game.from_record(text)
    assert game.over
    for person in people:
        final = person.state["final"]
        assert final["seed"] == game.seed.hex()
        commitment = person.state["table"]["commitment"]
        assert hashlib.sha256(bytes.fromhex(final["seed"])).hexdigest() == commitment
        assert [score["total"] for score in final["result"]["scores"]] == [
            score.total for score in game.result().scores
        ]
    return game


def watch(person: Person) -> None:
    while person.state["table"]["status"] != "over":
        person.hear("state")


def test_two_people_and_a_bot_play_to_the_final_score(house: Server) -> None:
    ada, bob = seated(house, bot())
    watcher = Person(house.address, ada.table).come()
    watching = threading.Thread(target=watch, args=(watcher,))
    watching.start()
    together(ada, bob)
    watching.join()
    game = check_record(house, ada, bob, watcher)
    assert game.names == ("Ada", "Bob", "bot:greedy")
    # Everybody was sent every entry, once and in order.
    for person in (ada, bob, watcher):
        numbers = [entry["number"] for entry in person.entries]
        assert numbers == list(range(1, person.state["number"] + 1))
    # What the watcher was sent during the game hides every hand.
    for frame in watcher.frames:
        state = json.loads(frame)
        if state["type"] != "state" or state["table"]["status"] == "over":
            continue
        assert state["own"] is None
        assert state["final"] is None
        for entry in state["entries"]:
            for event in entry.get("events", ()):
                if event["event"] in ("deal", "draw", "offer"):
                    hidden = event.get("cards") or event.get("tickets") or [event.get("card")]
                    assert set(hidden) == {None}
    for person in (ada, bob, watcher):
        person.go()


def test_nothing_secret_is_in_the_log(house: Server) -> None:
    ada, bob = seated(house, bot("random"), edition="short")
    ada.say(type="dance")
    ada.hear("refused")
    together(ada, bob)
    log = "".join(house.log)
    secrets = [ada.token, bob.token, ada.state["final"]["seed"], ada.table]
    assert not [secret for secret in secrets if str(secret) in log]
    for line in house.log:
        assert {"at", "level", "event"} <= set(json.loads(line))


def test_who_comes_again_is_told_what_they_missed(house: Server) -> None:
    ada, bob = seated(house, edition="short")
    together(ada, bob, events=3)
    before, entries = ada.state["number"], list(ada.entries)
    ada.go()
    ada.come(known=before)
    assert ada.state["since"] == before
    ada.go()
    ada.come(known=0)
    assert ada.entries[: len(entries)] == entries
    ada.go()
    ada.come(known=None)
    assert ada.state["entries"] == []
    ada.go()
    ada.come(known=999)  # more than there is: after a backup was restored, perhaps
    assert ada.state["since"] == ada.state["number"]
    together(ada, bob)
    check_record(house, ada, bob)


def test_a_restart_costs_nothing(address: str, serving: Callable[..., Server]) -> None:
    server = serving(address)
    how = "kill" if address.startswith("postgresql") else "stop"
    ada, bob = seated(server, bot(), edition="short")
    together(ada, bob, events=12)
    before = {person: person.state["number"] for person in (ada, bob)}
    if how == "stop":
        server.stop()
        for person in (ada, bob):
            with pytest.raises(Closed, match="1012"):
                person.hear("nothing")
    else:
        server.kill()
    server.start()
    for person in (ada, bob):
        person.come(known=before[person])
        assert person.state["since"] == before[person]
    together(ada, bob)
    check_record(server, ada, bob)


def test_a_repeated_command_has_no_second_effect(house: Server) -> None:
    ada, bob = seated(house)
    first = ada.command("decide", id="same", action="keep 1 2 3")
    again = ada.command("decide", id="same", action="keep 1 2 3")
    assert first == again
    ada.go()
    ada.come()
    assert ada.command("decide", id="same", action="keep 1 2 3", known=0) == first
    bob.hear("state")
    assert sum(entry["entry"] == "decided" for entry in bob.entries) == 1


def test_a_stale_command_is_refused_with_the_reason(house: Server) -> None:
    ada, bob = seated(house)
    known = ada.state["number"]
    together(ada, bob, events=2)
    people = {0: ada, 1: bob}
    person = people[ada.state["public"]["turn"]]
    while person.moves is None:
        person.hear("state")
    answer = person.command("decide", action="draw", known=known)
    assert (answer["type"], answer["code"]) == ("refused", "stale")
    answer = person.command("decide", action="draw", known=person.state["number"] + 1)
    assert (answer["type"], answer["code"]) == ("refused", "ahead")
    assert person.command("decide", action="draw")["type"] == "accepted"


def test_a_seat_is_given_to_a_bot_and_taken_back(house: Server) -> None:
    ada, bob = seated(house, stand_in="greedy", edition="short")
    together(ada, bob, events=2)
    assert bob.command("leave")["type"] == "accepted"
    ada.play(ada.state["number"] + 8)
    played = [e for e in ada.entries if e["entry"] == "decided" and e["bot"] == "greedy"]
    assert played
    assert {entry["seat"] for entry in played} == {1}
    while bob.state["number"] < ada.state["number"]:
        bob.hear("state")
    assert bob.command("return")["type"] == "accepted"
    together(ada, bob)
    check_record(house, ada, bob)


def test_a_hint_is_for_whoever_asks_and_changes_nothing(house: Server) -> None:
    ada, bob = seated(house)
    for level in (None, "greedy"):
        bob.say(type="hint", id="h1", bot=level)
        hint = bob.hear("hint", "refused", id="h1")
        assert hint["action"] in (bob.moves or ())
        assert hint["number"] == bob.state["number"]
    assert hint["bot"] == "greedy"
    assert set(hint["why"]) <= {"goals", "points"}  # greedy has no plan to tell of
    bob.say(type="ping")
    bob.hear("pong")
    assert bob.command("decide", action=hint["action"])["type"] == "accepted"
    assert ada.command("decide", action="keep 1 2 3")["type"] == "accepted"
    assert not any('"hint"' in frame for frame in ada.frames)
    assert ada.state["number"] == ada.accepted.popitem()[1]


def refused_hint(person: Person, **more: str) -> str:
    person.say(type="hint", id="h", **more)
    code: str = person.hear("hint", "refused", id="h")["code"]
    return code


def test_where_there_is_no_hint_the_reason_is_told(house: Server) -> None:
    made = create(house.address, PERSON, OPEN)
    early = Person(house.address, made["table"], made["held"][0]["token"]).come()
    assert refused_hint(early) == "not_started"
    ada, bob = seated(house, stand_in="greedy")
    assert refused_hint(Person(house.address, ada.table).come()) == "not_seated"
    assert refused_hint(ada, bot="nobody") == "no_such_bot"
    assert ada.command("decide", action="keep 1 2 3")["type"] == "accepted"
    assert refused_hint(ada) == "not_awaited"
    ada.command("pause")
    assert refused_hint(bob) == "paused"


def test_hints_are_limited(tmp_path: object, serving: Callable[..., Server]) -> None:
    rate = {"burst": 2, "per_second": 0.0}
    server = serving(f"{tmp_path}/games.sqlite", limits={**FREE, "hints": rate})
    ada, _ = seated(server)
    for _ in range(2):
        ada.say(type="hint", id="h")
        assert ada.hear("hint", "refused")["type"] == "hint"
    assert refused_hint(ada) == "too_fast"


def test_pause_and_go_on(house: Server) -> None:
    ada, bob = seated(house, bot())
    assert ada.command("pause")["type"] == "accepted"
    while not bob.state["table"]["paused"]:  # what the bot did before may come first
        bob.hear("state")
    refused = bob.command("decide", action="keep 1 2 3")
    assert refused["code"] == "paused"
    assert bob.command("resume")["type"] == "accepted"
    ada.hear("state")
    together(ada, bob, events=4)


def test_a_clock_that_ran_out_lets_a_bot_play_on_also_after_a_restart(
    address: str, serving: Callable[..., Server]
) -> None:
    """Only that the clock ends is tested, not when."""
    server = serving(address, shortest_turn=3)
    ada, _ = seated(server, clock={"kind": "live", "turn": 3})
    assert ada.state["table"]["deadline"] is not None
    ada.command("decide", action="keep 1 2 3")  # unless this machine is slower than her clock
    server.kill()
    server.start()
    ada.come()
    while not ada.state["table"]["seats"][1]["away"]:
        ada.hear("state")
    assert any(e["entry"] == "left" and e["why"] == "clock" for e in ada.entries)
    while not any(e["entry"] == "decided" and e["seat"] == 1 for e in ada.entries):
        ada.hear("state")


def test_a_rematch_has_the_same_people_and_begins_when_all_have_come(house: Server) -> None:
    ada, bob = seated(house, bot(), edition="short")
    together(ada, bob)
    assert ada.command("rematch")["type"] == "accepted"
    while bob.state["table"]["rematch"] is None:
        bob.hear("state")
    table = bob.state["table"]["rematch"]
    ada.go()
    again = Person(house.address, table, ada.token).come()
    assert again.state["table"]["status"] == "waiting"
    assert [seat["ready"] for seat in again.state["table"]["seats"]] == [True, False, True]
    also = Person(house.address, table, bob.token).come()
    assert also.state["table"]["status"] == "running"
    together(again, also, events=3)


def test_bots_alone_play_on_their_own(house: Server) -> None:
    made = create(house.address, bot("greedy"), bot("random"), edition="short")
    assert made["held"][0]["seat"] is None
    watcher = Person(house.address, made["table"]).come()
    watch(watcher)
    check_record(house, watcher)


def test_a_game_that_sleeps_wakes_up_for_everybody(
    tmp_path: object, serving: Callable[..., Server]
) -> None:
    server = serving(f"{tmp_path}/games.sqlite", sleep_after=0.01)
    ada, bob = seated(server, edition="short")
    together(ada, bob, events=2)
    text = ""
    while "ferrovia_tables_awake 0.0" not in text:
        text = metrics(server.address)
    together(ada, bob)
    check_record(server, ada, bob)
