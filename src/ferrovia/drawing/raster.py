"""From SVG to PNG, with the optional package resvg-py."""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from pathlib import Path


def png(svg: str, path: str | PathLike[str], width: int = 1200) -> None:
    """Write a drawing to `path` as a PNG picture `width` pixels wide.

    Raises ImportError, with what to install, when resvg-py is not there.
    """
    try:
        resvg = import_module("resvg_py")
    except ImportError as missing:
        raise ImportError(
            "PNG pictures need the package resvg-py: pip install 'ferrovia[png]'"
        ) from missing
    picture = resvg.svg_to_bytes(svg_string=svg, width=width)
    Path(path).write_bytes(bytes(picture))
