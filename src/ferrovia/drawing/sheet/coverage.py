"""How much of what is already on the sheet a box would cover, in constant time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from operator import add

from ferrovia.drawing.sheet.shapes import Box

_CELL = 3.0

Disc = tuple[float, float, float]


class Coverage:
    """A summed-area table over discs (x, y, radius), counted in cells three units wide."""

    def __init__(self, frame: Box, discs: Iterable[Disc]) -> None:
        self._left, self._top = frame.left, frame.top
        self._columns = int(frame.width / _CELL) + 1
        self._rows = int(frame.height / _CELL) + 1
        cells = [[0] * self._columns for _ in range(self._rows)]
        for x, y, radius in discs:
            first, last = self._column(x - radius), self._column(x + radius)
            for row in range(self._row(y - radius), self._row(y + radius) + 1):
                line = cells[row]
                for column in range(first, last + 1):
                    line[column] += 1
        self._sums = [[0] * (self._columns + 1)]
        for line in cells:
            along = accumulate(line, initial=0)
            self._sums.append(list(map(add, self._sums[-1], along)))

    def under(self, box: Box) -> int:
        """Return how many cells of discs the box touches; what lies in two discs counts twice."""
        left, right = self._column(box.left), self._column(box.right) + 1
        above, below = self._sums[self._row(box.top)], self._sums[self._row(box.bottom) + 1]
        return below[right] - below[left] - above[right] + above[left]

    def _column(self, x: float) -> int:
        return min(self._columns - 1, max(0, int((x - self._left) / _CELL)))

    def _row(self, y: float) -> int:
        return min(self._rows - 1, max(0, int((y - self._top) / _CELL)))
