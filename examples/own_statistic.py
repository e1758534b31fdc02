"""Count something of your own over many games: how many cards a hand holds at its fullest.

python own_statistic.py
ferrovia simulate usa --bots greedy,planner --games 100 --stat own_statistic:FullestHand
"""

from collections import Counter

from ferrovia import load_edition
from ferrovia.game.events import Claim, Deal, Draw, Event, Station, Take
from ferrovia.game.scores import Result
from ferrovia.lab import Accumulator, Plan, PlayedGame, simulate


class FullestHand(Accumulator):
    """The most cards that each seat held at one time, summed over the games."""

    def start(self, game: PlayedGame) -> None:
        self.hands: Counter[int] = Counter()
        self.fullest: Counter[int] = Counter()

    def event(self, event: Event) -> None:
        if isinstance(event, Deal):
            self.hands[event.player] += len(event.cards)
        elif isinstance(event, Draw | Take):
            self.hands[event.player] += 1
        elif isinstance(event, Claim | Station):
            self.hands[event.player] -= len(event.cards)
        else:
            return
        self.fullest[event.player] = max(self.fullest[event.player], self.hands[event.player])

    def end(self, result: Result) -> None:
        # Totals are whole numbers: those of batches, processes and machines are added up.
        for seat, cards in self.fullest.items():
            self.totals[f"seat {seat}"] += cards


def main() -> None:
    """Play some games and print the mean of every total."""
    statistic = FullestHand()
    plan = Plan(load_edition("usa"), ("greedy", "planner"), games=100, seed=7)
    games = sum(len(results) for results in simulate(plan, accumulators=[statistic]))
    for name, cards in statistic.summary(games).items():
        print(f"{name}: {cards:.1f} cards at most, on average over {games} games")


if __name__ == "__main__":
    main()
