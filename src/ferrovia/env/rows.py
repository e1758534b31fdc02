"""What every seat of a batch sees, kept from step to step, so that only what changes is written.

A row has the columns of one seat without planner's advice. `write_facts` writes it at first; after
that the state is compared with what the row was written for, and what differs is written again.
Nothing but the state decides, so a game that begins again, or whose state was exchanged, needs
nothing else.
"""

from typing import Any, NamedTuple

from ferrovia.boards import COLORS as CARD_NAMES
from ferrovia.bots.kernel.scratch import PLANNED, Plan
from ferrovia.bots.net.columns import (
    ASKED,
    FEW_TRAINS,
    LAST_TURNS,
    OF_CARD,
    OF_CITY,
    OF_OFFERED,
    OF_OPEN_TICKET,
    OF_OTHER,
    OF_ROUTE,
    OWN,
    SLOTS,
    Columns,
)
from ferrovia.bots.net.observation import offers, write_facts
from ferrovia.bots.planner.opponents import turns_left, turns_to_end
from ferrovia.bots.planner.ticket_tree import sort_tickets
from ferrovia.bots.planner.weights import PLANNER
from ferrovia.env.flags import write_flags
from ferrovia.kernel import RecordLayout, kernel, uint64
from ferrovia.rules.chapters.actions import ROUTE
from ferrovia.rules.chapters.menu import CITY, KEEPS, MENU_WORDS, PAYMENTS, base_of, menu
from ferrovia.rules.chapters.stations import built
from ferrovia.rules.chapters.ticket_scoring import score_tickets
from ferrovia.rules.state.bits import EMPTY, next_member, popcount, single
from ferrovia.rules.state.layout import (
    KINDS,
    NONE,
    OFFER,
    OVER,
    PAY,
    PLACES,
    ROUTE_WORDS,
    ROUTES,
    SEATS,
    START,
    STATIONS,
    TICKET_WORDS,
    TRAINS,
    TUNNEL,
    Book,
    State,
    Word,
)

Numbers = Any
Seen = Any  # a record of the shape below
Network = Any  # likewise

SEEN = RecordLayout(
    "SEEN",
    # What the row was written for.
    ("menu", "u8", (MENU_WORDS,)),
    ("mine", "u8", (ROUTE_WORDS,)),
    ("taken", "u8", (ROUTE_WORDS,)),
    ("open", "u8", (ROUTE_WORDS,)),
    ("reached", "u8", (SEATS,)),  # by each seat, this one first
    ("stations", "u8"),
    ("occupied", "u8"),
    ("goals", "u8", (TICKET_WORDS,)),  # tickets that are not completed
    ("offer", "i2", (OFFER,)),
    ("offered", "i2"),
    ("phase", "i2"),  # one more than that of the state, as the next
    ("turns_left", "i2"),
    ("turns", "i2"),
    ("pays", "i2"),  # whether something is to be paid
    ("board", "u8", (SEATS, ROUTE_WORDS)),  # the routes of every seat
    ("stationed", "u8"),
    # Its completed tickets, and what they were found for.
    ("scored_routes", "u8", (ROUTE_WORDS,)),
    ("scored_tickets", "u8", (TICKET_WORDS,)),
    ("scored_stations", "u8"),  # in the order they were built
    ("scored_loans", "u8", (ROUTE_WORDS,)),  # routes that the stations could borrow
    ("completed", "u8", (TICKET_WORDS,)),
    ("rescored", "i2"),  # whether they differ from what was written
    ("settled", "i2"),  # whether all of it is of one state
    ("written", "i2"),
)


# What a seat has joined, and the routes that this was found for.
NETWORK = RecordLayout(
    "NETWORK",
    ("routes", "u8", (ROUTE_WORDS,)),
    ("reach", "u8"),  # cities
    ("trains", "i2"),  # of the largest part
    ("count", "i2"),  # of the parts that are connected
    ("parts", "u8", (TRAINS,)),  # their cities
    ("sizes", "i2", (TRAINS,)),  # their trains
)


