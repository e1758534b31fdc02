"""The decisions of a recorded game, each with the state of the kernel before and after it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ferrovia.game import actions, events
from ferrovia.game.codec.lexicon import Buffer
from ferrovia.game.errors import RecordError
from ferrovia.game.game import Game
from ferrovia.game.records.replay import _kernel_order, _rows_of
from ferrovia.game.records.tape import tape_of
from ferrovia.game.records.turns import setup_length
from ferrovia.rules import calls
from ferrovia.rules.chapters.breaches import FINE
from ferrovia.rules.state.layout import START, STATE, TUNNEL
from ferrovia.rules.state.log import COLUMNS, EVENT, OFFERED


class Decision(NamedTuple):
    """What a seat decided. `begin` and `end` are numbers of events before and after it; `turn`
    counts from 1 and is 0 in the set-up. The states are those of the kernel, with all secrets.
    """

    begin: int
    end: int
    seat: int
    turn: int
    action: actions.Action
    before: Buffer
    after: Buffer


_DECISIVE = (
    events.Keep,
    events.Take,
    events.Draw,
    events.Offer,
    events.Claim,
    events.Tunnel,
    events.Withdraw,
    events.Station,
    events.PassTurn,
)


def start_state(game: Game) -> Buffer:
    """Return the state right after the deal of a game that was replayed or played."""
    return next(_follow(game))[0]


def decisions_of(game: Game) -> Iterator[Decision]:
    """Yield the decisions of a game that was replayed or played, in order."""
    steps = _follow(game)
    before, end = next(steps)
    for state, reached in steps:
        decisive = _decisive(game.events[end:reached])
        s = before.view(STATE)[0]
        starting = s.phase == START
        if not (starting and isinstance(decisive, events.Offer)):
            action = _action(game, before, decisive)
            turn = 0 if starting else int(s.turns)
            seat: int = decisive.player  # type: ignore[attr-defined]
            yield Decision(end, reached, seat, turn, action, before, state)
        before, end = state, reached


def _decisive(group: Sequence[events.Event]) -> events.Event:
    return next(event for event in group if isinstance(event, _DECISIVE))


def _groups(recorded: Sequence[events.Event], at: int, setup: int) -> Iterator[tuple[int, int]]:
    """Yield where each decision begins and ends among the events from `at` on."""
    while at < len(recorded):
        end = at
        while end < len(recorded) and isinstance(recorded[end], events.Shuffle):
            end += 1  # the deck ran out under this decision
        first = recorded[end] if end < len(recorded) else None
        end += 1
        if at >= setup or not isinstance(first, events.Offer | events.Keep):
            if isinstance(first, events.Tunnel) and first.extra == 0:
                end += 1  # claimed without a further decision (R7.8)
            while end < len(recorded) and _follows(recorded, end):
                end += 1
        yield at, min(end, len(recorded))
        at = end


def _follows(recorded: Sequence[events.Event], at: int) -> bool:
    """Return whether an event belongs to the decision before it: refills, and what they lead to."""
    if isinstance(recorded[at], events.Shuffle):
        later = (it for it in recorded[at:] if not isinstance(it, events.Shuffle))
        return isinstance(next(later, None), events.Refill | events.Flush | events.LastRound | None)
    return not isinstance(recorded[at], _DECISIVE)


def _follow(game: Game) -> Iterator[tuple[Buffer, int]]:
    """Yield the state after the deal and after each group of events, with the events so far."""
    order = _kernel_order(game.events)
    recorded = [game.events[place] for place in order]
    tapes = [tape_of(game.words, game.players, recorded)]
    if game.seed_known:
        tapes.insert(0, np.zeros(0, np.int32))
    for tape in tapes:
        found = list(_states(game, recorded, tape))
        if found[-1][1] == len(recorded):
            yield from found
            return
    raise RecordError("the events are not what the rules say happens", found[-1][1] + 2)


def _states(
    game: Game, recorded: Sequence[events.Event], tape: npt.NDArray[np.int32]
) -> Iterator[tuple[Buffer, int]]:
    words = game.words
    rows = _rows_of(words, recorded, range(2, len(recorded) + 2))
    scratch = np.zeros((len(rows) + 64, COLUMNS), np.int16)
    state = np.zeros(STATE.itemsize, np.uint8)
    seed = np.frombuffer(game.seed, np.uint8).copy()
    first = int(game.view(None).first)
    calls.start(words.book, state, seed, game.players, first, scratch, tape)
    happened = scratch[1 : int(scratch[0, 0]) + 1]
    dealt = int((happened[:, EVENT] != OFFERED).sum())
    yield state.copy(), dealt
    setup = setup_length(recorded, game.players, len(game.edition.deals))
    for begin, end in _groups(recorded, dealt, setup):
        _, breach = calls.follow(words.book, state, rows[begin:end].copy(), 0, scratch, tape)
        if breach != FINE:
            return
        yield state.copy(), end


def _action(game: Game, before: Buffer, event: events.Event) -> actions.Action:
    """Return the action that led to an event."""
    s = before.view(STATE)[0]
    match event:
        case events.Keep(player=player, kept=kept, returned=returned):
            offered = [game.words.tickets[n] for n in s.offer[player][: s.offered[player]]]
            numbers = tuple(sorted(offered.index(id) + 1 for id in kept or () if id is not None))
            back = tuple(offered.index(id) + 1 for id in returned or () if id is not None)
            in_order = s.phase == START or list(back) == sorted(back)
            return actions.KeepTickets(numbers, () if in_order else back)
        case events.Take(card=card):
            return actions.TakeCard(card)
        case events.Draw():
            return actions.DrawCard()
        case events.Offer():
            return actions.DrawTickets()
        case events.Claim(cards=cards) if s.phase == TUNNEL:
            colored, locomotives = int(s.laid), int(s.laid_locomotives)
            extra = [card for card in cards if card != "locomotive"][colored:]
            more = [card for card in cards if card == "locomotive"][locomotives:]
            return actions.PayTunnel((*extra, *more))
        case events.Claim(route=route, cards=cards) | events.Tunnel(route=route, cards=cards):
            return actions.ClaimRoute(route, cards)
        case events.Withdraw():
            return actions.WithdrawTunnel()
        case events.Station(city=city, cards=cards):
            return actions.BuildStation(city, cards)
    return actions.Pass()
