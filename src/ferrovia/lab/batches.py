"""Some games of a run, one after the other, in this process."""

from collections.abc import Callable

import numpy as np

from ferrovia.bots import make
from ferrovia.bots.arena import COUNTS, DECISIONS, play_games
from ferrovia.bots.scripts import SCRIPTS
from ferrovia.game import Game
from ferrovia.game.event_rows import events_of
from ferrovia.game.lexicon import lexicon
from ferrovia.game.scores import raw_score
from ferrovia.lab.matches import play_to_end
from ferrovia.lab.plan import Plan
from ferrovia.lab.recording import write_record
from ferrovia.lab.results import Results, results_of
from ferrovia.rules.layout import SCORE, STATE
from ferrovia.rules.log import COLUMNS

_ROWS = 1024  # events that nearly every game has room in; a longer one is played again


def batch_count(plan: Plan) -> int:
    """The number of batches of a run."""
    return -(-plan.games // _size(plan))


def play_batch(plan: Plan, batch: int, stopped: Callable[[], bool]) -> Results:
    """Play the games of a batch and write their records; when it is stopped, fewer of them.

    Every game in the results has its record, and no other game has.
    """
    at = batch * _size(plan)
    games = plan.numbers[at : at + _size(plan)]
    if not plan.compiled:
        return _play_in_words(plan, games, stopped)
    return _play_compiled(plan, range(0) if stopped() else games)


def _size(plan: Plan) -> int:
    """Games in a batch: many when they are fast, yet a stop is never far."""
    if not plan.compiled:
        return 1
    return 256 if plan.folder is None else 16


def _play_compiled(plan: Plan, games: range) -> Results:
    batch = _Batch(plan, games, 0 if plan.folder is None else _ROWS)
    for place, number in enumerate(games):
        path = plan.path_of(number)
        if path is not None:
            write_record(path, batch.game(place))
    return results_of(batch.states, batch.scores, batch.counts[:, DECISIONS])


class _Batch:
    """The arrays of one compiled call."""

    def __init__(self, plan: Plan, games: range, rows: int) -> None:
        self.plan = plan
        self.games = games
        self.words = lexicon(plan.edition)
        self.states = np.zeros((len(games), STATE.itemsize), np.uint8)
        self.scores = np.zeros((len(games), SCORE.itemsize), np.uint8)
        self.counts = np.zeros((len(games), COUNTS), np.int32)
        self.rows = np.zeros((len(games), rows, COLUMNS), np.int16)
        seeds = bytearray(b"".join(map(plan.seed_of, games)))
        kinds = np.array([SCRIPTS.index(bot) for bot in plan.bots], np.int8)
        play_games(
            self.words.book,
            self.states,
            self.scores,
            np.frombuffer(seeds, np.uint8).reshape(len(games), 32),
            np.tile(kinds, (len(games), 1)),
            self.counts,
            self.rows,
        )

    def game(self, place: int) -> Game:
        """A game of the batch with all its events."""
        rows, number = self.rows[place], self.games[place]
        events = int(rows[0, 0])
        if events >= len(rows):
            return _Batch(self.plan, range(number, number + 1), events + 1).game(0)
        told = events_of(self.words, rows[1 : events + 1])
        seed = self.plan.seed_of(number)
        return Game.standing_at(self.words, self.plan.players, seed, self.states[place], told)


def _play_in_words(plan: Plan, games: range, stopped: Callable[[], bool]) -> Results:
    finished: list[Game] = []
    decisions: list[int] = []
    for number in games:
        if stopped():
            break
        seed = plan.seed_of(number)
        game = Game(plan.edition, plan.players, seed=seed)
        decisions.append(play_to_end(game, [make(bot, seed) for bot in plan.bots]))
        path = plan.path_of(number)
        if path is not None:
            write_record(path, game)
        finished.append(game)
    states = np.zeros((len(finished), STATE.itemsize), np.uint8)
    scores = np.zeros((len(finished), SCORE.itemsize), np.uint8)
    for place, game in enumerate(finished):
        states[place] = game.state
        scores[place] = np.frombuffer(raw_score(game.words, game.state).tobytes(), np.uint8)
    return results_of(states, scores, decisions)
