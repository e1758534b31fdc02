"""Fair to the players: clocks, pauses, stand-ins and seats that nobody can turn against others."""

import random

import pytest

from ferrovia.game import KeepTickets, Phase, read_action
from ferrovia.server.protocol import from_client
from ferrovia.server.protocol.clock import Clock
from ferrovia.server.protocol.from_client import OpenSeat, PersonSeat
from ferrovia.server.protocol.shown import ShownDecided
from ferrovia.server.refusals import Refusal
from ferrovia.server.table import entries
from ferrovia.server.table.entries import Rematched
from ferrovia.server.table.table import Table
from ferrovia.server.table.tokens import new_token
from ferrovia.server.table.verbs import seats
from ferrovia.server.table.verbs.create import create, created_before
from ferrovia.server.table.verbs.decide import harmless_action
from ferrovia.server.table.verbs.pause import AGREED_PAUSES, OWN_PAUSES
from ferrovia.server.table.verbs.rematch import created_again
from ferrovia.server.table.viewers import view
from ferrovia.server.table.viewers.shown import shown as shown_entry
from tests.server.support.tabletop import Tabletop
from tests.server.table.test_table import ADA, BOB, refused, running, turn

LIVE, SLOW = Clock("live", 30), Clock("slow", 3)


def time_passes(top: Tabletop, seconds: float) -> None:
    """Let time pass, and the server do what is due."""
    top.now += seconds
    top.write(*top.time_out())


# `replace` respects the clock


def test_nobody_is_replaced_while_their_clock_runs() -> None:
    for clock in (LIVE, SLOW):
        top = Tabletop(ADA, BOB, clock=clock, stand_in="greedy", patience=0.0)
        top.decide(0, "keep 1 2 3")
        top.now += 29
        with refused("not_waiting_long"):
            top.command(0, from_client.Replace, seat=1)
        assert not top.table.seats[1].away


def test_without_a_clock_patience_counts_from_the_question_whatever_else_happens() -> None:
    top = Tabletop(ADA, BOB, PersonSeat("Cleo"), stand_in="greedy", patience=60.0)
    top.decide(0, "keep 1 2 3")
    top.decide(2, "keep 1 2 3")
    for _ in range(6):  # a friend of Bob's comes and goes
        top.now += 10
        top.command(2, from_client.Leave)
        top.command(2, from_client.Return)
    top.command(0, from_client.Replace, seat=1)
    assert top.table.seats[1].away


def test_a_pause_is_no_waiting() -> None:
    top = Tabletop(ADA, BOB, stand_in="greedy", patience=60.0)
    top.decide(0, "keep 1 2 3")
    top.now += 10
    top.command(1, from_client.Pause)
    top.now += 1000
    top.command(1, from_client.Resume)
    with refused("not_waiting_long"):
        top.command(0, from_client.Replace, seat=1)
    top.now += 50
    top.command(0, from_client.Replace, seat=1)


# Time is used up whatever one does


def test_leaving_and_returning_does_not_reset_the_clock() -> None:
    top = running(clock=Clock("live", 10))
    seat, deadline = turn(top), top.table.turn.deadline
    for _ in range(4):
        top.now += 2
        top.command(seat, from_client.Leave)
        top.command(seat, from_client.Return)
        assert top.table.turn.deadline == deadline
    time_passes(top, 2)
    assert turn(top) != seat


def test_who_returns_from_a_pause_has_the_time_that_was_left() -> None:
    top = running(clock=LIVE)
    seat = turn(top)
    top.now += 20
    for player in (0, 1):
        top.command(player, from_client.Pause)
    top.command(seat, from_client.Leave)
    top.command(seat, from_client.Return)
    assert top.table.turn.deadline is None
    top.command(0, from_client.Resume)
    assert top.table.turn.deadline == top.now + 10


# Pauses are limited and agreed on


def test_with_a_clock_a_pause_is_agreed_on() -> None:
    top = running(clock=LIVE)
    top.command(0, from_client.Pause)
    assert not top.table.pause.on
    assert view.table_info(top.table).pause_asked == (0,)
    with refused("not_agreed"):
        top.command(0, from_client.Pause)
    top.command(1, from_client.Resume)  # declined
    assert top.table.pause.asked == ()
    with refused("not_paused"):
        top.command(1, from_client.Resume)
    top.command(1, from_client.Pause)
    top.command(0, from_client.Pause)
    assert top.table.pause.on
    assert top.table.pause.asked == ()


