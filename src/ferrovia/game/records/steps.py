"""A recorded game step by step: the deal, then one step for each decision, with the state after it.

A step begins with the event of a decision; refills, flushes, the last round and a tunnel's claim
without extra cards belong to the decision that led to them. A shuffle belongs to the event that
needed the cards.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ferrovia.game import events
from ferrovia.game.codec.fields import StateReading
from ferrovia.game.errors import RecordError
from ferrovia.game.game import Game
from ferrovia.game.records.record import Record
from ferrovia.game.records.replay import replay, replay_at
from ferrovia.game.records.turns import setup_length
from ferrovia.kernel import Buffer


class Step(NamedTuple):
    """Who decided (None: the deal), in which turn (0: the set-up), the events `first` to before
    `end` of the record, and the state after them.
    """

    seat: int | None
    turn: int
    first: int
    end: int
    state: Buffer


def step_starts(happened: Sequence[events.Event], players: int, deals: int) -> list[int]:
    """Return the number of the first event of every decision."""
    setup = setup_length(happened, players, deals)
    starts = []
    shuffles = 0  # directly before the event
    free_tunnel = False  # before the event: its claim follows at once
    for number, event in enumerate(happened):
        if isinstance(event, events.Shuffle):
            shuffles += 1
            continue
        decides = event.decides
        if isinstance(event, events.Offer):
            decides = number >= setup
        elif isinstance(event, events.Claim):
            decides = not free_tunnel
        if not isinstance(event, events.LastRound):
            free_tunnel = isinstance(event, events.Tunnel) and event.extra == 0
        if decides:
            starts.append(number - shuffles)
        shuffles = 0
    return starts


def replay_steps(record: Record) -> tuple[Game, list[Step]]:
    """Return the game of a record that is proved whole, and its steps; raises `RecordError`."""
    recorded, header = record.events, record.header
    try:
        game, states = replay_at(
            record, lambda edition: _ends(recorded, len(header.players), len(edition.deals))
        )
    except RecordError:
        replay(record)  # names the mistake as it is in the whole record
        raise
    ends = _ends(recorded, game.players, len(game.edition.deals))
    steps = []
    first, turn = 0, 0
    for number, (end, state) in enumerate(zip(ends, states, strict=True)):
        seat = None if number == 0 else _actor(recorded[first:end])
        steps.append(Step(seat, turn, first, end, state))
        first, turn = end, StateReading(state).turns
    return game, steps


def replay_steps_of_table(record: Record) -> tuple[Game, list[Step]]:
    """Return the same for a record whose table has proved it; its cards may not be those that the
    seed gives in this version any more (see `ferrovia.server.table.resume`).
    """
    try:
        return replay_steps(record)
    except RecordError:
        header = msgspec.structs.replace(record.header, seed=None)
        return replay_steps(msgspec.structs.replace(record, header=header))


def step_of_turn(steps: Sequence[Step], turn: int, part: int | None = None) -> int:
    """Return the number of the last step of a turn, or of its part with this number from 1 on. Turn
    0 is the deal, its parts the rest of the set-up. What the game does not have is its last one.
    """
    if turn <= 0 and part is None:
        return 0
    within = [number for number, step in enumerate(steps) if number and step.turn == turn]
    if not within:
        return 0 if turn <= 0 else len(steps) - 1
    return within[-1] if part is None else within[min(max(part, 1), len(within)) - 1]


def _ends(happened: Sequence[events.Event], players: int, deals: int) -> list[int]:
    return [*step_starts(happened, players, deals), len(happened)]


def _actor(happened: Sequence[events.Event]) -> int | None:
    for event in happened:
        seat: int | None = getattr(event, "player", None)
        if seat is not None:
            return seat
    return None
