"""R10.5: the longest continuous route, exactly.

A set of routes can be travelled as one trail when it is connected and at most two cities meet an
odd number of its routes: the ends. So the search looks for the lightest routes to leave out. It
takes a city that is odd and not an end: either it becomes an end, or one of its routes is left out.
A branch is cut when what must still be left out is known to cost too much. Every such city loses a
route, so prices on the cities that add up to no more than the weight along every route are a lower
bound of the cost. Two sets of prices are tried: half the lightest route for each city, and as much
as its routes allow for one city after the other. Up to two of the cities may be ends and lose
nothing: the two with the highest prices are not counted.
"""

from ferrovia.kernel import kernel
from ferrovia.rules.state.bits import EMPTY, has, insert, lowest, next_member, popcount, single
from ferrovia.rules.state.layout import (
    CITIES,
    LENGTH,
    NONE,
    ROUTE_WORDS,
    Book,
    Score,
    State,
    Word,
    Work,
)


@kernel
def load_routes(book: Book, s: State, seat: int, work: Work) -> int:
    """Number a seat's routes from the shortest on, note which meet in each city, and count them."""
    for city in range(CITIES):
        work.incident[city] = EMPTY
    count = 0
    for length in range(1, LENGTH + 1):
        for word in range(ROUTE_WORDS):
            left = s.routes[seat, word]
            while left != EMPTY:
                route, left = next_member(left, 64 * word)
                if book.length[route] == length:
                    work.route[count] = route
                    work.weight[count] = length
                    work.end_a[count] = book.end_a[route]
                    work.end_b[count] = book.end_b[route]
                    work.incident[book.end_a[route]] |= single(count)
                    work.incident[book.end_b[route]] |= single(count)
                    count += 1
    return count


@kernel
def _weight(work: Work, edges: Word) -> int:
    """Return the sum of the lengths of some routes."""
    total = 0
    while edges != EMPTY:
        edge, edges = next_member(edges, 0)
        total += int(work.weight[edge])
    return total


@kernel
def _cities(work: Work, edges: Word) -> Word:
    """Return the cities where some routes end."""
    cities = EMPTY
    while edges != EMPTY:
        edge, edges = next_member(edges, 0)
        cities |= single(work.end_a[edge]) | single(work.end_b[edge])
    return cities


@kernel
def _part(work: Work, edges: Word, city: int) -> Word:
    """Return those of `edges` that are connected with a city."""
    part = EMPTY
    rim = work.incident[city] & edges
    while rim != EMPTY:
        part |= rim
        grown = EMPTY
        while rim != EMPTY:
            edge, rim = next_member(rim, 0)
            grown |= work.incident[work.end_a[edge]] | work.incident[work.end_b[edge]]
        rim = grown & edges & ~part
    return part


@kernel
def _prices(work: Work, city: int, edges: Word, priced: Word) -> tuple[int, int]:
    """Return what leaving out a route at the city costs at least, counted in two ways.

    The first is what it costs beyond the prices of cities that have one already, the second what it
    costs alone. Both are NONE when no route there can be left out.
    """
    beyond, alone = NONE, NONE
    while edges != EMPTY:
        edge, edges = next_member(edges, 0)
        other = work.end_b[edge] if work.end_a[edge] == city else work.end_a[edge]
        weight = int(work.weight[edge])
        cost = weight - int(work.price[other]) if has(priced, other) else weight
        if beyond == NONE or cost < beyond:
            beyond = cost
        if alone == NONE or weight < alone:
            alone = weight
    return beyond, alone


@kernel
def _top_two(value: int, largest: int, second: int) -> tuple[int, int]:
    """Return the two largest of three values, the first two of which are in order."""
    if value > largest:
        return value, largest
    return largest, max(value, second)


@kernel
def _between(work: Work, edges: Word, cities: Word) -> Word:
    """Return those of `edges` that have both ends among the cities."""
    found = EMPTY
    while edges != EMPTY:
        edge, edges = next_member(edges, 0)
        if has(cities, work.end_a[edge]) and has(cities, work.end_b[edge]):
            found |= single(edge)
    return found


