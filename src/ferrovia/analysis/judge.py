"""The judge: what a seat could have done, tried in worlds that agree with what it knew.

Every option of a choice is tried in the same worlds, with the same luck, equally often: the one
that was played is no better known than the others. Which option is best is found in some worlds;
by how much, in others that had no part in that choice, so that nothing looks better than it is.
"""

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from ferrovia.analysis.outcomes import try_options
from ferrovia.bots.search.nodes import plant
from ferrovia.bots.search.workspace import Workspace
from ferrovia.game import Action, BuildStation, ClaimRoute, KeepTickets, PayTunnel
from ferrovia.game.codec.actions import (
    cards_of_payment,
    keep_code,
    paid_action,
    payment_code,
    plain_code,
    price,
    target,
    unpaid_action,
)
from ferrovia.game.codec.lexicon import Buffer, Lexicon
from ferrovia.game.records.decisions import Decision
from ferrovia.game.views import view_of
from ferrovia.rules import calls
from ferrovia.rules.chapters.actions import ONLY_LOCOMOTIVES
from ferrovia.rules.state.layout import PAY, SEATS, STATE, TUNNEL

OPTIONS = 5  # of a choice that are tried, beside the one that was played
INTERVAL = 2.576  # standard errors on either side: 99 of 100 intervals hold the true value

_WAYS = 128  # more than the ways to pay for anything
_LEGAL = 1024  # more than the decisions of a menu

Floats = npt.NDArray[np.float64]


class Choice(NamedTuple):
    """A small decision that had an alternative: what to do, or how to pay for it.

    `view` is what the seat knew. `options` are decisions of the kernel; `played` and `script` are
    places among them: what was done, and what the script of the worlds would have done.
    """

    decision: Decision
    paying: bool
    view: Buffer
    options: npt.NDArray[np.int64]
    played: int
    script: int

    @property
    def seat(self) -> int:
        return self.decision.seat


class Interval(msgspec.Struct, frozen=True):
    """A mean with the bounds of its interval."""

    mean: float
    low: float
    high: float

    @property
    def is_above_zero(self) -> bool:
        """Whether the interval excludes zero, above it."""
        return self.low > 0.0

    def rounded(self, digits: int) -> "Interval":
        """Return the interval with so many digits after the point."""
        return Interval(*(round(it, digits) for it in (self.mean, self.low, self.high)))


def interval_of(samples: Floats) -> Interval:
    """Return the mean of samples and its interval; unbounded for fewer than two."""
    mean = float(samples.mean()) if len(samples) else 0.0
    if len(samples) < 2:
        return Interval(mean, float("-inf"), float("inf"))
    half = INTERVAL * float(samples.std(ddof=1)) / sqrt(len(samples))
    return Interval(mean, mean - half, mean + half)


def choices_of(words: Lexicon, decision: Decision, workspace: Workspace) -> Iterator[Choice]:
    """Yield the choices of a decision that had an alternative: what was done, then how to pay."""
    view = view_of(words, decision.before, decision.seat).buffer
    first, payment = _codes(words, decision)
    if (choice := _choice(words, decision, False, view, first, workspace)) is not None:
        yield choice
    if payment is not None:
        view = view.copy()
        s = view.view(STATE)[0]
        s.pending = target(words, first)
        s.phase = PAY
        if (choice := _choice(words, decision, True, view, payment, workspace)) is not None:
            yield choice


def _codes(words: Lexicon, decision: Decision) -> tuple[int, int | None]:
    """Return an action as decisions of the kernel: what, and how to pay, if that is decided."""
    s, seat = decision.before.view(STATE)[0], decision.seat
    action = decision.action
    if isinstance(action, KeepTickets):
        plain = KeepTickets(action.numbers)
        return keep_code(words, plain, int(s.offered[seat])), None
    if isinstance(action, PayTunnel):
        return payment_code(action.cards, int(s.extra)), None
    code = plain_code(words, action)
    if isinstance(action, ClaimRoute | BuildStation):
        goal = target(words, code)
        assert goal is not None
        ways = np.empty(_WAYS, np.int16)
        if calls.payments(words.book, decision.before, seat, goal, ways) > 1:
            return code, payment_code(action.cards, price(words, decision.before, seat, goal))
    return code, None


def _choice(
    words: Lexicon,
    decision: Decision,
    paying: bool,
    view: Buffer,
    played: int,
    workspace: Workspace,
) -> Choice | None:
    legal = np.empty(_LEGAL, np.int16)
    if calls.legal(words.book, view, decision.seat, legal) < 2:
        return None
    count = plant(words.book, view, decision.seat, OPTIONS, workspace)
    options = [int(code) for code in workspace.nodes["action"][1 : 1 + count]]
    # The likeliest option of the prior is what planner, and so the script, would do.
    if played not in options:
        options.append(played)
    return Choice(decision, paying, view, np.array(options, np.int64), options.index(played), 0)


class Trial(NamedTuple):
    """What became of a choice: points and shares of the victory by world, option and seat."""

    points: Floats
    wins: Floats

    def and_more(self, other: "Trial") -> "Trial":
        """Return this trial with the worlds of another one of the same options."""
        return Trial(
            np.concatenate([self.points, other.points]), np.concatenate([self.wins, other.wins])
        )


def try_choice(
    words: Lexicon,
    choice: Choice,
    options: npt.NDArray[np.int64],
    first: int,
    worlds: int,
    workspace: Workspace,
) -> Trial:
    """Try options of a choice in so many worlds, from number `first` on."""
    points = np.zeros((worlds, len(options), SEATS))
    wins = np.zeros((worlds, len(options), SEATS))
    plant(words.book, choice.view, choice.seat, 1, workspace)  # how tickets fit the others' routes
    try_options(
        words.book, choice.view, choice.seat, options, first, worlds, workspace, points, wins
    )
    players = int(choice.view.view(STATE)[0].players)
    return Trial(points[:, :, :players], wins[:, :, :players])


def action_of(words: Lexicon, choice: Choice, option: int) -> Action:
    """Return an option as an action; a route or a station without the cards that pay for it."""
    code = int(choice.options[option])
    s = choice.view.view(STATE)[0]
    if choice.paying:
        goal = int(s.pending)
        return paid_action(
            words, goal, cards_of_payment(code, price(words, choice.view, choice.seat, goal))
        )
    if s.phase == TUNNEL and code >= ONLY_LOCOMOTIVES:
        return PayTunnel(cards_of_payment(code, int(s.extra)))
    return unpaid_action(words, code)
