"""A game is split into turns in one way, from its events and from the rows of its log."""

import random

import numpy as np
import pytest

from ferrovia import Game, read_position
from ferrovia.game import events
from ferrovia.game.codec.events import row_of
from ferrovia.game.records.turns import setup_length, split_turns
from ferrovia.lab.arrays import turn_of_rows


def test_events_are_split_into_turns() -> None:
    setup: list[events.Event] = [
        events.Deal(0, ("red",)),
        events.Keep(1, ("a",), ()),
        events.Keep(0, ("b",), ()),
    ]
    first: list[events.Event] = [
        events.Draw(1, "red"),
        events.Shuffle(3),
        events.Draw(1, "red"),
    ]
    second: list[events.Event] = [
        events.Shuffle(5),
        events.Take(0, 2, "red"),
        events.Refill(2, "blue"),
        events.LastRound(0),
    ]
    assert split_turns([*setup, *first, *second], 2, 1) == (setup, [first, second])
    assert split_turns(setup[:2], 2, 1) == (setup[:2], [])


def hoarding(edition: str, players: int, seed: int) -> Game:
    """A game in which cards are drawn as long as there are any, and so are often shuffled."""
    game, chance = Game(edition, players, seed=seed), random.Random(seed)
    while not game.over and len(game.events) < 700:
        seat = chance.choice(game.awaited)
        texts = game.view(seat).legal_texts()
        drawn = [text for text in texts if text.startswith(("draw", "take"))]
        game.play(seat, chance.choice(drawn if drawn and chance.random() < 0.8 else texts))
    return game


@pytest.mark.parametrize(("edition", "players"), [("europe", 2), ("mega-europe", 3), ("usa", 5)])
def test_rows_have_the_turns_of_their_events(edition: str, players: int) -> None:
    games = [hoarding(edition, players, seed) for seed in range(2)]
    deals = len(games[0].edition.deals)
    turns: list[int] = []
    for game in games:
        setup, played = split_turns(game.events, players, deals)
        assert len(played) - game.turns in (0, -1)  # a turn that has just begun has no event
        turns += [0] * len(setup)
        turns += [number for number, turn in enumerate(played, start=1) for _ in turn]
        assert any(isinstance(turn[0], events.Shuffle) for turn in played)
    rows = np.array([row_of(game.lexicon, it) for game in games for it in game.events], np.int16)
    counts = np.array([len(game.events) for game in games])
    assert turn_of_rows(rows, counts, players, deals).tolist() == turns


def test_the_setup_ends_with_the_last_choice_of_tickets() -> None:
    game = Game("europe", 3, seed=1)
    assert setup_length(game.events, 3, 1) == len(game.events)
    for seat in game.awaited:
        game.play(seat, "keep 1 2")
    end = len(game.events)
    game.play(game.awaited[0], "tickets")
    game.play(game.awaited[0], "keep 1")
    assert setup_length(game.events, 3, 1) == end


def test_a_copy_of_a_position_hides_no_more_than_the_game() -> None:
    game = read_position("edition: europe\nturn: 0\nseat 0: hand red\nseat 1: hand blue")
    game.play(0, "tickets")
    game.play(0, "keep 1")
    assert game.copy().events_for(1) == game.events_for(1)