def test_who_plays_on_asks_for_no_pause_any_more() -> None:
    top = running(clock=LIVE)
    seat = turn(top)
    top.command(seat, from_client.Pause)
    top.decide(seat, "draw")
    assert top.table.pause.asked == ()


def test_bots_and_those_for_whom_one_plays_are_not_asked() -> None:
    top = running(clock=LIVE)
    top.command(1, from_client.Leave)
    with refused("away"):
        top.command(1, from_client.Pause)
    top.command(0, from_client.Pause)
    assert top.table.pause.on


def test_pauses_are_limited() -> None:
    top = running(clock=LIVE)
    for _ in range(AGREED_PAUSES):
        top.command(0, from_client.Pause)
        top.command(1, from_client.Pause)
        top.command(0, from_client.Resume)
    for seat in (0, 1):
        with refused("no_more_pauses"):
            top.command(seat, from_client.Pause)
    top = running()
    for _ in range(OWN_PAUSES):
        top.command(0, from_client.Pause)
        top.command(1, from_client.Resume)
    with refused("no_more_pauses"):
        top.command(0, from_client.Pause)
    top.command(1, from_client.Pause)


# One timeout does not cost a seat


def test_time_that_is_up_costs_one_turn_and_not_the_seat() -> None:
    top = running(clock=LIVE)
    seat = turn(top)
    time_passes(top, 29)
    assert turn(top) == seat
    before = top.table.game.view(None).of(seat).cards  # type: ignore[union-attr]
    time_passes(top, 1)
    drawn = [entry for entry in top.log[-2:] if isinstance(entry, entries.Decided)]
    assert [(entry.seat, entry.action, entry.bot) for entry in drawn] == [(seat, "draw", "")] * 2
    assert [entry.clock for entry in drawn] == [1, 0]
    assert not top.table.seats[seat].away
    assert top.table.game is not None
    assert top.table.game.view(None).of(seat).cards == before + 2
    assert turn(top) == 1 - seat
    assert top.table.turn.deadline == top.now + 30
    shown = shown_entry(top.table, 9, drawn[0], None)
    assert isinstance(shown, ShownDecided)
    assert shown.clock
    for _ in range(2):
        top.decide(1 - seat, "draw")
    top.decide(seat, "draw")  # as if nothing had been
    assert top.table.seats[seat].timeouts == 0


def test_only_the_second_time_in_a_row_a_bot_stands_in() -> None:
    top = running(clock=SLOW, stand_in=None)  # with a clock there always is one
    seat = turn(top)
    time_passes(top, 3 * 86400)
    for _ in range(2):
        top.decide(1 - seat, "draw")
    assert turn(top) == seat
    time_passes(top, 3 * 86400)
    assert top.table.seats[seat].away
    assert view.table_info(top.table).seats[seat].left == "clock"
    assert top.table.awaited_bot == seat


def late_twice() -> tuple[Tabletop, int]:
    top = running(clock=LIVE)
    seat = turn(top)
    time_passes(top, 30)
    for _ in range(2):
        top.decide(1 - seat, "draw")
    time_passes(top, 30)
    assert top.table.seats[seat].away
    return top, seat


def test_who_was_late_is_back_by_acting() -> None:
    top, seat = late_twice()
    top.decide(seat, "draw")
    assert not top.table.seats[seat].away
    assert [type(entry) for entry in top.log[-2:]] == [entries.Returned, entries.Decided]
    assert (top.log[-1].by, top.log[-1].command) == (seat, f"c{next(top.ids) - 1}")
    assert isinstance(top.log[-1], entries.Decided)
    assert top.log[-1].bot == ""
    assert top.table.seats[seat].timeouts == 0


def test_who_was_late_and_takes_the_seat_back_has_no_time_left_for_this_turn() -> None:
    top, seat = late_twice()
    top.command(seat, from_client.Return)
    time_passes(top, 0)
    assert turn(top) == 1 - seat
    assert not top.table.seats[seat].away


def test_who_left_says_so_before_deciding_again() -> None:
    top = running()
    seat = turn(top)
    top.command(seat, from_client.Leave)
    with refused("away"):
        top.decide(seat, "draw")


