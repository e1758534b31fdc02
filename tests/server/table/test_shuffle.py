"""The shuffle with everybody's part, at a table: commit, reveal, and the rule for who is late."""

import json
from collections.abc import Callable

from ferrovia import Game
from ferrovia.game.chance.shuffle import commitment_to, mixed_seed
from ferrovia.server.protocol import from_client
from ferrovia.server.protocol.clock import Clock
from ferrovia.server.protocol.from_client import BotSeat, OpenSeat, PersonSeat
from ferrovia.server.protocol.shown import ShownStarted
from ferrovia.server.protocol.state import ShuffleInfo
from ferrovia.server.table import entries
from ferrovia.server.table.entries import write_entry
from ferrovia.server.table.resume import resume
from ferrovia.server.table.tokens import new_token
from ferrovia.server.table.verbs import seats
from ferrovia.server.table.verbs.start import SLOW_REVEAL_SECONDS
from ferrovia.server.table.viewers import view
from ferrovia.server.table.viewers.shown import shown as shown_entry
from ferrovia.server.table.viewers.shown import shuffle_info
from tests.server.support.people import OPEN, Person, api, create, together
from tests.server.support.processes import Server
from tests.server.support.tabletop import Tabletop, facts
from tests.server.table.test_table import refused

PARTS = ("a0" * 32, "b1" * 32, "c2" * 32)
ADA = PersonSeat("Ada", commitment_to(PARTS[0]))
BOB = PersonSeat("Bob", commitment_to(PARTS[1]))


def reveal(top: Tabletop, seat: int, part: str | None = None) -> None:
    top.command(seat, from_client.Reveal, part=part or PARTS[seat])


def shuffle(top: Tabletop) -> ShuffleInfo:
    """What is published, before the game in `table` and from its start in `started`."""
    info = view.table_info(top.table).shuffle
    started = [entry for entry in top.log if isinstance(entry, entries.Started)]
    if started:
        assert info is None
        shown = shown_entry(top.table, 1, started[0], None)
        assert isinstance(shown, ShownStarted)
        info = shown.shuffle
    assert info is not None
    return info


def test_all_reveal_and_the_seed_is_mixed_from_all() -> None:
    top = Tabletop(ADA, BOB, BotSeat("greedy"))
    table = top.table
    assert (table.status, table.shuffle.sealed) == ("waiting", True)
    assert shuffle(top).server == commitment_to(table.shuffle.part)
    assert shuffle(top).reveal_by == table.due == top.now + 20
    reveal(top, 0)
    info = shuffle(top)
    assert [part and part.revealed for part in info.seats] == [True, False, None]
    assert [part and part.part for part in info.seats] == [None, None, None]
    reveal(top, 1)
    assert table.status == "running"
    assert table.game is not None
    assert table.game.seed == mixed_seed(table.shuffle.part, enumerate(PARTS[:2]))
    info = shuffle(top)
    assert [part and part.part for part in info.seats] == [*PARTS[:2], None]
    assert info.reveal_by is None
    assert table.shuffle.part not in str(info)
    assert view.table_info(table).commitment == table.game.commitment


def test_the_server_is_committed_before_anybody_reveals() -> None:
    """Whatever the server learns afterwards, its part stays."""
    top = Tabletop(ADA, OpenSeat())
    published = shuffle(top).server
    join = from_client.JoinTable(name="Bob", commitment=BOB.commitment)
    top.write(seats.join(top.table, join, new_token(), top.now))
    for seat in (0, 1):
        reveal(top, seat)
    assert shuffle(top).server == published == commitment_to(top.table.shuffle.part)


def test_nobody_changes_what_they_committed_to() -> None:
    top = Tabletop(ADA, OpenSeat())
    with refused("not_awaited"):
        reveal(top, 0)  # not before all are there
    join = from_client.JoinTable(name="Bob", commitment=BOB.commitment)
    top.write(seats.join(top.table, join, new_token(), top.now))
    with refused("wrong_part"):
        reveal(top, 0, PARTS[2])
    with refused("not_seated"):
        top.command(None, from_client.Reveal, part=PARTS[0])
    assert seats.come(top.table, 0, top.now, commitment_to(PARTS[2])) is None
    with refused("already_started"):
        top.command(1, from_client.Leave)
    known = top.table.number
    reveal(top, 0)
    with refused("not_awaited"):
        reveal(top, 0)
    top.command(1, from_client.Reveal, part=PARTS[1], known=known)  # both at the same time
    with refused("already_started"):
        reveal(top, 1)


def test_who_does_not_reveal_in_time_is_left_out_and_the_record_says_so() -> None:
    top = Tabletop(ADA, BOB, edition="compass")
    reveal(top, 0)
    top.now += 19
    assert top.time_out() == []
    top.now += 1
    top.write(*top.time_out())
    game = top.table.game
    assert game is not None
    assert game.seed == mixed_seed(top.table.shuffle.part, [(0, PARTS[0])])
    header = json.loads(game.record().text().splitlines()[0])
    assert [(it["player"], it["part"]) for it in header["shuffle"]["players"]] == [
        (0, PARTS[0]),
        (1, None),
    ]
    assert Game.from_record(game.record().text()).shuffle == game.shuffle
    info = shuffle(top).seats[1]
    assert info is not None
    assert (info.revealed, info.part) == (False, None)


