"""The small shapes: colour symbols, locomotive, carriage, station. Each is centred on (0, 0)."""

from __future__ import annotations

from math import cos, pi, sin


def _polygon(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points) + "Z"


def _star() -> str:
    return _polygon(
        [
            (r * sin(pi * i / 5), -r * cos(pi * i / 5))
            for i in range(10)
            for r in ((4.4, 1.9)[i % 2],)
        ]
    )


_PLUS = "M-1.1-3.5H1.1V-1.1H3.5V1.1H1.1V3.5H-1.1V1.1H-3.5V-1.1H-1.1Z"

# Symbols stand upright whatever the direction of the route: turned, a square would be a
# diamond and a plus a cross. All are filled, so that one colour draws any of them.
SYMBOLS = {
    "diamond": "M0-4.2L3.2 0L0 4.2L-3.2 0Z",
    "disc": "M-3 0A3 3 0 1 1 3 0A3 3 0 1 1-3 0Z",
    "triangle": "M0-3.6L3.8 3H-3.8Z",
    "ring": "M-3.2 0A3.2 3.2 0 1 1 3.2 0A3.2 3.2 0 1 1-3.2 0Z"
    "M-1.8 0A1.8 1.8 0 1 0 1.8 0A1.8 1.8 0 1 0-1.8 0Z",
    "square": "M-2.8-2.8H2.8V2.8H-2.8Z",
    "star": _star(),
    "cross": "M-3.3-2L-2-3.3L0-1.3L2-3.3L3.3-2L1.3 0L3.3 2L2 3.3L0 1.3L-2 3.3L-3.3 2L-1.3 0Z",
    "plus": _PLUS,
}

# A small tank engine from the side: cab, boiler, chimney, two wheels.
LOCOMOTIVE = (
    "M-6.5-4H-1.8V-1.4H1.6V-3.8H3.8V-1.4H5.6V2H-6.5ZM-5.2-2.9V-1.1H-3V-2.9Z"
    "M-5.6 2.7A1.6 1.6 0 0 0-2.4 2.7ZM1.4 2.7A1.6 1.6 0 0 0 4.6 2.7Z"
)

# A signal-box of a station: gabled roof over a body with room for the owner's mark.
STATION = "M0-12.5L11-4.5H8.5V8.5H-8.5V-4.5H-11Z"

# A carriage from above, for a space of `CARRIAGE_LENGTH`: longer and deeper than the space, so that
# trains stand on the map and not in it. Its roof is raised at both ends, with room for a number
# between.
CARRIAGE_LENGTH = 23
CARRIAGE = (
    "M-12.5-4Q-12.5-6.9-9.6-6.9H9.6Q12.5-6.9 12.5-4V4Q12.5 6.9 9.6 6.9H-9.6Q-12.5 6.9-12.5 4Z"
)
ROOF = "M-11.4-2.3H-4.9V2.3H-11.4M11.4-2.3H4.9V2.3H11.4M-8.2-2.3V2.3M8.2-2.3V2.3"
