"""Draw the pictures of the documentation: games in progress between greedy bots.

python tools/pictures.py writes docs/images/europe.svg and docs/images/usa.svg.
"""

from pathlib import Path

from ferrovia import Game
from ferrovia.bots import make

IMAGES = Path(__file__).parents[1] / "docs" / "images"

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
    """Write every picture."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    for edition, (players, claimed) in PICTURES.items():
        path = IMAGES / f"{edition}.svg"
        svg = game_in_progress(edition, players, claimed).svg()
        path.write_text(svg, encoding="utf-8", newline="\n")
        print(f"{path} ({path.stat().st_size // 1000} kB)")


if __name__ == "__main__":
    main()
