"""Which tickets of an offer to keep, by the cost of their ways."""

from ferrovia.bots.kernel.paths import find_ways
from ferrovia.bots.kernel.scratch import Plan
from ferrovia.rules.chapters.actions import keep_action
from ferrovia.rules.chapters.tickets import keep_bounds
from ferrovia.rules.compiler import kernel
from ferrovia.rules.state.layout import NONE, Book, State


@kernel
def keep_cheapest(book: Book, s: State, seat: int, plan: Plan, tenths: int) -> int:
    """Cheapest first: the least that must be kept, and what the free trains easily pay for.

    A further ticket may bind so many tenths of the trains that no open ticket binds yet.
    """
    offered = s.offered[seat]
    for i in range(offered):
        ticket = s.offer[seat, i]
        a, b = book.ticket_a[ticket], book.ticket_b[ticket]
        find_ways(book, s, seat, a, b, plan)
        plan.price[i] = plan.cost[b]
    fewest, most = keep_bounds(book, s, seat)
    free = int(s.trains[seat] - plan.bound)
    subset, kept, looked_at = 0, 0, 0
    for _ in range(offered):
        best = NONE
        for i in range(offered):
            if (looked_at >> i) & 1 == 0 and (best == NONE or plan.price[i] < plan.price[best]):
                best = i
        looked_at |= 1 << best
        price = int(plan.price[best])
        if kept < fewest or (kept < most and 10 * price <= tenths * free):
            subset |= 1 << best
            kept += 1
            free -= price
    return keep_action(book, subset, 0)
