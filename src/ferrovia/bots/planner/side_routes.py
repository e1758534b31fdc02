"""Side routes: for the points alone, with the trains and the turns that the tree leaves."""

from ferrovia.bots.kernel.paths import touches
from ferrovia.bots.kernel.scratch import Plan
from ferrovia.bots.planner.needs import add_need, color_for, most_spare
from ferrovia.bots.planner.weights import POINT, Style
from ferrovia.kernel import kernel
from ferrovia.rules.state.bits import EMPTY, has_member, insert, next_member
from ferrovia.rules.state.layout import COLORS, LOCOMOTIVE, NONE, ROUTE_WORDS, Book, State

MOST = 4  # routes planned ahead


@kernel
def _missing_for(book: Book, s: State, seat: int, route: int, plan: Plan, spare_color: int) -> int:
    """Return the cards to draw for a route on top of the plan's; a locomotive counts twice."""
    color = color_for(book, s, seat, route, plan.want, spare_color)
    spare = max(0, s.hand[seat, color] - plan.want[color])
    ferry = max(0, book.ferry[route] - s.hand[seat, LOCOMOTIVE])
    return int(max(0, book.length[route] - book.ferry[route] - spare) + 2 * ferry)


@kernel
def worth_of(book: Book, seat: int, route: int, plan: Plan, style: Style) -> int:
    """Return what a route for points gains over the turn that it takes."""
    length = book.length[route]
    gain = POINT * book.route_points[length] - style.turn
    gain -= style.tunnel * book.tunnel[route]
    if touches(book, plan.reach[seat], route):
        gain += style.link
    return int(gain)


@kernel
def choose_side_routes(
    book: Book, s: State, seat: int, plan: Plan, style: Style, trains: int, turns: int
) -> None:
    """Write the best routes for a number of trains and turns to `plan.side`.

    `plan.want` is what they and the tree ask for.
    """
    for word in range(ROUTE_WORDS):
        plan.side[word] = EMPTY
    for color in range(COLORS):
        plan.want[color] = plan.need[color]
    for _ in range(MOST):
        spare_color = most_spare(s, seat, plan.want)
        best, most, best_turns = NONE, 0, 0
        for word in range(ROUTE_WORDS):
            left = s.open[seat, word] & ~plan.side[word] & ~plan.tree[word]
            while left != EMPTY:
                route, left = next_member(left, 64 * word)
                worth = worth_of(book, seat, route, plan, style)
                if book.length[route] > trains or (best != NONE and worth <= most):
                    continue
                twin = book.twin[route]
                if twin != NONE and (has_member(plan.tree, twin) or has_member(plan.side, twin)):
                    continue
                missing = _missing_for(book, s, seat, route, plan, spare_color)
                gain = worth - style.card * missing
                needed = 1 + (missing + 1) // 2
                if needed <= turns and (best == NONE or gain > most):
                    best, most, best_turns = route, gain, needed
        if best == NONE:
            return
        trains -= int(book.length[best])
        turns -= best_turns
        insert(plan.side, best)
        add_need(book, s, seat, best, plan.want, plan)
