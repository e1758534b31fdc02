"""R9.3, R9.4, R10.3: tickets completed, with the best choice of routes to borrow by stations.

Cities that a seat's own routes join have one label. A station can only matter by joining its city's
label to another one, so each has a short list of choices, and all combinations are tried, unless no
ticket can be completed that way.
"""

from ferrovia.kernel import kernel
from ferrovia.rules.state.bits import EMPTY, has, insert, next_member, single
from ferrovia.rules.state.layout import (
    CITIES,
    NONE,
    ROUTE_WORDS,
    STATIONS,
    TICKET_WORDS,
    Book,
    Score,
    State,
    Work,
)


@kernel
def label_cities(book: Book, s: State, seat: int, work: Work) -> None:
    """Give cities joined by the seat's own routes the same label."""
    for city in range(CITIES):
        work.label[city] = city
    for word in range(ROUTE_WORDS):
        left = s.routes[seat, word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            one = work.label[book.end_a[route]]
            other = work.label[book.end_b[route]]
            if one != other:
                for city in range(book.cities):
                    if work.label[city] == other:
                        work.label[city] = one


@kernel
def _list_choices(book: Book, s: State, seat: int, station: int, work: Work) -> None:
    """List the routes of others at a station that join something new, the lowest for each label."""
    city = s.stations[seat, station]
    count = 0
    if city != NONE:
        for word in range(ROUTE_WORDS):
            left = EMPTY
            for other in range(s.players):
                if other != seat:
                    left |= s.routes[other, word]
            left &= book.at_city[city, word]
            while left != EMPTY:
                route, left = next_member(left, 64 * word)
                far = book.end_a[route] + book.end_b[route] - city
                label = work.label[far]
                new = label != work.label[city]
                for i in range(count):
                    if work.choice_label[station, i] == label:
                        new = False
                if new:
                    work.choice_route[station, count] = route
                    work.choice_label[station, count] = label
                    count += 1
    work.choices[station] = count


@kernel
def _better_routes(work: Work, out: Score, seat: int) -> bool:
    """Return whether the current choice is better than the best by the last clause of R9.4.

    Both borrow the same number of routes.
    """
    earlier_station = 0
    i, j = 0, 0
    while True:
        while i < STATIONS and work.choice[i] == NONE:
            i += 1
        while j < STATIONS and out.borrowed[seat, j] == NONE:
            j += 1
        if i == STATIONS or j == STATIONS:
            return earlier_station > 0
        current = work.choice_route[i, work.choice[i]]
        if current != out.borrowed[seat, j]:
            return bool(current < out.borrowed[seat, j])
        if earlier_station == 0:
            earlier_station = j - i
        i += 1
        j += 1


@kernel
def _joined(work: Work, city: int) -> int:
    """Return the label of a city once the chosen routes are borrowed."""
    label = work.label[city]
    for station in range(STATIONS):
        if work.choice[station] != NONE and label == work.join_from[station]:
            label = work.join_to[station]
    return int(label)


@kernel
def _borrow(s: State, seat: int, work: Work) -> int:
    """Join labels as chosen, and return how many routes are borrowed."""
    count = 0
    for station in range(STATIONS):
        work.join_from[station] = NONE
    for station in range(STATIONS):
        choice = work.choice[station]
        if choice != NONE:
            count += 1
            near = work.label[s.stations[seat, station]]
            far = work.choice_label[station, choice]
            for earlier in range(station):
                if work.join_from[earlier] != NONE:
                    if near == work.join_from[earlier]:
                        near = work.join_to[earlier]
                    if far == work.join_from[earlier]:
                        far = work.join_to[earlier]
            work.join_from[station] = far
            work.join_to[station] = near
    return count


@kernel
def _next_choice(work: Work) -> bool:
    """Step to the next combination; return False after the last."""
    for station in range(STATIONS):
        work.choice[station] += 1
        if work.choice[station] < work.choices[station]:
            return True
        work.choice[station] = NONE
    return False


@kernel
def _loans_matter(book: Book, s: State, seat: int, work: Work) -> bool:
    """Return whether a ticket may be completed with borrowed routes and not without them.

    Its ends have two labels then, and both are among those that stations join.
    """
    joinable = EMPTY
    for station in range(STATIONS):
        for i in range(work.choices[station]):
            joinable |= single(work.label[s.stations[seat, station]])
            joinable |= single(work.choice_label[station, i])
    if joinable == EMPTY:
        return False
    for word in range(TICKET_WORDS):
        left = s.tickets[seat, word]
        while left != EMPTY:
            ticket, left = next_member(left, 64 * word)
            a, b = work.label[book.ticket_a[ticket]], work.label[book.ticket_b[ticket]]
            if a != b and has(joinable, a) and has(joinable, b):
                return True
    return False


@kernel
def score_tickets(book: Book, s: State, seat: int, out: Score, work: Work) -> None:
    """Write completed tickets, their balance and the routes borrowed into the score."""
    label_cities(book, s, seat, work)
    for station in range(STATIONS):
        _list_choices(book, s, seat, station, work)
        work.choice[station] = NONE
        out.borrowed[seat, station] = NONE
    best, most, fewest = 0, NONE, 0
    choose = _loans_matter(book, s, seat, work)
    while True:
        borrowed = _borrow(s, seat, work)
        points, completed = 0, 0
        for word in range(TICKET_WORDS):
            left = s.tickets[seat, word]
            while left != EMPTY:
                ticket, left = next_member(left, 64 * word)
                a, b = book.ticket_a[ticket], book.ticket_b[ticket]
                if _joined(work, a) == _joined(work, b):
                    points += int(book.ticket_points[ticket])
                    completed += 1
                else:
                    points -= int(book.ticket_points[ticket])
        better = most == NONE or points > best
        if not better and points == best:
            better = completed > most
            if completed == most:
                better = borrowed < fewest
                if borrowed == fewest:
                    better = _better_routes(work, out, seat)
        if better:
            best, most, fewest = points, completed, borrowed
            for station in range(STATIONS):
                choice = work.choice[station]
                out.borrowed[seat, station] = (
                    NONE if choice == NONE else work.choice_route[station, choice]
                )
        if not choose or not _next_choice(work):
            break
    out.tickets[seat] = best
    out.completed_count[seat] = most
    _mark_completed(book, s, seat, out, work)


@kernel
def _mark_completed(book: Book, s: State, seat: int, out: Score, work: Work) -> None:
    """Write the completed tickets into the score as a set, under the best choice found."""
    for station in range(STATIONS):
        work.choice[station] = NONE
        for i in range(work.choices[station]):
            if work.choice_route[station, i] == out.borrowed[seat, station]:
                work.choice[station] = i
    _borrow(s, seat, work)
    for word in range(TICKET_WORDS):
        out.completed[seat, word] = EMPTY
        left = s.tickets[seat, word]
        while left != EMPTY:
            ticket, left = next_member(left, 64 * word)
            if _joined(work, book.ticket_a[ticket]) == _joined(work, book.ticket_b[ticket]):
                insert(out.completed[seat], ticket)
