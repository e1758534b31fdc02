"""Text as paths: what is printed looks the same on every machine, whatever faces it has.

The outlines are those of Barlow Condensed, in `data/letters.json`; `tools/letters.py` writes them.
"""

import json
import re
from functools import cache
from html import unescape
from importlib.resources import files
from unicodedata import normalize

_TEXT = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_ATTRIBUTE = re.compile(r'([A-Za-z-]+)="([^"]*)"')
_BOX = (500, "M60 0V-700H440V0ZM110-50H390V-650H110Z")  # for a letter that the face has not


@cache
def _letters() -> dict[str, tuple[int, str]]:
    text = (files(__package__) / "data" / "letters.json").read_text(encoding="utf-8")
    return {letter: (wide, path) for letter, (wide, path) in json.loads(text).items()}


def _outline(letter: str) -> tuple[int, str]:
    known = _letters()
    return known.get(letter) or known.get(normalize("NFD", letter)[0]) or _BOX


def width_of(text: str, size: float) -> float:
    """Return how wide a text is at a size."""
    return sum(_outline(letter)[0] for letter in text) * size / 1000


def written(
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    fill: str,
    anchor: str = "middle",
    most: float | None = None,
    exactly: float | None = None,
) -> str:
    """Return a text as a group of paths on the line `y`; narrower where it would be wider than
    `most`, and as wide as `exactly`.
    """
    wide = width_of(text, size)
    stretch = 1.0
    if exactly is not None and wide:
        stretch = exactly / wide
    elif most is not None and wide > most:
        stretch = most / wide
    wide *= stretch
    left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
    parts = [
        f'<g fill="{fill}" transform="translate({left:.3f} {y:.3f})'
        f'scale({size * stretch / 1000:.6f} {size / 1000:.6f})">'
    ]
    at = 0
    for letter in text:
        advance, path = _outline(letter)
        if path:
            parts.append(f'<path transform="translate({at} 0)" d="{path}"/>')
        at += advance
    return "".join([*parts, "</g>"])


def outlined(svg: str) -> str:
    """Return a drawing of ours with every text as paths."""

    def paths(found: re.Match[str]) -> str:
        of = dict(_ATTRIBUTE.findall(found[1]))
        length = of.get("textLength")
        return written(
            unescape(found[2]),
            float(of["x"]),
            float(of["y"]),
            float(of["font-size"]),
            fill=of.get("fill", "#000000"),
            anchor=of.get("text-anchor", "start"),
            exactly=None if length is None else float(length),
        )

    return _TEXT.sub(paths, svg)