class Places(NamedTuple):
    """Where the groups of columns of a layout begin, and its tickets on offer and other seats."""

    slots: int
    others: int
    cards: int
    own: int
    other: int
    pending: int
    routes: int
    cities: int
    held: int
    offer: int
    edition: int


def places_of(columns: Columns) -> Places:
    """Return where the groups begin, found by the name of their first column."""
    board, at = columns.of, {column.name: i for i, column in enumerate(columns.all)}
    return Places(
        columns.offer,
        columns.others,
        at[f"hand {CARD_NAMES[0]}"],
        at["deck"],
        at["hand of +1"],
        at["last round 0"],
        at[f"mine {board.routes[0].id}"],
        at[f"reached {board.cities[0].id}"],
        at["open ticket 0 points"],
        at["offer 0 points"],
        at["2 seats"],
    )


@kernel
def _of_other(p: Places, place: int) -> int:
    """Return the first column of the seat that is `place` places after the viewer's."""
    return p.other + (len(OF_OTHER) + len(FEW_TRAINS)) * (place - 1)


@kernel
def _at_city(p: Places, city: int) -> int:
    """Return where the columns of a city begin, the flags for the others left out."""
    return p.cities + (p.others + len(OF_CITY)) * city + p.others


@kernel
def _set(row: Numbers, at: int, value: int) -> None:
    """Write a value that is a byte anyway. (An unsigned index is checked only once.)"""
    row[uint64(at)] = value


@kernel
def _write(row: Numbers, at: int, value: int) -> None:
    row[uint64(at)] = min(max(value, 0), 255)


@kernel
def _toggle(row: Numbers, changed: Word, at: int, width: int) -> None:
    """Turn the flags of some members of a set; those of neighbours are `width` columns apart."""
    while changed != EMPTY:
        member, changed = next_member(changed, 0)
        row[uint64(at + width * member)] ^= 1


@kernel
def _write_menu(book: Book, s: State, seat: int, row: Numbers, seen: Seen) -> None:
    options = menu(book, s, seat)
    for word in range(MENU_WORDS):
        changed = options[word] ^ seen.menu[word]
        if changed == EMPTY:
            continue
        seen.menu[word] = options[word]
        at = base_of(book, word)
        if popcount(changed) > 8 and word >= PAYMENTS and word != KEEPS:
            count = 64
            if word == CITY:
                count = int(book.cities)
            elif word > PAYMENTS:
                count = min(64, ROUTE + int(book.routes) - at)
            write_flags(row, at, options[word], count)
        else:
            _toggle(row, changed, at, 1)


@kernel
def refresh_network(book: Book, s: State, seat: int, network: Network) -> None:
    """Add the routes that the seat has claimed meanwhile; begin anew if it has lost some."""
    added, lost = EMPTY, EMPTY
    for word in range(ROUTE_WORDS):
        added |= s.routes[seat, word] & ~network.routes[word]
        lost |= network.routes[word] & ~s.routes[seat, word]
    if lost != EMPTY:
        network.reach, network.trains, network.count = EMPTY, 0, 0
        for word in range(ROUTE_WORDS):
            network.routes[word] = EMPTY
    if added | lost != EMPTY:
        for word in range(ROUTE_WORDS):
            left = s.routes[seat, word] & ~network.routes[word]
            network.routes[word] = s.routes[seat, word]
            while left != EMPTY:
                route, left = next_member(left, 64 * word)
                _join(book, network, route)


