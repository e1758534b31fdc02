"""How to pay: with the fewest locomotives, and the colour that the targets need least."""

from ferrovia.bots.kernel.scratch import Plan
from ferrovia.kernel import kernel, uint64
from ferrovia.rules.chapters.actions import ONLY_LOCOMOTIVES, PAYMENT, WITHDRAW_CARDS
from ferrovia.rules.chapters.menu import ways_to_pay_for
from ferrovia.rules.chapters.tunnels import ways_to_pay_extra
from ferrovia.rules.state.bits import EMPTY, lowest
from ferrovia.rules.state.layout import COLORS, LENGTH, LOCOMOTIVE, PAY, Book, State, Word

_PAYMENTS_OF_COLOR = uint64((1 << LENGTH) - 1)


@kernel
def fewest_locomotives(ways: Word, color: int) -> int:
    """Return the fewest locomotives of the payments with a colour; LENGTH where there is none."""
    payments = (ways >> uint64(color * LENGTH)) & _PAYMENTS_OF_COLOR
    return LENGTH if payments == EMPTY else lowest(payments)


@kernel
def _cheapest_payment(s: State, seat: int, ways: Word, plan: Plan) -> int:
    """Return the payment with the fewest locomotives.

    Of equal ones it is that of the colour least needed, then of the one most held.
    """
    best, locomotives = ONLY_LOCOMOTIVES, LENGTH
    need, held = 0, 0
    for color in range(COLORS):
        fewest = fewest_locomotives(ways, color)
        better = fewest < locomotives
        if fewest == locomotives and fewest < LENGTH:
            better = plan.need[color] < need
            if plan.need[color] == need:
                better = s.hand[seat, color] > held
        if better:
            best = PAYMENT + color * LENGTH + fewest
            locomotives = fewest
            need, held = plan.need[color], s.hand[seat, color]
    return best


@kernel
def answer_payment(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return how to pay for what was chosen, or for a tunnel whenever it can."""
    if s.phase == PAY:
        return _cheapest_payment(s, seat, ways_to_pay_for(book, s, seat, s.pending)[1], plan)
    ways = ways_to_pay_extra(s, seat)
    if ways == EMPTY and s.hand[seat, LOCOMOTIVE] < s.extra:
        return WITHDRAW_CARDS
    return _cheapest_payment(s, seat, ways, plan)