def test_people_who_play_over_days_are_waited_for_longer() -> None:
    top = Tabletop(ADA, BOB, clock=Clock("slow", 3))
    assert top.table.due == top.now + SLOW_REVEAL_SECONDS


def test_clients_and_bots_without_a_part_are_not_waited_for() -> None:
    top = Tabletop(PersonSeat("Ada"), PersonSeat("Bob"))
    assert top.table.status == "running"
    assert top.table.game is not None
    assert top.table.game.shuffle is not None
    assert top.table.game.shuffle.players == ()
    top = Tabletop(ADA, PersonSeat("Bob"), BotSeat("greedy"))
    assert top.table.status == "waiting"
    reveal(top, 0)
    assert top.table.status == "running"


def test_a_part_that_was_lost_can_be_replaced_before_all_are_there() -> None:
    top = Tabletop(ADA, OpenSeat())
    for part in PARTS[1:]:
        entry = seats.come(top.table, 0, top.now, commitment_to(part))
        assert isinstance(entry, entries.Committed)
        top.write(entry)
    assert seats.come(top.table, 0, top.now, commitment_to(PARTS[2])) is None
    top.write(seats.join(top.table, from_client.JoinTable(name="B"), new_token(), top.now))
    reveal(top, 0, PARTS[2])
    assert top.table.status == "running"
    few = Tabletop(ADA, OpenSeat())
    for number in range(30):  # no log grows without end
        entry = seats.come(few.table, 0, few.now, f"{number:064x}")
        if entry is not None:
            few.write(entry)
    assert len(few.log) == 11


def test_a_seed_that_was_given_is_called_so() -> None:
    seed = "0d" * 32
    top = Tabletop(ADA, BOB, seed=seed, edition="compass")
    game = top.table.game
    assert game is not None
    assert game.seed.hex() == seed
    assert shuffle(top).given
    assert shuffle(top).server is None
    assert seed not in view.Snapshot(top.table).state(0, [], top.table.number).decode()
    header = json.loads(game.record().text().splitlines()[0])
    assert header["shuffle"] == {"method": "given"}
    assert Game.from_record(game.record().text()).seed.hex() == seed


def test_a_table_of_an_older_version_begins_as_it_did_then() -> None:
    top = Tabletop(PersonSeat("Ada"), OpenSeat())
    created = top.log[0]
    assert isinstance(created, entries.Created)
    top.table.shuffle.part, top.table.shuffle.commitment = "", None
    join = from_client.JoinTable(name="Bob", commitment=BOB.commitment)
    top.write(seats.join(top.table, join, new_token(), top.now))
    assert top.table.status == "running"
    assert shuffle_info(top.table) is None
    assert top.table.game is not None
    assert "shuffle" not in top.table.game.record().text().splitlines()[0]


def test_the_table_resumes_at_every_step_of_the_shuffle() -> None:
    top = Tabletop(ADA, BOB, edition="compass")
    for step in (None, 0, 1):
        if step is not None:
            reveal(top, step)
        assert facts(resume(top.table.id, map(write_entry, top.log))) == facts(top.table)


def test_a_whole_game_over_sockets_with_everybodys_part(house: Server) -> None:
    seats = ({"kind": "person", "name": "Ada", "commitment": ADA.commitment}, OPEN)
    made = create(house.address, *seats, edition="usa")
    table = made["table"]
    body = {"name": "Bob", "commitment": BOB.commitment}
    joined = api(house.address).post(f"/api/tables/{table}/join", json=body).json()
    ada = Person(house.address, table, made["held"][0]["token"], seed=1).come()
    bob = Person(house.address, table, joined["token"], seed=2).come()
    assert ada.state["table"]["status"] == "waiting"
    server = ada.state["table"]["shuffle"]["server"]
    for person, part in ((ada, PARTS[0]), (bob, PARTS[1])):
        assert person.command("reveal", part=part)["type"] == "accepted"
    while ada.state["table"]["status"] == "waiting":
        ada.hear("state")
    while bob.state["table"]["status"] == "waiting":
        bob.hear("state")
    together(ada, bob)
    final = ada.state["final"]
    assert commitment_to(final["part"]) == server
    assert mixed_seed(final["part"], enumerate(PARTS[:2])).hex() == final["seed"]
    text = api(house.address).get(f"/api/tables/{table}/record").text
    game = Game.from_record(text)
    assert game.shuffle is not None
    assert [it.part for it in game.shuffle.players] == list(PARTS[:2])


def test_a_game_begins_without_the_absent_also_after_a_restart(
    tmp_path: object, serving: Callable[..., Server]
) -> None:
    """Only that the time for revealing ends is tested, not when."""
    server = serving(f"{tmp_path}/games.sqlite", reveal_seconds=1.0)
    seats = [
        {"kind": "person", "name": name, "commitment": seat.commitment}
        for name, seat in (("Ada", ADA), ("Bob", BOB))
    ]
    made = create(server.address, *seats)
    ada = Person(server.address, made["table"], made["held"][0]["token"]).come()
    assert ada.command("reveal", part=PARTS[0])["type"] == "accepted"
    server.kill()
    server.start()
    ada.come()
    while ada.state["table"]["status"] == "waiting":
        ada.hear("state")
    (started,) = (entry for entry in ada.entries if entry["entry"] == "started")
    parts = [part["part"] for part in started["shuffle"]["seats"]]
    assert parts == [PARTS[0], None]
