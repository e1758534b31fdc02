"""The GPU: the same random play, one thread a game, and whether it is equal to the CPU's."""

import statistics
import time
import warnings
from importlib.metadata import version

import numpy as np

from ferrovia.boards import load_edition
from ferrovia.game.codec.lexicon import lexicon_of
from ferrovia.kernel.gpu import device_name
from ferrovia.rules import calls, gpu
from research.benchmarks.kernel import RANDOM_PLAY, empty_batch


def gpu_section() -> str:
    """Return the figures of the GPU as a section of the page; NoGpu where there is none."""
    lines = [
        "## On a GPU",
        "",
        f"Printed by `python -m research.benchmarks --gpu` on {_device()}.",
        "",
        "Random legal play of whole games, full rules and scoring, one thread a game.",
        "",
        "| edition | seats | games per second | decisions per second | equal to the CPU |",
        "|---|---|---|---|---|",
    ]
    with warnings.catch_warnings():
        # The few games that are compared with those of the CPU do not fill a GPU, as Numba says.
        warnings.filterwarnings("ignore", message=".*Grid size .* GPU under-utilization")
        for name, players in RANDOM_PLAY:
            games, decisions = _rates(name, players)
            same = "byte for byte" if _equal_to_cpu(name, players) else "NO"
            lines.append(f"| {name} | {players} | {games:,.0f} | {decisions:,.0f} | {same} |")
    return "\n".join([*lines, ""])


def _device() -> str:
    name = device_name()
    return f"an {name}, Numba {version('numba')}, numba-cuda {version('numba-cuda')}"


def _rates(name: str, players: int, games: int = 1 << 20) -> tuple[float, float]:
    """Return games and decisions per second, results left on the device."""
    batch = gpu.GpuBatch(lexicon_of(load_edition(name)).book, players, games)
    _, _, seeds = empty_batch(players, games)
    on_device = batch.upload(np.frombuffer(seeds, np.uint8).reshape(games, 32))
    batch.run(on_device)
    batch.wait()
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        batch.run(on_device)
        batch.wait()
        times.append(time.perf_counter() - begin)
    seconds = statistics.median(times)
    return games / seconds, batch.decisions_made() / seconds


def _equal_to_cpu(name: str, players: int, games: int = 4096) -> bool:
    book = lexicon_of(load_edition(name)).book
    states, scores, seeds = empty_batch(players, games)
    calls.play_random_games(book, states, scores, seeds, players)
    rows = np.frombuffer(seeds, np.uint8).reshape(games, 32)
    on_gpu = gpu.play_random_games(book, rows, players)
    return on_gpu[0].tobytes() == states and on_gpu[1].tobytes() == scores
