"""Write the outlines of the letters that are printed: `python -m tools.letters`.

They are those of Barlow Condensed, the face of the client (OFL-1.1, licenses/barlow-condensed.txt):
Latin with all its accents. Needs fontTools, which the extra `report` brings, and web/node_modules.
"""

import json
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

ROOT = Path(__file__).parents[1]
FACES = ROOT / "web/node_modules/@fontsource/barlow-condensed/files"
OUT = ROOT / "src/ferrovia/drawing/data/letters.json"
LAST = 0x24F  # the end of Latin Extended-B
MORE = "–—‘’“”„…·×−†•€"


def main() -> None:
    """Write them, in thousandths of the size of the letters, y down."""
    found: dict[str, list[object]] = {}
    for part in ("latin", "latin-ext"):
        font = TTFont(FACES / f"barlow-condensed-{part}-600-normal.woff")
        glyphs, widths = font.getGlyphSet(), font["hmtx"]
        assert font["head"].unitsPerEm == 1000
        for code, name in font.getBestCmap().items():
            letter = chr(code)
            if letter not in found and (32 <= code <= LAST or letter in MORE):
                pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
                glyphs[name].draw(TransformPen(pen, (1, 0, 0, -1, 0, 0)))
                found[letter] = [widths[name][0], pen.getCommands()]
    text = json.dumps(dict(sorted(found.items())), ensure_ascii=False, separators=(",", ":"))
    OUT.write_text(text.replace("],", "],\n") + "\n", encoding="utf-8")
    print(f"{len(found)} letters, {OUT.stat().st_size >> 10} KiB")


if __name__ == "__main__":
    main()
