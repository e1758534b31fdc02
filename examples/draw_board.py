"""Draw a board with claimed routes, a station and coloured routes, as an SVG file.

python draw_board.py board.svg
"""

import sys
from pathlib import Path

from ferrovia import load_edition
from ferrovia.drawing import Tint, draw

europe = load_edition("europe").board

# Long routes stand out in a colour of their own.
tints = {
    route.id: Tint("#e8a33d", f"{route.length} spaces")
    for route in europe.routes
    if route.length >= 6
}

svg = draw(
    europe,
    owners={"berlin-frankfurt": 0, "frankfurt-paris": 0, "paris-zurich": 0, "munchen-wien": 1},
    stations={"munchen": 1},
    player_colors=("blue", "red"),
    highlight={"paris", "berlin"},
    tints=tints,
    title="Two players, and the long routes",
)

path = Path(sys.argv[1] if sys.argv[1:] else "board.svg")
path.write_text(svg, encoding="utf-8")
print(f"{path}: {len(europe.cities)} cities, {len(tints)} long routes")
