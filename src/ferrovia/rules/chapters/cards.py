"""Chapter 4: train cards. The deck is a multiset; a draw picks one of it at random."""

from ferrovia.kernel import kernel
from ferrovia.rules.state.chance import choose
from ferrovia.rules.state.layout import COLORS, KINDS, LOCOMOTIVE, NONE, PLACES, Book, State
from ferrovia.rules.state.log import (
    COUNT,
    DEAL,
    DRAW,
    FACE_UP,
    FLUSH,
    ITEMS,
    REFILL,
    SHUFFLE,
    TAKE,
    Log,
    mark_impossible,
    next_outcome,
    open_row,
)

REDEALS = 10_000
"""Re-deals after which the display stays as it lies, so that R4.7 holds whatever the cards are.

No printed deck comes near: with three coloured cards among all its 14 locomotives one re-deal in 68
helps, and that many in a row fail with a probability of 10 to the power of -64. It is at the end of
every turn that the display is looked at again.
"""


@kernel
def cards_left(s: State) -> bool:
    """Return whether any card can be drawn at all (R4.9)."""
    return s.deck_size > 0 or s.discards_size > 0


@kernel
def discard(s: State, card: int, count: int) -> None:
    s.discards[card] += count
    s.discards_size += count


@kernel
def draw_card(s: State, log: Log) -> int:
    """Take the top card of the deck and return it; NONE when deck and discards are empty."""
    if s.deck_size == 0:
        if s.discards_size == 0:
            return NONE
        open_row(log, SHUFFLE, NONE, 0, s.discards_size)  # R4.8
        for card in range(KINDS):
            s.deck[card] = s.discards[card]
            s.discards[card] = 0
        s.deck_size = s.discards_size
        s.discards_size = 0
    card = next_outcome(log)
    if card == NONE:
        left = choose(s.rng, s.deck_size)
        card = 0
        while left >= s.deck[card]:
            left -= s.deck[card]
            card += 1
    elif card >= KINDS or s.deck[card] == 0:
        mark_impossible(log)
        return NONE
    s.deck[card] -= 1
    s.deck_size -= 1
    return card


@kernel
def face_up_locomotives(s: State) -> int:
    count = 0
    for place in range(PLACES):
        if s.display[place] == LOCOMOTIVE:
            count += 1
    return count


@kernel
def _redeal_can_help(s: State) -> bool:
    """Return whether three coloured cards lie in deck, discards and display together (R4.7)."""
    count = 0
    for card in range(COLORS):
        count += int(s.deck[card]) + int(s.discards[card])
    for place in range(PLACES):
        if s.display[place] != NONE and s.display[place] != LOCOMOTIVE:
            count += 1
    return count >= 3


@kernel
def lay_out(s: State, log: Log) -> None:
    """Turn up five cards. The display must be empty."""
    for place in range(PLACES):
        s.display[place] = draw_card(s, log)
    row = open_row(log, FACE_UP, NONE, 0, 0)
    if row > 0:
        log.rows[row, COUNT] = PLACES
        for place in range(PLACES):
            log.rows[row, ITEMS + place] = s.display[place]


@kernel
def settle_display(s: State, log: Log) -> None:
    """Fill empty places while cards are left (R4.10), then keep to R4.6 as far as R4.7 allows."""
    for place in range(PLACES):
        if s.display[place] == NONE and cards_left(s):
            s.display[place] = draw_card(s, log)
            open_row(log, REFILL, NONE, place, s.display[place])
    if face_up_locomotives(s) >= 3:
        _redeal(s, log)


@kernel
def _redeal(s: State, log: Log) -> None:
    """Deal the display anew while three locomotives lie there and another may help (R4.6, R4.7)."""
    for _ in range(REDEALS):
        if face_up_locomotives(s) < 3 or not _redeal_can_help(s):
            return
        row = open_row(log, FLUSH, NONE, 0, 0)
        count = 0
        for place in range(PLACES):
            card = s.display[place]
            if card != NONE:
                discard(s, card, 1)
                if row > 0:
                    log.rows[row, ITEMS + count] = card
                count += 1
            s.display[place] = NONE
        if row > 0:
            log.rows[row, COUNT] = count
        lay_out(s, log)


@kernel
def give(s: State, seat: int, card: int) -> None:
    s.hand[seat, card] += 1
    s.hand_size[seat] += 1


@kernel
def spend(s: State, seat: int, card: int, count: int) -> None:
    """Take cards out of a hand, and out of what everybody knows to be in it."""
    s.hand[seat, card] -= count
    s.hand_size[seat] -= count
    s.known[seat, card] = max(0, s.known[seat, card] - count)


@kernel
def place_of(s: State, card: int) -> int:
    """Return the first place of the display that shows the card, or NONE."""
    for place in range(PLACES):
        if s.display[place] == card:
            return place
    return NONE


@kernel
def take_face_up(s: State, seat: int, card: int, log: Log) -> None:
    """Take a card from the display; its place is filled at once (R4.2)."""
    place = place_of(s, card)
    give(s, seat, card)
    s.known[seat, card] += 1
    s.display[place] = NONE
    open_row(log, TAKE, seat, place, card)
    settle_display(s, log)


@kernel
def take_blind(s: State, seat: int, log: Log) -> None:
    card = draw_card(s, log)
    if card != NONE:
        give(s, seat, card)
    open_row(log, DRAW, seat, 0, card)


@kernel
def deal_hands(book: Book, s: State, log: Log) -> None:
    """Put all cards into the deck, deal four to each hand, and turn up five (R2.1, R2.2)."""
    for card in range(KINDS):
        s.deck[card] = book.cards[card]
        s.deck_size += book.cards[card]
    for seat in range(s.players):
        row = open_row(log, DEAL, seat, 0, 0)
        for i in range(4):
            card = draw_card(s, log)
            if card != NONE:
                give(s, seat, card)
            if row > 0:
                log.rows[row, COUNT] = 4
                log.rows[row, ITEMS + i] = card
    for place in range(PLACES):
        s.display[place] = NONE
    lay_out(s, log)
    settle_display(s, log)
