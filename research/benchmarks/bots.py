"""The bots: whole games inside compiled code, and the iterations of the search."""

from array import array
from functools import partial
from math import inf
from typing import Any

from ferrovia.boards import load_edition
from ferrovia.bots import make
from ferrovia.bots.kernel.arena import play_games
from ferrovia.bots.kernel.results import RESULT
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.bots.search.root import TRIES, ByPlanner, Root
from ferrovia.bots.search.workspace import make_workspace
from ferrovia.game import Game, View
from ferrovia.game.codec.lexicon import lexicon_of
from research.benchmarks.kernel import empty_batch
from research.benchmarks.measurement import rate, table


def scripts() -> list[str]:
    """Return the section on scripted bots."""
    rows = []
    for name in ("greedy", "planner"):
        for edition_name, players in (("usa", 2), ("usa", 4), ("europe", 4)):
            lexicon = lexicon_of(load_edition(edition_name))
            games = 300
            states, scores, seeds = empty_batch(players, games)
            kinds = array("q", [SCRIPTS.index(name)] * players)
            results = RESULT.new(games)

            memory = (lexicon.book, states, scores, seeds, kinds, results, bytearray())
            games_a_second = rate(partial(_play, games, memory))
            rows.append(f"| {name} | {edition_name} | {players} | {games_a_second:,.0f} |")
    head = "| all seats | edition | seats | games per second |"
    return table("Scripted bots inside the kernel, one core", head, rows)


def _play(games: int, memory: tuple[Any, ...]) -> float:
    play_games(*memory)
    return float(games)


def search() -> list[str]:
    """Return the section on the search."""
    rows = []
    for name, players in (("usa", 2), ("usa-classic", 2), ("europe", 4), ("mega-europe", 5)):
        view, method = _middle_of(name, players), ByPlanner([make_workspace(bytes(32))])

        def work(view: View = view, method: ByPlanner = method) -> float:
            root = Root(view.lexicon.book, view.buffer, view.seat, method, 400 // TRIES)
            root.search(400, inf)
            return root.iterations

        rows.append(f"| {name} | {players} | {rate(work):,.0f} |")
    head = "| edition | seats | iterations per second |"
    return table("Search in the middle of a game, one core", head, rows)


def _middle_of(name: str, players: int) -> View:
    """Return what the seat to move sees when about half of a game has been played."""
    game = Game(name, players, seed=3)
    bots = [make("planner", 3) for _ in range(players)]
    while game.view(None).turns < 17 * players:
        seat = game.awaited[0]
        game.play(seat, bots[seat].decide(game.view(seat)))
    return game.view(game.awaited[0])
