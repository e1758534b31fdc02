"""Statistics: the hooks see all of every game, and the fast ones count what the hooks count."""

from ast import literal_eval
from collections import Counter
from typing import Any

import numpy as np
import pytest

from ferrovia.boards import load_edition
from ferrovia.game import Game, PublicView, events
from ferrovia.game.records.turns import split_turns
from ferrovia.lab.accumulators import Accumulator, Totals, load
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.run.run import simulate
from ferrovia.lab.statistics import LOWEST, RULES, TENTHS, Routes, for_report


class Witness(Accumulator):
    """Counts once more, in words and one event after the other, what the report counts."""

    def start(self, game: Any) -> None:
        self.game, self.seen = game, []

    def event(self, event: events.Event) -> None:
        self.seen.append(event)

    def end(self, result: Any) -> None:
        seats = len(self.game.bots)
        ferries = {route.id for route in self.game.edition.board.routes if route.ferry}
        share = {seat: 60 // len(result.winners) for seat in result.winners}
        count: Counter[Any] = Counter()
        _, turns = split_turns(self.seen, seats, len(self.game.edition.deals))
        for number, turn in enumerate(turns):
            for event in turn:
                match event:
                    case events.Claim(player=seat, route=route):
                        count["claims", seat, route] += 1
                        count["route wins", seat, route] += share.get(seat, 0)
                        count["when", route, number * TENTHS // len(turns)] += 1
                        count["R6.1 ferry claimed"] += route in ferries
                    case events.Station():
                        count["R9.1 station built"] += 1
                    case events.Offer():
                        count["R8.1 tickets drawn during the game"] += 1
                    case events.LastRound(player=seat):
                        count["callers", seat] += 1
                        count["caller wins", seat] += share.get(seat, 0)
                    case events.Tunnel(extra=extra):
                        words = ("no", "one", "two", "three")[extra]
                        count[f"R7.2 … with {words} extra card{'s' * (extra > 1)}"] += 1
                        count["R7.1 tunnel begun"] += 1
                    case events.Withdraw():
                        count["R7.4 tunnel given up"] += 1
                    case events.Take(card="locomotive"):
                        count["R4.3 locomotive taken face up"] += 1
                    case events.Shuffle():
                        count["R4.8 draw deck empty, discards shuffled"] += 1
        count["R4.6 face-up cards swept away for three locomotives"] = sum(
            isinstance(event, events.Flush) for event in self.seen
        )
        for event in self.seen:
            if isinstance(event, events.Offer):
                for ticket in event.tickets:
                    count["offered", ticket] += 1
        first = next(event.player for event in turns[0] if hasattr(event, "player"))
        for seat, score in enumerate(result.scores):
            count["spread", seat, score.total] += 1
            place = (seat - first) % seats
            count["begun", seat, place] += 1
            count["begun wins", seat, place] += share.get(seat, 0)
            for ticket in (*score.completed, *score.failed):
                count["kept", seat, ticket] += 1
                count["ticket wins", seat, ticket] += share.get(seat, 0)
            for ticket in score.completed:
                count["completed", seat, ticket] += 1
        best = sorted(score.total for score in result.scores)
        count["R10.6 victory shared"] = len(result.winners) > 1
        count["R10.6 tie in points broken by a rule"] = best[-1] == best[-2] and len(share) == 1
        called = sum(isinstance(event, events.LastRound) for event in self.seen)
        count["R10.2 last round called"] = called
        count["R3.3 game over because everybody passed"] = called == 0
        count["R10.5 longest route shared"] = sum(score.bonus > 0 for score in result.scores) > 1
        end = PublicView(self.game.lexicon, self.game.state)
        count["R8.1 ticket deck empty at the end"] = end.ticket_deck_size == 0
        count["turns", len(turns)] += 1
        count["margin", best[-1] - best[-2]] += 1
        for key, value in count.items():
            self.totals[repr(key)] += int(value)


def named(array: Any, *axes: Any) -> dict[tuple[Any, ...], int]:
    """The entries of an array that are not zero, by the names of their places."""
    return {
        tuple(axis[at] for axis, at in zip(axes, place, strict=True)): int(array[tuple(place)])
        for place in np.argwhere(array)
    }


@pytest.mark.parametrize(
    ("name", "bots"),
    [("europe", ("greedy", "random", "greedy", "random")), ("usa", ("greedy", "greedy"))],
)
def test_the_statistics_of_the_report_count_what_the_hooks_see(
    name: str, bots: tuple[str, ...]
) -> None:
    witness, (routes, tickets, scores, starters, endings, rare) = Witness(), for_report()
    all_of_them = [witness, routes, tickets, scores, starters, endings, rare]
    plan = Plan(load_edition(name), bots, games=60, seed=3)
    assert sum(len(results) for results in simulate(plan, accumulators=all_of_them)) == 60
    counted: dict[Any, int] = {
        literal_eval(key): value for key, value in witness.totals.items() if value
    }
    seats = range(len(bots))
    route_ids = [it.id for it in plan.edition.board.routes]
    ticket_ids = [it.id for it in plan.edition.tickets]
    everything = range(LOWEST, 2000)
    for key, array, *axes in (
        ("claims", routes.totals["claims"], seats, route_ids),
        ("route wins", routes.totals["wins"], seats, route_ids),
        ("when", routes.totals["when"], route_ids, range(TENTHS)),
        ("offered", tickets.totals["offered"], ticket_ids),
        ("kept", tickets.totals["kept"], seats, ticket_ids),
        ("completed", tickets.totals["completed"], seats, ticket_ids),
        ("ticket wins", tickets.totals["wins"], seats, ticket_ids),
        ("spread", scores.totals["spread"], seats, everything),
        ("margin", scores.totals["margin"], range(1000)),
        ("begun", starters.totals["games"], seats, seats),
        ("begun wins", starters.totals["wins"], seats, seats),
        ("turns", endings.totals["turns"], range(2000)),
        ("callers", endings.totals["callers"], seats),
        ("caller wins", endings.totals["wins"], seats),
    ):
        right = {where[1:]: n for where, n in counted.items() if where[0] == key}
        assert named(array, *axes) == right, key
    for (number, words), times in zip(RULES, rare.totals["times"], strict=True):
        assert times == counted.get(f"{number} {words}", 0), words
    assert scores.totals["games"] == 60


class Claims(Accumulator):
    """The example of the documentation, nearly."""

    def __init__(self, least: int = 6) -> None:
        self.least = least

    def start(self, game: Any) -> None:
        self.length = {route.id: route.length for route in game.edition.board.routes}

    def event(self, event: events.Event) -> None:
        if isinstance(event, events.Claim) and self.length[event.route] >= self.least:
            self.totals["long routes"] += 1

    def end(self, result: Any) -> None:
        self.totals["winners"] += len(result.winners)


def test_totals_do_not_depend_on_the_number_of_workers() -> None:
    plan = Plan(load_edition("europe"), ("greedy", "random"), games=600, seed=5)
    found = []
    for workers in (1, 2):
        accumulators = [Claims(5), *for_report()]
        assert sum(map(len, simulate(plan, workers, accumulators=accumulators))) == 600
        found.append([accumulator.totals for accumulator in accumulators])
    for one, other in zip(*found, strict=True):
        assert one.keys() == other.keys()
        for name in one:
            assert np.array_equal(one[name], other[name]), name
    assert found[0][0]["long routes"] > 0


def test_an_accumulator_sees_every_game_once_and_what_is_in_its_record(
    tmp_path: Any,
) -> None:
    class Notes(Accumulator):
        def start(self, game: Any) -> None:
            notes.append((game.number, game.seed, list(game.events), game.result))

    notes: list[Any] = []
    plan = Plan(load_edition("usa"), ("greedy", "random"), 5, seed=7, first=3, folder=tmp_path)
    list(simulate(plan, accumulators=[Notes()]))
    assert [number for number, *_ in notes] == [3, 4, 5, 6, 7]
    for number, seed, happened, result in notes:
        path = plan.path_of(number)
        assert path is not None
        game = Game.from_record(path.read_bytes())
        assert (game.seed, list(game.events), game.result()) == (seed, happened, result)


def test_only_whole_numbers_are_totals() -> None:
    class Half(Accumulator):
        def end(self, result: Any) -> None:
            self.totals["points"] += result.scores[0].total / 2

    with pytest.raises(TypeError, match="whole numbers, and 'points' is"):
        list(simulate(Plan(load_edition("usa"), ("random", "random"), 1, 1), accumulators=[Half()]))


def test_totals_are_shown_as_means() -> None:
    accumulator = Claims()
    accumulator.totals["long routes"] += 3
    assert accumulator.summary(games=4) == {"long routes": 0.75}
    assert accumulator.fresh().totals == {}
    assert accumulator.fresh().least == 6


def test_adding_keeps_what_was_there() -> None:
    totals = Totals(a=1, b=np.array([1, 2]))
    totals.add(Totals(b=np.array([3, 4]), c=np.int16(5)))
    assert totals["a"] == 1
    assert totals["b"].tolist() == [4, 6]
    assert totals["c"] == 5


def test_accumulators_are_found_by_their_path() -> None:
    found = load(f"{__name__}:Claims")
    assert isinstance(found, Claims)
    assert found.id == f"{__name__}:Claims"
    for path, reason in (
        ("routes", "module:Class"),
        ("no_such_module:It", "no module 'no_such_module'"),
        ("ferrovia.lab.statistics:Nothing", "not a subclass"),
        ("ferrovia.lab.run.plan:Plan", "not a subclass"),
    ):
        with pytest.raises(ValueError, match=reason):
            load(path)


def test_run_files_keep_the_statistics_of_the_report_under_names_that_never_change() -> None:
    names = ["routes", "tickets", "scores", "starters", "endings", "rare_rules"]
    assert [one.id for one in for_report()] == names

    class OwnRoutes(Routes):
        pass

    assert OwnRoutes.id.startswith(f"{__name__}:"), "what counts otherwise has another name"


def test_a_batch_of_no_games_counts_nothing() -> None:
    [routes, *_] = for_report()
    plan = Plan(load_edition("usa"), ("random", "random"), games=0, seed=1)
    assert list(simulate(plan, accumulators=[routes])) == []
    assert routes.totals == {}
