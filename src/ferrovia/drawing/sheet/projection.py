"""From degrees to the plane: the equidistant conic projection that suits a set of places.

Distances along meridians are true everywhere, and along two parallels chosen from the places
themselves; for places on both sides of the equator, or around the earth, the cone becomes a
cylinder. Y grows to the south, as on a screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, radians, sin

from ferrovia.drawing.sheet.shapes import Point

_FLAT = 0.05  # below this the cone is so slender that a cylinder differs by nothing one sees
_AROUND = 180.0  # degrees of longitude from which on a cone would be torn open


@dataclass(frozen=True)
class Projection:
    """Maps degrees to radians on the plane; the centre meridian is x = 0."""

    meridian: float
    cone: float
    apex: float
    stretch: float

    @classmethod
    def fitted(cls, places: Sequence[tuple[float, float]]) -> Projection:
        """Return the projection for places given as (lon, lat); at least one."""
        west, span = _shortest_arc([lon for lon, _ in places])
        south, north = min(lat for _, lat in places), max(lat for _, lat in places)
        lower, upper = (radians(south + (north - south) * part) for part in (1 / 6, 5 / 6))
        if upper - lower < 1e-6:
            lower, upper = lower - 0.01, upper + 0.01
        cone = (cos(lower) - cos(upper)) / (upper - lower)
        if abs(cone) < _FLAT or span > _AROUND:
            cone = 0.0
        apex = cos(lower) / cone + lower if cone else 0.0
        return cls(west + span / 2, cone, apex, max(0.2, cos((lower + upper) / 2)))

    def place(self, lon: float, lat: float) -> Point:
        """Return the place on the plane; `lon` within half a turn of the centre meridian."""
        angle, height = radians(lon - self.meridian), radians(lat)
        if not self.cone:
            return angle * self.stretch, -height
        radius = self.apex - height
        turn = angle * self.cone
        return radius * sin(turn), radius * cos(turn) - self.apex

    def degrees(self, x: float, y: float) -> tuple[float, float]:
        """Return the (lon, lat) of a place on the plane: the reverse of `place`."""
        if not self.cone:
            return self.meridian + x / self.stretch / radians(1), -y / radians(1)
        sign = 1 if self.cone > 0 else -1
        down = y + self.apex
        radius = sign * hypot(x, down)
        angle = atan2(sign * x, sign * down) / self.cone
        return self.meridian + angle / radians(1), (self.apex - radius) / radians(1)

    def near(self, lon: float) -> float:
        """Return the same meridian, named within half a turn of the centre."""
        return lon - 360 * round((lon - self.meridian) / 360)


def _shortest_arc(longitudes: Sequence[float]) -> tuple[float, float]:
    """Return the western end and the width of the shortest arc that holds all longitudes."""
    ordered = sorted({lon % 360 for lon in longitudes})
    gaps = [
        ((ordered[(i + 1) % len(ordered)] - lon) % 360 or 360, i) for i, lon in enumerate(ordered)
    ]
    gap, before = max(gaps)
    west = ordered[(before + 1) % len(ordered)]
    return (west - 360 if west >= 180 else west), 360 - gap
