"""Where routes lead: the cities that a seat's routes touch, and the cheapest ways between cities.

On a way, own routes are free and open ones have a price.
"""

from typing import Any

from ferrovia.bots.kernel.scratch import RING, Plan
from ferrovia.rules.compiler import kernel
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

    A way consists of free routes and of priced ones, 0 to RING - 1 each. `plan.cost` is NO_WAY
    where none was found, `plan.via` the last route of each way. (This is Dijkstra's algorithm; its
    queue is a ring of sets of cities, one for each cost.)
    """
    for city in range(book.cities):
        plan.cost[city] = NO_WAY
    for place in range(RING):
        plan.ring[place] = EMPTY
    plan.cost[start] = 0
    plan.ring[0] = single(start)
    cost, idle = 0, 0
    while idle < RING:
        here = plan.ring[cost % RING]
        if here == EMPTY:
            cost += 1
            idle += 1
            continue
        idle = 0
        city, others = next_member(here, 0)
        if city == goal:
            return
        plan.ring[cost % RING] = others
        for word in range(ROUTE_WORDS):
            left = book.at_city[city, word] & (free[word] | priced[word])
            while left != EMPTY:
                bit, left = next_member(left, 0)
                route = 64 * word + bit
                far = book.end_a[route] + book.end_b[route] - city
                reached = cost
                if not has(free[word], bit):
                    reached += prices[route]
                before = plan.cost[far]
                if reached < before:
                    if before != NO_WAY:
                        plan.ring[before % RING] &= ~single(far)
                    plan.ring[reached % RING] |= single(far)
                    plan.cost[far] = reached
                    plan.via[far] = route


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
