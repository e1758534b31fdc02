"""Read the record of a game, check it, and tell how it went.

python analyse_record.py game.jsonl     (`ferrovia play` and `simulate` write records)
python analyse_record.py                (a game of two bots)
"""

import sys
from collections import Counter
from pathlib import Path

from ferrovia import Game
from ferrovia.bots import make
from ferrovia.game.events import Claim, Draw, LastRound, Take


def game_of_bots() -> str:
    """Return the record of a game between two bots."""
    game = Game("europe", ["Ada", "Grace"], seed=7)
    bots = [make("planner", seed=7), make("greedy", seed=7)]
    while not game.over:
        for seat in game.awaited:
            game.play(seat, bots[seat].decide(game.view(seat)))
    return game.record().text()


text = Path(sys.argv[1]).read_text(encoding="utf-8") if sys.argv[1:] else game_of_bots()
game = Game.from_record(text)  # a record that breaks a rule is refused, with its line and the rule

cards: Counter[int] = Counter()
claims: dict[int, list[Claim]] = {seat: [] for seat in range(game.players)}
for event in game.events:
    if isinstance(event, Draw | Take):
        cards[event.player] += 1
    elif isinstance(event, Claim):
        claims[event.player].append(event)
    elif isinstance(event, LastRound):
        print(f"{game.names[event.player]} began the last round.")

print(f"{game.edition.name}, {game.turns} turns")
for seat, score in enumerate(game.result().scores):
    print(f"{game.names[seat]}: {score.total} points, {cards[seat]} cards taken in turns")
    print(f"  {len(score.completed)} tickets completed, {len(score.failed)} failed")
    for claim in sorted(claims[seat], key=lambda claim: -claim.points)[:3]:
        print(f"  {claim.points:3} for {claim.route}")
print("won by", " and ".join(game.names[seat] for seat in game.result().winners))
