"""Games from Python: one decision at a time, and records written and checked."""

import random
from collections.abc import Callable

from ferrovia.game import Game
from research.benchmarks.measurement import rate, table


def from_python() -> list[str]:
    """Return the section on games that are played one decision at a time."""
    games = [_played(seed) for seed in range(6)]
    records = [game.record().text() for game in games]
    events = sum(len(game.events) for game in games)

    def with_listing() -> float:
        return float(sum(_decisions(_played(seed)) for seed in range(4)))

    rates = {
        "`Game.play`, one decision at a time, decisions": rate(_replay(games)),
        "the same, listing all legal actions before each": rate(with_listing),
        "writing records, events": rate(lambda: _write(games, events)),
        "reading, replaying and checking records, events": rate(lambda: _verify(records, events)),
    }
    rows = [f"| {what} | {per_second:,.0f} |" for what, per_second in rates.items()]
    return table("From Python, one core (europe, 4 seats)", "| what | per second |", rows)


def _played(seed: int) -> Game:
    """Return a finished game of random actions."""
    game = Game("europe", 4, seed=seed)
    chance = random.Random(seed)
    while not game.over:
        seat = game.awaited[0]
        listed = game.legal_actions(seat)
        game.play(seat, chance.choice(listed))
    return game


def _decisions(game: Game) -> int:
    """Return the number of decisions: of the events that somebody's decision led to at once."""
    kinds = ("Keep", "Take", "Draw", "Claim", "Tunnel", "Withdraw", "Station", "PassTurn")
    return sum(type(event).__name__ in kinds for event in game.events)


def _replay(games: list[Game]) -> Callable[[], float]:
    """Return work that plays the actions of these games again, found out beforehand."""
    scripts = []
    for game in games:
        moves, again = [], Game("europe", 4, seed=game.seed)
        chance = random.Random(game.seed)
        while not again.over:
            seat = again.awaited[0]
            listed = again.legal_actions(seat)
            action = chance.choice(listed)
            moves.append((seat, action))
            again.play(seat, action)
        scripts.append((game.seed, moves))

    def work() -> float:
        for seed, moves in scripts:
            game = Game("europe", 4, seed=seed)
            for seat, action in moves:
                game.play(seat, action)
        return float(sum(len(moves) for _, moves in scripts))

    return work


def _write(games: list[Game], events: int) -> float:
    for game in games:
        game.record().text()
    return events


def _verify(records: list[str], events: int) -> float:
    for text in records:
        Game.from_record(text)
    return events
