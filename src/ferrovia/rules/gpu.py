"""The same functions on an NVIDIA GPU: whole games, one thread a game.

Needs the extra `gpu`. The final states are byte for byte those of the CPU for the same seeds.
"""

from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from ferrovia.errors import FerroviaError, MissingExtra
from ferrovia.rules.chapters.scoring import score
from ferrovia.rules.chapters.turn import start
from ferrovia.rules.playout import play_random
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import BOOK, NONE, RNG_WORDS, SCORE, STATE, WORK
from ferrovia.rules.state.log import Log

Buffer = npt.NDArray[np.uint8]

STATE_BYTES = STATE.itemsize
THREADS_PER_BLOCK = 64
BATCH = 1 << 18  # games at once


class NoGpu(FerroviaError, RuntimeError):
    """There is no GPU to play on."""


def cuda_module() -> Any:
    """Return `numba.cuda`; NoGpu where it is missing or finds no GPU."""
    if not hasattr(np, "row_stack"):
        setattr(np, "row_stack", np.vstack)  # noqa: B010  # some versions of numba-cuda look for it
    try:
        cuda: Any = import_module("numba.cuda")
    except ImportError as problem:
        raise MissingExtra("gpu", problem) from None
    if not cuda.is_available():
        raise NoGpu("no NVIDIA GPU and driver were found")
    return cuda


def available() -> bool:
    """Return whether games can be played on a GPU here."""
    try:
        cuda_module()
    except (NoGpu, MissingExtra):
        return False
    return True


def device_name() -> str:
    """Return the name of the GPU."""
    name = cuda_module().get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


@cache
def _programs() -> tuple[Any, Any]:
    """Return the GPU programs, compiled at their first use.

    Playing and scoring are two of them, so that neighbouring threads do the same thing at the same
    time.
    """
    cuda = cuda_module()

    @cuda.jit
    def play(
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
        game = cuda.grid(1)
        if game < seeds.shape[0]:
            for i in range(STATE_BYTES):
                bytes_of_states[game, i] = 0
            nobody = Log(rows, tape)
            start(books[0], states[game], seeds[game], players, NONE, nobody)
            seed_generator(rngs[game], seeds[game], 1)
            decisions[game] = play_random(books[0], states[game], rngs[game], nobody)

    @cuda.jit
    def count(books: Any, states: Any, scores: Any, works: Any, games: int) -> None:
        game = cuda.grid(1)
        if game < games:
            score(books[0], states[game], scores[game], works[game])

    return play, count


class Batch:
    """Memory on the GPU for playing so many games of one edition at a time."""

    def __init__(self, book: Buffer, players: int, games: int = BATCH) -> None:
        cuda = cuda_module()
        self._cuda = cuda
        self._play, self._count = _programs()
        self._players = players
        self._books = cuda.to_device(book.view(BOOK))
        self._bytes = cuda.device_array((games, STATE_BYTES), np.uint8)
        self._rngs = cuda.device_array((games, RNG_WORDS), np.uint32)
        self._works = cuda.device_array(games, WORK)
        self._rows = cuda.to_device(np.zeros((0, 0), np.int16))
        self._tape = cuda.to_device(np.zeros(0, np.int32))
        self.states = self._bytes.view(STATE).reshape(games)
        self.scores = cuda.to_device(np.zeros(games, SCORE))
        self.decisions = cuda.device_array(games, np.int32)

    def upload(self, seeds: Buffer) -> Any:
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
        grid = (games + THREADS_PER_BLOCK - 1) // THREADS_PER_BLOCK, THREADS_PER_BLOCK
        self._play[grid](
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
        self._count[grid](self._books, self.states, self.scores, self._works, games)


def play_random_games(book: Buffer, seeds: Buffer, players: int) -> tuple[Buffer, Buffer, int]:
    """Play random games on the GPU; return final states and scores as bytes, and the decisions.

    The same as `ferrovia.rules.calls.play_random_games` on the CPU, byte for byte.
    """
    batch = Batch(book, players, min(BATCH, len(seeds)))
    states, scores, total = [], [], 0
    for begin in range(0, len(seeds), BATCH):
        some = seeds[begin : begin + BATCH]
        batch.run(batch.upload(some))
        states.append(batch.states[: len(some)].copy_to_host())
        scores.append(batch.scores[: len(some)].copy_to_host())
        total += int(batch.decisions[: len(some)].copy_to_host().sum())
    return (
        np.concatenate(states).view(np.uint8).reshape(len(seeds), STATE.itemsize),
        np.concatenate(scores).view(np.uint8).reshape(len(seeds), SCORE.itemsize),
        total,
    )
