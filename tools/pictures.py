"""Draw the pictures that are kept: those of the documentation, and the layouts of our boards.

python tools/pictures.py writes docs/images/europe.svg and docs/images/usa.svg, games in progress
between greedy bots, docs/images/game.svg, the end of a game that moves, the boards of the gallery,
and the files in src/ferrovia/drawing/pictures/.
"""

from pathlib import Path

from ferrovia import Game
from ferrovia.boards import board, load_edition
from ferrovia.bots import make
from ferrovia.drawing import draw
from ferrovia.drawing.picture import computed, stored_name
from ferrovia.game import events
from ferrovia.server.records.pictures import picture
from ferrovia.server.records.source import source_of_text

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
LAYOUTS = ROOT / "src" / "ferrovia" / "drawing" / "pictures"

APPEARING = 16
"""The routes and stations of the moving picture."""

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


def moving_picture() -> bytes:
    """Return the last turns of a game as a clip of twenty seconds, as the film's page makes one."""
    players = ("Ada", "Grace", "Alan")
    game = Game("europe", players, seed=5)
    bots = [make("planner", 5) for _ in players]
    while not game.over:
        for seat in game.awaited:
            game.play(seat, bots[seat].decide(game.view(seat)))
    source = source_of_text(game.record().text().encode())
    replayed, steps = source.replayed
    laid = [
        str(step.turn)
        for step in steps
        for event in replayed.events[step.first : step.end]
        if isinstance(event, (events.Claim, events.Station))
    ]
    return picture(source, since=laid[-APPEARING - 1])


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
    (IMAGES / "gallery").mkdir(exist_ok=True)
    for file in sorted((ROOT / "gallery").glob("*.json")):
        path = IMAGES / "gallery" / f"{file.stem}.svg"
        path.write_text(draw(load_edition(str(file)).board), encoding="utf-8", newline="\n")
        print(f"{path} ({path.stat().st_size // 1000} kB)")
    path = IMAGES / "game.svg"
    path.write_bytes(moving_picture())
    print(f"{path} ({path.stat().st_size // 1000} kB)")


if __name__ == "__main__":
    main()
