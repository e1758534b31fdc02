"""Which card a planner draws: by what each is worth to the plan, and by what is still unseen."""

from ferrovia.bots.kernel.scratch import Plan
from ferrovia.bots.planner.needs import count_supply
from ferrovia.bots.planner.weights import Style
from ferrovia.kernel import kernel
from ferrovia.rules.chapters.actions import DRAW_BLIND, TAKE
from ferrovia.rules.chapters.cards import place_of
from ferrovia.rules.state.layout import KINDS, LOCOMOTIVE, NONE, PLACES, Book, State

_FINE = 8  # parts of a weight, for small differences between cards


@kernel
def _value_of(s: State, seat: int, card: int, plan: Plan, style: Style) -> int:
    """Return what one more card of a kind is worth.

    Of cards for the tree the scarcest colour comes first, of cards for side routes the colour that
    is nearly enough, and of all others the colour it holds most of.
    """
    if card == LOCOMOTIVE:
        return _FINE * style.wild
    held = int(s.hand[seat, card])
    needed, wanted = int(plan.need[card]), int(plan.want[card])
    if needed > held:
        return _FINE * style.useful + min(needed - held, _FINE - 1)
    if wanted > held:
        return _FINE * style.points + _FINE - 1 - min(wanted - held, _FINE - 1)
    return _FINE * style.idle + min(held, _FINE - 1)


@kernel
def _value_of_blind(book: Book, s: State, seat: int, plan: Plan, style: Style) -> int:
    """Return what a card from the deck is worth on average."""
    total = count_supply(book, s, seat, plan)
    value = 0
    for card in range(KINDS):
        value += int(plan.pool[card]) * _value_of(s, seat, card, plan, style)
    return value // max(1, total)


@kernel
def choose_card(book: Book, s: State, seat: int, plan: Plan, style: Style, first: bool) -> int:
    """Return the draw that is worth most, face up or blind.

    A face-up locomotive is drawn when it is worth two cards.
    """
    blind = _value_of_blind(book, s, seat, plan, style)
    best, most, second = DRAW_BLIND, blind, blind
    for place in range(PLACES):
        card = s.display[place]
        if card != NONE and card != LOCOMOTIVE:
            value = _value_of(s, seat, card, plan, style)
            if value > most:
                best, most, second = TAKE + card, value, most
            elif value > second:
                second = value
    if first and place_of(s, LOCOMOTIVE) != NONE:
        worth = _FINE * style.wild
        if s.hand[seat, LOCOMOTIVE] < plan.ferry:
            worth += _FINE * style.useful
        if worth > most + second:
            return TAKE + LOCOMOTIVE
    return best
