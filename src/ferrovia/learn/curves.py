"""The page of a run: how it went, as curves over its seconds, from the logs in its folder."""

import json
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, log10
from pathlib import Path
from typing import Any, NamedTuple

from ferrovia.atomic_files import write_atomic
from ferrovia.drawing import style
from ferrovia.lab.report import html
from ferrovia.learn.config import Recipe

COLORS = ("#1f5fb4", "#c4251d", "#23763a", "#7d3aa6", "#b85a06", "#222329")
_DASHES = ("", "6 4", "2 3")  # when there are more curves than colours
_WIDTH, _HEIGHT = 560, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 12, 38
_TICKS = 5

PLANNER = "planner"  # whom evaluations met before they said whom

Rows = list[dict[str, Any]]


class Curve(NamedTuple):
    """Numbers over seconds."""

    name: str
    points: list[tuple[float, float]]


def read_log(path: Path) -> Rows:
    """Return the lines of a log; one that was cut off is left out."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.endswith("}")]


def write_page(folder: Path, recipe: Recipe) -> Path:
    """Write `curves.html` of the run in a folder; return its path."""
    path = folder / "curves.html"
    training, evaluations = (read_log(folder / f"{name}.jsonl") for name in ("train", "evaluation"))
    write_atomic(path, page(recipe, training, evaluations))
    return path


def page(recipe: Recipe, training: Rows, evaluations: Rows) -> str:
    """Return the page as HTML."""
    last = training[-1] if training else {}
    body = [
        f"<header><p class=over>Ferrovia · training</p><h1>{escape(recipe.name)}</h1>"
        f"<p class=sub>{escape(_games_of(recipe))}</p></header>",
        html.figures(
            (what, _short(last[key]))
            for what, key in (
                ("seconds", "seconds"),
                ("iterations", "iteration"),
                ("games", "games"),
                ("decisions learned from", "decisions"),
                ("points of a seat", "points"),
                ("tickets completed", "completed"),
            )
            if key in last
        ),
        html.section(
            "Against the ladder",
            html.side_by_side(
                _figure(
                    _shares(_of_planner(evaluations)),
                    "Games won against planner, % <span>over seconds</span>",
                ),
                _figure(
                    _shares_of_ladder(evaluations),
                    "Games won against each script, % <span>mean of all kinds of games</span>",
                ),
            ),
            html.table(
                ["against", "game", "games", "won", "±", "points", "theirs"], _results(evaluations)
            ),
            lead="Paired games with held-out seeds, by the smoothed weights; the table is the last "
            "evaluation, with half of its 95% interval.",
        ),
        html.section(
            "What it does",
            html.side_by_side(
                _figure(_of(training, "points", "tickets"), "Points, and those of its tickets"),
                _figure(_of(training, "kept", "completed", "stations"), "Tickets and stations"),
            ),
            lead="A seat in the games of the first kind, every tenth iteration.",
        ),
        html.section(
            "How it learns",
            html.side_by_side(
                _figure(_of(training, "entropy"), "Entropy of a decision"),
                _figure(_of(training, "value"), "Squared error of the value"),
            ),
            html.side_by_side(
                _figure(_of(training, "kl", "clipped"), "Divergence in an update, share clipped"),
                _figure(_speed(training), "Million decisions learned from a second"),
            ),
        ),
    ]
    return html.document(f"Training {recipe.name}", body)


def _games_of(recipe: Recipe) -> str:
    kinds: dict[str, list[str]] = {}
    for game in recipe.games:
        kinds.setdefault(game.edition, []).append(str(game.players))
    return "; ".join(f"{edition} with {', '.join(seats)} seats" for edition, seats in kinds.items())


def _short(number: float) -> str:
    return f"{number / 1e6:,.1f} M" if number >= 1e6 else f"{number:,}"


def _shares(evaluations: Rows) -> list[Curve]:
    curves: dict[str, Curve] = {}
    for row in evaluations:
        for kind in row["kinds"]:
            name = f"{kind['edition']} {kind['players']}"
            curve = curves.setdefault(name, Curve(name, []))
            curve.points.append((row["seconds"], 100 * kind["share"]))
    return list(curves.values())


def _of_planner(evaluations: Rows) -> Rows:
    return [row for row in evaluations if row.get("against", PLANNER) == PLANNER]


def _shares_of_ladder(evaluations: Rows) -> list[Curve]:
    """Return the mean over all kinds of games for each script that was met."""
    curves: dict[str, Curve] = {}
    for row in evaluations:
        name = row.get("against", PLANNER)
        shares = [kind["share"] for kind in row["kinds"]]
        curve = curves.setdefault(name, Curve(name, []))
        curve.points.append((row["seconds"], 100 * sum(shares) / len(shares)))
    return list(curves.values())


def _results(evaluations: Rows) -> list[list[str]]:
    last = evaluations[-1]["seconds"] if evaluations else 0
    return [
        [
            html.cell(row.get("against", PLANNER)),
            html.cell(f"{kind['edition']}, {kind['players']} seats"),
            html.cell(kind["games"]),
            html.cell(f"{kind['share']:.1%}", kind["share"]),
            html.cell(f"{kind['half']:.1%}", kind["half"]),
            html.cell(kind["points"]),
            html.cell(kind["opponent"] if "opponent" in kind else kind["planner"]),
        ]
        for row in evaluations
        if row["seconds"] == last
        for kind in row["kinds"]
    ]


def _of(training: Rows, *names: str) -> list[Curve]:
    return [
        Curve(name, [(row["seconds"], row[name]) for row in training if name in row])
        for name in names
    ]


def _speed(training: Rows) -> list[Curve]:
    """Return the decisions a second, from line to line of the log."""
    points = [
        (now["seconds"], (now["decisions"] - before["decisions"]) / spent / 1e6)
        for before, now in pairwise(training)
        if (spent := now["seconds"] - before["seconds"]) > 0
    ]
    return [Curve("decisions", points)]


def _figure(curves: list[Curve], caption: str) -> str:
    return html.figure(chart(curves, caption.partition(" <")[0]), caption)


def chart(curves: Sequence[Curve], name: str) -> str:
    """Draw curves over seconds as SVG, with a legend if there are several."""
    drawn = [curve for curve in curves if curve.points]
    if not drawn:
        return "<p class=lead>Nothing has been logged yet.</p>"
    xs = [x for curve in drawn for x, _ in curve.points]
    ys = [y for curve in drawn for _, y in curve.points]
    least = min(ys)
    across = _ticks(0.0, max(xs))
    up = _ticks(0.0 if 0 < least < max(ys) / 3 else least, max(ys))
    rows = -(-len(drawn) // 4) if len(drawn) > 1 else 0
    height = _HEIGHT + 18 * rows

    def place(x: float, y: float) -> tuple[float, float]:
        wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
        return (
            _LEFT + wide * (x - across[0]) / (across[-1] - across[0]),
            _TOP + high * (1 - (y - up[0]) / (up[-1] - up[0])),
        )

    parts = []
    for y in up:
        _, at = place(across[0], y)
        parts.append(f'<path d="M{_LEFT} {at:.1f}H{_WIDTH - _RIGHT}" stroke="#d9d3c3"/>')
        parts.append(_text(_LEFT - 6, at + 4, f"{y:g}", "end"))
    for x in across:
        at, _ = place(x, up[0])
        parts.append(_text(at, _HEIGHT - _BOTTOM + 18, f"{x:g}", "middle"))
    for number, curve in enumerate(drawn):
        look = _look(number)
        spots = [place(x, y) for x, y in curve.points]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f'<polyline points="{line}" fill="none" {look}/>')
        if len(spots) == 1:
            parts.append(f'<circle cx="{spots[0][0]:.1f}" cy="{spots[0][1]:.1f}" r="2.5" {look}/>')
        if rows:
            x, y = _LEFT + 126 * (number % 4), _HEIGHT + 18 * (number // 4)
            parts.append(f'<path d="M{x} {y - 4}h16" {look}/>{_text(x + 21, y, curve.name)}')
    return (
        f'<svg role="img" aria-label="{escape(name)}" viewBox="0 0 {_WIDTH} {height}" '
        f'font-family="{escape(style.FONT)}" font-size="12" fill="{style.INK}">'
        f"{''.join(parts)}</svg>"
    )


def _look(number: int) -> str:
    color, dashes = COLORS[number % len(COLORS)], _DASHES[number // len(COLORS) % len(_DASHES)]
    return f'stroke="{color}" stroke-width="1.6" stroke-dasharray="{dashes}"'


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers, about five of them, from at most `low` to at least `high`."""
    span = max(high - low, abs(high) * 1e-3, 1e-9)
    size = 10.0 ** floor(log10(span / _TICKS))
    step = next(size * many for many in (1, 2, 5, 10) if size * many * _TICKS >= span)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(step * i, 12) for i in range(first, max(last, first + 1) + 1)]
