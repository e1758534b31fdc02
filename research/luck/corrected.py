"""Games between bots, each with the luck that every seat had.

At every event of chance the value of what came is compared with the mean value of all that could
have come. What these differences add up to in a game is luck: its mean is zero, whatever the
values are, and it goes up and down with the result. So a result less its luck has the same mean
and less scatter (AIVAT, arXiv 1612.06915, for chance alone: bots need not tell their policy).
"""

import random
from array import array
from typing import Any, NamedTuple, Protocol

import numpy as np

from ferrovia.bots.plugins import bring
from ferrovia.game import Game
from ferrovia.game.codec.actions import codes_of
from ferrovia.kernel import Buffer
from ferrovia.lab.run.plan import Plan
from ferrovia.rules import calls
from ferrovia.rules.chapters.actions import DRAW_TICKETS
from ferrovia.rules.state.layout import START, STATE
from research.luck.chance_events import Outcome, deals, outcomes


class Values(Protocol):
    """What states are worth to every seat (states, seats); anything will do, see above."""

    def __call__(self, states: list[Buffer]) -> Any: ...


class Event(NamedTuple):
    """An event of chance: the state it led to, and what else it could have led to."""

    came: Buffer
    others: list[Outcome]


class Corrected(NamedTuple):
    """A finished game: every seat's share of the victory, and its luck, in the same measure."""

    shares: list[float]
    luck: list[float]
    totals: list[int]


def play(plan: Plan, number: int) -> tuple[Game, list[Event]]:
    """Play a game of a plan; return it with its events of chance."""
    seed = plan.seed_of(number)
    game = Game(plan.edition, len(plan.bots), seed=seed)
    bots = [bring(bot, seed) for bot in plan.bots]
    luck = random.Random(f"luck {plan.seed} {number}")  # of its own, or it would foretell the game
    lexicon, edition = game.lexicon, plan.edition
    book = lexicon.book
    events = [Event(game.state.copy(), deals(book, game.players, luck))]
    fresh = sum(not ticket.long for ticket in edition.tickets)
    fresh -= game.players * sum(deal.regular for deal in edition.deals)
    while not game.over:
        seat = game.awaited[0]
        action = bots[seat].decide(game.view(seat))
        state = game.state.copy()
        for code in codes_of(lexicon, state, seat, action):
            before = state.copy()
            calls.apply(book, state, seat, code, bytearray(), array("i"))
            others = outcomes(book, before, state, seat, code, max(0, fresh), luck)
            if others:
                events.append(Event(state.copy(), others))
            if code == DRAW_TICKETS and STATE.of(before).phase != START:
                fresh -= STATE.of(state).offered[seat]
        game.play(seat, action)
    return game, events


def corrected(game: Game, events: list[Event], values: Values) -> Corrected:
    """Return a game with the luck that the values find in it."""
    states = [state for event in events for state in (event.came, *(o.state for o in event.others))]
    worth = np.asarray(values(states))
    luck, at = np.zeros(game.players), 0
    for event in events:
        after = at + 1 + len(event.others)
        likely = np.array([outcome.chance for outcome in event.others])
        luck += worth[at] - likely @ worth[at + 1 : after]
        at = after
    result = game.result()
    shares = [(seat in result.winners) / len(result.winners) for seat in range(game.players)]
    return Corrected(shares, luck.tolist(), [score.total for score in result.scores])
