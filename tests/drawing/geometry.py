"""What the eye would see of drawn shapes."""

from collections.abc import Sequence

from ferrovia.drawing.sheet.shapes import Point


def meet(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether two convex shapes overlap: no line separates them."""
    for shape in (one, other):
        for (ax, ay), (bx, by) in zip(shape, [*shape[1:], shape[0]], strict=True):
            nx, ny = by - ay, ax - bx
            mine = [x * nx + y * ny for x, y in one]
            its = [x * nx + y * ny for x, y in other]
            if max(mine) <= min(its) or max(its) <= min(mine):
                return False
    return True
