"""The results of a run as a table on disk, Parquet or CSV: a row for each seat of each game."""

import csv
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ferrovia.atomic_files import atomic
from ferrovia.errors import MissingExtra
from ferrovia.game.chance.seeds import game_seed
from ferrovia.lab.results import PER_SEAT, WHOLE_WIN, Results
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
    seats = range(len(series.bots))
    numbers = list(numbers)
    match = {"match": [",".join(series.bots)] * len(numbers)} if several else {}
    of_game = {
        **match,
        "game": array("q", numbers),
        "seed": [game_seed(series.seed, number).hex() for number in numbers],
    }
    first, wins = results.numbers("first"), results.wins(len(seats))
    of_seat = {
        "seat": array("b", [*seats] * len(numbers)),
        "bot": [*series.bots] * len(numbers),
        "place": array("b", ((seat - one) % len(seats) for one in first for seat in seats)),
        "won": array("d", (round(won / WHOLE_WIN, 6) for each in wins for won in each)),
    }
    for name in PER_SEAT:
        rows = results.numbers(name)
        of_seat[name] = array("h", (row[seat] for row in rows for seat in seats))
    after = {name: array("i", results.numbers(name)) for name in ("turns", "decisions")}

    def each_seat(values: Any) -> Any:
        rows = (value for value in values for _ in seats)
        return array(values.typecode, rows) if isinstance(values, array) else [*rows]

    return {
        **{name: each_seat(values) for name, values in of_game.items()},
        **of_seat,
        **{name: each_seat(values) for name, values in after.items()},
    }


def _parts(batches: Iterator[tuple[range, Results]]) -> Iterator[tuple[list[int], Results]]:
    """Yield the same games in parts of one size, however they were played."""
    numbers: list[int] = []
    results: list[Results] = []

    def part() -> tuple[list[int], Results]:
        return numbers, Results(b"".join(it.memory for it in results))

    for games, rows in batches:
        while len(games):
            room = _GAMES - len(numbers)
            numbers += games[:room]
            results.append(rows[:room])
            games, rows = games[room:], rows[room:]
            if len(numbers) == _GAMES:
                yield part()
                numbers, results = [], []
    if numbers:
        yield part()


def _write_csv(path: Path, parts: Iterator[Columns]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        for number, part in enumerate(parts):
            if number == 0:
                writer.writerow(part)
            writer.writerows(zip(*part.values(), strict=True))


def _write_parquet(path: Path, parts: Iterator[Columns]) -> None:
    pyarrow, parquet = _pyarrow()
    writer = None
    try:
        for part in parts:
            table = pyarrow.table({name: _column(pyarrow, it) for name, it in part.items()})
            writer = writer or parquet.ParquetWriter(path, table.schema, compression="zstd")
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()


def _column(pyarrow: Any, values: Any) -> Any:
    """Return a column with the type of its numbers."""
    kinds = {"b": pyarrow.int8(), "h": pyarrow.int16(), "i": pyarrow.int32()}
    kinds |= {"q": pyarrow.int64(), "d": pyarrow.float64()}
    kind = kinds[values.typecode] if isinstance(values, array) else pyarrow.string()
    return pyarrow.array(values, kind)


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("parquet") from None
    return pyarrow, pyarrow.parquet
