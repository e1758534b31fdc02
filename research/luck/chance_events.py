"""What else could have come of a decision: the other outcomes of chance, as likely as they were.

All that is needed for a result without luck is that the outcome that came and those listed here
are alike: given everything that had happened, each was as likely to be the one that came.
"""

import random
from array import array
from typing import Any, NamedTuple

from ferrovia.kernel import Buffer
from ferrovia.rules import calls
from ferrovia.rules.chapters.actions import DRAW_BLIND, DRAW_TICKETS, TAKE
from ferrovia.rules.state.layout import KINDS, NONE, RNG_WORDS, START, STATE, TICKETS
from ferrovia.rules.state.log import TAPE_HEAD

DEALS = 24  # that a deal is compared with
DRAWN = 12  # outcomes that are drawn where there are too many to list

_RNG = STATE.fields["rng"]
_CHANCE = slice(_RNG.begin, _RNG.begin + _RNG.size)


class Outcome(NamedTuple):
    """A state that chance could have led to, and how likely that was."""

    chance: float
    state: Buffer


def _seed(luck: random.Random) -> bytes:
    return luck.randbytes(32)


def _reseed(state: Buffer, luck: random.Random) -> None:
    """Give a state a future of its own."""
    rng = array("I", bytes(4 * RNG_WORDS))
    calls.seed_generator(rng, _seed(luck), 0)
    state[_CHANCE] = rng.tobytes()


def _applied(
    book: Buffer, before: Buffer, seat: int, code: int, luck: random.Random, *outcomes: int
) -> Buffer:
    """Return the state after a decision, with these outcomes of chance first."""
    state = before.copy()
    _reseed(state, luck)
    tape = array("i", [TAPE_HEAD, 0, *outcomes]) if outcomes else array("i")
    calls.apply(book, state, seat, code, bytearray(), tape)
    return state


def _shuffle_fresh(state: Buffer, fresh: int, luck: random.Random) -> None:
    """Shuffle the tickets on top of the deck, of which nobody has seen any."""
    s = STATE.of(state)
    places = [(s.ticket_head + i) % TICKETS for i in range(fresh)]
    tickets = [s.ticket_deck[place] for place in places]
    luck.shuffle(tickets)
    for place, ticket in zip(places, tickets, strict=True):
        s.ticket_deck[place] = ticket


def deals(book: Buffer, players: int, luck: random.Random) -> list[Outcome]:
    """Return other deals, the first seat drawn anew as well."""
    found = []
    for _ in range(DEALS):
        state = STATE.new()
        calls.start(book, state, _seed(luck), players, NONE, bytearray(), array("i"))
        found.append(Outcome(1 / DEALS, state))
    return found


def outcomes(
    book: Buffer, before: Buffer, after: Buffer, seat: int, code: int, fresh: int, luck: Any
) -> list[Outcome]:
    """Return what could have come of a decision; nothing where chance had no part in it.

    `fresh` tickets on top of the deck have been seen by nobody: those that were given back lie
    below them, in an order that is no chance any more.
    """
    s = STATE.of(before)
    if code == DRAW_TICKETS:
        found = []
        for _ in range(DRAWN):
            shuffled = before.copy()
            _shuffle_fresh(shuffled, fresh, luck)
            found.append(Outcome(1 / DRAWN, _applied(book, shuffled, seat, code, luck)))
        return found
    if s.phase == START or before[_CHANCE] == after[_CHANCE]:
        return []  # tickets that are given back at the start go where nobody will see their order
    if DRAW_BLIND <= code < TAKE + KINDS:
        cards = s.deck if s.deck_size else s.discards
        total = sum(cards)
        return [
            Outcome(cards[card] / total, _applied(book, before, seat, code, luck, card))
            for card in range(KINDS)
            if cards[card]
        ]
    return [Outcome(1 / DRAWN, _applied(book, before, seat, code, luck)) for _ in range(DRAWN)]
