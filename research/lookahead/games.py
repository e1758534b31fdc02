"""Games in which some seats look ahead, all other decisions being made at once, on the CPU.

A game is played until a seat that looks ahead is to decide; then its options are listed, and worlds
that agree with what it sees are dealt, by the functions that the bot itself calls.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ferrovia.bots.kernel import scripts
from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.net.columns import layout
from ferrovia.bots.net.inference import decide
from ferrovia.bots.net.weight_file import activations_for, board_of, weights_of
from ferrovia.bots.search.lookahead import SIGHT, Sight, list_options, sight_for
from ferrovia.bots.search.net_search import ARMS, TURNS
from ferrovia.bots.search.workspace import WORKSPACE, Workspace, make_workspace
from ferrovia.bots.search.worlds import sample_world
from ferrovia.env.batch import Kind
from ferrovia.kernel import kernel, record
from ferrovia.kernel.plain import as_argument
from ferrovia.rules.chapters.scoring import score
from ferrovia.rules.chapters.turn import play, start
from ferrovia.rules.playout import next_seat
from ferrovia.rules.state.book import make_book
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import (
    BOOK,
    NONE,
    RNG_WORDS,
    SEATS,
    STATE,
    TICKETS,
)
from ferrovia.rules.state.log import NO_LOG
from ferrovia.rules.state.visibility import copy_visible, copy_whole, finish_view
from research.compiled import compiled

Numbers = Any
Ints = npt.NDArray[np.int64]

BY_SCRIPT, BY_NET = -2, -1  # who decides for a seat, or the number of a budget


class Table(NamedTuple):
    """The arrays of all games, by game where nothing else is said."""

    books: Numbers  # by kind of game, as bytes
    kind_of: Numbers
    players: Numbers
    minds: Numbers  # by seat: who decides
    most: Numbers  # options, by budget and phase
    seeds: Numbers
    states: Numbers  # as bytes
    views: Numbers  # of the seat that is to decide
    plans: Numbers  # of scripts, by seat
    rngs: Numbers  # of scripts, by seat
    fits: Numbers  # of tickets, by seat: see worlds.py
    seats: Numbers  # to decide; NONE when the game is over
    decisions: Numbers
    turns: Numbers
    counts: Numbers  # of options
    options: Numbers
    likelihood: Numbers  # of each option, as a logarithm
    results: Numbers  # winners as bits, total of each seat


@kernel
def begin_game(a: Table, g: int) -> None:
    """Deal a game."""
    state = a.states[g]
    for i in range(state.shape[0]):
        state[i] = 0
    players = a.players[g]
    start(
        record(a.books[a.kind_of[g]], BOOK),
        record(state, STATE),
        a.seeds[g],
        players,
        NONE,
        NO_LOG,
    )
    for seat in range(players):
        seed_generator(a.rngs[g, seat], a.seeds[g], 1 + seat)


@kernel
def _play_on(a: Table, g: int, script: int, sight: Sight) -> int:
    """Play until a seat that looks ahead is to decide, whose view is written; return that seat."""
    book, state, view = record(a.books[a.kind_of[g]], BOOK), a.states[g], a.views[g]
    s, seen = record(state, STATE), record(view, STATE)
    seat = next_seat(s)
    while seat != NONE:
        copy_visible(state, s.phase, seat, view)
        finish_view(seen, seat)
        mind = a.minds[g, seat]
        if mind >= 0:
            return seat
        if mind == BY_NET:
            slots, others, plan = sight.slots, sight.others, sight.plans[0]
            action = decide(book, seen, seat, slots, others, plan, sight.weights, sight.activations)
        else:
            action = scripts.decide(script, book, seen, seat, a.plans[g, seat], a.rngs[g, seat])
        play(book, s, seat, action, NO_LOG)
        a.decisions[g] += 1
        seat = next_seat(s)
    return NONE


@kernel
def go_on(
    listed: Numbers, actions: Numbers, a: Table, script: int, workspace: Workspace, sight: Sight
) -> None:
    """Carry out an action in each of some games (NONE: it begins), and play on.

    Then the options of the seat that looks ahead are listed, or the game that is over is scored.
    """
    for place in range(listed.shape[0]):
        g = listed[place]
        book = record(a.books[a.kind_of[g]], BOOK)
        s = record(a.states[g], STATE)
        if actions[place] == NONE:
            begin_game(a, g)
        else:
            play(book, s, a.seats[g], actions[place], NO_LOG)
            a.decisions[g] += 1
        seat = _play_on(a, g, script, sight)
        a.seats[g] = seat
        a.turns[g] = s.turns
        if seat == NONE:
            result = workspace.score[0]
            score(book, s, result, workspace.work[0])
            a.results[g, 0] = result.winners
            for each in range(SEATS):
                a.results[g, 1 + each] = result.total[each]
            continue
        most = a.most[a.minds[g, seat], s.phase]
        count = list_options(book, a.views[g], seat, most, workspace, sight)
        a.counts[g] = count
        for i in range(count):
            a.options[g, i] = workspace.options[i]
            a.likelihood[g, i] = workspace.weights[i]
        for each in range(SEATS):
            for ticket in range(TICKETS):
                a.fits[g, each, ticket] = workspace.fit[each, ticket]


@kernel
def deal_worlds(
    games: Numbers, numbers: Numbers, a: Table, workspace: Workspace, out: Numbers
) -> None:
    """Write worlds of the views of some games, each by its number, one after the other."""
    last = NONE
    for place in range(games.shape[0]):
        g = games[place]
        if g != last:
            for i in range(workspace.seed.shape[0]):
                workspace.seed[i] = a.seeds[g, i]
            for each in range(SEATS):
                for ticket in range(TICKETS):
                    workspace.fit[each, ticket] = a.fits[g, each, ticket]
            last = g
        book = record(a.books[a.kind_of[g]], BOOK)
        sample_world(book, a.views[g], numbers[place], workspace)
        copy_whole(workspace.world, out[place])


class Core(NamedTuple):
    """What one thread needs."""

    workspace: Workspace
    sight: Sight


class Games:
    """The games of a table, played on by several threads."""

    def __init__(self, net: str, table: Table, script: int, threads: int) -> None:
        weights, columns = weights_of(net).of, layout(board_of(net))
        no_ways = np.ones(TICKETS, np.int16)  # positions are valued on the GPU
        self.table = table
        self._script = script
        self._cores = [
            Core(
                as_argument(WORKSPACE, make_workspace(bytearray(32))),
                as_argument(
                    SIGHT, sight_for(weights, activations_for(weights), columns, no_ways, TURNS)
                ),
            )
            for _ in range(threads)
        ]
        self._pool = ThreadPoolExecutor(threads)

    def _spread(self, count: int, work: Callable[[Core, slice], None]) -> None:
        """Divide work on a number of things among all threads."""
        ends = np.linspace(0, count, len(self._cores) + 1).astype(int)
        parts = [slice(a, b) for a, b in pairwise(ends) if b > a]
        for done in [
            self._pool.submit(work, core, part)
            for core, part in zip(self._cores, parts, strict=False)
        ]:
            done.result()

    def go_on(self, games: Ints, actions: Ints) -> None:
        """Carry out an action in each of some games (NONE: it begins), and play on."""

        def work(core: Core, part: slice) -> None:
            compiled(go_on)(games[part], actions[part], self.table, self._script, *core)

        self._spread(len(games), work)

    def deal(self, games: Ints, numbers: Ints) -> npt.NDArray[np.uint8]:
        """Return worlds of the views of some games, each by its number."""
        out = np.empty((len(games), STATE.size), np.uint8)

        def work(core: Core, part: slice) -> None:
            compiled(deal_worlds)(games[part], numbers[part], self.table, core.workspace, out[part])

        self._spread(len(games), work)
        return out


def make_table(
    kinds: list[Kind], kind_of: Ints, minds: Ints, most: Ints, seeds: npt.NDArray[np.uint8]
) -> Table:
    """Return the arrays of games that have not begun."""
    games = len(kind_of)
    players = np.array([kind.players for kind in kinds])
    books = np.zeros((len(kinds), BOOK.size), np.uint8)
    for row, kind in zip(books, kinds, strict=True):
        row[:] = np.frombuffer(make_book(kind.edition), np.uint8)
    scripted = games if (minds == BY_SCRIPT).any() else 0
    return Table(
        books=books,
        kind_of=kind_of.astype(np.int64),
        players=players[kind_of].astype(np.int64),
        minds=minds.astype(np.int64),
        most=most.astype(np.int64),
        seeds=seeds,
        states=np.zeros((games, STATE.size), np.uint8),
        views=np.zeros((games, STATE.size), np.uint8),
        plans=np.zeros((scripted, SEATS), PLAN.dtype),
        rngs=np.zeros((games, SEATS, RNG_WORDS), np.uint32),
        fits=np.zeros((games, SEATS, TICKETS), np.float64),
        seats=np.full(games, NONE, np.int64),
        decisions=np.zeros(games, np.int64),
        turns=np.zeros(games, np.int64),
        counts=np.zeros(games, np.int64),
        options=np.zeros((games, ARMS), np.int64),
        likelihood=np.zeros((games, ARMS), np.float64),
        results=np.full((games, 1 + SEATS), NONE, np.int64),
    )
