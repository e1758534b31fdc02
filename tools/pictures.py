"""Draw the pictures that are kept: those of the documentation, and the layouts of our boards.

python tools/pictures.py writes docs/images/europe.svg and docs/images/usa.svg, games in progress
between greedy bots, and the files in src/ferrovia/drawing/pictures/.
"""

from pathlib import Path

from ferrovia import Game
from ferrovia.boards import board
from ferrovia.bots import make
from ferrovia.drawing.picture import computed, stored_name

IMAGES = Path(__file__).parents[1] / "docs" / "images"
LAYOUTS = Path(__file__).parents[1] / "src" / "ferrovia" / "drawing" / "pictures"

PICTURES = {"europe": (4, 34), "usa": (3, 36)}
"""By edition: the number of players, and how many routes are claimed in the picture."""


def game_in_progress(edition: str, players: int, claimed: int) -> Game:
    """Return a game in which a number of routes are claimed, or one that ended sooner."""
    game = Game(edition, players, seed=1)
    bots = [make("greedy", 1) for _ in range(players)]
    while not game.over and len(game.view(None).owners) < claimed:
        for seat in game.awaited:
            game.play(seat, bots[seat].decide(game.view(seat)))
    return game


def main() -> None:
    """Write every picture; layouts of other boards than ours now are deleted."""
    for old in LAYOUTS.glob("*.json"):
        old.unlink()
    for name in ("usa", "europe"):
        printed = board(name)
        (LAYOUTS / stored_name(printed)).write_text(computed(printed), encoding="ascii")
    IMAGES.mkdir(parents=True, exist_ok=True)
    for edition, (players, claimed) in PICTURES.items():
        path = IMAGES / f"{edition}.svg"
        svg = game_in_progress(edition, players, claimed).svg()
        path.write_text(svg, encoding="utf-8", newline="\n")
        print(f"{path} ({path.stat().st_size // 1000} kB)")


if __name__ == "__main__":
    main()
