"""What can be done at a table, and what cannot: one test for every rule of the house."""

import random

import pytest

from ferrovia.server.protocol import from_client
from ferrovia.server.protocol.clock import Clock
from ferrovia.server.protocol.from_client import BotSeat, OpenSeat, PersonSeat
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.entries import Rematched
from ferrovia.server.table.tokens import is_table_id, new_table_id, new_token
from ferrovia.server.table.verbs import seats
from ferrovia.server.table.verbs.decide import decide_for_bot
from ferrovia.server.table.verbs.rematch import created_again
from ferrovia.server.table.viewers import view
from tests.server.support.tabletop import Tabletop

ADA, BOB = PersonSeat("Ada"), PersonSeat("Bob")


def refused(code: str) -> pytest.RaisesExc[Refusal]:
    return pytest.RaisesExc(Refusal, check=lambda refusal: refusal.code == code)


def running(**setup: object) -> Tabletop:
    """Return a game in its first turn, with stand-ins."""
    top = Tabletop(ADA, BOB, **{"stand_in": "greedy", **setup})
    game = top.table.game
    assert game is not None
    for seat in (0, 1):
        top.decide(seat, "keep 1 2 3")
    return top


def turn(top: Tabletop) -> int:
    (seat,) = top.table.awaited
    return seat


def test_the_id_of_a_table_can_be_typed_after_a_command() -> None:
    for table in (new_table_id() for _ in range(1000)):
        assert is_table_id(table)
        assert not table.startswith("-"), "an option"


def test_a_game_begins_when_the_last_seat_is_taken() -> None:
    top = Tabletop(ADA, OpenSeat())
    assert top.table.status == "waiting"
    token = new_token()
    top.write(seats.join(top.table, from_client.JoinTable(name="Bob"), token, top.now))
    assert top.table.status == "running"
    assert top.table.actor(token) == top.actor(1)
    assert view.table_info(top.table).commitment is not None


def test_a_table_of_bots_begins_at_once_and_has_a_host_without_a_seat() -> None:
    top = Tabletop(BotSeat("greedy"), BotSeat("random"))
    assert top.table.status == "running"
    assert top.table.awaited_bot in (0, 1)
    assert list(top.held) == [None]
    host = top.table.actor(top.held[None])
    assert host is not None
    assert host.host
    assert host.seat is None


@pytest.mark.parametrize(
    ("setup", "code"),
    [
        ({"edition": "atlantis"}, "no_such_edition"),
        ({"edition": "/etc/passwd"}, "no_such_edition"),
        ({"extras": ("../../secret",)}, "no_such_pack"),
        ({"seats": (ADA,)}, "invalid_setup"),
        ({"seats": (ADA, BotSeat("nobody"))}, "no_such_bot"),
        ({"seats": (PersonSeat("bot:greedy"), BOB)}, "invalid_name"),
        ({"seats": (PersonSeat("A\x00da"), BOB)}, "invalid_name"),
        ({"seats": (PersonSeat("   "), BOB)}, "invalid_name"),
        ({"first": 2}, "invalid_setup"),
        ({"clock": Clock("live", 1)}, "invalid_setup"),
        ({"clock": Clock("slow", 365)}, "invalid_setup"),
        ({"stand_in": "nobody"}, "no_such_bot"),
    ],
)
def test_what_a_table_cannot_be_set_up_with(setup: dict[str, object], code: str) -> None:
    with refused(code):
        Tabletop(**{"seats": (ADA, BOB), **setup})


def test_seats_are_taken_once_and_only_before_the_game() -> None:
    top = Tabletop(ADA, OpenSeat(), OpenSeat())
    join = seats.join
    with refused("no_such_seat"):
        join(top.table, from_client.JoinTable(name="Bob", seat=5), new_token(), top.now)
    with refused("seat_taken"):
        join(top.table, from_client.JoinTable(name="Bob", seat=0), new_token(), top.now)
    top.write(join(top.table, from_client.JoinTable(name="Bob", seat=2), new_token(), top.now))
    top.write(join(top.table, from_client.JoinTable(name="Cleo"), new_token(), top.now))
    assert [seat.name for seat in top.table.seats] == ["Ada", "Cleo", "Bob"]
    with refused("already_started"):
        join(top.table, from_client.JoinTable(name="Dan"), new_token(), top.now)


def test_who_stands_up_before_the_game_holds_nothing_any_more() -> None:
    top = Tabletop(ADA, OpenSeat(), OpenSeat())
    token = new_token()
    top.write(seats.join(top.table, from_client.JoinTable(name="Bob"), token, top.now))
    top.command(1, from_client.Leave)
    assert top.table.seats[1].kind == "open"
    assert top.table.actor(token) is None


def test_only_the_host_fills_seats_with_bots() -> None:
    top = Tabletop(ADA, BOB, OpenSeat())
    with refused("not_host"):
        top.command(1, from_client.Fill, seat=2, bot="greedy")
    with refused("seat_taken"):
        top.command(0, from_client.Fill, seat=1, bot="greedy")
    with refused("no_such_bot"):
        top.command(0, from_client.Fill, seat=2, bot="nobody")
    top.command(0, from_client.Fill, seat=2, bot="greedy")
    assert top.table.status == "running"


def test_a_spectator_decides_nothing() -> None:
    top = running()
    for kind in (from_client.Leave, from_client.Return, from_client.Pause, from_client.Rematch):
        with refused("not_seated"):
            top.command(None, kind)
    with refused("not_seated"):
        top.command(None, from_client.Decide, action="draw")


