"""Moves to find: what no rule decides, judged by two judges that must agree.

From the options that the judges and simple bots think of, the best is chosen in some worlds and
measured in others. What surely costs more than the margin is wrong, what lies within it is right,
and what is neither is not offered as an answer.
"""

import hashlib
import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ferrovia import __version__
from ferrovia.analysis.reasons import reasons_for
from ferrovia.analysis.samples import interval_of
from ferrovia.bots import make
from ferrovia.game import Action, ClaimRoute, View
from ferrovia.game.codec.actions import action_of, codes_of
from ferrovia.puzzles.puzzle import Answer, Finished, Judgement, Judges, Opponent
from research.puzzles import judgement
from research.puzzles.judgement import Difference, Ending, Outcomes, TwoJudges, difference
from research.puzzles.makers import Rejected

_PANEL = ("planner", "greedy", "racer", "stoker", "collector")  # whose moves are options too
_OPTIONS = 4  # of each judge
_ANSWERS = 4
_GLANCE = 48  # worlds that show whether a moment is worth a look
_CHOOSING = 160  # worlds in which the best is chosen
_FIRST = 1200  # worlds in which the first judge measures
_SECOND = 300  # worlds in which the second does
_NEAR, _FAR = 3, 4  # options that are measured, about as good as the best and worse
_ENDINGS = 150  # worlds that a refutation tells of
# Worlds are told apart by their numbers: what is chosen in some is measured in others.
_OF_CHOICE, _OF_FIRST, _OF_SECOND = 1 << 12, 1 << 16, 1 << 20
_WORTH_SAYING = 10  # percentage points of a difference that is mentioned


class Move(NamedTuple):
    """What a puzzle about a move holds besides the position."""

    answers: tuple[Answer, ...]
    judges: Judges


def find_move(view: View, seed: int) -> Move:
    """Return a move to find in a position; raises `Rejected` with the check that it failed."""
    judges = TwoJudges(view, hashlib.sha256(f"move {seed} {view.turns}".encode()).digest())
    panel = [_code(view, bot, seed) for bot in _PANEL]
    codes = list(dict.fromkeys((*judges.options(_OPTIONS), *panel)))
    if len(codes) < 3:
        raise Rejected("too few options")
    codes, best = _promising(judges, codes, panel)
    outcomes = judges.play_on(codes, _OF_FIRST, _FIRST)
    points = [interval_of(outcomes.points[:, best] - it) for it in outcomes.points.T]
    wins = [interval_of(outcomes.wins[:, best] - it) for it in outcomes.wins.T]
    if sum(p.low > judgement.POINTS for p in points) < 2:
        raise Rejected("the first judge is not sure of the points")
    if sum(w.low > judgement.WINS for w in wins) < 2:
        raise Rejected("the first judge is not sure of the chance to win")
    leads = judges.look_ahead(codes, _OF_SECOND, _SECOND)
    costs = [difference(outcomes, leads, it, best) for it in range(len(codes))]
    if any(cost.lead.high < 0.0 for cost in costs):
        raise Rejected("the second judge knows a better one")
    wrong = [it for it, cost in enumerate(costs) if cost.is_wrong]
    if len(wrong) < 2:
        raise Rejected("the second judge does not find the others worse")
    if not any(codes[it] in panel for it in wrong):
        raise Rejected("every bot finds it")
    rights = [best, *(it for it, cost in enumerate(costs) if cost.is_right and it != best)]
    wrong.sort(key=lambda it: (codes[it] not in panel, costs[it].points.mean))
    chosen = _apart(view, codes, [*rights[: _ANSWERS - 2], *wrong])[:_ANSWERS]
    if sum(it in wrong for it in chosen) < 2:
        raise Rejected("the wrong ones are called alike")
    endings = {it: judges.endings(codes[it], _OF_CHOICE, _ENDINGS) for it in chosen}
    answers = []
    for it in chosen:
        judged = None
        if it != best:
            judged = _judgement(
                view,
                (_action(view, codes[it]), _action(view, codes[best])),
                costs[it],
                (endings[it], endings[best]),
            )
        worth = round(float(outcomes.points[:, it].mean()))
        answers.append(Answer(str(_action(view, codes[it])), it in rights, worth, (), judged))
    random.Random(seed).shuffle(answers)
    return Move(tuple(answers), _judges())


