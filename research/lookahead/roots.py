"""The roots of many games: which options are tried in which worlds next, and which one is chosen.

It is what `Root` of ferrovia.bots.search does on one core without a clock, for all games at once,
with the same arithmetic (halving.py). To keep many tries under way, a root may ask for several
chunks at a time: what comes after the chunk that decided is not counted.
"""

from functools import cache

import numpy as np
import numpy.typing as npt

from ferrovia.bots.search.net_search import ARMS, NetTerms
from research.lookahead import halving

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_WORLDS = 256  # that are asked for at a time, at most
_CHUNKS = 64  # likewise

_stages = cache(halving.stages)


class Roots:
    """The decisions of a number of games, one each; `iterations` is the most that any has."""

    def __init__(self, games: int, iterations: float) -> None:
        chunks = int(iterations) // (halving.CHUNK - 4) + 3 * ARMS
        self._left = np.zeros(games, np.int64)  # options
        self._alive = np.zeros((games, ARMS), np.int64)  # which these are
        self._totals = np.zeros((games, ARMS))
        self._likelihood = np.zeros((games, ARMS))
        self._worlds = np.zeros(games, np.int64)  # so far
        self._means = np.zeros((games, chunks, ARMS))  # by chunk
        self._chunk_worlds = np.zeros((games, chunks))
        self._chunks = np.zeros(games, np.int64)
        self._stages: list[list[tuple[int, float]]] = [[]] * games
        self._stage = np.zeros(games, np.int64)
        self._stage_worlds = np.zeros(games)  # that the stage has
        self._done = np.zeros(games, np.int64)  # of them
        # What is asked for: the worlds of each chunk, and what came of it, by option and world.
        self._asked = np.zeros((games, _CHUNKS + 1), np.int64)
        self._worths = np.zeros((games, ARMS, _WORLDS))
        self._missing = np.zeros(games, np.int64)
        self._terms = NetTerms()
        self.tries = 0  # that counted

    def begin(self, games: Ints, counts: Ints, likelihood: Floats, iterations: Floats) -> None:
        """Begin a decision in each of some games, with this many options."""
        self._left[games] = counts
        self._alive[games] = np.arange(ARMS)
        self._likelihood[games] = likelihood
        for array in (self._totals, self._worlds, self._means, self._chunk_worlds, self._chunks):
            array[games] = 0
        for game, count, each in zip(games, counts, iterations, strict=True):
            self._stages[game] = _stages(int(count), float(each))
        self._stage[games] = 0
        self._enter(games)

    def _enter(self, games: Ints) -> None:
        """Begin a stage."""
        self._done[games] = 0
        for game in games:
            stages, stage = self._stages[game], self._stage[game]
            if stage < len(stages):
                self._stage_worlds[game] = max(1.0, stages[stage][1])

    def ask(self, game: int, tries: int) -> tuple[Ints, int, int]:
        """Ask for more of a game: a chunk, or more of them, in a limited number of tries.

        Chunks that cannot end the search may be twice as many. Returns the options to try, the
        number of the first world, and in how many to try them all.
        """
        left, done = int(self._left[game]), int(self._done[game])
        stage_worlds, before = float(self._stage_worlds[game]), int(self._chunks[game])
        asked, worlds = 0, 0
        self._asked[game] = 0
        while True:
            more = halving.worlds_of_chunk(left, stage_worlds, done + worlds)
            if more == 0 or asked == _CHUNKS or worlds + more > _WORLDS:
                break
            most = tries if before + asked >= halving.LEAST_CHUNKS else 2 * tries
            if asked and left * (worlds + more) > most:
                break
            self._asked[game, asked] = more
            asked += 1
            worlds += more
        self._missing[game] = worlds * left
        return self._alive[game, :left], int(self._worlds[game]), worlds

    def put(self, games: Ints, options: Ints, worlds: Ints, worths: Floats) -> Ints:
        """Take what came of some tries, by the places of option and world in what was asked.

        Return the games of which nothing is missing now.
        """
        self._worths[games, options, worlds] = worths
        np.subtract.at(self._missing, games, 1)
        some = np.unique(games)
        return some[self._missing[some] == 0]

    def settle(self, games: Ints) -> tuple[Ints, Ints]:
        """Count what was asked for; return the games that are decided, and those that are not."""
        decided, going = [], []
        todo, chunk = games, 0
        while len(todo):
            on = []
            for left in np.unique(self._left[todo]):
                some = todo[self._left[todo] == left]
                over, asks, rest = self._count(some, int(left), chunk)
                decided.append(over)
                going.append(asks)
                on.append(rest)
            todo, chunk = np.concatenate(on), chunk + 1
        none = np.zeros(0, np.int64)
        return np.concatenate([none, *decided]), np.concatenate([none, *going])

    def _count(self, games: Ints, left: int, chunk: int) -> tuple[Ints, Ints, Ints]:
        """Count a chunk of games with as many options left.

        Return the games that are decided, that are to ask again, and that have another chunk.
        """
        rows, places = games[:, None], np.arange(left)[None]
        alive = self._alive[games, :left]
        first, more = self._asked[games, :chunk].sum(axis=1), self._asked[games, chunk]
        totals = before = self._totals[rows, alive]
        for world in range(int(more.max())):
            at = np.minimum(first + world, _WORLDS - 1)[:, None]
            counts = (world < more)[:, None]
            totals = totals + np.where(counts, self._worths[rows, places, at], 0.0)
        self._totals[rows, alive] = totals
        self._means[rows, self._chunks[games][:, None], alive] = (totals - before) / more[:, None]
        self._chunk_worlds[games, self._chunks[games]] = more
        self._chunks[games] += 1
        self._worlds[games] += more
        self._done[games] += more
        self.tries += left * int(more.sum())
        ended = self._certain(games, left) | (self._done[games] + 0.5 > self._stage_worlds[games])
        on = ~ended & (self._asked[games, chunk + 1] > 0)
        over = self._halve(games[ended], left)
        halved = games[ended][~over]
        return games[ended][over], np.concatenate([games[~ended & ~on], halved]), games[on]

    def _halve(self, games: Ints, left: int) -> npt.NDArray[np.bool_]:
        """Drop the worse half of the options; return which games are decided then."""
        if len(games) == 0:
            return np.zeros(0, np.bool_)
        kept = halving.better_half(self._ratings(games, left))
        half = kept.shape[1]
        self._alive[games, :half] = np.take_along_axis(self._alive[games, :left], kept, axis=1)
        self._left[games] = half
        self._stage[games] += 1
        self._enter(games)
        stage = self._stage[games]
        to_come = np.array(
            [
                sum(visits for _, visits in self._stages[game][at:])
                for game, at in zip(games, stage, strict=True)
            ]
        )
        last = np.array([len(self._stages[game]) for game in games]) == stage
        over = last | self._certain(games, half)
        if half > 1:
            ratings = self._ratings(games, half)
            over |= halving.is_clear(ratings, self._worlds[games], to_come, self._terms)
        return over

    def _ratings(self, games: Ints, left: int) -> Floats:
        alive = self._alive[games, :left]
        visits = np.repeat(self._worlds[games][:, None], left, axis=1)
        rows = games[:, None]
        return halving.rate(
            self._totals[rows, alive], visits, self._likelihood[rows, alive], self._terms
        )

    def _certain(self, games: Ints, left: int) -> npt.NDArray[np.bool_]:
        chunks = int(self._chunks[games].max())
        alive = self._alive[games, :left]
        means = np.take_along_axis(self._means[games, :chunks], alive[:, None], axis=2)
        worlds = self._chunk_worlds[games, :chunks]
        ratings = self._ratings(games, left)
        return np.asarray(
            halving.is_certain(ratings, self._worlds[games], means, worlds, self._terms)
        )

    def choice(self, games: Ints) -> Ints:
        """Return the best option so far of each of some games."""
        best = np.zeros(len(games), np.int64)
        for left in np.unique(self._left[games]):
            some = self._left[games] == left
            place = np.argmax(self._ratings(games[some], int(left)), axis=1)
            best[some] = self._alive[games[some], place]
        return best
