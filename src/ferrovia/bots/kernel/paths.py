"""Where routes lead: the cities that a seat's routes touch, and the cheapest ways between cities.

On a way, own routes are free and open ones have a price.
"""

from typing import Any

from ferrovia.bots.kernel.scratch import Plan
from ferrovia.kernel import kernel
from ferrovia.rules.state.bits import EMPTY, has, has_member, insert, next_member, single
from ferrovia.rules.state.layout import ROUTE_WORDS, Book, State, Word, Words

Prices = Any  # an array of whole numbers, one for each route

NO_WAY = 1 << 13  # more than any way costs


@kernel
def cities_of(book: Book, s: State, seat: int) -> Word:
    """Return the cities that the seat's own routes touch."""
    cities = EMPTY
    for word in range(ROUTE_WORDS):
        left = s.routes[seat, word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            cities |= single(book.end_a[route]) | single(book.end_b[route])
    return cities


@kernel
def touches(book: Book, cities: Word, route: int) -> bool:
    """Return whether a route begins or ends in one of the cities."""
    return has(cities, book.end_a[route]) or has(cities, book.end_b[route])


@kernel
def find_priced_ways(
    book: Book, start: int, goal: int, free: Words, priced: Words, prices: Prices, plan: Plan
) -> None:
    """Find the cheapest ways from a city to the goal and all that is nearer; NONE: to every city.

    A way consists of free routes and of priced ones, less than RING each. `plan.cost` is NO_WAY
    where none was found, `plan.via` the last route of each way. (This is Dijkstra's algorithm; its
    queue is a set of cities, of which all that are nearest are set apart. One loop takes one city
    in every round: so threads of a GPU stay together.)
    """
    for city in range(book.cities):
        plan.cost[city] = NO_WAY
    plan.cost[start] = 0
    cost, nearest, border = 0, single(start), EMPTY
    while nearest != EMPTY or border != EMPTY:
        if nearest == EMPTY:
            city, left = next_member(border, 0)
            cost, nearest = int(plan.cost[city]), single(city)
            while left != EMPTY:
                other, left = next_member(left, 0)
                if plan.cost[other] < cost:
                    cost, nearest = int(plan.cost[other]), single(other)
                elif plan.cost[other] == cost:
                    nearest |= single(other)
            border &= ~nearest
        city, nearest = next_member(nearest, 0)
        if city == goal:
            return
        for word in range(ROUTE_WORDS):
            without_price = free[word]
            left = book.at_city[city, word] & (without_price | priced[word])
            while left != EMPTY:
                bit, left = next_member(left, 0)
                route = 64 * word + bit
                far = book.end_a[route] + book.end_b[route] - city
                reached = cost
                if not has(without_price, bit):
                    reached += int(prices[route])
                if reached < plan.cost[far]:
                    plan.cost[far] = reached
                    plan.via[far] = route
                    if reached == cost:
                        nearest |= single(far)
                        border &= ~single(far)
                    else:
                        border |= single(far)


@kernel
def find_ways(book: Book, s: State, seat: int, start: int, goal: int, plan: Plan) -> None:
    """Do the same with own routes free and open ones at their length."""
    find_priced_ways(book, start, goal, s.routes[seat], s.open[seat], book.length, plan)


@kernel
def follow_way(book: Book, s: State, seat: int, start: int, goal: int, plan: Plan) -> None:
    """Add the routes to be claimed on the way that was found from `start` to `plan.way`."""
    city = goal
    while city != start:
        route = plan.via[city]
        if not has_member(s.routes[seat], route):
            insert(plan.way, route)
        city = book.end_a[route] + book.end_b[route] - city
