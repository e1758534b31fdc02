"""The analysis of a finished game: coarse over all of it first, then the moments that count."""

import hashlib
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from math import ceil
from typing import NamedTuple

from ferrovia import __version__
from ferrovia.analysis.findings import Analysis, Budget, Option, Position, Remark
from ferrovia.analysis.judge import (
    Choice,
    Trial,
    choices_of,
    try_choice,
)
from ferrovia.analysis.outcomes import play_afresh, play_on_from
from ferrovia.analysis.reasons import end_facts, reasons_for
from ferrovia.analysis.samples import (
    Interval,
    Numbers,
    Samples,
    interval_of,
    mean,
    new_outcomes,
    variance,
)
from ferrovia.analysis.sheet import Transition, Value, sheet_of
from ferrovia.bots.search.workspace import make_workspace
from ferrovia.errors import FerroviaError
from ferrovia.game import Game
from ferrovia.game.events import Offer
from ferrovia.game.records.decisions import Decision, decisions_of, start_state
from ferrovia.game.views import View
from ferrovia.kernel import Buffer
from ferrovia.rules.state.layout import STATE, TURN

METHOD = 2  # raised when the same record, budget and seed would give another analysis
JUDGE = "planner"  # whose script plays the worlds on
SEED = bytes(32)

_WORLDS = {2: 400, 3: 220, 4: 140}  # by seats; on one core within the seconds below
_FEWEST = 90
_SECONDS = {2: 30.0}
_LONGER = 60.0
_VALUES = 2.5  # worlds for each position of the course, as a multiple of those for a choice
_COARSE = 0.1  # worlds in which all options are tried
_FRESH = 2.0  # worlds for a moment
_TRIED = 4  # options of a moment
_MOMENTS = 6  # of each seat that are looked into
_CHUNK = 100  # worlds between two looks at the clock

# Worlds are told apart by their numbers: what is chosen in some is measured in others.
_OF_CHOICES, _OF_MOMENTS = 1 << 16, 1 << 20


class NotFinished(FerroviaError, ValueError):
    """The game is not over: nothing is said about it."""


def budget_for(players: int) -> Budget:
    """Return the usual budget for a number of seats."""
    return Budget(_WORLDS.get(players, _FEWEST), _SECONDS.get(players, _LONGER))


def record_hash(game: Game) -> str:
    """Return the SHA-256 of the record of a game."""
    return hashlib.sha256(game.record().text().encode()).hexdigest()


Report = Callable[[int, int], None]


def analyse(
    game: Game,
    budget: Budget | None = None,
    seed: bytes = SEED,
    report: Report = lambda done, total: None,
) -> Analysis:
    """Return the analysis of a finished game; `report` is called with games played, of how many."""
    if not game.over:
        raise NotFinished("only a finished game is analysed")
    return _Run(game, budget or budget_for(game.players), seed, report).result()


class _Place(NamedTuple):
    """A position of the course, before its value is known."""

    step: int
    turn: int
    seat: int | None
    state: Buffer | None  # None: before the deal
    hands: int = 1  # 0: dealt again


