"""Every decision as one integer, in one short range per board.

Decisions are small: a route is chosen first and its payment after it, when there is more than one
way to pay. The range, in order: the basic actions below, 64 payments, the routes, the cities (for
stations), and the subsets of an offer to keep. Beyond the range are the keeps of a turn that give
tickets back in another order than the one drawn (R8.2): the same subset again for every further
order. They are legal wherever their subset is, and left out of lists of legal actions so that a
policy stays a short vector.
"""

from ferrovia.kernel import kernel
from ferrovia.rules.state.layout import LENGTH, LOCOMOTIVE, Book

DRAW_BLIND = 0
TAKE = 1  # + card
DRAW_TICKETS = 10
PASS_TURN = 11
WITHDRAW_CARDS = 12
ONLY_LOCOMOTIVES = 13  # as a payment
PAYMENT = 14  # + colour * LENGTH + locomotives
ROUTE = 78  # + route


@kernel
def payment_action(color: int, locomotives: int) -> int:
    """Return the payment with at least one card of the colour, or with locomotives alone."""
    if color == LOCOMOTIVE:
        return ONLY_LOCOMOTIVES
    return PAYMENT + color * LENGTH + locomotives


@kernel
def keep_action(book: Book, subset: int, order: int) -> int:
    """Return the action that keeps a subset of the offer, which has a bit for each ticket.

    `order` is the rank of the order in which the other tickets are given back.
    """
    if order == 0:
        return int(book.first_keep) + subset
    return int(book.actions) + (order - 1) * (1 << book.max_offer) + subset
