"""Positions that are nearly right, line by line from the names of an edition."""

import random
from collections.abc import Iterable, Sequence

from ferrovia.boards import COLORS, editions, load_edition

_EDITIONS = tuple(load_edition(name) for name in editions())


class _Pool:
    """Names that are taken once each, and now and then twice."""

    def __init__(self, chance: random.Random, names: Iterable[str]) -> None:
        self.chance = chance
        self.names = list(names)
        self.left = chance.sample(self.names, len(self.names))

    def some(self, most: int) -> str:
        count = min(self.chance.randrange(most + 1), len(self.left))
        taken = [self.left.pop() for _ in range(count)]
        if self.names and self.chance.random() < 0.02:
            taken.append(self.chance.choice(self.names))
        return " ".join(taken)


def _number(chance: random.Random, usual: Sequence[int]) -> str:
    odd = ("-1", "46", "127", "128", "256", "٣", "9" * 5000, "", "x", "1.5", "red*999")
    return str(chance.choice(usual)) if chance.random() < 0.95 else chance.choice(odd)


def position(chance: random.Random) -> str:
    """A position of a built-in edition, right or wrong."""
    of = chance.choice(_EDITIONS)
    board = of.board
    cards = _Pool(chance, (color for color in COLORS for _ in range(of.cards[color])))
    routes = _Pool(chance, (route.id for route in board.routes))
    cities = _Pool(chance, (city.id for city in board.cities if of.stations))
    regular = _Pool(chance, (ticket.id for ticket in of.tickets if not ticket.long))
    long = _Pool(chance, (ticket.id for ticket in of.tickets if ticket.long))
    seats = chance.randrange(2, 6) if chance.random() < 0.97 else chance.randrange(9)
    lines = [f"edition: {of.id}", f"turn: {_number(chance, range(max(seats, 1)))}"]
    if chance.random() < 0.5:
        lines.append("composed: yes")
    if chance.random() < 0.7:
        shown = cards.some(5).split()
        shown += ["none"] * chance.randrange(2)
        lines.append(f"display: {' '.join(shown)}")
    if chance.random() < 0.3:
        lines.append(f"discards: {cards.some(60)}")
    if chance.random() < 0.3:
        lines.append(f"next: {' '.join(chance.choices(COLORS, k=chance.randrange(9)))}")
    if chance.random() < 0.2:
        lines.append(f"last round: {_number(chance, range(1, max(seats, 2)))}")
    for seat in range(seats):
        parts = {
            "hand": cards.some(chance.choice((4, 12, 60))),
            "routes": routes.some(78 if chance.random() < 0.03 else chance.choice((3, 9, 14))),
            "stations": cities.some(3),
            "tickets": f"{regular.some(chance.choice((3, 30)))} {long.some(1)}",
            "trains": _number(chance, (0, 1, 2, 3, 9)),
        }
        if chance.random() < 0.05:
            parts["hand"] = "rest"
        chosen = [f"{key} {text}" for key, text in parts.items() if chance.random() < 0.6]
        lines.append(f"seat {seat}: {' | '.join(chosen)}")
    if chance.random() < 0.2:
        lines.append(f"deck: {cards.some(110)}")
    if chance.random() < 0.2:
        lines.append(f"tickets: {regular.some(90)} {long.some(1 if chance.random() < 0.2 else 0)}")
    if chance.random() < 0.03:
        lines.insert(chance.randrange(len(lines)), chance.choice(lines))
    return "\n".join(lines)
