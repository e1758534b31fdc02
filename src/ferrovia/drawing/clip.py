"""A clip: trains and stations that appear one after the other, in an SVG that moves by itself; and
the strip under the map that says who plays and what happens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ferrovia.drawing import style
from ferrovia.drawing.markup import short, text
from ferrovia.drawing.sheet.shapes import Box

STRIP = 54.0
"""The height of the strip, in units of the sheet."""
_ROLL = 0.25  # seconds in which something appears
_STAY = 2.5  # seconds at the end, before the clip begins again


class Appearance(NamedTuple):
    """Whose it is, and when it appears, in seconds."""

    owner: int
    at: float


class Caption(NamedTuple):
    """What the strip says from a moment on, in seconds."""

    at: float
    words: str


@dataclass(frozen=True)
class Clip:
    """Routes and stations that appear, and how long the clip is before it begins again."""

    routes: Mapping[str, Appearance]
    stations: Mapping[str, Appearance]
    seconds: float


@dataclass(frozen=True)
class Strip:
    """Who plays, by seat, and captions; without a clip the last of them."""

    players: Sequence[str]
    captions: Sequence[Caption] = field(default=())


def length(last: float) -> float:
    """Return the length of a clip in which something appears last at this second."""
    return last + _STAY


def appearing(at: float, seconds: float, until: float | None = None) -> str:
    """Return the animation of an element that is shown from a second on, again and again."""
    begin, end = at / seconds, min(1.0, (at + _ROLL) / seconds)
    times, values = [0.0, begin, end, 1.0], [0, 0, 1, 1]
    if until is not None:
        gone = max(end, until / seconds)
        times, values = [0.0, begin, end, gone, gone, 1.0], [0, 0, 1, 1, 0, 0]
    if begin == 0:
        times[1:3], values[:3] = [0.0, 0.0], [1, 1, 1]
    key_times = ";".join(f"{time:.4f}" for time in times)
    return (
        f'<animate attributeName="opacity" dur="{seconds:.2f}s" repeatCount="indefinite" '
        f'keyTimes="{key_times}" values="{";".join(map(str, values))}"/>'
    )


def strip_parts(strip: Strip, sheet: Box, colors: Sequence[str], clip: Clip | None) -> list[str]:
    """Return the strip under the sheet."""
    top, middle = sheet.bottom, sheet.bottom + STRIP / 2
    size = 20.0
    parts = [
        f'<rect x="0" y="{short(top)}" width="{short(sheet.width)}" height="{short(STRIP)}" '
        f'fill="{style.FRAME}"/>'
    ]
    room = sheet.width * 0.56 / max(1, len(strip.players))
    for seat, name in enumerate(strip.players):
        look, left = style.PLAYERS[colors[seat]], 16 + seat * room
        parts += [
            f'<rect x="{short(left)}" y="{short(middle - 13)}" width="26" height="26" rx="5" '
            f'fill="{look.fill}" stroke="{style.INK}"/>',
            f'<text x="{short(left + 13)}" y="{short(middle + 6)}" font-size="17" '
            f'font-weight="700" text-anchor="middle" fill="{look.ink}">{seat + 1}</text>',
        ]
        if name:
            most = max(3, int((room - 40) / (size * 0.52)))
            shown = name if len(name) <= most else name[: most - 1] + "…"
            parts.append(
                f'<text x="{short(left + 34)}" y="{short(middle + 7)}" font-size="{short(size)}" '
                f'font-weight="600" fill="{style.INK}">{text(shown)}</text>'
            )
    captions = strip.captions if clip else strip.captions[-1:]
    for number, caption in enumerate(captions):
        later = captions[number + 1].at if number + 1 < len(captions) else None
        moves = appearing(caption.at, clip.seconds, later) if clip else ""
        hidden = ' opacity="0"' if clip and caption.at > 0 else ""
        most = int(sheet.width * 0.42 / (size * 0.48))
        words = caption.words if len(caption.words) <= most else caption.words[: most - 1] + "…"
        parts.append(
            f'<text x="{short(sheet.right - 16)}" y="{short(middle + 7)}" '
            f'font-size="{short(size)}" font-weight="600" text-anchor="end" '
            f'fill="{style.INK}"{hidden}>{moves}{text(words)}</text>'
        )
    return parts