@kernel
def _join(book: Book, network: Network, route: int) -> None:
    """Add a route to a network: the parts that it touches become one."""
    cities = single(book.end_a[route]) | single(book.end_b[route])
    ends, trains, apart = cities, int(book.length[route]), 0
    for i in range(network.count):
        part, size = network.parts[i], int(network.sizes[i])
        if part & ends != EMPTY:
            cities |= part
            trains += size
        else:
            network.parts[apart], network.sizes[apart] = part, size
            apart += 1
    network.parts[apart], network.sizes[apart] = cities, trains
    network.count = apart + 1
    network.reach |= cities
    network.trains = max(int(network.trains), trains)


@kernel
def _stations_of(s: State, seat: int) -> Word:
    cities = EMPTY
    for i in range(STATIONS):
        if s.stations[seat, i] != NONE:
            cities |= single(s.stations[seat, i])
    return cities


@kernel
def _lending(book: Book, s: State, seat: int, stations: Word, word: int) -> Word:
    """Return the routes of others that begin or end at the seat's stations."""
    taken, there = EMPTY, EMPTY
    if stations != EMPTY:
        for other in range(s.players):
            if other != seat:
                taken |= s.routes[other, word]
        while stations != EMPTY:
            city, stations = next_member(stations, 0)
            there |= book.at_city[city, word]
    return taken & there


@kernel
def _stations_in_order(s: State, seat: int) -> Word:
    order = EMPTY
    for i in range(STATIONS):
        order |= uint64(s.stations[seat, i] + 1) << uint64(8 * i)
    return order


@kernel
def _is_settled(s: State, seat: int, seen: Seen) -> bool:
    """Return whether routes, stations and the seat's tickets are those that the row was written
    for: mostly so, since what a turn begins with is still there when its cards are chosen."""
    changed = s.stationed ^ seen.stationed
    for each in range(SEATS):
        for word in range(ROUTE_WORDS):
            changed |= s.routes[each, word] ^ seen.board[each, word]
    for word in range(ROUTE_WORDS):
        changed |= s.open[seat, word] ^ seen.open[word]
    for word in range(TICKET_WORDS):
        changed |= s.tickets[seat, word] ^ seen.scored_tickets[word]
    if changed != EMPTY or seen.settled == 0:
        return False
    return bool(_stations_in_order(s, seat) == seen.scored_stations)


@kernel
def _settle(s: State, seen: Seen) -> None:
    seen.settled, seen.stationed = 1, s.stationed
    for each in range(SEATS):
        for word in range(ROUTE_WORDS):
            seen.board[each, word] = s.routes[each, word]


@kernel
def refresh_tickets(book: Book, s: State, seat: int, seen: Seen, plan: Plan, scored: bool) -> None:
    """Find the seat's completed tickets again, if anything that they depend on has changed.

    With `scored` they are in `plan.score` already.
    """
    stations, order = _stations_of(s, seat), _stations_in_order(s, seat)
    changed = order ^ seen.scored_stations
    for word in range(ROUTE_WORDS):
        loans = _lending(book, s, seat, stations, word)
        changed |= s.routes[seat, word] ^ seen.scored_routes[word]
        changed |= loans ^ seen.scored_loans[word]
        seen.scored_routes[word] = s.routes[seat, word]
        seen.scored_loans[word] = loans
    for word in range(TICKET_WORDS):
        changed |= s.tickets[seat, word] ^ seen.scored_tickets[word]
        seen.scored_tickets[word] = s.tickets[seat, word]
    if changed == EMPTY:
        return
    seen.scored_stations, seen.settled = order, 0
    if not scored:
        score_tickets(book, s, seat, plan.score, plan.work)
    for word in range(TICKET_WORDS):
        seen.completed[word] = plan.score.completed[seat, word]
    seen.rescored = 1


