"""Colours that stand for numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

Color = tuple[int, int, int]


@dataclass(frozen=True)
class Scale:
    """Colours from `low` to `high`, evenly over the stops."""

    low: float
    high: float
    stops: tuple[str, ...]

    def color(self, value: float) -> str:
        """The colour of a value, those beyond the ends having that of the end."""
        span = self.high - self.low
        at = (value - self.low) / span if span > 0 else 0.5
        at = min(max(at, 0.0), 1.0) * (len(self.stops) - 1)
        place = min(int(at), len(self.stops) - 2)
        one, other = _parts(self.stops[place]), _parts(self.stops[place + 1])
        return _text([a + (b - a) * (at - place) for a, b in zip(one, other, strict=True)])

    @property
    def css(self) -> str:
        """The whole scale as a gradient."""
        return f"linear-gradient(90deg, {', '.join(self.stops)})"


OFTEN = ("#fbf3dc", "#e9c46a", "#d9772b", "#a4262c", "#4a0d2b")
LOSING_TO_WINNING = ("#a8201a", "#e59a8a", "#fffdf7", "#8fb4dc", "#174a8c")
EARLY_TO_LATE = ("#2d1e5f", "#3b6a9b", "#5fae9a", "#cfe08a", "#fbf6d0")


def _parts(color: str) -> Color:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _text(parts: Sequence[float]) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in parts)
