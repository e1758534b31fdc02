"""The results of a run as a table on disk, Parquet or CSV: a row for each seat of each game."""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ferrovia.atomic_files import atomic
from ferrovia.errors import MissingExtra
from ferrovia.lab.results import PER_SEAT, WHOLE_WIN, Results, won_sixtieths
from ferrovia.lab.run.plan import game_seed
from ferrovia.lab.run.run_file import RunFile, Series

SUFFIXES = (".parquet", ".csv")
_GAMES = 16_384  # of a part of the table that is in memory at a time

Columns = dict[str, Any]


def check(path: Path) -> None:
    """Check that such a table can be written here; ValueError or MissingExtra if not."""
    if path.suffix not in SUFFIXES:
        raise ValueError(f"{path} must end in {' or '.join(SUFFIXES)}")
    if path.suffix == ".parquet":
        _pyarrow()


def write_table(path: Path, run: RunFile) -> None:
    """Write the games of a run that are finished, in their order.

    The file depends on the results alone, not on how often the run was stopped.
    """
    check(path)
    parts = (
        columns(series, numbers, results, several=len(run.head.series) > 1)
        for plan, series in enumerate(run.head.series)
        for numbers, results in _parts(run.results(plan))
    )
    with atomic(path) as unfinished:
        (_write_csv if path.suffix == ".csv" else _write_parquet)(unfinished, parts)


def columns(
    series: Series, numbers: Iterable[int], results: Results, several: bool = False
) -> Columns:
    """Return results as columns; every game has as many rows as seats.

    With several plans, a column has the bots of each.
    """
    seats = len(series.bots)
    numbers = list(numbers)

    def of_game(values: Any) -> Any:
        return np.repeat(np.asarray(values), seats)

    seat = np.tile(np.arange(seats, dtype=np.int8), len(results))
    first = of_game(results["first"])
    match = {"match": of_game([",".join(series.bots)] * len(results))} if several else {}
    return {
        **match,
        "game": of_game(np.array(numbers, np.int64)),
        "seed": of_game([game_seed(series.seed, number).hex() for number in numbers]),
        "seat": seat,
        "bot": np.tile(np.array(series.bots), len(results)),
        "place": (seat - first) % seats,
        "won": np.round(won_sixtieths(results, seats).ravel() / WHOLE_WIN, 6),
        **{name: results[name][:, :seats].ravel() for name in PER_SEAT},
        "turns": of_game(results["turns"]),
        "decisions": of_game(results["decisions"]),
    }


def _parts(batches: Iterator[tuple[range, Results]]) -> Iterator[tuple[list[int], Results]]:
    """Yield the same games in parts of one size, however they were played."""
    numbers: list[int] = []
    results: list[Results] = []
    for games, rows in batches:
        while len(games):
            room = _GAMES - len(numbers)
            numbers += games[:room]
            results.append(rows[:room])
            games, rows = games[room:], rows[room:]
            if len(numbers) == _GAMES:
                yield numbers, np.concatenate(results)
                numbers, results = [], []
    if numbers:
        yield numbers, np.concatenate(results)


def _write_csv(path: Path, parts: Iterator[Columns]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        for number, part in enumerate(parts):
            if number == 0:
                writer.writerow(part)
            writer.writerows(zip(*(values.tolist() for values in part.values()), strict=True))


def _write_parquet(path: Path, parts: Iterator[Columns]) -> None:
    pyarrow, parquet = _pyarrow()
    writer = None
    try:
        for part in parts:
            table = pyarrow.table(part)
            writer = writer or parquet.ParquetWriter(path, table.schema, compression="zstd")
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("parquet") from None
    return pyarrow, pyarrow.parquet