@kernel
def _write_goals(
    book: Book, s: State, seat: int, row: Numbers, seen: Seen, plan: Plan, p: Places
) -> None:
    """Write which tickets are open, what they and the completed ones are worth."""
    done, points = 0, 0
    for word in range(TICKET_WORDS):
        left = s.tickets[seat, word] & seen.completed[word]
        done += popcount(left)
        while left != EMPTY:
            ticket, left = next_member(left, 64 * word)
            points += int(book.ticket_points[ticket])
        goals = s.tickets[seat, word] & ~seen.completed[word]
        _count_ends(book, row, seen.goals[word] & ~goals, word, p, -1)
        _count_ends(book, row, goals & ~seen.goals[word], word, p, 1)
        seen.goals[word] = goals
    _write(row, p.own + OWN.done, done)
    _write(row, p.own + OWN.done_points, points)
    _write_held(book, row, seen, plan, p)


@kernel
def _count_ends(book: Book, row: Numbers, tickets: Word, word: int, p: Places, more: int) -> None:
    """Count the cities where some tickets end, once more or once less."""
    while tickets != EMPTY:
        ticket, tickets = next_member(tickets, 64 * word)
        for city in (book.ticket_a[ticket], book.ticket_b[ticket]):
            at = uint64(_at_city(p, int(city)) + OF_CITY.goals)
            row[at] = int(row[at]) + more


@kernel
def _write_held(book: Book, row: Numbers, seen: Seen, plan: Plan, p: Places) -> None:
    """Write the points of the open tickets, dearest first, and their sum."""
    count, points = 0, 0
    for word in range(TICKET_WORDS):
        left = seen.goals[word]
        while left != EMPTY and count < PLANNED:
            plan.planned[count], left = next_member(left, 64 * word)
            points += int(book.ticket_points[plan.planned[count]])
            count += 1
    sort_tickets(book, plan, count)
    for i in range(SLOTS):
        worth = int(book.ticket_points[plan.planned[i]]) if i < count else 0
        _write(row, p.held + len(OF_OPEN_TICKET) * i + OF_OPEN_TICKET.points, worth)
    _write(row, p.own + OWN.open_points, points)


@kernel
def _write_offer(book: Book, s: State, seat: int, row: Numbers, seen: Seen, p: Places) -> None:
    """Write the tickets on offer to the seat, if there are others than before."""
    count = int(s.offered[seat]) if offers(s) else 0
    same = count == seen.offered
    for i in range(count):
        same = same and s.offer[seat, i] == seen.offer[i]
    if same:
        return
    for i in range(seen.offered):
        _show_offer(book, row, int(seen.offer[i]), i, p, False)
    for i in range(count):
        seen.offer[i] = s.offer[seat, i]
        _show_offer(book, row, int(seen.offer[i]), i, p, True)
    seen.offered = count


@kernel
def _show_offer(book: Book, row: Numbers, ticket: int, i: int, p: Places, shown: bool) -> None:
    for city in (book.ticket_a[ticket], book.ticket_b[ticket]):
        ends = uint64(_at_city(p, int(city)) + OF_CITY.offers)
        row[ends] = int(row[ends]) + (1 if shown else -1)
    at = p.offer + len(OF_OFFERED) * i
    _write(row, at + OF_OFFERED.points, int(book.ticket_points[ticket]) if shown else 0)
    row[at + OF_OFFERED.long] = 1 if shown and ticket < book.long_tickets else 0


@kernel
def _write_board(
    s: State, seat: int, row: Numbers, seen: Seen, networks: Numbers, first: int, p: Places
) -> None:
    """Write routes, reached cities, the trains of networks, and stations."""
    for word in range(ROUTE_WORDS):
        taken = EMPTY
        for other in range(s.players):
            if other != seat:
                taken |= s.routes[other, word]
        mine, opens = s.routes[seat, word], s.open[seat, word]
        width = len(OF_ROUTE)
        at = p.routes + width * 64 * word
        _toggle(row, mine ^ seen.mine[word], at + OF_ROUTE.mine, width)
        _toggle(row, taken ^ seen.taken[word], at + OF_ROUTE.taken, width)
        _toggle(row, opens ^ seen.open[word], at + OF_ROUTE.open, width)
        seen.mine[word], seen.taken[word], seen.open[word] = mine, taken, opens
    width = p.others + len(OF_CITY)
    for place in range(s.players):
        network = networks[first + _seat_at(int(s.players), seat, place)]
        if place == 0:
            _set(row, p.own + OWN.network, network.trains)
        else:
            _set(row, _of_other(p, place) + OF_OTHER.network, network.trains)
        at = p.cities + OF_CITY.reached + place
        _toggle(row, network.reach ^ seen.reached[place], at, width)
        seen.reached[place] = network.reach
    stations = _stations_of(s, seat)
    occupied = s.stationed & ~stations
    at = _at_city(p, 0)
    _toggle(row, stations ^ seen.stations, at + OF_CITY.station, width)
    _toggle(row, occupied ^ seen.occupied, at + OF_CITY.occupied, width)
    seen.stations, seen.occupied = stations, occupied