class _Run:
    """One analysis: what it has played so far, and what it knows of every choice."""

    def __init__(self, game: Game, budget: Budget, seed: bytes, report: Report) -> None:
        self.game, self.budget, self.seed, self.report = game, budget, seed, report
        self.lexicon = game.lexicon
        self.workspace = make_workspace(seed)
        self.begun = time.process_time()
        self.plays = 0
        self.cut = False
        self.decisions = list(decisions_of(game))
        self.places = self._places()
        self.choices = [
            choice
            for decision in self.decisions
            for choice in choices_of(self.lexicon, decision, self.workspace)
        ]
        self.coarse: list[Trial] = []
        self.pairs: dict[int, Numbers] = {}  # played minus script, of the seat's points
        self.points: list[Samples | None] = [None] * len(self.places)
        self.wins: list[Samples | None] = [None] * len(self.places)
        worlds = budget.worlds
        self.first_values = max(8, ceil(_VALUES * worlds / 8))
        self.coarse_worlds = max(8, ceil(_COARSE * worlds))
        apart = sum(1 for it in self.choices if it.played != it.script)
        self.total = (
            len(self.places) * (self.first_values + self._more_values)
            + sum(len(it.options) for it in self.choices) * self.coarse_worlds
            + 2 * apart * worlds
            + self._moments_at_most * _TRIED * ceil(_FRESH * worlds)
        )

    @property
    def _more_values(self) -> int:
        return max(0, ceil(_VALUES * self.budget.worlds) - self.first_values)

    @property
    def _moments_at_most(self) -> int:
        return min(len(self.choices), _MOMENTS * self.game.players)

    def _places(self) -> list[_Place]:
        deal = start_state(self.game)
        places = [
            _Place(0, 0, None, None),
            _Place(0, 0, None, deal, hands=0),
            _Place(0, 0, None, deal),
        ]
        turn = 0
        for it in self.decisions:
            if it.turn > turn and STATE.of(it.before).phase == TURN:
                places.append(_Place(it.step - 1, it.turn, it.seat, it.before))
                turn = it.turn
        return places

    def _played(self, count: int) -> None:
        self.plays += count
        self.report(min(self.plays, self.total), self.total)

    @property
    def _late(self) -> bool:
        """Whether the time is up; then what remains is left out."""
        if time.process_time() - self.begun > self.budget.seconds:
            self.cut = True
        return self.cut

    def result(self) -> Analysis:
        """Do all of it: coarse, choices, moments, and the rest of the course."""
        for place in range(len(self.places)):
            self._value(place, 0, self.first_values)
        for choice in self.choices:
            self.coarse.append(self._try(choice, choice.options, 0, self.coarse_worlds))
        moments = self._moments()
        for place, choice in enumerate(self.choices):
            self._compare(place, choice)
        for place in range(len(self.places)):
            if not self._late:
                self._value(place, self.first_values, self._more_values)
        values = self._values()
        steps = self._steps()
        totals = [score.total for score in self.game.result().scores]
        self.report(self.total, self.total)
        return Analysis(
            record=record_hash(self.game),
            judge=JUDGE,
            version=__version__,
            method=METHOD,
            seed=self.seed.hex(),
            budget=self.budget,
            complete=not self.cut,
            plays=self.plays,
            seconds=round(time.process_time() - self.begun, 1),
            choices=len(self.choices),
            sheets=tuple(
                sheet_of(seat, values, steps, totals[seat]) for seat in range(self.game.players)
            ),
            course=self._course(),
            remarks=tuple(sorted((*moments, *self._found()), key=lambda it: (it.step, it.kind))),
            facts=end_facts(self.game),
        )

    def _value(self, place: int, first: int, worlds: int) -> None:
        """Play a position on in more worlds."""
        points, wins = new_outcomes(worlds, 1), new_outcomes(worlds, 1)
        at, players = self.places[place], self.game.players
        book = self.lexicon.book
        if at.state is None:
            begins = self.game.view(None).first
            play_afresh(book, players, begins, first, worlds, self.workspace, points, wins)
        else:
            play_on_from(book, at.state, at.hands, first, worlds, self.workspace, points, wins)
        for all_of_them, more in ((self.points, points), (self.wins, wins)):
            found, before = Samples.of(more, players), all_of_them[place]
            all_of_them[place] = found if before is None else before.and_more(found)
        self._played(worlds)

    def _try(self, choice: Choice, options: Sequence[int], first: int, worlds: int) -> Trial:
        """Try options in a number of worlds, with a look at the clock now and then."""
        trial: Trial | None = None
        done = 0
        while done < worlds and (trial is None or not self._late):
            more = min(_CHUNK, worlds - done)
            next = try_choice(self.lexicon, choice, options, first + done, more, self.workspace)
            trial = next if trial is None else trial.and_more(next)
            done += more
            self._played(more * len(options))
        assert trial is not None
        return trial

    def _compare(self, place: int, choice: Choice) -> None:
        """Find out what a choice was worth compared with the script's."""
        if choice.played == choice.script:
            return
        seat = choice.seat
        pairs = self.coarse[place].points.between(choice.played, choice.script, seat)
        if not self._late:
            codes = [choice.options[choice.played], choice.options[choice.script]]
            trial = self._try(choice, codes, _OF_CHOICES, self.budget.worlds)
            pairs = (*pairs, *trial.points.between(0, 1, seat))
        self.pairs[place] = pairs

    def _moments(self) -> list[Remark]:
        """Look into the choices that seem to have cost most, and return those that surely did."""
        by_seat: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)
        for place, choice in enumerate(self.choices):
            means = self.coarse[place].points.means(choice.seat)
            lost = max(means) - means[choice.played]
            if lost > 0:
                by_seat[choice.seat].append((lost, place))
        remarks = []
        for found in by_seat.values():
            for _, place in sorted(found, reverse=True)[:_MOMENTS]:
                if not self._late and (remark := self._look_into(place)) is not None:
                    remarks.append(remark)
        return remarks

    def _look_into(self, place: int) -> Remark | None:
        choice, seat = self.choices[place], self.choices[place].seat
        means = self.coarse[place].points.means(seat)
        best_first = sorted(range(len(means)), key=lambda it: -means[it])
        others = [it for it in best_first if it != choice.played][: _TRIED - 1]
        tried = [choice.played, *others]
        codes = [choice.options[it] for it in tried]
        trial = self._try(choice, codes, _OF_MOMENTS, ceil(_FRESH * self.budget.worlds))
        better = 1  # chosen in other worlds than those that measure it now
        points = interval_of(trial.points.between(better, 0, seat))
        wins = interval_of(trial.wins.between(better, 0, seat))
        if not points.is_above_zero or wins.high < 0.0:
            return None
        return self._remark("missed", choice, tried[better], points, wins, tried, trial)

    def _found(self) -> list[Remark]:
        """Return the choices that were surely better than what the script would have done."""
        remarks = []
        for place, pairs in self.pairs.items():
            choice = self.choices[place]
            points = interval_of(pairs)
            if points.is_above_zero:
                coarse = self.coarse[place]
                wins = interval_of(coarse.wins.between(choice.played, choice.script, choice.seat))
                tried = [choice.played, choice.script]
                trial = coarse.only(tried)
                remarks.append(
                    self._remark("found", choice, choice.script, points, wins, tried, trial)
                )
        return remarks

    def _remark(
        self,
        kind: str,
        choice: Choice,
        other: int,
        points: Interval,
        wins: Interval,
        tried: Sequence[int],
        trial: Trial,
    ) -> Remark:
        """Return a remark that compares a choice with another option."""
        decision, seat = choice.decision, choice.seat
        played = choice.action(self.lexicon, choice.played)
        against = choice.action(self.lexicon, other)
        view = View(self.lexicon, choice.view, seat)
        later = self.game.events[decision.end :]
        means = trial.points.means(seat)
        best = means.index(max(means))
        options = tuple(
            Option(
                action=str(choice.action(self.lexicon, it)),
                points=_rounded(trial.points.means_of(at), 1),
                wins=_rounded(trial.wins.means_of(at), 3),
                good=not interval_of(trial.points.between(best, at, seat)).is_above_zero,
            )
            for at, it in enumerate(tried)
        )
        reasons = (
            reasons_for(view, decision.action if not choice.paying else played, against, later)
            if kind == "missed"
            else reasons_for(view, against, played, ())
        )
        return Remark(
            kind=kind,
            seat=seat,
            turn=decision.turn,
            step=decision.step,
            paying=choice.paying,
            played=str(decision.action),
            better=str(against),
            points=points.rounded(1),
            wins=wins.rounded(3),
            options=options,
            opened=self._opened(decision),
            reasons=reasons,
        )

    def _opened(self, decision: Decision) -> tuple[float, float]:
        """Return what the seat could expect before and after its turn, with open cards."""
        place = next(
            (at for at, it in enumerate(self.places) if it.turn == decision.turn and at > 1), 2
        )
        after = self.game.result().scores[decision.seat].total
        before = mean(self._points(place)[0, decision.seat])
        if place + 1 < len(self.places):
            return round(before, 1), round(mean(self._points(place + 1)[0, decision.seat]), 1)
        return round(before, 1), float(after)

    def _points(self, place: int) -> Samples:
        """Return what became of a position, in points."""
        found = self.points[place]
        assert found is not None
        return found

    def _values(self) -> list[Value]:
        """Return the chain of values, from before the deal to the result."""
        values = []
        for place in range(len(self.places)):
            points = self._points(place)
            seats = [points[0, seat] for seat in range(points.players)]
            values.append(Value(points.means_of(0), [variance(each) / len(each) for each in seats]))
        totals = [float(score.total) for score in self.game.result().scores]
        return [*values, Value(totals, [0.0] * len(totals))]

    def _steps(self) -> list[Transition]:
        """Return what lies between the positions of the chain."""
        worth: defaultdict[int, dict[int, tuple[float, float]]] = defaultdict(dict)
        for place, pairs in self.pairs.items():
            choice = self.choices[place]
            middle, scatter = worth[choice.decision.turn].get(choice.seat, (0.0, 0.0))
            worth[choice.decision.turn][choice.seat] = (
                middle + mean(pairs),
                scatter + variance(pairs) / len(pairs),
            )
        drawn = {
            it.turn
            for it in self.decisions
            if any(isinstance(event, Offer) for event in self.game.events[it.begin : it.end])
        }
        steps = [
            Transition(None, "tickets", {}),
            Transition(None, "cards", {}),
            Transition(None, "tickets", worth[0]),
        ]
        for at in self.places[3:]:
            luck = "tickets" if at.turn in drawn else "cards"
            steps.append(Transition(at.seat, luck, worth[at.turn]))
        return steps

    def _course(self) -> tuple[Position, ...]:
        """Return the positions that the record has, with their values, and its end."""
        course = [
            Position(
                at.step,
                at.turn,
                at.seat,
                _rounded(self._points(place).means_of(0), 1),
                _rounded(wins.means_of(0), 3),
            )
            for place, (at, wins) in enumerate(zip(self.places, self.wins, strict=True))
            if place >= 2 and wins is not None
        ]
        result = self.game.result()
        share = 1 / len(result.winners)
        return (
            *course,
            Position(
                self.decisions[-1].step,
                self.game.turns,
                None,
                tuple(float(score.total) for score in result.scores),
                tuple(share * (seat in result.winners) for seat in range(self.game.players)),
            ),
        )


def _rounded(values: Numbers, digits: int) -> tuple[float, ...]:
    return tuple(round(value, digits) for value in values)
