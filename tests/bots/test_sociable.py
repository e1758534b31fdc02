"""The sociable style: what it changes, and what it leaves alone."""

import pytest

from ferrovia.bots import make
from ferrovia.bots.sociable import FULL
from ferrovia.game import Game
from ferrovia.game.actions import ClaimRoute, DrawCard, TakeCard

DRAWS = (DrawCard, TakeCard)


def most_cards(edition: str, bot: str, seed: int) -> int:
    """Return the most cards that one of two such bots holds in a game."""
    game, most = Game(edition, 2, seed=seed), 0
    bots = [make(bot, seed), make(bot, seed)]
    while not game.over:
        for seat in game.awaited:
            view = game.view(seat)
            most = max(most, sum(view.hand.values()))
            game.play(seat, bots[seat].decide(view))
    return most


@pytest.mark.parametrize("edition", ["usa", "europe"])
def test_it_plays_as_its_level_until_the_hand_is_full_and_then_claims(edition):
    differences = 0
    for seed in range(4):
        game = Game(edition, 2, seed=seed)
        plain, sociable = make("driver", seed), make("driver:sociable", seed)
        while not game.over:
            for seat in game.awaited:
                view = game.view(seat)
                if seat == 1:
                    game.play(seat, make("driver", seed).decide(view))
                    continue
                usual, chosen = plain.decide(view), sociable.decide(view)
                if chosen != usual:
                    differences += 1
                    assert isinstance(usual, DRAWS)
                    assert isinstance(chosen, ClaimRoute)
                    assert sum(view.hand.values()) >= FULL
                game.play(seat, chosen)
    assert differences >= 8


def test_it_hoards_far_less_than_its_level():
    plain = sum(most_cards("usa", "driver", seed) for seed in range(6))
    sociable = sum(most_cards("usa", "driver:sociable", seed) for seed in range(6))
    assert sociable < 2 / 3 * plain