@kernel
def _seat_at(players: int, seat: int, place: int) -> int:
    """Return the seat that is `place` places after another."""
    other = seat + place
    return other - players if other >= players else other


@kernel
def _write_cards(book: Book, s: State, seat: int, row: Numbers, p: Places) -> None:
    """Write the cards; those that others are known to hold are still counted as unseen."""
    shown = 0
    for place in range(PLACES):
        if s.display[place] != NONE:
            shown += 1 << (4 * int(s.display[place]))
    at = p.cards
    for card in range(KINDS):
        held, up, discarded = int(s.hand[seat, card]), (shown >> (4 * card)) & 15, s.discards[card]
        _set(row, at + OF_CARD.hand, held)
        _set(row, at + OF_CARD.display, up)
        unseen = book.cards[card] - discarded - s.revealed[card] - up - held
        _set(row, at + OF_CARD.unseen, unseen)
        _set(row, at + OF_CARD.discarded, discarded)
        at += len(OF_CARD) + p.others


@kernel
def _write_known(s: State, other: int, place: int, row: Numbers, p: Places) -> int:
    """Write the cards that another seat is known to hold, and return how many these are."""
    at, total = uint64(p.cards), 0
    for card in range(KINDS):
        known = int(s.known[other, card])
        total += known
        row[at + uint64(OF_CARD.unseen)] -= known
        row[at + uint64(len(OF_CARD) + place - 1)] = known
        at += uint64(len(OF_CARD) + p.others)
    return total


