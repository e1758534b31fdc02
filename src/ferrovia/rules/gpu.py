"""The same functions on an NVIDIA GPU: whole games, one thread a game.

Needs the extra `gpu`. The final states are byte for byte those of the CPU for the same seeds.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ferrovia.kernel import Buffer, kernel
from ferrovia.kernel.gpu import cuda, cuda_module, helper, program
from ferrovia.rules.chapters.actions import DRAW_BLIND, DRAW_TICKETS, PASS_TURN, ROUTE
from ferrovia.rules.chapters.scoring import score
from ferrovia.rules.chapters.turn import play, start
from ferrovia.rules.playout import next_seat, random_action
from ferrovia.rules.state.chance import BLOCK, USED, seed_generator
from ferrovia.rules.state.layout import (
    BOOK,
    NONE,
    OVER,
    PAY,
    RNG_WORDS,
    ROUTES,
    SCORE,
    STATE,
    TUNNEL,
    WORK,
    Book,
    State,
    Words,
)
from ferrovia.rules.state.log import COLUMNS, Log

Bytes = npt.NDArray[np.uint8]

STATE_BYTES = STATE.size
THREADS_PER_BLOCK = 64
GAMES_PER_BLOCK = 1024  # that are sorted by what is to be done
REGISTERS = 64  # of a thread
KINDS_OF_WORK = 16
NO_WORK = KINDS_OF_WORK - 1
BLOCK_WORDS = USED - BLOCK  # random numbers in a block
BATCH = 1 << 18  # games at once


@kernel
def _kind_of_choice(s: State, rng: Words) -> int:
    """Return what has to be done for the next decision: its phase, and whether chance is used up.

    A new block of random numbers takes as long as the decision itself.
    """
    return int(s.phase) + 8 * int(rng[USED] >= BLOCK_WORDS)


@kernel
def _kind_of_action(book: Book, s: State, action: int) -> int:
    """Return what has to be done for an action, by the branches of `play` that it takes."""
    if action >= book.first_keep:
        return 0
    if s.phase == TUNNEL:
        return 1
    if s.phase == PAY:
        return 3 if s.pending < ROUTES and book.tunnel[s.pending] != 0 else 2
    if action >= book.first_city:
        return 4
    if action >= ROUTE:
        return 6 if book.tunnel[action - ROUTE] != 0 else 5
    if action == DRAW_BLIND:
        return 7 + int(s.rng[USED] >= BLOCK_WORDS)
    if action in (DRAW_TICKETS, PASS_TURN):
        return 9
    return 10 + int(s.rng[USED] >= BLOCK_WORDS)


# A thread that waits for others to take another branch does nothing. So playing and scoring are two
# programs, and in the first one the games of a block change their threads twice in every decision:
# neighbours look for the same kind of decision, then carry out the same kind of action.


@helper
def _line_up(kind: int, counts: Any, order: Any) -> int:
    """Sort the games of the block by kind of work; return the game for this thread."""
    thread = cuda.threadIdx.x
    cuda.syncthreads()
    if thread < KINDS_OF_WORK:
        counts[thread] = 0
    cuda.syncthreads()
    place = cuda.atomic.add(counts, kind, 1)
    cuda.syncthreads()
    for less in range(kind):
        place += counts[less]
    order[place] = thread
    cuda.syncthreads()
    return int(order[thread])


def _play_games(
    books: Any,
    states: Any,
    bytes_of_states: Any,
    seeds: Any,
    decisions: Any,
    players: int,
    rngs: Any,
    rows: Any,
    tape: Any,
) -> None:
    counts = cuda.shared.array(KINDS_OF_WORK, np.int32)
    order = cuda.shared.array(GAMES_PER_BLOCK, np.int32)
    actions = cuda.shared.array(GAMES_PER_BLOCK, np.int32)
    first, book, nobody = cuda.blockIdx.x * GAMES_PER_BLOCK, books[0], Log(rows, tape)
    games, made = seeds.shape[0], 0
    own = first + cuda.threadIdx.x
    if own < games:
        for i in range(STATE_BYTES):
            bytes_of_states[own, i] = 0
        start(book, states[own], seeds[own], players, NONE, nobody)
        seed_generator(rngs[own], seeds[own], 1)
    while True:
        kind = NO_WORK
        if own < games and states[own].phase != OVER:
            kind = _kind_of_choice(states[own], rngs[own])
            made += 1
        place = _line_up(kind, counts, order)
        if counts[NO_WORK] == GAMES_PER_BLOCK:
            break
        game, action = first + place, NONE
        if game < games and states[game].phase != OVER:
            seat = next_seat(states[game])
            action = random_action(book, states[game], seat, rngs[game])
        actions[place] = action
        cuda.syncthreads()
        action = actions[cuda.threadIdx.x]
        kind = NO_WORK
        if action != NONE:
            kind = _kind_of_action(book, states[own], action)
        place = _line_up(kind, counts, order)
        game, action = first + place, actions[place]
        if action != NONE:
            play(book, states[game], next_seat(states[game]), action, nobody)
        cuda.syncthreads()
    if own < games:
        decisions[own] = made


def _score_games(books: Any, states: Any, scores: Any, works: Any, games: int) -> None:
    game = cuda.grid(1)
    if game < games:
        score(books[0], states[game], scores[game], works[game])


class GpuBatch:
    """Memory on the GPU for playing a number of games of one edition at a time."""

    def __init__(self, book: Buffer, players: int, games: int = BATCH) -> None:
        self._cuda = cuda = cuda_module()
        self._play = program(_play_games, REGISTERS)
        self._score = program(_score_games)
        self._players = players
        self._books = cuda.to_device(np.frombuffer(book, BOOK.dtype))
        self._bytes = cuda.device_array((games, STATE_BYTES), np.uint8)
        self._rngs = cuda.device_array((games, RNG_WORDS), np.uint32)
        self._works = cuda.device_array(games, WORK.dtype)
        self._rows = cuda.to_device(np.zeros((0, COLUMNS), np.int16))
        self._tape = cuda.to_device(np.zeros(0, np.int32))
        self.states = self._bytes.view(STATE.dtype).reshape(games)
        self.scores = cuda.to_device(np.zeros(games, SCORE.dtype))
        self.decisions = cuda.device_array(games, np.int32)

    def upload(self, seeds: Bytes) -> Any:
        """Return seeds as an array on the device."""
        return self._cuda.to_device(np.ascontiguousarray(seeds))

    def wait(self) -> None:
        """Wait until all that was started is done."""
        self._cuda.synchronize()

    def decisions_made(self) -> int:
        """Return the decisions of all games of the last run that filled the batch."""
        return int(self.decisions.copy_to_host().sum())

    def run(self, seeds: Any) -> None:
        """Play one game for each seed of a device array; the results stay on the device."""
        games = seeds.shape[0]
        blocks = (games + GAMES_PER_BLOCK - 1) // GAMES_PER_BLOCK
        self._play[blocks, GAMES_PER_BLOCK](
            self._books,
            self.states,
            self._bytes,
            seeds,
            self.decisions,
            self._players,
            self._rngs,
            self._rows,
            self._tape,
        )
        grid = (games + THREADS_PER_BLOCK - 1) // THREADS_PER_BLOCK, THREADS_PER_BLOCK
        self._score[grid](self._books, self.states, self.scores, self._works, games)


def play_random_games(book: Buffer, seeds: Bytes, players: int) -> tuple[Bytes, Bytes, int]:
    """Play random games on the GPU; return final states and scores as bytes, and the decisions.

    The same as `ferrovia.rules.calls.play_random_games` on the CPU, byte for byte.
    """
    batch = GpuBatch(book, players, min(BATCH, len(seeds)))
    states, scores, total = [], [], 0
    for begin in range(0, len(seeds), BATCH):
        some = seeds[begin : begin + BATCH]
        batch.run(batch.upload(some))
        states.append(batch.states[: len(some)].copy_to_host())
        scores.append(batch.scores[: len(some)].copy_to_host())
        total += int(batch.decisions[: len(some)].copy_to_host().sum())
    return (
        np.concatenate(states).view(np.uint8).reshape(len(seeds), STATE.size),
        np.concatenate(scores).view(np.uint8).reshape(len(seeds), SCORE.size),
        total,
    )
