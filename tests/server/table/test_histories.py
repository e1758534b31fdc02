"""Logs are bounded, and long histories come in pages."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from ferrovia.server.store import Append
from ferrovia.server.store.address import open_store
from ferrovia.server.table.authority import PAGE
from ferrovia.server.table.entries import Left, Returned, write_entry
from tests.server.support.people import OPEN, PERSON, Person, api, bot, create
from tests.server.support.processes import FREE, Server


def lengthened(store: str, table: str, entries: int) -> None:
    """Let a person leave and return so often, as it was possible once."""
    opened = open_store(store)
    number = len(opened.entries(table))
    left = write_entry(Left(at=0.0, by=0, seat=0, why="left"))
    returned = write_entry(Returned(at=0.0, by=0, seat=0))
    more = tuple((left, returned)[place % 2] for place in range(entries))
    assert opened.append([Append(table, number + 1, more, None)]) == [True]
    opened.close()


def test_a_long_history_comes_in_pages(tmp_path: Path, serving: Callable[..., Server]) -> None:
    store = str(tmp_path / "games.sqlite")
    server = serving(store)
    made = create(server.address, PERSON, PERSON)
    token = made["held"][0]["token"]
    server.stop()
    lengthened(store, made["table"], 2 * PAGE + 500)
    server.start()
    ada = Person(server.address, made["table"], token).come(known=0)
    number = ada.state["number"]
    assert ada.state["since"] == number - PAGE
    assert len(ada.entries) == PAGE
    entries, pages = ada.state["entries"], 0
    while entries[0]["number"] > 1:
        before = entries[0]["number"]
        ada.say(type="history", id=f"h{pages}", before=before)
        page = ada.hear("history", id=f"h{pages}")
        assert page["since"] + len(page["entries"]) == before - 1 == page["before"] - 1
        entries, pages = [*page["entries"], *entries], pages + 1
    assert pages == 2
    assert [entry["number"] for entry in entries] == list(range(1, number + 1))
    assert entries[0]["entry"] == "created"
    ada.say(type="history", id="none", before=0)
    assert ada.hear("history", id="none")["entries"] == []
    assert ada.command("decide", action="keep 1 2 3")["type"] == "accepted"
    # What is missed by little is sent whole, as ever.
    again = Person(server.address, made["table"], token).come(known=number)
    assert again.state["since"] == number


def test_a_page_hides_what_its_reader_may_not_know(house: Server) -> None:
    made = create(house.address, PERSON, bot())
    watcher = Person(house.address, made["table"]).come(known=None)
    watcher.say(type="history", id="a", before=1000)
    page = watcher.hear("history")
    started = next(entry for entry in page["entries"] if entry["entry"] == "started")
    dealt = [event for event in started["events"] if event["event"] == "deal"]
    assert dealt
    assert all(set(event["cards"]) == {None} for event in dealt)
    own = Person(house.address, made["table"], made["held"][0]["token"]).come(known=None)
    own.say(type="history", id="a", before=1000)
    page = own.hear("history")
    started = next(entry for entry in page["entries"] if entry["entry"] == "started")
    assert started["events"][0]["cards"] != [None] * 4


def arrange(person: Person, verb: str) -> None:
    """Give a command, and wait until its event has come."""
    answer = person.command(verb)
    assert answer["type"] == "accepted", answer
    while person.state["number"] < answer["number"]:
        person.hear("state")


def test_a_seat_cannot_fill_the_log(tmp_path: Path, serving: Callable[..., Server]) -> None:
    limits = {**FREE, "arrangements_of_seat": 4}
    server = serving(str(tmp_path / "games.sqlite"), limits=limits)
    made = create(server.address, PERSON, PERSON, stand_in="greedy")
    ada, bob = (Person(server.address, made["table"], h["token"]).come() for h in made["held"])
    answers = [ada.command(("leave", "return")[n % 2], known=10**6) for n in range(2)]
    assert [answer["code"] for answer in answers] == ["ahead"] * 2  # what is refused does not count
    for verb in ("leave", "return", "leave", "return"):
        arrange(ada, verb)
    assert ada.command("leave")["code"] == "too_many_events"
    while bob.state["number"] < ada.state["number"]:
        bob.hear("state")
    arrange(bob, "leave")  # others are not the worse for it


def test_a_seat_has_so_many_entries_in_a_time(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    limits = {**FREE, "arrangements": {"burst": 2, "per_second": 0}}
    server = serving(str(tmp_path / "games.sqlite"), limits=limits)
    made = create(server.address, PERSON, PERSON, stand_in="greedy")
    ada = Person(server.address, made["table"], made["held"][0]["token"]).come()
    for verb in ("leave", "return"):
        arrange(ada, verb)
    assert ada.command("leave")["code"] == "too_fast"


def test_coming_and_going_cannot_fill_the_log(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    limits = {**FREE, "arrangements_of_seat": 2}
    server = serving(str(tmp_path / "games.sqlite"), limits=limits)
    table = create(server.address, PERSON, OPEN, OPEN)["table"]
    codes = []
    for _ in range(20):
        joined = api(server.address).post(f"/api/tables/{table}/join", json={"name": "Eve"})
        if joined.status_code != 200:
            codes.append(joined.json()["code"])
            break
        eve = Person(server.address, table, joined.json()["token"]).come()
        answer = eve.command("leave")
        if answer["type"] == "refused":
            codes.append(answer["code"])
            break
    assert codes == ["too_many_events"]
    server.stop()
    with sqlite3.connect(tmp_path / "games.sqlite") as db:
        (entries,) = db.execute("SELECT count(*) FROM log").fetchone()
    assert entries < 20
