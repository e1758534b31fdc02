"""The odds of a tunnel are those of the rules, over every deck that the seat may think of."""

import itertools
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from ferrovia.boards import COLORS
from ferrovia.game import Game, View
from ferrovia.game.chance.odds import counting_places, tunnel_odds
from ferrovia.game.events import Tunnel
from ferrovia.game.records.tape import tape
from ferrovia.rules import calls
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import RNG_WORDS, STATE
from tests.memory import fields


def with_a_tunnel(seed: int) -> tuple[Game, int, str]:
    """Return a game in which the seat to move can try a tunnel, that seat, and how."""
    chance = random.Random(seed)
    game = Game("europe", 3, seed=seed)
    tunnels = {route.id for route in game.edition.board.routes if route.tunnel}
    while not game.over:
        seat = chance.choice(game.awaited)
        actions = [str(action) for action in game.legal_actions(seat)]
        tries = [it for it in actions if it.startswith("claim") and it.split()[1] in tunnels]
        if tries and game.turns > 12:
            return game, seat, chance.choice(tries)
        draws = [it for it in actions if it.startswith(("draw", "take", "keep"))]
        game.play(seat, chance.choice(draws or actions))
    raise AssertionError("no tunnel in this game")


def extra(game: Game, seat: int, action: str, turned_up: tuple[int, ...]) -> int:
    """Return what the rules ask for when these cards are turned up."""
    trial = game.copy()
    trial.foretell(tape(turned_up))
    (tunnel,) = (event for event in trial.play(seat, action) if isinstance(event, Tunnel))
    return tunnel.extra


def _tunnel(action: str, cards: tuple[int, ...]) -> Tunnel:
    _, route, *laid = action.split()
    return Tunnel(0, route, tuple(laid), tuple(COLORS[card] for card in cards), 0)


def laid_color(action: str) -> str:
    return next((card for card in action.split()[2:] if card != "locomotive"), "locomotive")


@pytest.mark.parametrize("seed", [1, 2])
def test_the_odds_are_what_the_rules_say_of_every_three_cards(seed: int) -> None:
    game, seat, action = with_a_tunnel(seed)
    view = game.view(seat)
    unseen = [view.unseen.get(card, 0) for card in COLORS]
    true_deck = fields(game.state, STATE).deck
    ways: Counter[int] = Counter()
    for cards in itertools.product(range(len(COLORS)), repeat=3):
        count, left = 1, list(unseen)
        for card in cards:
            count *= left[card]
            left[card] -= 1
        if not count or any(cards.count(card) > true_deck[card] for card in cards):
            # The rules cannot turn up what is not there; which kind it is decides alone.
            color = COLORS.index(laid_color(action))
            due = sum(card in (color, len(COLORS) - 1) for card in cards)
        else:
            due = extra(game, seat, action, cards)
            assert due == len(counting_places(_tunnel(action, cards)))
        ways[due] += max(count, 0)
    whole = sum(ways.values())
    odds = view.tunnel_odds()[laid_color(action)]
    assert [Fraction(ways[due], whole) for due in range(4)] == [
        Fraction(way, sum(odds)) for way in odds
    ]


def test_the_odds_are_those_of_the_worlds_that_agree_with_the_view() -> None:
    game, seat, action = with_a_tunnel(3)
    view = game.view(seat)
    rng = np.zeros(RNG_WORDS, np.uint32)
    seed_generator(rng, np.frombuffer(bytes(range(32)), np.uint8).copy(), 0)
    state = STATE.new()
    found: Counter[int] = Counter()
    worlds = 1500
    for _ in range(worlds):
        calls.sample(game.lexicon.book, view.buffer, state, rng)
        world = Game.standing_at(game.lexicon, game.names, bytes(32), state, [])
        (tunnel,) = (it for it in world.play(seat, action) if isinstance(it, Tunnel))
        found[tunnel.extra] += 1
    odds = view.tunnel_odds()[laid_color(action)]
    for due, ways in enumerate(odds):
        share = ways / sum(odds)
        assert abs(found[due] / worlds - share) < 4 * (share * (1 - share) / worlds) ** 0.5 + 0.001


def test_what_the_deck_lacks_comes_from_the_discards() -> None:
    red, locomotive = COLORS.index("red"), COLORS.index("locomotive")
    unseen = tuple(1 if card in (red, locomotive) else 0 for card in range(len(COLORS)))
    discards = tuple(2 if card == red else 0 for card in range(len(COLORS)))
    # One card of two from the deck, then both of the discards.
    assert tunnel_odds(unseen, 1, discards)["red"] == (0, 0, 0, 2)
    assert tunnel_odds(unseen, 1, discards)["blue"] == (1, 1, 0, 0)
    assert tunnel_odds(unseen, 1, discards)["locomotive"] == (1, 1, 0, 0)
    nothing = (0,) * len(COLORS)
    assert tunnel_odds(nothing, 0, nothing)["red"] == (1, 0, 0, 0)  # R7.6


def test_they_come_with_what_only_the_seat_may_know() -> None:
    game = Game("europe", 2, seed=5)
    views: list[View] = [game.view(0), game.view(1)]
    assert views[0].tunnel_odds() != views[1].tunnel_odds()
    assert Game("usa", 2, seed=5).view(0).tunnel_odds() == {}
    assert sum(views[0].unseen.values()) == 110 - 5 - 4
