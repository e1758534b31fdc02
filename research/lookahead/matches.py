"""Matches of bots that look ahead with the net, all their games at once.

The lines are those of research.strength.matches, so that games from here and games of the
bots themselves can be kept side by side. What is cut off can go on: every game is kept as it
stands at its last decision.
"""

import json
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ferrovia.atomic_files import atomic
from ferrovia.boards import load_edition
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.bots.net.weight_file import weights_of
from ferrovia.bots.registry import bot_behind
from ferrovia.bots.search.budget import SearchBudget
from ferrovia.bots.search.net_search import TURNS, arms_for, part_of
from ferrovia.env.batch import Kind
from ferrovia.lab.results import WHOLE_WIN
from ferrovia.rules.state.layout import NONE, OVER, SEATS, STATE
from research.lookahead import halving
from research.lookahead.games import BY_NET, BY_SCRIPT, Games, make_table
from research.lookahead.roots import Roots
from research.lookahead.slots import Slots, Tries
from research.lookahead.tasks import Task, budget_of, net_of
from research.strength.matches import Match

Ints = npt.NDArray[np.int64]
Line = dict[str, Any]

_STEPS = 4  # of all slots between two looks at what is done

_CHANGES = (  # what of a table changes while games are played
    "states",
    "views",
    "plans",
    "rngs",
    "fits",
    "seats",
    "decisions",
    "turns",
    "counts",
    "options",
    "likelihood",
    "results",
)


class Asked(NamedTuple):
    """What a root asks for: all options in all worlds."""

    game: int
    options: Ints
    worlds: npt.NDArray[np.uint8]


