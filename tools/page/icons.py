"""The icons of the installed game, drawn from its picture in the sizes that systems ask for."""

import json
from pathlib import Path

from ferrovia.drawing.raster import png

_SIZES = (192, 512)
_APPLE = 180


def draw(folder: Path) -> None:
    """Draw the icons of a page, and name them in its manifest."""
    picture = (folder / "icon.svg").read_text(encoding="utf-8")
    for size in (*_SIZES, _APPLE):
        png(picture, folder / f"icon-{size}.png", size)
    path = folder / "manifest.webmanifest"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["id"] = "./"
    manifest["icons"] += [
        {
            "src": f"./icon-{size}.png",
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": use,
        }
        for size in _SIZES
        for use in ("any", "maskable")
    ]
    path.write_text(json.dumps(manifest), encoding="utf-8")