def test_at_the_start_the_fewest_and_cheapest_tickets_are_kept() -> None:
    for edition in ("europe", "usa", "mega-europe"):
        top = Tabletop(ADA, BOB, edition=edition, clock=LIVE)
        game = top.table.game
        assert game is not None
        top.decide(0, str(game.legal_actions(0)[-1]))
        view_of_bob = game.view(1)
        worth = {ticket.id: ticket.points for ticket in game.edition.tickets}
        points = [worth[ticket] for ticket in view_of_bob.offer]
        least = min(
            (action for action in game.legal_actions(1) if isinstance(action, KeepTickets)),
            key=lambda keep: (len(keep.numbers), sum(points[n - 1] for n in keep.numbers)),
        )
        known = len(top.log)
        top.now += 30
        top.write(*top.time_out())
        kept = [entry for entry in top.log[known:] if isinstance(entry, entries.Decided)]
        assert {entry.seat for entry in kept if entry.start} <= {0, 1}
        assert read_action(next(entry.action for entry in kept if entry.seat == 1)) == least
        assert game.phase is not Phase.START
        assert not any(seat.away for seat in top.table.seats)


def test_whatever_is_awaited_something_harmless_is_found() -> None:
    """No claim and no station, unless nothing else is legal; and never a tunnel that is paid."""
    for seed in range(6):
        top = Tabletop(ADA, BOB, edition="europe", clock=LIVE)
        chance = random.Random(seed)
        game = top.table.game
        assert game is not None
        for _ in top.play(chance):
            for seat in game.awaited:
                actions = [str(action) for action in game.legal_actions(seat)]
                chosen = str(harmless_action(game.view(seat)))
                assert chosen in actions
                calm = [it for it in actions if it.startswith(("draw", "take", "keep", "withdraw"))]
                assert not calm or chosen in calm


# Seats, tokens and hints


def test_creation_sent_twice_gives_the_same_seats_and_tokens() -> None:
    top = Tabletop()
    seats = (ADA, OpenSeat(), BOB, PersonSeat("Cleo"))
    request = from_client.CreateTable(edition="europe", seats=seats, id="once")
    token = new_token()
    created, answer = create(request, token, top.now, top.terms)
    again, same = create(request, token, top.now + 1, top.terms)
    assert answer == same
    assert [held.seat for held in answer.held] == [0, 2, 3]
    assert answer.held[0].token == token
    assert len({held.token for held in answer.held}) == 3
    assert created.places == again.places
    other = from_client.CreateTable(edition="usa", seats=seats[:2], id="once")
    assert created_before(answer.table, created, token, other) == answer
    assert created.part != again.part  # only the first one is written


def test_seats_of_a_rematch_are_kept_until_their_people_decline() -> None:
    top = running(edition="compass")
    for _ in top.play(random.Random(1)):
        pass
    known = top.table.number
    top.command(1, from_client.Rematch, known=known)
    rematched = top.log[-1]
    assert isinstance(rematched, Rematched)
    created = created_again(top.table, rematched)
    top.table = Table(rematched.table)
    top.log = []
    top.write(created)
    table = top.table
    entry = seats.come(table, 1, top.now)
    assert entry is not None
    top.write(entry)
    with refused("seat_kept"):
        top.command(1, from_client.Fill, seat=0, bot="greedy")
    with refused("table_full"):
        join = from_client.JoinTable(name="Cleo")
        seats.join(table, join, new_token(), top.now)
    top.write(seats.decline(table, top.actor(0), top.now))
    assert table.seats[0].kind == "open"
    top.command(1, from_client.Fill, seat=0, bot="greedy")
    assert table.status == "running"


@pytest.mark.parametrize("hints", [True, False])
def test_a_table_says_whether_there_are_hints(hints: bool) -> None:
    from ferrovia.server.bots.question import hint_question

    top = running(hints=hints)
    assert view.table_info(top.table).hints is hints
    if hints:
        hint_question(top.table, top.actor(turn(top)), "greedy")
    else:
        with refused("hints_off"):
            hint_question(top.table, top.actor(turn(top)), "greedy")


def test_a_seed_of_ones_own_is_told_before_anybody_sits_down_and_never_listed() -> None:
    seats = (from_client.PersonSeat("Ada"), from_client.OpenSeat())
    top = Tabletop(*seats, seed="07" * 32)
    assert view.table_info(top.table).seeded
    assert not view.table_info(Tabletop(*seats).table).seeded
    with pytest.raises(Refusal, match="not listed"):
        Tabletop(*seats, seed="07" * 32, listed=True)
