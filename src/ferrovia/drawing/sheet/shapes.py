"""Points, boxes and the little plane geometry that the layout needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """An upright rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def center(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def overlap(self, other: Box) -> float:
        """Return the area that both cover."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0

    def holds(self, other: Box) -> bool:
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )

    def grown(self, by: float) -> Box:
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


def distance_to_segment(point: Point, a: Point, b: Point) -> tuple[float, Point]:
    """Return how far `point` is from the segment `a` to `b`, and the nearest point on it."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    along = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square if square else 0.0
    along = max(0.0, min(1.0, along))
    nearest = a[0] + along * dx, a[1] + along * dy
    return hypot(point[0] - nearest[0], point[1] - nearest[1]), nearest


def meet(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Return whether two convex shapes overlap: no line along an edge of either separates them."""
    for shape in (one, other):
        ax, ay = shape[-1]
        for bx, by in shape:
            nx, ny = by - ay, ax - bx
            mine = [x * nx + y * ny for x, y in one]
            its = [x * nx + y * ny for x, y in other]
            if max(mine) <= min(its) or max(its) <= min(mine):
                return False
            ax, ay = bx, by
    return True


def clipped(ring: Sequence[Point], box: Box) -> list[Point]:
    """Return the part of a closed ring inside the box (Sutherland and Hodgman); may be empty."""
    points = list(ring)
    for axis, limit, keep_below in (
        (0, box.left, False),
        (0, box.right, True),
        (1, box.top, False),
        (1, box.bottom, True),
    ):
        if not points:
            return []
        result: list[Point] = []
        previous = points[-1]
        was_inside = (previous[axis] <= limit) is keep_below or previous[axis] == limit
        for point in points:
            inside = (point[axis] <= limit) is keep_below or point[axis] == limit
            if inside is not was_inside:
                t = (limit - previous[axis]) / (point[axis] - previous[axis])
                result.append(
                    (
                        previous[0] + t * (point[0] - previous[0]),
                        previous[1] + t * (point[1] - previous[1]),
                    )
                )
            if inside:
                result.append(point)
            previous, was_inside = point, inside
        points = result
    return points
