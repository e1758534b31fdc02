"""Charts as SVG, by Matplotlib, in the look of the page."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np

from ferrovia.drawing import style
from ferrovia.errors import MissingExtra
from ferrovia.lab.report.measures import Floats
from ferrovia.lab.tournament.intervals import Share

COLORS = ("#1f5fb4", "#c4251d", "#23763a", "#7d3aa6", "#b85a06", "#222329")
PARTS = {"routes": "#1f5fb4", "tickets": "#23763a", "stations": "#b8892b", "bonus": "#7d3aa6"}

_HALF, _WHOLE = (5.9, 2.7), (11.6, 3.2)  # inches, so that letters are of one size on the page

_LOOK = {
    "svg.fonttype": "none",
    "svg.hashsalt": "ferrovia",
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "axes.edgecolor": style.INK,
    "axes.labelcolor": style.INK,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": "#d9d3c3",
    "grid.linewidth": 0.6,
    "text.color": style.INK,
    "xtick.color": style.INK,
    "ytick.color": style.INK,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.0,
    "legend.frameon": False,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}


def check() -> None:
    """Check that charts can be drawn; MissingExtra if not."""
    _matplotlib()


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise MissingExtra("report") from None
    return matplotlib


@contextmanager
def _chart(width: float, height: float, name: str) -> Iterator[tuple[Any, list[str]]]:
    """Yield axes to draw on, and a list that holds the SVG after the block."""
    matplotlib = _matplotlib()
    from matplotlib.figure import Figure

    done: list[str] = []
    with matplotlib.rc_context(_LOOK):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.add_subplot()
        yield axes, done
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    done.append(_inline(buffer.getvalue(), name))


def _inline(document: str, name: str) -> str:
    """Return an SVG document as a part of the page: in its fonts, full width, with a name."""
    svg = document[document.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace(f"'{_LOOK['font.family']}'", style.FONT)
    svg = re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', "", svg, count=1)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{name}" ', 1).strip()


def score_chart(spreads: dict[str, Floats], low: int, high: int, lowest: int) -> str:
    """Draw the distribution of scores, by bot."""
    step = 5
    low, high = low // step * step, -(-high // step) * step
    with _chart(*_HALF, "Scores") as (axes, done):
        edges = np.arange(low, high + step, step)
        for color, (bot, shares) in zip(COLORS, spreads.items(), strict=False):
            part = shares[low - lowest : high - lowest].reshape(-1, step).sum(axis=1)
            axes.stairs(100 * part, edges, color=color, linewidth=1.4, label=bot)
            axes.stairs(100 * part, edges, color=color, alpha=0.14, fill=True)
        axes.set_xlabel("points")
        axes.set_ylabel("% of the seats")
        axes.set_xlim(low, high)
        if len(spreads) > 1:
            axes.legend()
    return done[0]


def parts_chart(parts: dict[str, dict[str, float]]) -> str:
    """Draw what the points of each bot are made of."""
    with _chart(_HALF[0], 0.95 + 0.42 * len(parts), "What the points are made of") as (axes, done):
        names = list(parts)
        for row, bot in enumerate(names):
            ends = {True: 0.0, False: 0.0}
            for part, color in PARTS.items():
                value = parts[bot][part]
                axes.barh(
                    row,
                    value,
                    left=ends[value >= 0],
                    color=color,
                    height=0.62,
                    label=part if row == 0 else None,
                )
                if abs(value) > 7:
                    axes.text(
                        ends[value >= 0] + value / 2,
                        row,
                        f"{value:.0f}",
                        color="white",
                        ha="center",
                        va="center",
                        fontsize=9,
                    )
                ends[value >= 0] += value
            axes.text(
                ends[True] + 1.5, row, f"{parts[bot]['total']:.1f}", va="center", fontweight="bold"
            )
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.grid(axis="x")
        axes.grid(visible=False, axis="y")
        axes.spines["left"].set_visible(False)
        axes.margins(x=0.08)
        axes.legend(
            ncols=len(PARTS),
            loc="lower left",
            bbox_to_anchor=(0, 1.0),
            borderaxespad=0.2,
            handlelength=1.0,
        )
    return done[0]


def starters_chart(shares: list[Share]) -> str:
    """Draw the win share of each place in the order of play, and the equal share."""
    with _chart(*_HALF, "Wins by place in the order of play") as (axes, done):
        places = np.arange(1, len(shares) + 1)
        values = np.array([100 * share.value for share in shares])
        lows = np.array([100 * share.low for share in shares])
        highs = np.array([100 * share.high for share in shares])
        equal = 100 / len(shares)
        axes.axhline(equal, color=style.INK, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
        axes.errorbar(
            places,
            values,
            yerr=[values - lows, highs - values],
            fmt="o",
            color=COLORS[0],
            capsize=4,
            markersize=6,
            linewidth=1.4,
        )
        for place, value in zip(places, values, strict=True):
            # Away from the line of the equal share, which would strike it through.
            axes.annotate(
                f"{value:.1f}",
                (place, value),
                (9, 3 if value >= equal else -3),
                textcoords="offset points",
                va="bottom" if value >= equal else "top",
                fontsize=9,
            )
        low, high = min(*lows, equal), max(*highs, equal)
        room = 0.12 * (high - low)
        axes.set_ylim(max(0.0, low - room), min(100.0, high + room))
        axes.set_xticks(places, [_ordinal(int(place)) for place in places])
        axes.set_xlim(0.6, len(shares) + 0.9)
        axes.set_ylabel("% of games won")
        axes.annotate(
            "equal share",
            (len(shares) + 0.9, equal),
            (0, 2),
            textcoords="offset points",
            ha="right",
            va="bottom",
            fontsize=8,
        )
    return done[0]


def turns_chart(shares: dict[str, Floats], low: int, high: int, round_: int) -> str:
    """Draw the distribution of turns, by run; a round is a turn of every player."""
    step = round_ * max(1, round((high - low) / 24 / round_))
    low = low // step * step
    edges = np.arange(low, high + step + 1, step)
    with _chart(*_HALF, "Turns in a game") as (axes, done):
        for color, (name, part) in zip(COLORS, shares.items(), strict=False):
            whole = np.zeros(edges[-1])
            whole[: len(part)] = part[: len(whole)]
            binned = [100 * whole[a:b].sum() for a, b in pairwise(edges)]
            axes.stairs(binned, edges, color=color, linewidth=1.4, label=name)
            axes.stairs(binned, edges, color=color, alpha=0.14, fill=True)
        axes.set_xlabel("turns of all players")
        axes.set_ylabel("% of the games")
        if len(shares) > 1:
            axes.legend()
    return done[0]


def tickets_chart(points: list[tuple[float, float, int, bool]]) -> str:
    """Draw tickets by how often they are kept and completed; larger ones are worth more points."""
    with _chart(*_WHOLE, "Tickets: kept and completed") as (axes, done):
        for long, color, label in ((False, COLORS[0], "ticket"), (True, COLORS[1], "long ticket")):
            some = [it for it in points if it[3] is long]
            if some:
                kept, completed, worth, _ = zip(*some, strict=True)
                axes.scatter(
                    100 * np.array(kept),
                    100 * np.array(completed),
                    s=[6 * one for one in worth],
                    color=color,
                    alpha=0.55,
                    linewidth=0,
                    label=label,
                )
        axes.set_xlabel("kept, % of the times it was offered")
        axes.set_ylabel("completed, % of the times it was kept")
        axes.grid(axis="both")
        if any(it[3] for it in points):
            axes.legend(markerscale=0.6)
    return done[0]


def _ordinal(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"
