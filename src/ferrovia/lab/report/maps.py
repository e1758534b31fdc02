"""The board as a heat map, in the project's own drawing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from ferrovia.boards import Board
from ferrovia.drawing import Tint, draw
from ferrovia.lab.report.measures import RouteMeasure

NEVER = "#ffffff"
OFTEN = ("#fbf3dc", "#e9c46a", "#d9772b", "#a4262c", "#4a0d2b")
LOSING_TO_WINNING = ("#a8201a", "#e59a8a", "#fffdf7", "#8fb4dc", "#174a8c")
EARLY_TO_LATE = ("#2d1e5f", "#3b6a9b", "#5fae9a", "#cfe08a", "#fbf6d0")


@dataclass(frozen=True)
class Scale:
    """Colours from `low` to `high`, evenly over the stops."""

    low: float
    high: float
    stops: tuple[str, ...]

    def color(self, value: float) -> str:
        """Return the colour of a value; beyond an end it is that of the end."""
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


def claimed_map(board: Board, measures: list[RouteMeasure], most: float | None = None) -> str:
    """Draw how often each route is claimed."""
    scale = Scale(0.0, most or max((it.claimed for it in measures), default=1.0) or 1.0, OFTEN)
    return _map(
        board,
        measures,
        scale,
        lambda it: it.claimed,
        lambda value: f"claimed in {value:.1%} of the games",
        ("never", f"in {scale.high:.0%} of the games"),
    )


def worth_map(board: Board, measures: list[RouteMeasure]) -> str:
    """Draw what claiming each route is worth for winning."""
    known = [abs(it.worth.value) for it in measures if it.worth and it.worth.certain]
    end = max(0.01, sorted(known)[int(0.95 * (len(known) - 1))] if known else 0.0)
    scale = Scale(-end, end, LOSING_TO_WINNING)
    return _map(
        board,
        measures,
        scale,
        lambda it: it.worth.value if it.worth else None,
        lambda value: f"its owner wins {100 * value:+.1f} games in a hundred against the usual",
        (f"wins {100 * end:.0f}% less often", "as usual", f"{100 * end:.0f}% more often"),
    )


def when_map(board: Board, measures: list[RouteMeasure]) -> str:
    """Draw when in the game each route is claimed."""
    known = [it.when for it in measures if it.when is not None]
    scale = Scale(min(known, default=0.0), max(known, default=1.0), EARLY_TO_LATE)
    return _map(
        board,
        measures,
        scale,
        lambda it: it.when,
        lambda value: f"claimed on average {value:.0%} into the game",
        (f"{scale.low:.0%} into the game", f"{scale.high:.0%}"),
    )


def change_map(board: Board, before: list[RouteMeasure], after: list[RouteMeasure]) -> str:
    """Draw how much more often each route of a board is claimed in a second run."""
    change = {b.route.id: a.claimed - b.claimed for b, a in zip(before, after, strict=True)}
    end = max(0.01, *map(abs, change.values()))
    return _map(
        board,
        after,
        Scale(-end, end, LOSING_TO_WINNING),
        lambda it: change[it.route.id],
        lambda value: f"claimed in {100 * value:+.1f}% more of the games",
        (f"{100 * end:.0f}% less often", "as often", f"{100 * end:.0f}% more often"),
    )


def _map(
    board: Board,
    measures: list[RouteMeasure],
    scale: Scale,
    value: Callable[[RouteMeasure], float | None],
    words: Callable[[float], str],
    legend: tuple[str, ...],
) -> str:
    tints = {}
    for measure in measures:
        known = value(measure)
        tints[measure.route.id] = (
            Tint(NEVER, "never claimed")
            if known is None
            else Tint(scale.color(known), words(known))
        )
    labels = "".join(f"<span>{escape(label)}</span>" for label in legend)
    return (
        f'<div class="map">{draw(board, tints=tints)}</div>'
        f'<div class="scale"><i style="background:{scale.css}"></i>{labels}</div>'
    )


def _parts(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _text(parts: Sequence[float]) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in parts)
