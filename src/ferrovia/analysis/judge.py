"""The judge: what a seat could have done, tried in worlds that agree with what it knew.

Every option of a choice is tried in the same worlds, with the same luck, equally often: the one
that was played is no better known than the others. Which option is best is found in some worlds;
by how much, in others that had no part in that choice, so that nothing looks better than it is.
"""

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ferrovia.analysis.outcomes import try_options
from ferrovia.analysis.samples import Samples, new_outcomes
from ferrovia.bots.search.nodes import plant
from ferrovia.bots.search.workspace import NODE, Workspace
from ferrovia.game import Action
from ferrovia.game.codec.actions import action_of, codes_of, legal_codes, target
from ferrovia.game.codec.lexicon import Lexicon
from ferrovia.game.records.decisions import Decision
from ferrovia.game.views import view_of
from ferrovia.kernel import Buffer, Pack
from ferrovia.rules.state.layout import PAY, STATE

OPTIONS = 5  # of a choice that are tried, not counting the one that was played


class Choice(NamedTuple):
    """A small decision that had an alternative: what to do, or how to pay for it.

    `view` is what the seat knew. `options` are decisions of the kernel; `played` and `script` are
    places among them: what was done, and what the script of the worlds would have done.
    """

    decision: Decision
    paying: bool
    view: Buffer
    options: tuple[int, ...]
    played: int
    script: int

    @property
    def seat(self) -> int:
        return self.decision.seat

    def action(self, lexicon: Lexicon, option: int) -> Action:
        """Return an option as an action; a route or a station without the cards that pay for it."""
        return action_of(lexicon, self.view, self.seat, self.options[option])


def choices_of(
    lexicon: Lexicon, decision: Decision, workspace: Pack[Workspace]
) -> Iterator[Choice]:
    """Yield the choices of a decision that had an alternative: what was done, then how to pay."""
    view = view_of(lexicon, decision.before, decision.seat).buffer
    codes = codes_of(lexicon, decision.before, decision.seat, decision.action, listed=True)
    first, *payment = codes
    if (choice := _choice(lexicon, decision, False, view, first, workspace)) is not None:
        yield choice
    if payment:
        view = view.copy()
        s = STATE.of(view)
        s.pending = target(lexicon, first)
        s.phase = PAY
        if (choice := _choice(lexicon, decision, True, view, payment[0], workspace)) is not None:
            yield choice


def _choice(
    lexicon: Lexicon,
    decision: Decision,
    paying: bool,
    view: Buffer,
    played: int,
    workspace: Pack[Workspace],
) -> Choice | None:
    if len(legal_codes(lexicon, view, decision.seat)) < 2:
        return None
    count = plant(lexicon.book, view, decision.seat, OPTIONS, workspace)
    options = [NODE.of(workspace.of.nodes, 1 + arm).action for arm in range(count)]
    # The likeliest option of the prior is what planner, and so the script, would do.
    if played not in options:
        options.append(played)
    return Choice(decision, paying, view, tuple(options), options.index(played), 0)


class Trial(NamedTuple):
    """What became of a choice: points, and shares of the victory."""

    points: Samples
    wins: Samples

    def and_more(self, other: "Trial") -> "Trial":
        """Return this trial with the worlds of another one of the same options."""
        return Trial(self.points.and_more(other.points), self.wins.and_more(other.wins))

    def only(self, options: Sequence[int]) -> "Trial":
        """Return the trial of some of the options."""
        return Trial(self.points.only(options), self.wins.only(options))


def try_choice(
    lexicon: Lexicon,
    choice: Choice,
    options: Sequence[int],
    first: int,
    worlds: int,
    workspace: Pack[Workspace],
) -> Trial:
    """Try options of a choice in a number of worlds, beginning with number `first`."""
    points, wins = new_outcomes(worlds, len(options)), new_outcomes(worlds, len(options))
    book, view, seat = lexicon.book, choice.view, choice.seat
    plant(book, view, seat, 1, workspace)  # how tickets fit the others' routes
    codes = array("q", options)
    try_options(book, view, seat, codes, first, worlds, workspace, points, wins)
    players = STATE.of(view).players
    return Trial(Samples.of(points, players), Samples.of(wins, players))
