"""Many games of one board that step in lockstep, on a CPU or on a GPU.

One batch mixes editions and numbers of seats. Arrays that a step reads and writes have the step
first and the game last: `obs` is (steps, columns, games), all others (steps, games).
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ferrovia.boards import Edition
from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.bots.net.columns import Columns, layout_for
from ferrovia.bots.net.observation import SUBSETS
from ferrovia.bots.net.reward import distances
from ferrovia.env import loops
from ferrovia.env.batch_game import COUNTS, SCRIPT, Experience
from ferrovia.env.dlpack import Exchanged
from ferrovia.env.rows import NETWORK, SEEN, places_of
from ferrovia.kernel import Pack
from ferrovia.rules.state.book import make_book
from ferrovia.rules.state.layout import BOOK, RNG_WORDS, SEATS, STATE
from ferrovia.rules.state.log import COLUMNS

THREADS_PER_BLOCK = 64
WEIGHERS = 1 << 16  # threads that weigh subsets of offers, at most, each with a plan of its own


class Kind(NamedTuple):
    """A kind of game: an edition, and how many sit at the table."""

    edition: Edition
    players: int


def balanced_patterns(players: int) -> list[int]:
    """Return the sets of seats, as bits, that are half of the table, or as near as can be."""
    half = players // 2
    sizes = {half, players - half}
    return [sum(1 << i for i in c) for n in sorted(sizes) for c in combinations(range(players), n)]


def seed_rows(numbers: npt.NDArray[np.int64], key: int) -> npt.NDArray[np.uint8]:
    """Return the seeds of games by number, for one key; the bytes in between count episodes."""
    rows = np.zeros((len(numbers), 32), np.uint8)
    rows[:, :8] = np.ascontiguousarray(numbers.astype("<u8")[:, None]).view(np.uint8)
    rows[:, 16:24] = np.array([key], "<u8").view(np.uint8)
    return rows


class BatchEnv:
    """Games by kind: `kind_of[g]` says which of `kinds` game g is; it begins again when it ends.

    `roles` and `patterns` say who decides: in game g, seats in the set `patterns[g]` are
    `roles[g]`, all others LEARNER; the pattern is inverted with every new episode.

    Without `advice` the columns of planner's plan and decision are zeros, and nobody can be SCRIPT:
    a game is seen several times faster then.
    """

    def __init__(
        self,
        kinds: Sequence[Kind],
        kind_of: npt.NDArray[np.int64],
        *,
        key: int,
        numbers: npt.NDArray[np.int64] | None = None,
        roles: npt.NDArray[np.uint8] | None = None,
        patterns: npt.NDArray[np.uint8] | None = None,
        columns: Columns | None = None,
        advice: bool = True,
        device: str = "cpu",
        threads: int | None = None,
    ) -> None:
        self.kinds = tuple(kinds)
        self.kind_of = np.asarray(kind_of, np.int64)
        self.games = games = len(self.kind_of)
        self.columns = columns or layout_for(kind.edition for kind in kinds)
        self.device = device
        self.advice = advice
        self._script_plans: Any = None
        if not advice and roles is not None and SCRIPT in roles:
            raise ValueError("without advice nobody knows what planner would do")
        names = list(dict.fromkeys(kind.edition.id for kind in kinds))
        by_name = {kind.edition.id: kind.edition for kind in kinds}
        made = b"".join(make_book(by_name[name]) for name in names)
        books = np.frombuffer(bytearray(made), BOOK.dtype)
        self.books = books
        book_of_kind = np.array([names.index(kind.edition.id) for kind in kinds], np.int64)
        players_of_kind = np.array([kind.players for kind in kinds], np.int64)
        zeros = np.zeros(games, np.uint8)
        host: dict[str, Any] = {
            "books": books,
            "book_of": book_of_kind[self.kind_of],
            "players": players_of_kind[self.kind_of],
            "whole": np.zeros((games, STATE.size), np.uint8),
            "plans": np.zeros(games, PLAN.dtype),
            "held": np.zeros((games, SEATS), np.float32),
            "seeds": seed_rows(np.arange(games) if numbers is None else numbers, key),
            "rngs": np.zeros((games, RNG_WORDS), np.uint32),
            "episodes": np.zeros(games, np.int64),
            "worths": np.zeros((games, SUBSETS), np.int32),
            "roles": zeros.copy() if roles is None else roles.astype(np.uint8),
            "patterns": zeros.copy() if patterns is None else patterns.astype(np.uint8),
            "distances": np.stack([distances(by_name[name]) for name in names]),
            "rows": np.zeros((0, COLUMNS), np.int16),
            "tape": np.zeros(0, np.int32),
            "counts": np.zeros((games, COUNTS), np.float32),
            "trace": np.zeros((games, SEATS, 4), np.float32),
        }
        if device == "cpu":
            host["states"] = host["whole"].view(STATE.dtype).reshape(games)
            seats = np.zeros(games, np.int64) if advice else host["players"]
            host["first_row"] = np.cumsum(seats) - seats
            host["rows_seen"] = np.zeros((int(seats.sum()), self.columns.count), np.uint8)
            host["seen"] = np.zeros(int(seats.sum()), SEEN.dtype)
            host["networks"] = np.zeros(int(seats.sum()), NETWORK.dtype)
            self._places: Any = Pack(loops.PLACES, places_of(self.columns))
            # What `play_and_see` takes.
            alone = ("books", "whole", "plans", "rows_seen", "seen", "networks")
            self._alone: Any = (
                *(memoryview(host[name]) for name in alone),
                self._places,
            )
            self.arrays = host
            self._games: Any = Pack(loops.ARRAYS, loops.Arrays(**host))
            self._threads = threads or os.cpu_count() or 1
            self._pool = ThreadPoolExecutor(self._threads - 1) if self._threads > 1 else None
        else:
            self._to_gpu(host)

    def _to_gpu(self, host: dict[str, Any]) -> None:
        from ferrovia.env.programs import LISTS, Lists
        from ferrovia.kernel.gpu import cuda_module

        self._cuda = cuda = cuda_module()
        none = {"first_row": np.zeros(0, np.int64), "rows_seen": np.zeros((0, 0), np.uint8)}
        none |= {"seen": np.zeros(0, SEEN.dtype), "networks": np.zeros(0, NETWORK.dtype)}
        host |= none  # rows are kept from step to step on a CPU alone
        self.arrays = {name: cuda.to_device(array) for name, array in host.items()}
        self.arrays["states"] = self.arrays["whole"].view(STATE.dtype).reshape(self.games)
        self._games = loops.Arrays(**self.arrays)
        weighers = min(WEIGHERS, max(1 << 10, self.games >> 1))
        weighers -= weighers % THREADS_PER_BLOCK
        self._lists = Lists(
            counted=cuda.to_device(np.zeros(LISTS, np.int64)),
            listed=cuda.to_device(np.zeros((LISTS, self.games), np.int32)),
            changed=cuda.to_device(np.zeros(1, np.int64)),
            movers=cuda.to_device(np.zeros(self.games, np.int64)),
            open_tickets=cuda.to_device(np.zeros((SEATS, self.games), np.uint8)),
            outlooks=cuda.to_device(np.zeros((3, self.games), np.int64)),
            weighers=cuda.to_device(np.zeros(weighers, PLAN.dtype)),
        )
        self._nothing = cuda.to_device(np.zeros(LISTS, np.int64))
        blocks = (self.games + THREADS_PER_BLOCK - 1) // THREADS_PER_BLOCK
        self._grid = (blocks, THREADS_PER_BLOCK)
        # Streams of their own run at the same time; all others wait for them.
        self._plan_grid = (blocks, THREADS_PER_BLOCK, cuda.stream())
        self._weigh_grid = (weighers // THREADS_PER_BLOCK, THREADS_PER_BLOCK, cuda.stream())

    def _run(self, name: str, *arguments: Any, grid: Any = None) -> None:
        """Run one of the programs on the GPU."""
        from ferrovia.env import programs

        programs.compiled(getattr(programs, name))[grid or self._grid](self._games, *arguments)

    def _on_cpu(self, loop: Any, *arguments: Any) -> None:
        if self._pool is None:
            loop(0, self.games, self._games, *arguments)
            return
        step = max(1, (self.games + self._threads - 1) // self._threads)
        parts = [
            self._pool.submit(loop, begin, min(begin + step, self.games), self._games, *arguments)
            for begin in range(step, self.games, step)
        ]
        try:  # the first part is this thread's own
            loop(0, min(step, self.games), self._games, *arguments)
        finally:
            wait(parts)
        for part in parts:
            part.result()

    def array(self, tensor: Any) -> Any:
        """Return a tensor of the training library as an array for the methods here (no copy)."""
        return tensor.numpy() if self.device == "cpu" else self._cuda.as_cuda_array(tensor)

    def exchanged(self, array: Any) -> Exchanged:
        """Return an array of this batch's device for the `from_dlpack` of another library: PyTorch,
        JAX, CuPy or NumPy (no copy). On a GPU that waits until all steps are done."""
        return (
            Exchanged(array) if self.device == "cpu" else Exchanged(array, self._cuda.synchronize)
        )

    def observations(self, steps: int = 1) -> Any:
        """Return an array for `obs`, on a GPU one that lies there.

        On the CPU the columns of a game are contiguous, which is the layout that is written
        fastest; `observations(1)[0].T` has a row for each game.
        """
        if self.device != "cpu":
            return self._cuda.device_array((steps, self.columns.count, self.games), np.uint8)
        return np.zeros((steps, self.games, self.columns.count), np.uint8).transpose(0, 2, 1)

    def reset(self) -> None:
        """Begin all games."""
        if self.device == "cpu":
            self._on_cpu(loops.reset_games)
            return
        self._run("reset")

    def observe(self, obs: Any, seats: Any, pilots: Any, scripted: Any, t: int) -> None:
        """Write for every game who is to act (NONE when it is over), what that seat sees, who
        decides for it, and what planner would do (which is left as it is without advice)."""
        slots, others = self.columns.offer, self.columns.others
        if not self.advice:
            self._see(slots, others, obs, seats, pilots, t)
            return
        if self.device == "cpu":
            self._on_cpu(loops.observe_games, slots, others, obs, seats, pilots, scripted, t)
            return
        lists = self._lists
        lists.counted.copy_to_device(self._nothing)
        self._run("collect", lists, seats, t)
        self._run("weigh", lists, 1 << slots, grid=self._weigh_grid)
        self._run("make_plans", lists, seats, t, grid=self._plan_grid)
        self._run("columns", lists, slots, others, obs, seats, pilots, t, grid=self._plan_grid)
        self._run("decision", lists, slots, obs, seats, scripted, t, grid=self._plan_grid)
        self._run("offer", lists, slots, others, obs, seats, scripted, t)

    def _see(self, slots: int, others: int, obs: Any, *rest: Any) -> None:
        if self.device == "cpu":
            by_game = obs.transpose(0, 2, 1)
            if by_game.flags.c_contiguous:
                self._on_cpu(loops.see_games, self._places, by_game, *rest)
            else:
                self._on_cpu(loops.see_by_column, self._places, obs, *rest)
            return
        self._run("see", slots, others, obs, *rest)

    def look(self, game: int, seat: int, obs: Any) -> None:
        """Write what a seat sees, even if it is not to act, into `obs` (columns, 1), on the CPU.

        Planner's decision is not in it.
        """
        if self.advice:
            slots, others = self.columns.offer, self.columns.others
            loops.look_at(self._games, game, seat, slots, others, obs)
        else:
            loops.see_from(self._games, game, seat, self._places, obs)

    def play_and_see(self, action: int) -> int:
        """Carry out an action in the only game of a batch without advice, on the CPU; NONE: none.

        Return the seat that is to act then; its row in `rows_seen` is what it sees.
        """
        return loops.play_and_see(*self._alone, action)

    def play_and_advise(self, action: int, obs: Any, scripted: Any) -> int:
        """As `play_and_see`, in a batch with advice: what the seat that is to act then sees is
        written to `obs` (columns, 1), what planner would do to `scripted` (1)."""
        slots, others = self.columns.offer, self.columns.others
        alone, worths = self._alone[:3], self.arrays["worths"][0]
        rest = (slots, others, obs, scripted, action)
        return loops.play_and_advise(*alone, worths, *rest)

    def decide_by(self, name: str, wanted: Any, number: int, actions: Any, t: int) -> None:
        """Write what a script would do where `wanted` (uint8, by game) is `number`.

        It reads of a state what the seat may see. Chance is that of the batch: a script that draws
        on it does not decide as the bot of the same seed.
        """
        if self._script_plans is None:
            plans = np.zeros(self.games, PLAN.dtype)
            self._script_plans = plans if self.device == "cpu" else self._cuda.to_device(plans)
        plans = self._script_plans
        if self.device == "cpu":
            kind = SCRIPTS.index(name)
            self._on_cpu(loops.script_games, kind, wanted, number, plans, actions, t)
            return
        from ferrovia.env.programs import script_program

        script_program(name)[self._grid](self._games, wanted, number, plans, actions, t)

    def draw_actions(self, actions: Any, t: int) -> None:
        """Write a legal action at random for every game, NONE where it is over."""
        if self.device == "cpu":
            self._on_cpu(loops.draw_games, actions, t)
            return
        self._run("draw", actions, t)

    def step(
        self,
        actions: Any,
        rewards: Any,
        dones: Any,
        t: int,
        point: float,
        partial: float,
        rewarded: bool = True,
    ) -> None:
        """Carry out an action in every game that is not over.

        Where nobody is to be rewarded, a GPU is spared working out what the seats have gained.
        """
        if self.device == "cpu":
            self._on_cpu(loops.step_games, actions, rewards, dones, t, point, partial)
            return
        lists = self._lists
        lists.changed.copy_to_device(self._nothing[:1])
        self._run("step", lists, actions, rewards, dones, t)
        if rewarded:
            self._run("gain", lists, rewards, t, point, partial)

    def finish(self, lasts: Any, dones: Any, t: int, point: float, win: float) -> None:
        """Score the games that are over, and begin their next episodes."""
        if self.device == "cpu":
            self._on_cpu(loops.finish_games, lasts, dones, t, point, win)
            return
        self._run("finish", lasts, dones, t, point, win)

    def advantages(self, *arrays: Any, decay: float) -> None:
        """Write the generalised advantages over all steps; `arrays` are those of `Experience`."""
        experience = Experience(*arrays)
        if self.device == "cpu":
            self._on_cpu(loops.advantage_games, Pack(loops.EXPERIENCE, experience), decay)
            return
        self._run("advantage", experience, decay)

    def results(self) -> npt.NDArray[np.int32]:
        """Return the winners of every game as bits (NONE: not over), and each seat's total."""
        result = np.zeros((self.games, 1 + SEATS), np.int32)
        if self.device == "cpu":
            self._on_cpu(loops.result_games, result)
            return result
        there = self._cuda.to_device(result)
        self._run("result", there)
        return np.asarray(there.copy_to_host())

    def stand(self, listed: Any, partial: float, out: Any) -> None:
        """Write how some games stand, a row each: the winners as bits and each seat's total if a
        game is over, else NONE and each seat's standing, with this part of half-built ways.

        `listed` (int64) are the games, `out` is float64 (listed, 1 + SEATS). A payment needs what
        was planned for its turn; after this, that has to be observed anew.
        """
        if self.device == "cpu":
            self._on_cpu(loops.stand_games, listed, partial, out)
            return
        blocks = (len(listed) + THREADS_PER_BLOCK - 1) // THREADS_PER_BLOCK
        self._run("stand", listed, partial, out, grid=(blocks, THREADS_PER_BLOCK))

    def take_counts(self) -> npt.NDArray[np.float64]:
        """Return what was counted of finished games since the last call, for each kind."""
        counts = self.arrays["counts"]
        if self.device == "cpu":
            mine = counts.copy()
            counts[:] = 0
        else:
            mine = counts.copy_to_host()
            counts.copy_to_device(np.zeros_like(mine))
        out = np.zeros((len(self.kinds), COUNTS))
        np.add.at(out, self.kind_of, mine)
        return out
