"""Write a bot, and let it play against the bots of the package.

python own_bot.py
ferrovia tournament usa --bots own_bot:Hoarder,greedy,random --games 20
"""

from ferrovia import load_edition
from ferrovia.bots import register
from ferrovia.game import Action, ClaimRoute, DrawCard, KeepTickets, View
from ferrovia.lab import Plan, Tally, simulate


class Hoarder:
    """Collects cards until it can claim a long route; in the last round it takes what it can."""

    name = "hoarder"

    def decide(self, view: View) -> Action:
        """Return one of the legal actions. The view holds what this seat may know, and no more."""
        legal = view.legal_actions()
        keeps = [action for action in legal if isinstance(action, KeepTickets)]
        if keeps:
            return min(keeps, key=lambda keep: len(keep.numbers))
        claims = [action for action in legal if isinstance(action, ClaimRoute)]
        if claims:
            longest = max(claims, key=lambda claim: len(claim.cards))
            hurry = view.turns_left is not None or sum(view.hand.values()) > 15
            if hurry or len(longest.cards) >= 5:
                return longest
        return DrawCard() if DrawCard() in legal else legal[0]


def main() -> None:
    """Play some games against a bot of the package, and say who won how many."""
    register("hoarder", lambda options, seed: Hoarder())
    bots = ("hoarder", "random")
    tally = Tally(seats=len(bots))
    for results in simulate(Plan(load_edition("usa"), bots, games=10, seed=7)):
        tally.add(results)
    for seat, bot in enumerate(bots):
        print(f"{bot:10} {tally.win_share(seat):4.0%} {tally.mean('total', seat):7.1f} points")


if __name__ == "__main__":
    main()
