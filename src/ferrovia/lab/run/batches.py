"""Some games of a run, one after the other, in this process."""

from array import array
from collections.abc import Callable, Collection
from dataclasses import dataclass

from ferrovia.bots import Bot
from ferrovia.bots.kernel.arena import play_games
from ferrovia.bots.kernel.results import RESULT, write_results
from ferrovia.bots.plugins import bring
from ferrovia.bots.registry import script_kind
from ferrovia.game import Game
from ferrovia.game.codec.events import events_of, row_of
from ferrovia.game.scores import raw_score
from ferrovia.lab.accumulators import Accumulator, Totals
from ferrovia.lab.games import Games
from ferrovia.lab.results import Results
from ferrovia.lab.run.bot_failure import BotFailed, SeatFailed
from ferrovia.lab.run.match import play_to_end
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.run.records import write_record
from ferrovia.rules.state.layout import SCORE, STATE
from ferrovia.rules.state.log import LOST_COUNT, Rows, new_rows, rows_of

_ROWS = 1024  # events that nearly every game has room in; a longer one is played again


@dataclass(frozen=True)
class Batch:
    """The results of some games of a plan, and what each accumulator counted in them."""

    plan: int  # its place in the work
    games: range
    results: Results
    totals: tuple[Totals, ...] = ()


@dataclass(frozen=True)
class Work:
    """Everything that a worker has to know before it receives batches to play."""

    plans: tuple[Plan, ...]
    accumulators: tuple[Accumulator, ...] = ()

    def play(self, plan: int, games: range, stopped: Callable[[], bool]) -> Batch:
        """Play a batch and write its records; when it is stopped, return fewer games of it.

        Every game in the results has a record, and no other game has one.
        """
        played = _play(self.plans[plan], games, stopped, bool(self.accumulators))
        counted = tuple(accumulator.fresh() for accumulator in self.accumulators)
        for accumulator in counted:
            accumulator.games(played)
        done = range(games.start, games.start + len(played))
        return Batch(plan, done, played.results, tuple(it.totals for it in counted))


def batches(plan: Plan, done: Collection[range] = ()) -> list[range]:
    """Return the games of a plan in batches, without those that are done."""
    size = batch_size(plan)
    missing: list[range] = []
    at = plan.numbers.start
    for part in (*sorted(done, key=lambda it: it.start), range(plan.numbers.stop, 0)):
        missing += [range(n, min(n + size, part.start)) for n in range(at, part.start, size)]
        at = part.stop
    return missing


def batch_size(plan: Plan) -> int:
    """Return the games in a batch: many when they are fast, but never so many that a stop takes
    long.
    """
    if not plan.compiled:
        return 1
    return 256 if plan.folder is None else 16


def _play(plan: Plan, games: range, stopped: Callable[[], bool], watched: bool) -> Games:
    if not plan.compiled:
        return _play_in_words(plan, games, stopped, watched)
    return _play_compiled(plan, range(0) if stopped() else games, watched)


def _play_compiled(plan: Plan, games: range, watched: bool) -> Games:
    batch = _Batch(plan, games, _ROWS if watched or plan.folder is not None else 0)
    if plan.folder is not None:
        for place, number in enumerate(games):
            path = plan.path_of(number)
            assert path is not None
            write_record(path, batch.game(place))
    rows = [batch.events(place) for place in range(len(games))] if watched else []
    return Games(
        plan, batch.lexicon, games, batch.states, batch.scores, Results(batch.results), rows
    )


class _Batch:
    """The arrays of one compiled call."""

    def __init__(self, plan: Plan, games: range, rows: int) -> None:
        self.plan = plan
        self.games = games
        self.lexicon = plan.lexicon
        self.states = STATE.new(len(games))
        self.scores = SCORE.new(len(games))
        self.results = RESULT.new(len(games))
        self.rows = new_rows(len(games) * rows)
        self._of_game = rows
        seeds = b"".join(plan.seeds_of(games))
        kinds = [kind for bot in plan.bots if (kind := script_kind(bot)) is not None]
        play_games(
            self.lexicon.book,
            self.states,
            self.scores,
            seeds,
            array("q", kinds),
            self.results,
            self.rows,
        )

    def events(self, place: int) -> Rows:
        """Return the rows of everything that happened in a game of the batch."""
        rows = self.rows[place * self._of_game : (place + 1) * self._of_game]
        events, number = rows[0, 0], self.games[place]
        if events == LOST_COUNT:
            raise ValueError(f"game {number} has more events than a record can hold")
        if events >= len(rows):
            return _Batch(self.plan, range(number, number + 1), events + 1).events(0)
        return rows[1 : events + 1]

    def game(self, place: int) -> Game:
        """Return a game of the batch with all its events."""
        events = events_of(self.lexicon, self.events(place))
        seed = self.plan.seed_of(self.games[place])
        state = self.states[place * STATE.size : (place + 1) * STATE.size]
        return Game.standing_at(self.lexicon, self.plan.players, seed, state, events)


def _bots(plan: Plan, seed: bytes) -> list[Bot]:
    """Return the bots of one game; SeatFailed where one cannot be made."""
    bots = []
    for seat, bot in enumerate(plan.bots):
        try:
            bots.append(bring(bot, seed))
        except Exception as problem:
            raise SeatFailed(seat, problem) from problem
    return bots


def _play_in_words(plan: Plan, games: range, stopped: Callable[[], bool], watched: bool) -> Games:
    lexicon = plan.lexicon
    finished: list[Game] = []
    decisions: list[int] = []
    for number in games:
        if stopped():
            break
        seed = plan.seed_of(number)
        game = Game(plan.edition, plan.players, seed=seed)
        try:
            decisions.append(play_to_end(game, _bots(plan, seed)))
        except SeatFailed as failed:
            problem = failed.problem
            raise BotFailed(plan.bots, failed.seat, number, plan.seed, problem) from problem
        path = plan.path_of(number)
        if path is not None:
            write_record(path, game)
        finished.append(game)
    states = b"".join(game.state for game in finished)
    scores = b"".join(raw_score(lexicon, game.state) for game in finished)
    results = RESULT.new(len(finished))
    write_results(states, scores, array("i", decisions), results)
    rows = [rows_of([row_of(lexicon, it) for it in game.events]) for game in finished if watched]
    numbers = games[: len(finished)]
    return Games(plan, lexicon, numbers, states, scores, Results(results), rows)
