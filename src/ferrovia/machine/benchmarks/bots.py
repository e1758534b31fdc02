"""The bots: whole games inside compiled code, and the iterations of the search."""

from math import inf
from typing import Any

import numpy as np

from ferrovia.boards import edition
from ferrovia.bots import make
from ferrovia.bots.kernel.arena import COUNTS, play_games
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.bots.search.root import TRIES, ByPlanner, Root
from ferrovia.bots.search.workspace import make_workspace
from ferrovia.game import Game, View
from ferrovia.game.codec.lexicon import lexicon
from ferrovia.machine.benchmarks.kernel import empty_batch
from ferrovia.machine.benchmarks.measurement import rate, table
from ferrovia.rules.state.log import COLUMNS


def scripts() -> list[str]:
    """Return the section on scripted bots."""
    rows = []
    for name in ("greedy", "planner"):
        for edition_name, players in (("usa", 2), ("usa", 4), ("europe", 4)):
            words = lexicon(edition(edition_name))
            states, scores, seeds = empty_batch(players, 300)
            kinds = [SCRIPTS.index(name)] * players
            counts = np.zeros((len(seeds), COUNTS), np.int32)
            nothing = np.zeros((len(seeds), 0, COLUMNS), np.int16)

            def work(
                all_of: Any = (words.book, states, scores, seeds, kinds, counts, nothing),
            ) -> float:
                play_games(*all_of)
                return float(len(all_of[3]))

            rows.append(f"| {name} | {edition_name} | {players} | {rate(work):,.0f} |")
    head = "| all seats | edition | seats | games per second |"
    return table("Scripted bots inside compiled code, one core", head, rows)


def search() -> list[str]:
    """Return the section on the search."""
    rows = []
    for name, players in (("usa", 2), ("usa-classic", 2), ("europe", 4), ("mega-europe", 5)):
        view, method = _middle_of(name, players), ByPlanner([make_workspace(bytes(32))])

        def work(view: View = view, method: ByPlanner = method) -> float:
            assert view.seat is not None
            root = Root(view.words.book, view.buffer, view.seat, method, 400 // TRIES)
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
