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
    highest = max((it.claimed.value for it in measures), default=1.0)
    scale = Scale(0.0, most or highest or 1.0, OFTEN)
    end = f"{100 * scale.high:.0f} times in 100 games"
    return _map(
        board,
        measures,
        scale,
        lambda it: it.claimed.value,
        _how_often,
        ("never", end if scale.high > 1 else f"in {scale.high:.0%} of the games"),
    )


def _how_often(measure: RouteMeasure, value: float) -> str:
    often = (
        f"claimed in {value:.1%} of the games"
        if value <= 1
        else f"claimed {value:.2f} times a game"
    )
    if len(measure.halves) == 1:
        return often
    halves = ", ".join(f"{it.route.color} in {it.claimed.value:.1%}" for it in measure.halves)
    return f"{often} ({halves})"


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
        lambda _, value: f"its owner wins {100 * value:+.1f} games in a hundred against the usual",
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
        lambda _, value: f"claimed on average {value:.0%} into the game",
        (f"{scale.low:.0%} into the game", f"{scale.high:.0%}"),
    )


def change_map(board: Board, pairs: list[tuple[RouteMeasure, RouteMeasure]]) -> str:
    """Draw how much more often the routes of a board are claimed in a second run; those that only
    this board has are white.
    """
    change = {b.route.id: b.claimed.value - a.claimed.value for a, b in pairs}
    end = max(0.01, *map(abs, change.values()))
    return _map(
        board,
        [b for _, b in pairs],
        Scale(-end, end, LOSING_TO_WINNING),
        lambda it: change[it.route.id],
        lambda _, value: f"claimed {100 * value:+.1f} times in a hundred games",
        (f"{100 * end:.0f} times fewer", "as often", f"{100 * end:.0f} times more in 100 games"),
        other="only on this board",
    )


def _map(
    board: Board,
    measures: list[RouteMeasure],
    scale: Scale,
    value: Callable[[RouteMeasure], float | None],
    words: Callable[[RouteMeasure, float], str],
    legend: tuple[str, ...],
    other: str = "",
) -> str:
    tints = {route.id: Tint(NEVER, other) for route in board.routes}
    for measure in measures:
        known = value(measure)
        tint = (
            Tint(NEVER, "never claimed")
            if known is None
            else Tint(scale.color(known), words(measure, known))
        )
        for half in measure.halves:
            tints[half.route.id] = tint
    labels = "".join(f"<span>{escape(label)}</span>" for label in legend)
    return (
        f'<div class="map">{draw(board, tints=tints)}</div>'
        f'<div class="scale"><i style="background:{scale.css}"></i>{labels}</div>'
    )


def _parts(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _text(parts: Sequence[float]) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in parts)