@kernel
def _examine(work: Work, depth: int, best: int) -> int:
    """Examine one node of the search.

    Return its weight when it is a trail better than `best`, NONE when it leads to nothing better,
    and otherwise -2, with the city to branch on and its routes in `branch` and `untried`.
    """
    edges = work.kept[depth]
    weight = _weight(work, edges)
    if weight <= best:
        return NONE
    ends = EMPTY
    free = 2
    for i in range(2):
        if work.ends[depth, i] != NONE:
            ends |= single(work.ends[depth, i])
            free -= 1
    wrong = EMPTY  # odd and no end, or an end and even
    one, three, five = EMPTY, EMPTY, EMPTY  # those of them with that many routes, or one more
    cities = _cities(work, edges)
    while cities != EMPTY:
        city, cities = next_member(cities, 0)
        degree = popcount(work.incident[city] & edges)
        if (degree % 2 == 1) != has(ends, city):
            wrong |= single(city)
            if degree <= 2:
                one |= single(city)
            elif degree <= 4:
                three |= single(city)
            elif degree <= 6:
                five |= single(city)
    if wrong & ends == EMPTY and popcount(wrong) <= free:
        return weight

    droppable = edges & ~work.fixed[depth]
    cost, largest, second = 0, 0, 0
    halves, largest_half, second_half = 0, 0, 0
    branch, branch_count = NONE, CITIES
    priced = EMPTY
    for left in (one, three, five, wrong & ~(one | three | five)):  # the fewest routes first
        while left != EMPTY:
            city, left = next_member(left, 0)
            there = work.incident[city] & droppable
            price, half = _prices(work, city, there, priced)
            if price == NONE:
                if free == 0 or has(ends, city):
                    return NONE
                free -= 1  # it can only be an end
                branch, branch_count = city, 0
                price, half = 0, 0
            elif not has(ends, city):
                largest, second = _top_two(price, largest, second)
                largest_half, second_half = _top_two(half, largest_half, second_half)
            work.price[city] = price
            priced |= single(city)
            cost += price
            halves += half
            if popcount(there) < branch_count:
                branch, branch_count = city, popcount(there)
    if free >= 1:
        cost -= largest
        halves -= largest_half
    if free >= 2:
        cost -= second
        halves -= second_half
    if weight - max(cost, (halves + 1) // 2) <= best:
        return NONE
    work.branch[depth] = branch
    work.untried[depth] = work.incident[branch] & droppable
    work.promising[depth] = _between(work, work.untried[depth], wrong)
    return -2


@kernel
def _enter(work: Work, depth: int, edges: Word, end: int) -> None:
    """Prepare the node below the one at `depth - 1`, with one more end unless it is NONE."""
    above = depth - 1
    work.kept[depth] = edges
    work.fixed[depth] = work.fixed[above] & edges
    work.other_part[depth] = EMPTY
    work.ends[depth, 0] = work.ends[above, 0]
    work.ends[depth, 1] = work.ends[above, 1]
    if end != NONE:
        if work.ends[depth, 0] == NONE:
            work.ends[depth, 0] = end
        else:
            work.ends[depth, 1] = end


@kernel
def _holds(work: Work, depth: int, part: Word) -> bool:
    """Return whether a part has all the routes and ends that the trail must have."""
    if part == EMPTY or work.fixed[depth] & ~part != EMPTY:
        return False
    for i in range(2):
        end = work.ends[depth, i]
        if end != NONE and work.incident[end] & part == EMPTY:
            return False
    return True


@kernel
def _search(work: Work, component: Word, best: int, best_edges: Word) -> tuple[int, Word, int]:
    """Return weight and edges of the best trail so far, and the nodes searched.

    The trails of a connected set of routes are searched for one that is better than `best`.
    """
    work.kept[0] = component
    work.fixed[0] = EMPTY
    work.other_part[0] = EMPTY
    work.ends[0, 0] = NONE
    work.ends[0, 1] = NONE
    depth, fresh, nodes = 0, True, 0
    while depth >= 0:
        if fresh:
            nodes += 1
            found = _examine(work, depth, best)
            if found >= 0:
                best, best_edges = found, work.kept[depth]
            if found != -2:
                depth -= 1
                fresh = False
                continue
            city = work.branch[depth]
            may_end = work.ends[depth, 1] == NONE
            for i in range(2):
                if work.ends[depth, i] == city:
                    may_end = False
            if may_end:
                _enter(work, depth + 1, work.kept[depth], city)
                depth += 1
                continue
            fresh = False
        if work.other_part[depth] != EMPTY:
            part = work.other_part[depth]
            work.other_part[depth] = EMPTY
            _enter(work, depth + 1, part, NONE)
            depth += 1
            fresh = True
        elif work.untried[depth] != EMPTY:
            likely = work.untried[depth] & work.promising[depth]
            edge = lowest(likely if likely != EMPTY else work.untried[depth])
            work.untried[depth] &= ~single(edge)
            edges = work.kept[depth] & ~single(edge)
            part = _part(work, edges, work.end_a[edge])
            other = _part(work, edges, work.end_b[edge]) if part != edges else EMPTY
            if other == part:
                other = EMPTY
            usable = _holds(work, depth, part)
            if _holds(work, depth, other):
                work.other_part[depth] = other
            work.fixed[depth] |= single(edge)
            if usable:
                _enter(work, depth + 1, part, NONE)
                depth += 1
                fresh = True
        else:
            depth -= 1
    return best, best_edges, nodes


@kernel
def longest_trail(count: int, work: Work) -> tuple[int, Word, int]:
    """Return weight and edges of a longest trail over the loaded routes, and the nodes searched."""
    best, best_edges, nodes = 0, EMPTY, 0
    left = EMPTY
    for edge in range(count):
        left |= single(edge)
    while left != EMPTY:
        component = _part(work, left, work.end_a[lowest(left)])
        left &= ~component
        best, best_edges, seen = _search(work, component, best, best_edges)
        nodes += seen
    return best, best_edges, nodes


@kernel
def score_longest(book: Book, s: State, seat: int, out: Score, work: Work) -> None:
    """Write the length of the seat's longest route, and one such route, into the score."""
    count = load_routes(book, s, seat, work)
    length, edges, _ = longest_trail(count, work)
    out.longest[seat] = length
    for word in range(ROUTE_WORDS):
        out.trail[seat, word] = EMPTY
    while edges != EMPTY:
        edge, edges = next_member(edges, 0)
        insert(out.trail[seat], work.route[edge])