def _promising(judges: TwoJudges, codes: list[int], panel: Sequence[int]) -> tuple[list[int], int]:
    """Return the options worth measuring, and the place of the best; raises `Rejected` where few
    worlds show already that there is no question.
    """
    first = judges.play_on(codes, 0, _GLANCE)
    if _behind(first, glance=True) < 2:
        raise Rejected("all are worth the same at a glance")
    more = judges.play_on(codes, _OF_CHOICE, _CHOOSING)
    seen = Outcomes(
        np.concatenate([first.points, more.points]), np.concatenate([first.wins, more.wins])
    )
    if _behind(seen, glance=False) < 2:
        raise Rejected("all are worth the same at a second look")
    means = seen.points.mean(axis=0)
    order = [int(it) for it in np.argsort(-means, kind="stable")]
    near = [it for it in order if means[order[0]] - means[it] <= judgement.POINTS][:_NEAR]
    far = [it for it in order if it not in near and means[order[0]] - means[it] > judgement.POINTS]
    far.sort(key=lambda it: codes[it] not in panel)
    if not any(codes[it] in panel for it in far):
        raise Rejected("every bot finds it")
    return [codes[it] for it in (*near, *far[:_FAR])], 0


def _behind(outcomes: Outcomes, *, glance: bool) -> int:
    """Return how many options seem to lie beyond the margin; at a glance of the points alone."""
    points, wins = outcomes.points.mean(axis=0), outcomes.wins.mean(axis=0)
    best = int(np.argmax(points))
    beyond = points[best] - points > judgement.POINTS
    return int(np.sum(beyond if glance else beyond & (wins[best] - wins > judgement.WINS)))


def _apart(view: View, codes: Sequence[int], places: Sequence[int]) -> list[int]:
    """Return the options without those that are called like one before: the halves of a double."""
    seen: set[frozenset[str] | str] = set()
    found = []
    for place in places:
        action = _action(view, codes[place])
        name: frozenset[str] | str = str(action)
        if isinstance(action, ClaimRoute):
            route = view.edition.board.route(action.route)
            name = frozenset((route.a, route.b))
        if name not in seen:
            seen.add(name)
            found.append(place)
    return found


def opponents_of(view: View) -> tuple[Opponent, ...]:
    """Return what the seat of a view may know of the others."""
    others = [(seat, view.of(seat)) for seat in range(view.players) if seat != view.seat]
    return tuple(
        Opponent(seat, it.points, it.trains, it.cards, it.tickets or 0) for seat, it in others
    )


def _judges() -> Judges:
    return Judges(
        judgement.FIRST,
        _FIRST,
        judgement.SECOND,
        _SECOND,
        judgement.POINTS,
        judgement.WINS,
        __version__,
    )


def _code(view: View, bot: str, seed: int) -> int:
    """Return what a bot would do, without its payment."""
    action = make(bot, seed).decide(view)
    return codes_of(view.lexicon, view.buffer, view.seat, action, listed=True)[0]


def _action(view: View, code: int) -> Action:
    return action_of(view.lexicon, view.buffer, view.seat, code)


def _judgement(
    view: View,
    actions: tuple[Action, Action],
    cost: Difference,
    endings: tuple[Sequence[Ending], Sequence[Ending]],
) -> Judgement:
    """Return what an answer costs compared with the best, and how its worlds end."""
    here, best = endings
    finished = []
    for ticket in view.tickets:
        pair = [_percent([ticket in it.finished for it in of]) for of in (here, best)]
        if pair[1] - pair[0] >= _WORTH_SAYING:
            finished.append(Finished(ticket, *pair))
    taken = None
    if isinstance(actions[1], ClaimRoute):
        route = actions[1].route
        percent = _percent([it.owners.get(route, view.seat) != view.seat for it in here])
        taken = percent if percent >= _WORTH_SAYING else None
    return Judgement(
        points=cost.points.rounded(1),
        wins=cost.wins.rounded(3),
        lead=cost.lead.rounded(1),
        reasons=() if cost.is_right else reasons_for(view, *actions, ()),
        finished=tuple(finished),
        taken=taken,
    )


def _percent(hits: Sequence[bool]) -> int:
    return round(100 * sum(hits) / len(hits))
