"""The puzzles that come with Ferrovia, and which of them is that of a day."""

import gzip
from datetime import date
from functools import cache
from importlib.resources import files

import msgspec

from ferrovia.puzzles.puzzle import Puzzle

_FIRST_DAY = date(2026, 1, 1)


@cache
def all_puzzles() -> tuple[Puzzle, ...]:
    """Return all puzzles that come with the package, in a fixed order."""
    data = files("ferrovia.puzzles").joinpath("data/puzzles.jsonl.gz").read_bytes()
    decoder = msgspec.json.Decoder(Puzzle)
    return tuple(decoder.decode(line) for line in gzip.decompress(data).splitlines())


def number_of(day: date) -> int:
    """Return the number of a day's puzzle: each has its day before any comes again."""
    return (day - _FIRST_DAY).days % len(all_puzzles())
