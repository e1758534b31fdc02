"""SVG as PNG, with the optional package resvg-py."""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from pathlib import Path

from ferrovia.errors import MissingExtra


def png(svg: str, path: str | PathLike[str], width: int = 1200) -> None:
    """Write a drawing to `path` as a PNG picture `width` pixels wide.

    Raises `MissingExtra` when resvg-py is not installed.
    """
    try:
        resvg = import_module("resvg_py")
    except ImportError:
        raise MissingExtra("png") from None
    picture = resvg.svg_to_bytes(svg_string=svg, width=width)
    Path(path).write_bytes(bytes(picture))