@kernel
def _write_own(book: Book, s: State, seat: int, row: Numbers, seen: Seen, p: Places) -> None:
    at, trains = p.own, int(s.trains[seat])
    _write(row, at + OWN.deck, s.deck_size)
    _write(row, at + OWN.discards, s.discards_size)
    _write(row, at + OWN.hand, s.hand_size[seat])
    _set(row, at + OWN.trains, trains)
    _write(row, at + OWN.points, s.points[seat])
    _set(row, at + OWN.tickets, s.ticket_count[seat])
    _set(row, at + OWN.ticket_deck, s.ticket_left)
    if seen.turns != s.turns:
        seen.turns = s.turns
        _write(row, at + OWN.round, s.turns // s.players)
    _set(row, at + OWN.spare_trains, trains)
    _write(row, at + OWN.turns_left, turns_left(s, seat, PLANNER.pace))
    _set(row, at + OWN.stations_left, book.stations - built(s, seat))


@kernel
def _write_other(s: State, seat: int, other: int, known: int, row: Numbers, at: int) -> None:
    ahead, held = int(s.points[seat]) - int(s.points[other]), int(s.hand_size[other])
    trains = int(s.trains[other])
    _write(row, at + OF_OTHER.hand, held)
    _write(row, at + OF_OTHER.unknown, held - known)
    _set(row, at + OF_OTHER.trains, trains)
    _write(row, at + OF_OTHER.points, s.points[other])
    _write(row, at + OF_OTHER.ahead, ahead)
    _write(row, at + OF_OTHER.behind, -ahead)
    _set(row, at + OF_OTHER.tickets, 0 if s.phase == START else int(s.ticket_count[other]))
    _set(row, at + OF_OTHER.pace, turns_to_end(s, other))
    _set(row, at + OF_OTHER.stations, built(s, other))
    at += len(OF_OTHER)
    for step in range(len(FEW_TRAINS)):
        _set(row, at + step, 1 if trains <= FEW_TRAINS[step] else 0)


@kernel
def _move_flag(row: Numbers, at: int, before: int, now: int, count: int) -> None:
    """Put the flag that is on to another place; 0 is nowhere, and so is what is after `count`."""
    if 0 < before <= count:
        row[at + before - 1] = 0
    if 0 < now <= count:
        row[at + now - 1] = 1


@kernel
def _write_pending(book: Book, s: State, row: Numbers, seen: Seen, p: Places) -> None:
    at = p.pending
    left, phase = int(s.turns_left) + 1, int(s.phase) + 1
    if left != seen.turns_left:
        _move_flag(row, at, seen.turns_left, left, LAST_TURNS)
        seen.turns_left = left
    at += LAST_TURNS
    if phase != seen.phase:
        _move_flag(row, at, seen.phase, phase, OVER)
        seen.phase = phase
    at += OVER
    tunnel = s.phase == TUNNEL
    asks = s.phase == PAY or tunnel
    if not asks and seen.pays == 0:
        return
    seen.pays = 1 if asks else 0
    of_route = asks and s.pending < ROUTES
    route = int(s.pending) if of_route else 0
    for color in range(KINDS):
        row[at + color] = 1 if of_route and book.color[route] == color else 0
    at += KINDS
    _write(row, at + ASKED.pays_length, int(book.length[route]) if of_route else 0)
    _write(row, at + ASKED.pays_ferry, int(book.ferry[route]) if of_route else 0)
    row[at + ASKED.pays_tunnel] = 1 if of_route and book.tunnel[route] != 0 else 0
    row[at + ASKED.pays_station] = 1 if asks and not of_route else 0
    _write(row, at + ASKED.extra, int(s.extra) if tunnel else 0)
    _write(row, at + ASKED.laid, int(s.laid) if tunnel else 0)
    _write(row, at + ASKED.laid_locomotives, int(s.laid_locomotives) if tunnel else 0)


@kernel
def refresh(
    book: Book,
    s: State,
    seat: int,
    p: Places,
    plan: Plan,
    rows: Numbers,
    every: Numbers,
    networks: Numbers,
    first: int,
) -> None:
    """Write what has changed for a seat that may act.

    `rows` are those of all games, `every` what each was written for, `networks` what each seat has
    joined; this game's begin at `first`.
    """
    row, seen, players = rows[first + seat], every[first + seat], int(s.players)
    if seen.written == 0:
        write_facts(book, s, seat, p.slots, p.others, plan, rows.T, first + seat)
        for column in range(p.edition):  # what is left is the edition's, and stays
            row[column] = 0
        seen.written = 1
    settled = _is_settled(s, seat, seen)
    if not settled:
        for each in range(players):
            refresh_network(book, s, each, networks[first + each])
        refresh_tickets(book, s, seat, seen, plan, False)
    _write_menu(book, s, seat, row, seen)
    if seen.rescored != 0:
        _write_goals(book, s, seat, row, seen, plan, p)
        seen.rescored = 0
    _write_cards(book, s, seat, row, p)
    _write_own(book, s, seat, row, seen, p)
    for place in range(1, players):
        other = _seat_at(players, seat, place)
        known = _write_known(s, other, place, row, p)
        _write_other(s, seat, other, known, row, _of_other(p, place))
    _write_pending(book, s, row, seen, p)
    if not settled:
        _write_board(s, seat, row, seen, networks, first, p)
        _settle(s, seen)
    _write_offer(book, s, seat, row, seen, p)