class Matches:
    """The games of matches that one net plays, a number of them at the same time.

    `slots` is how many tries are under way at the same time. ValueError if that cannot be played.
    """

    def __init__(
        self, tasks: Sequence[Task], *, slots: int, at_once: int, device: str, threads: int
    ) -> None:
        nets = {net_of(task.match) for task in tasks}
        scripts = {bot for task in tasks for bot in self._bots(task) if bot in SCRIPTS}
        if len(nets) != 1 or len(scripts) > 1:
            raise ValueError("matches in lockstep are played by one net and at most one script")
        if slots < 2 * halving.CHUNK:
            raise ValueError(f"{slots} slots are too few: it takes {2 * halving.CHUNK}")
        self.tasks, self._device = list(tasks), device
        self._kinds = list(
            dict.fromkeys(Kind(load_edition(t.match.edition), t.match.seats) for t in tasks)
        )
        self._budgets: list[tuple[SearchBudget, int]] = []
        weights = weights_of(nets.pop()).of
        table = self._table()
        kind = SCRIPTS.index(scripts.pop() if scripts else "planner")
        self.games = Games(net_of(tasks[0].match), table, kind, threads)
        # By budget and phase.
        self._iterations = np.array(
            [[part_of(b, phase, n)[0] for phase in range(OVER)] for b, n in self._budgets]
        )
        self.roots = Roots(len(tasks), float(self._iterations.max()))
        self.slots = Slots(self._kinds, slots, weights, TURNS, device)
        self._game_of = np.zeros(slots, np.int64)  # by slot, as the next two
        self._option_of = np.zeros(slots, np.int64)
        self._world_of = np.zeros(slots, np.int64)
        self._queue: deque[Asked] = deque()
        none = np.zeros(0, np.int64)
        self._taken = none, none, none, np.zeros(0)  # and not worked off yet
        self._waiting = deque(range(len(tasks)))
        self._at_once = at_once
        self.active: set[int] = set()
        self.finished: set[int] = set()
        self.searched = 0  # decisions

    @staticmethod
    def _bots(task: Task) -> list[str]:
        """Return the bot of each seat."""
        match = task.match
        sides = match.tournament.seatings[task.seating].sides
        pair = (match.one, match.other) if task.side == 0 else (match.other, match.one)
        return [bot_behind(pair[side]) for side in sides]

    def _mind(self, bot: str, players: int) -> int:
        if bot in SCRIPTS:
            return BY_SCRIPT
        budget = budget_of(bot)
        if budget is None:
            return BY_NET
        if (budget, players) not in self._budgets:
            self._budgets.append((budget, players))
        return self._budgets.index((budget, players))

    def _table(self) -> Any:
        minds = np.full((len(self.tasks), SEATS), BY_NET)
        seeds = np.zeros((len(self.tasks), 32), np.uint8)
        kind_of = np.zeros(len(self.tasks), np.int64)
        for game, task in enumerate(self.tasks):
            kind = Kind(load_edition(task.match.edition), task.match.seats)
            kind_of[game] = self._kinds.index(kind)
            for seat, bot in enumerate(self._bots(task)):
                minds[game, seat] = self._mind(bot, task.match.seats)
            plan = task.match.tournament.plans[2 * task.seating + task.side]
            seeds[game] = np.frombuffer(plan.seed_of(task.number), np.uint8)
        most = [
            [arms_for(part_of(budget, phase, players)[0]) for phase in range(OVER)]
            for budget, players in self._budgets
        ]
        if not most:
            raise ValueError("nobody looks ahead in these matches")
        return make_table(self._kinds, kind_of, minds, np.array(most), seeds)

    def play(self, seconds: float, keep: Callable[[Line], None]) -> bool:
        """Play on for about so long; `keep` is given the line of every seed that is finished.

        Return whether all is played.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._fill()
            self.slots.run(_STEPS)
            for line in self._work_off(*self._taken):  # while a GPU plays on
                keep(line)
            if not self.active:
                return True
            slots, worths = self.slots.take()
            places = self._game_of[slots], self._option_of[slots], self._world_of[slots]
            self._taken = (*places, worths)
        return False

    def _fill(self) -> None:
        """Fill the free slots with what was asked for, in its order."""
        some, room = [], len(self.slots.free)
        while self._queue and len(self._queue[0].options) * len(self._queue[0].worlds) <= room:
            some.append(self._queue.popleft())
            room -= len(some[-1].options) * len(some[-1].worlds)
        if not some:
            return
        worlds = np.array([len(each.worlds) for each in some])
        counts = np.array([len(each.options) for each in some])
        tries = worlds * counts
        place = np.repeat(np.arange(len(some)), tries)
        number = np.arange(len(place)) - np.repeat(np.cumsum(tries) - tries, tries)
        world, option = number // counts[place], number % counts[place]
        games = np.array([each.game for each in some])[place]
        options = np.zeros((len(some), int(counts.max())), np.int64)
        for row, each in zip(options, some, strict=True):
            row[: len(each.options)] = each.options
        table = self.games.table
        filled = self.slots.fill(
            Tries(
                np.concatenate([each.worlds for each in some]),
                (np.cumsum(worlds) - worlds)[place] + world,
                table.options[games, options[place, option]],
                table.seats[games],
                table.kind_of[games],
            )
        )
        self._game_of[filled] = games
        self._option_of[filled] = option
        self._world_of[filled] = world

    def _work_off(
        self, games: Ints, options: Ints, worlds: Ints, worths: npt.NDArray[np.float64]
    ) -> list[Line]:
        """Count what came of tries, and play on where it decides; return finished seeds."""
        complete = self.roots.put(games, options, worlds, worths)
        decided, asking = self.roots.settle(complete)
        self.searched += len(decided)
        actions = self.games.table.options[decided, self.roots.choice(decided)]
        lines, going = self._go_on(decided, actions)
        self._ask(np.concatenate([asking, going]))
        return lines

    def _go_on(self, games: Ints, actions: Ints) -> tuple[list[Line], Ints]:
        """Carry out decisions, and begin games where there is room for more.

        Return the lines of seeds that are finished, and the games where options are to be tried.
        """
        table, lines, asking = self.games.table, [], []
        while True:
            new = self._begin()
            games = np.concatenate([games, new])
            if len(games) == 0:
                break
            self.games.go_on(games, np.concatenate([actions, np.full(len(new), NONE)]))
            over = table.seats[games] == NONE
            for game in games[over]:
                self.active.remove(int(game))
                self.finished.add(int(game))
                if int(game) ^ 1 in self.finished:
                    lines.append(self._line(int(game) & ~1))
            games = games[~over]
            single = table.counts[games] == 1
            asking.append(games[~single])
            games = games[single]
            actions = table.options[games, 0]
        going = np.concatenate([np.zeros(0, np.int64), *asking])
        self._begin_decisions(going)
        return lines, going

    def _begin(self) -> Ints:
        new = []
        while self._waiting and len(self.active) < self._at_once:
            new.append(self._waiting.popleft())
            self.active.add(new[-1])
        return np.array(new, np.int64)

    def _begin_decisions(self, games: Ints) -> None:
        table = self.games.table
        phases = table.views[games].view(STATE.dtype)["phase"].reshape(-1)
        iterations = self._iterations[table.minds[games, table.seats[games]], phases]
        self.roots.begin(games, table.counts[games], table.likelihood[games], iterations)

    def _ask(self, games: Ints) -> None:
        """Deal the worlds that games ask for: more of them at a time where few games are left."""
        tries = max(halving.CHUNK, self.slots.count // max(2, len(self.active)))
        asked = [(int(game), *self.roots.ask(int(game), tries)) for game in games]
        if not asked:
            return
        counts = [worlds for *_, worlds in asked]
        numbers = [np.arange(first, first + worlds) for *_, first, worlds in asked]
        worlds = self.games.deal(np.repeat(games, counts), np.concatenate(numbers))
        ends = np.cumsum(counts)
        for (game, options, _, count), end in zip(asked, ends, strict=True):
            self._queue.append(Asked(game, options.copy(), worlds[end - count : end]))

    def _line(self, game: int) -> Line:
        """Return the line of a seed: of a game and the one after it, with the seats exchanged."""
        match, seating, number, _ = self.tasks[game]
        sides = np.array(match.tournament.seatings[seating].sides)
        table = self.games.table
        won, points, seats = [0, 0], [0, 0], [0, 0]
        for side in range(2):
            winners, *totals = (int(each) for each in table.results[game + side])
            for seat, at in enumerate(sides):
                bot = int(at != side)
                points[bot] += totals[seat]
                seats[bot] += 1
                if bot == 0 and (winners >> seat) & 1:
                    won[side] += WHOLE_WIN // winners.bit_count()
        both = slice(game, game + 2)
        return {
            **match._asdict(),
            "seating": seating,
            "first": number,
            "won": [won],
            "points": points,
            "points_of": seats,
            "turns": int(table.turns[both].sum()),
            "decisions": int(table.decisions[both].sum()),
            "seconds": 0.0,
            "lockstep": self._device,
        }

    def save(self, path: Path) -> None:
        """Keep all games as they stand."""
        table = self.games.table._asdict()
        arrays = {name: table[name] for name in _CHANGES}
        arrays["tasks"] = np.array(json.dumps(self.tasks))
        with atomic(path) as unfinished, unfinished.open("wb") as file:
            np.savez_compressed(
                file, active=sorted(self.active), finished=sorted(self.finished), **arrays
            )

    def load(self, path: Path) -> None:
        """Go on with the games of a file that was saved for the same tasks."""
        with np.load(path) as kept:
            for name in _CHANGES:
                getattr(self.games.table, name)[:] = kept[name]
            self.active = {int(game) for game in kept["active"]}
            self.finished = {int(game) for game in kept["finished"]}
        gone = self.active | self.finished
        self._waiting = deque(game for game in range(len(self.tasks)) if game not in gone)
        going = np.array(sorted(self.active), np.int64)
        self._begin_decisions(going)
        self._ask(going)


def saved_tasks(path: Path) -> list[Task]:
    """Return the tasks of games that were saved."""
    with np.load(path) as kept:
        tasks = json.loads(str(kept["tasks"]))
    return [Task(Match(*match), *rest) for match, *rest in tasks]