def test_illegal_and_unreadable_decisions_change_nothing() -> None:
    top = running()
    seat = turn(top)
    game = top.table.game
    assert game is not None
    before = bytes(game.state)
    with refused("illegal_action") as raised:
        top.decide(1 - seat, "draw")
    assert (raised.value.reason, raised.value.rule) == ("not_your_turn", "R2.4")
    with refused("invalid_action"):
        top.decide(seat, "dance")
    with refused("invalid_action"):
        top.decide(seat, "claim atlantis-utopia red")
    assert bytes(game.state) == before
    assert top.table.number == len(top.log)


def test_a_decision_must_know_what_it_depends_on() -> None:
    top = Tabletop(ADA, BOB)
    known = top.table.number
    top.decide(0, "keep 1 2 3", known=known)
    top.decide(1, "keep 1 2 3", known=known)  # R2.3: both chose at the same time
    seat = turn(top)
    with refused("stale"):
        top.decide(seat, "draw", known=known)
    with refused("ahead"):
        top.decide(seat, "draw", known=top.table.number + 1)
    top.decide(seat, "draw")


def test_a_decision_that_missed_exactly_one_other_is_stale() -> None:
    top = running()
    seat = turn(top)
    top.decide(seat, "draw")
    top.decide(seat, "draw")
    assert turn(top) != seat
    with refused("stale"):
        top.decide(turn(top), "draw", known=top.table.number - 1)
    top.decide(turn(top), "draw", known=top.table.number)


def test_pauses_and_arrivals_do_not_make_a_decision_stale() -> None:
    top = running()
    seat, known = turn(top), top.table.number
    top.command(0, from_client.Pause)
    with refused("paused"):
        top.decide(seat, "draw", known=known)
    top.command(1, from_client.Resume)
    top.decide(seat, "draw", known=known)


def test_other_commands_must_know_how_the_table_is_arranged() -> None:
    top = running()
    known = top.table.number
    top.command(0, from_client.Pause)
    with refused("stale"):
        top.command(1, from_client.Pause, known=known)


def test_a_bot_stands_in_and_gives_the_seat_back() -> None:
    top = running()
    seat = turn(top)
    with refused("not_away"):
        top.command(seat, from_client.Return)
    top.command(seat, from_client.Leave)
    assert top.table.awaited_bot == seat
    assert top.table.due == top.table.changed
    with refused("away"):
        top.decide(seat, "draw")
    top.write(decide_for_bot(top.table, seat, "draw", top.now))
    top.command(seat, from_client.Return)
    assert top.table.awaited_bot is None
    top.decide(seat, "draw")


def test_nobody_stands_in_where_that_was_not_agreed_on() -> None:
    top = running(stand_in=None)
    with refused("no_stand_in"):
        top.command(0, from_client.Leave)
    with refused("no_stand_in"):
        top.command(1 - turn(top), from_client.Replace, seat=turn(top))


def test_others_can_be_replaced_when_they_keep_everybody_waiting() -> None:
    top = Tabletop(ADA, BOB, stand_in="greedy", patience=60.0)
    top.decide(0, "keep 1 2 3")
    with refused("not_waiting_long"):
        top.command(0, from_client.Replace, seat=1)
    top.now += 61
    with refused("not_waiting_long"):
        top.command(1, from_client.Replace, seat=0)  # it is not Ada who is awaited
    with refused("no_such_seat"):
        top.command(0, from_client.Replace, seat=4)
    top.command(0, from_client.Replace, seat=1)
    assert top.table.awaited_bot == 1


# Clocks


def test_the_clock_counts_turns_not_decisions() -> None:
    top = running(clock=Clock("live", 30))
    assert top.table.turn.deadline == top.now + 30
    seat, deadline = turn(top), top.table.turn.deadline
    top.now += 10
    top.decide(seat, "draw")
    assert turn(top) == seat  # the second card
    assert top.table.turn.deadline == deadline
    top.decide(seat, "draw")
    assert top.table.turn.deadline == top.now + 30


def test_a_pause_that_all_agree_on_stops_the_clock() -> None:
    top = running(clock=Clock("live", 30))
    top.now += 10
    top.command(0, from_client.Pause)
    assert top.table.due == top.table.turn.deadline
    top.command(1, from_client.Pause)
    assert top.table.due is None
    top.now += 1000
    assert top.time_out() == []
    top.command(0, from_client.Resume)
    assert top.table.turn.deadline == top.now + 20


# The end


def test_after_the_end_there_is_nothing_to_decide_but_a_rematch() -> None:
    top = running()
    with refused("not_over"):
        top.command(0, from_client.Rematch)
    for _ in top.play(random.Random(1)):
        pass
    table = top.table
    assert table.status == "over"
    assert table.result is not None
    for kind in (from_client.Leave, from_client.Pause):
        with refused("game_over"):
            top.command(0, kind)
    top.command(1, from_client.Rematch)
    rematched = top.log[-1]
    assert isinstance(rematched, Rematched)
    assert table.rematch == rematched.table
    created = created_again(table, rematched)
    assert [place.ready for place in created.places] == [False, False]
    assert [place.token for place in created.places] == [seat.token for seat in table.seats]
    assert created.host == table.seats[1].token
    with refused("stale"):
        top.command(0, from_client.Rematch)
