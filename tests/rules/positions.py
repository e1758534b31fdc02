"""A few words for the scenario tests. They hide no rule: positions stand in the tests, as text."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

import pytest

from ferrovia.boards import COLORS, Edition, edition_from_document
from ferrovia.game import Action, Game, IllegalAction, write_position

Hand = Mapping[str, int]


def refused(game: Game, seat: int, action: Action | str) -> str:
    """The rule and the reason for which an action is refused; and nothing has changed."""
    before = bytes(game.state), list(game.events)
    with pytest.raises(IllegalAction) as caught:
        game.play(seat, action)
    assert (bytes(game.state), game.events) == before
    assert caught.value.rule in str(caught.value)
    return f"{caught.value.rule} {caught.value.reason}"


def legal(game: Game, seat: int) -> set[str]:
    """The legal actions of a seat as text."""
    listed = [str(action) for action in game.legal_actions(seat)]
    assert len(set(listed)) == len(listed)
    return set(listed)


def played(game: Game, *actions: str) -> Game:
    """The same game after these actions, each of the seat whose turn it is."""
    for action in actions:
        assert game.turn is not None
        game.play(game.turn, action)
    return game


def line(game: Game, key: str) -> list[str]:
    """One line of the position in words: `deck`, `tickets`, `display`, `discards`."""
    rows = dict(row.split(":", 1) for row in write_position(game).splitlines())
    return rows[key].split()


def keep_first(game: Game, count: int) -> None:
    """Every seat keeps the first tickets of all its offers at the start, and so the turns begin."""
    while game.turn is None:
        for seat in game.awaited:
            fewest, most = game.view(seat).keep_bounds
            wanted = max(fewest, min(count, most))
            numbers = " ".join(str(number + 1) for number in range(wanted))
            game.play(seat, f"keep {numbers or 'none'}")


def subsets_of(hand: Hand, size: int) -> Iterable[Counter[str]]:
    """Every choice of a number of cards from a hand."""
    kinds = list(hand)
    for counts in product(*(range(min(hand[kind], size) + 1) for kind in kinds)):
        if sum(counts) == size:
            yield Counter({kind: n for kind, n in zip(kinds, counts, strict=True) if n})


def cards_text(cards: Mapping[str, int]) -> str:
    """Cards in the one order of the notation."""
    return " ".join(name for name in COLORS for _ in range(cards.get(name, 0)))


ROAD: dict[str, Any] = {
    "board": "road",
    "cities": [
        {"id": name, "name": name.upper(), "lat": place, "lon": place}
        for place, name in enumerate("abcdef")
    ],
    "routes": [
        {"id": "a-b", "a": "a", "b": "b", "length": 1, "color": "gray"},
        {"id": "b-c", "a": "b", "b": "c", "length": 1, "color": "gray"},
        {"id": "c-d", "a": "c", "b": "d", "length": 2, "color": "gray", "tunnel": True},
        {"id": "d-e", "a": "d", "b": "e", "length": 2, "color": "gray"},
        {"id": "e-f", "a": "e", "b": "f", "length": 3, "color": "gray"},
    ],
    "tickets": [
        {"id": f"road:{a}-{b}", "a": a, "b": b, "points": 1 + place}
        for place, (a, b) in enumerate(("ab", "ac", "ad", "ae", "af", "bc", "bd", "be", "bf"))
    ],
}
"""A board with five gray routes in a row: a-b-c=d-e-f, c=d a tunnel."""


def road(**numbers: Any) -> Edition:
    """The edition of the road with these numbers."""
    return edition_from_document({**ROAD, "edition": {"seats": [2, 3], "trains": 9, **numbers}})


def few_cards(**cards: int) -> dict[str, int]:
    """A set of cards with those named, and none of the other kinds."""
    return {name: cards.get(name, 0) for name in COLORS}
