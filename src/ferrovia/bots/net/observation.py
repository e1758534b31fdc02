"""What a seat sees as small numbers: the layout of columns.py, written for CPU and GPU alike.

It reads what the seat may know and nothing else: public fields, and its own hand, tickets and
offer. Planner's plan for the position is a part of it, and what planner would do: so a net that
only copies plays as well as planner, in every edition.
"""

from typing import Any

import numpy as np

from ferrovia.bots.kernel.paths import NO_WAY, cities_of, find_priced_ways, find_ways
from ferrovia.bots.kernel.scratch import PLANNED, Plan
from ferrovia.bots.net.columns import FEW_TRAINS, LAST_TURNS, SLOTS
from ferrovia.bots.planner.card_choice import choose_card
from ferrovia.bots.planner.last_turn import last_score, station_score
from ferrovia.bots.planner.opponents import turns_left, turns_to_end
from ferrovia.bots.planner.payment import best_payment
from ferrovia.bots.planner.planner import (
    claim,
    claim_or_draw,
    find_station,
    make_plan,
    value_of_subset,
)
from ferrovia.bots.planner.ticket_tree import (
    in_tree,
    is_planned,
    list_open_tickets,
    size_of,
    sort_tickets,
)
from ferrovia.bots.planner.weights import PLANNER
from ferrovia.bots.simple.payment import answer_payment
from ferrovia.rules.chapters.actions import PAYMENT, ROUTE
from ferrovia.rules.chapters.claims import claimable
from ferrovia.rules.chapters.menu import menu
from ferrovia.rules.chapters.stations import built
from ferrovia.rules.chapters.tickets import keepable
from ferrovia.rules.compiler import kernel
from ferrovia.rules.state.bits import EMPTY, ONE, has, lowest, next_member, popcount, single
from ferrovia.rules.state.layout import (
    COLORS,
    KEEP,
    KINDS,
    NONE,
    PAY,
    PLACES,
    ROUTE_WORDS,
    ROUTES,
    SECOND,
    START,
    STATIONS,
    TICKET_WORDS,
    TUNNEL,
    Book,
    State,
    Word,
)

Numbers = Any

SUBSETS = 64  # of an offer, at most
NO_WORTH = -(1 << 24)  # of a subset that may not be kept

OFFERED, EDITION = 5, 9  # columns: of a ticket on offer, of an edition beside its seats


@kernel
def offers(s: State) -> bool:
    """Return whether the decision is about tickets on offer."""
    return bool(s.phase == START or s.phase == KEEP)


@kernel
def worth_of_subset(book: Book, s: State, seat: int, subset: int, plan: Plan) -> int:
    """Return what planner thinks a subset of the open offer is worth, or NO_WORTH."""
    if not has(keepable(book, s, seat), subset):
        return NO_WORTH
    turns = turns_left(s, seat, PLANNER.pace)
    return value_of_subset(book, s, seat, subset, plan, PLANNER, turns)


@kernel
def weigh_subsets(book: Book, s: State, seat: int, plan: Plan, worths: Numbers) -> None:
    """`worth_of_subset` of every subset, if an offer is open."""
    if offers(s):
        for subset in range(1 << book.max_offer):
            worths[subset] = worth_of_subset(book, s, seat, subset, plan)


@kernel
def _best_subset(book: Book, worths: Numbers) -> int:
    best = 0
    for subset in range(1, 1 << book.max_offer):
        if worths[subset] > worths[best]:
            best = subset
    return best


@kernel
def largest_network(book: Book, s: State, seat: int) -> int:
    """Return the trains of the seat's largest network of connected routes."""
    most = 0
    unseen = cities_of(book, s, seat)
    while unseen != EMPTY:
        border = single(lowest(unseen))
        reached = border
        twice = 0
        while border != EMPTY:
            city = lowest(border)
            border &= border - ONE
            for word in range(ROUTE_WORDS):
                left = book.at_city[city, word] & s.routes[seat, word]
                while left != EMPTY:
                    route = 64 * word + lowest(left)
                    left &= left - ONE
                    twice += int(book.length[route])
                    far = single(book.end_a[route] + book.end_b[route] - city)
                    border |= far & ~reached
                    reached |= far
        unseen &= ~reached
        most = max(most, twice // 2)
    return most


@kernel
def _put(obs: Numbers, f: int, game: int, value: int) -> int:
    obs[f, game] = min(max(value, 0), 255)
    return f + 1


@kernel
def _flag(obs: Numbers, f: int, game: int, value: bool) -> int:
    obs[f, game] = 1 if value else 0
    return f + 1


@kernel
def _bits(obs: Numbers, f: int, game: int, word: Word, count: int) -> int:
    for i in range(count):
        obs[f + i, game] = (word >> np.uint64(i)) & ONE
    return f + count


@kernel
def _action_count(book: Book, slots: int) -> int:
    return ROUTE + int(book.routes) + int(book.cities) + (1 << slots)


@kernel
def _actions(book: Book, s: State, seat: int, slots: int, obs: Numbers, game: int) -> int:
    """Write the legal mask; return the next column."""
    options = menu(book, s, seat)
    f = _bits(obs, 0, game, options[0], PAYMENT)
    f = _bits(obs, f, game, options[1], ROUTE - PAYMENT)
    left = int(book.routes)
    f = _bits(obs, f, game, options[2], min(left, 64))
    f = _bits(obs, f, game, options[3], min(max(left - 64, 0), 64))
    f = _bits(obs, f, game, options[4], max(left - 128, 0))
    f = _bits(obs, f, game, options[5], book.cities)
    return _bits(obs, f, game, options[6], 1 << slots)


@kernel
def _cards(
    book: Book, s: State, seat: int, others: int, plan: Plan, obs: Numbers, f: int, game: int
) -> int:
    for card in range(KINDS):
        shown = 0
        for place in range(PLACES):
            if s.display[place] == card:
                shown += 1
        held = int(s.hand[seat, card])
        unseen = book.cards[card] - s.discards[card] - s.revealed[card] - shown - held
        for each in range(s.players):
            if each != seat:
                unseen -= s.known[each, card]
        need, want = 0, 0
        if card < COLORS:
            need, want = int(plan.need[card]), int(plan.want[card])
        f = _put(obs, f, game, held)
        f = _put(obs, f, game, shown)
        f = _put(obs, f, game, unseen)
        f = _put(obs, f, game, s.discards[card])
        f = _put(obs, f, game, need)
        f = _put(obs, f, game, want)
        f = _put(obs, f, game, need - held)
        for other in range(1, others + 1):
            known = 0
            if other < s.players:
                known = int(s.known[(seat + other) % s.players, card])
            f = _put(obs, f, game, known)
    return f


@kernel
def _own(
    book: Book,
    s: State,
    seat: int,
    plan: Plan,
    turns: int,
    free: int,
    lack: int,
    obs: Numbers,
    f: int,
    game: int,
) -> int:
    done, done_points, open_points, lost_points, count = 0, 0, 0, 0, 0
    for word in range(TICKET_WORDS):
        left = plan.score.completed[seat, word] & s.tickets[seat, word]
        done += popcount(left)
        count += popcount(s.tickets[seat, word] & ~left)
        while left != EMPTY:
            done_points += int(book.ticket_points[64 * word + lowest(left)])
            left &= left - ONE
    for i in range(min(count, PLANNED)):
        points = int(book.ticket_points[plan.planned[i]])
        if is_planned(plan, i):
            open_points += points
        else:
            lost_points += points
    f = _put(obs, f, game, s.deck_size)
    f = _put(obs, f, game, s.discards_size)
    f = _put(obs, f, game, s.hand_size[seat])
    f = _put(obs, f, game, s.trains[seat])
    f = _put(obs, f, game, s.points[seat])
    f = _put(obs, f, game, s.ticket_count[seat])
    f = _put(obs, f, game, done)
    f = _put(obs, f, game, done_points)
    f = _put(obs, f, game, open_points)
    f = _put(obs, f, game, lost_points)
    f = _put(obs, f, game, s.ticket_left)
    f = _put(obs, f, game, s.turns // s.players)
    f = _put(obs, f, game, plan.bound)
    f = _put(obs, f, game, s.trains[seat] - plan.bound)
    f = _put(obs, f, game, turns)
    f = _put(obs, f, game, free)
    f = _put(obs, f, game, -free)
    f = _put(obs, f, game, lack)
    f = _put(obs, f, game, size_of(plan.tree))
    f = _put(obs, f, game, plan.ferry)
    f = _put(obs, f, game, largest_network(book, s, seat))
    return _put(obs, f, game, book.stations - built(s, seat))


@kernel
def _other(book: Book, s: State, seat: int, other: int, obs: Numbers, f: int, game: int) -> int:
    known = 0
    for card in range(KINDS):
        known += int(s.known[other, card])
    f = _put(obs, f, game, s.hand_size[other])
    f = _put(obs, f, game, s.hand_size[other] - known)
    f = _put(obs, f, game, s.trains[other])
    f = _put(obs, f, game, s.points[other])
    f = _put(obs, f, game, s.points[seat] - s.points[other])
    f = _put(obs, f, game, s.points[other] - s.points[seat])
    f = _put(obs, f, game, 0 if s.phase == START else int(s.ticket_count[other]))
    f = _put(obs, f, game, turns_to_end(s, other))
    f = _put(obs, f, game, largest_network(book, s, other))
    f = _put(obs, f, game, built(s, other))
    for i in range(FEW_TRAINS):
        f = _flag(obs, f, game, s.trains[other] <= 3 * i + 2)
    return f


@kernel
def _pending(book: Book, s: State, plan: Plan, obs: Numbers, f: int, game: int) -> int:
    for i in range(LAST_TURNS):
        f = _flag(obs, f, game, s.turns_left == i)
    for phase in range(6):
        f = _flag(obs, f, game, s.phase == phase)
    asks = s.phase == PAY or s.phase == TUNNEL
    of_route = asks and s.pending < ROUTES
    route = int(s.pending) if of_route else 0
    for color in range(KINDS):
        f = _flag(obs, f, game, of_route and book.color[route] == color)
    f = _put(obs, f, game, int(book.length[route]) if of_route else 0)
    f = _put(obs, f, game, int(book.ferry[route]) if of_route else 0)
    f = _flag(obs, f, game, of_route and book.tunnel[route] != 0)
    f = _flag(obs, f, game, asks and not of_route)
    f = _flag(obs, f, game, of_route and in_tree(book, plan, route))
    tunnel = s.phase == TUNNEL
    f = _put(obs, f, game, int(s.extra) if tunnel else 0)
    f = _put(obs, f, game, int(s.laid) if tunnel else 0)
    return _put(obs, f, game, int(s.laid_locomotives) if tunnel else 0)


@kernel
def _routes(book: Book, s: State, seat: int, plan: Plan, obs: Numbers, f: int, game: int) -> int:
    for word in range(ROUTE_WORDS):
        taken, tree = EMPTY, plan.tree[word]
        for each in range(s.players):
            if each != seat:
                taken |= s.routes[each, word]
        for bit in range(min(64, max(0, book.routes - 64 * word))):
            opens = has(s.open[seat, word], bit)
            f = _flag(obs, f, game, has(s.routes[seat, word], bit))
            f = _flag(obs, f, game, has(taken, bit))
            f = _flag(obs, f, game, opens)
            wanted = has(tree, bit)
            if opens and not wanted:
                wanted = in_tree(book, plan, 64 * word + bit)
            f = _flag(obs, f, game, wanted)
            f = _flag(obs, f, game, has(plan.side[word], bit))
            f = _flag(obs, f, game, has(plan.loans[word], bit))
    return f


@kernel
def _cities(
    book: Book, s: State, seat: int, others: int, plan: Plan, obs: Numbers, f: int, game: int
) -> int:
    width = others + 5
    for city in range(book.cities):
        at = f + width * city
        _flag(obs, at, game, has(plan.reach[seat], city))
        for other in range(1, others + 1):
            there = False
            if other < s.players:
                there = has(plan.reach[(seat + other) % s.players], city)
            _flag(obs, at + other, game, there)
        _put(obs, at + others + 1, game, 0)
        _put(obs, at + others + 2, game, 0)
        mine = False
        for i in range(STATIONS):
            mine = mine or s.stations[seat, i] == city
        _flag(obs, at + others + 3, game, mine)
        _flag(obs, at + others + 4, game, has(s.stationed, city) and not mine)
    for word in range(TICKET_WORDS):
        left = s.tickets[seat, word] & ~plan.score.completed[seat, word]
        while left != EMPTY:
            ticket = 64 * word + lowest(left)
            left &= left - ONE
            obs[f + width * book.ticket_a[ticket] + others + 1, game] += 1
            obs[f + width * book.ticket_b[ticket] + others + 1, game] += 1
    if offers(s):
        for i in range(s.offered[seat]):
            ticket = int(s.offer[seat, i])
            obs[f + width * book.ticket_a[ticket] + others + 2, game] += 1
            obs[f + width * book.ticket_b[ticket] + others + 2, game] += 1
    return f + width * int(book.cities)


@kernel
def _held_tickets(
    book: Book, s: State, seat: int, plan: Plan, obs: Numbers, f: int, game: int
) -> int:
    """Write the open tickets, which the plan has in order; return the next column."""
    count = 0
    for word in range(TICKET_WORDS):
        count += popcount(s.tickets[seat, word] & ~plan.score.completed[seat, word])
    for i in range(SLOTS):
        points, trains, given_up = 0, 0, False
        if i < count:
            points = int(book.ticket_points[plan.planned[i]])
            given_up = not is_planned(plan, i)
            for word in range(ROUTE_WORDS):
                left = plan.ways[i, word] & ~plan.lent[word]
                while left != EMPTY:
                    trains += int(book.length[64 * word + lowest(left)])
                    left &= left - ONE
        f = _put(obs, f, game, points)
        f = _put(obs, f, game, trains)
        f = _flag(obs, f, game, given_up)
    return f


@kernel
def _place_of_offer(slots: int, others: int, obs: Numbers) -> int:
    """Return the first column of the tickets on offer."""
    return int(obs.shape[0]) - (others + EDITION) - OFFERED * slots


@kernel
def _offered_tickets(
    book: Book, s: State, seat: int, plan: Plan, obs: Numbers, f: int, game: int
) -> None:
    for i in range(s.offered[seat]):
        ticket = int(s.offer[seat, i])
        a, b = int(book.ticket_a[ticket]), int(book.ticket_b[ticket])
        find_ways(book, s, seat, a, b, plan)
        cost = int(plan.cost[b])
        for word in range(ROUTE_WORDS):
            plan.free[word] = s.routes[seat, word] | plan.tree[word]
        find_priced_ways(book, a, b, plan.free, s.open[seat], book.length, plan)
        extra = int(plan.cost[b])
        lost = extra > s.trains[seat] - plan.bound
        if cost >= NO_WAY:
            cost, extra = 0, 0
        f = _put(obs, f, game, int(book.ticket_points[ticket]))
        f = _put(obs, f, game, cost)
        f = _put(obs, f, game, extra)
        f = _flag(obs, f, game, lost)
        f = _flag(obs, f, game, ticket < book.long_tickets)


@kernel
def _edition(book: Book, s: State, others: int, obs: Numbers, f: int, game: int) -> int:
    for players in range(2, others + 2):
        f = _flag(obs, f, game, s.players == players)
    f = _put(obs, f, game, book.trains)
    f = _put(obs, f, game, book.stations)
    f = _put(obs, f, game, book.station_bonus)
    f = _put(obs, f, game, book.longest_bonus)
    f = _put(obs, f, game, book.ticket_draw)
    f = _put(obs, f, game, book.deals)
    f = _put(obs, f, game, book.deal_regular[book.deals - 1])
    f = _put(obs, f, game, book.long_tickets)
    return _put(obs, f, game, book.tickets)


@kernel
def write_columns(
    book: Book,
    s: State,
    seat: int,
    slots: int,
    others: int,
    plan: Plan,
    outlook: tuple[int, int, int],
    obs: Numbers,
    game: int,
) -> None:
    """Write what a seat sees, but for planner's decision and what is on offer: zeros.

    `outlook` is what `make_plan` returns.
    """
    turns, free, lack = outlook
    actions = _actions(book, s, seat, slots, obs, game)
    f = actions
    for _ in range(actions + (1 << slots)):
        f = _put(obs, f, game, 0)
    f = _cards(book, s, seat, others, plan, obs, f, game)
    f = _own(book, s, seat, plan, turns, free, lack, obs, f, game)
    for other in range(1, others + 1):
        if other < s.players:
            f = _other(book, s, seat, (seat + other) % s.players, obs, f, game)
        else:
            for _ in range(10 + FEW_TRAINS):
                f = _put(obs, f, game, 0)
    f = _pending(book, s, plan, obs, f, game)
    f = _routes(book, s, seat, plan, obs, f, game)
    f = _cities(book, s, seat, others, plan, obs, f, game)
    f = _held_tickets(book, s, seat, plan, obs, f, game)
    for _ in range(OFFERED * slots):
        f = _put(obs, f, game, 0)
    _edition(book, s, others, obs, f, game)


@kernel
def write_facts(
    book: Book,
    s: State,
    seat: int,
    slots: int,
    others: int,
    plan: Plan,
    obs: Numbers,
    game: int,
) -> None:
    """Write what a seat that may act sees without planner's advice: all columns of it are zeros.

    That is by far the faster way to see a game: nothing is planned, no way is looked for.
    """
    count = list_open_tickets(book, s, seat, plan)
    sort_tickets(book, plan, count)
    for i in range(count):  # no ticket is given up: each has a way that takes no trains
        for word in range(ROUTE_WORDS):
            plan.ways[i, word] = ONE
    for word in range(ROUTE_WORDS):
        plan.lent[word] = ONE
        plan.tree[word], plan.side[word], plan.loans[word] = EMPTY, EMPTY, EMPTY
    for color in range(COLORS):
        plan.need[color], plan.want[color] = 0, 0
    plan.bound, plan.ferry = 0, 0
    for each in range(s.players):
        plan.reach[each] = cities_of(book, s, each)
    outlook = turns_left(s, seat, PLANNER.pace), 0, 0
    write_columns(book, s, seat, slots, others, plan, outlook, obs, game)
    if offers(s):
        f = _place_of_offer(slots, others, obs)
        for i in range(s.offered[seat]):
            ticket = int(s.offer[seat, i])
            _put(obs, f + OFFERED * i, game, int(book.ticket_points[ticket]))
            _flag(obs, f + OFFERED * i + OFFERED - 1, game, ticket < book.long_tickets)


@kernel
def write_decision(
    book: Book,
    s: State,
    seat: int,
    slots: int,
    plan: Plan,
    outlook: tuple[int, int, int],
    obs: Numbers,
    game: int,
) -> int:
    """Write planner's decision, if it is not about an offer; return it, or NONE."""
    if offers(s):
        return NONE
    decision = int(_decide(book, s, seat, plan, outlook))
    obs[_action_count(book, slots) + decision, game] = 1
    return decision


@kernel
def write_offer(
    book: Book,
    s: State,
    seat: int,
    slots: int,
    others: int,
    plan: Plan,
    worths: Numbers,
    obs: Numbers,
    game: int,
) -> int:
    """Write the tickets of an open offer, the worths of its subsets, and planner's choice.

    Return that decision. `worths` must hold what `weigh_subsets` writes.
    """
    first = _place_of_offer(slots, others, obs)
    _offered_tickets(book, s, seat, plan, obs, first, game)
    actions = _action_count(book, slots)
    best = _best_subset(book, worths)
    for subset in range(1 << book.max_offer):
        if worths[subset] != NO_WORTH:
            value = max(1, 255 - (worths[best] - worths[subset]) // 2)
            _put(obs, 2 * actions + subset, game, value)
    decision = int(book.first_keep) + best
    obs[actions + decision, game] = 1
    return decision


@kernel
def observe(
    book: Book,
    s: State,
    seat: int,
    slots: int,
    others: int,
    plan: Plan,
    worths: Numbers,
    obs: Numbers,
    game: int,
) -> int:
    """Write what a seat that may act sees into column `game` of `obs`; return planner's decision.

    `slots` and `others` are `offer` and `others` of the layout; `worths` must hold what
    `weigh_subsets` writes, if an offer is open.
    """
    outlook = make_plan(book, s, seat, plan, PLANNER)
    write_columns(book, s, seat, slots, others, plan, outlook, obs, game)
    if offers(s):
        return write_offer(book, s, seat, slots, others, plan, worths, obs, game)
    return write_decision(book, s, seat, slots, plan, outlook, obs, game)


@kernel
def _decide(book: Book, s: State, seat: int, plan: Plan, outlook: tuple[int, int, int]) -> int:
    """Return what planner does where nothing is on offer, by a plan that is already made."""
    turns, free, lack = outlook
    if s.phase == TUNNEL:
        return answer_payment(book, s, seat, plan)
    if s.phase == SECOND:
        return choose_card(book, s, seat, plan, PLANNER, False)
    if s.phase == PAY:
        return best_payment(book, s, seat, int(s.pending), plan, PLANNER)[0]
    station = find_station(book, s, seat, plan)
    if s.turns_left != NONE:
        route = _last_route(book, s, seat, plan, station != NONE)
    else:
        route = claim(book, s, seat, plan, PLANNER, lack > PLANNER.hoard and free > 1)
    return claim_or_draw(book, s, seat, plan, PLANNER, turns, free, station, route)


@kernel
def _last_route(book: Book, s: State, seat: int, plan: Plan, station: bool) -> int:
    """Return what planner claims in its last turn, but for the longest route: that is too slow."""
    count = list_open_tickets(book, s, seat, plan)
    sort_tickets(book, plan, count)
    best, most = NONE, 10 * station_score(book, plan, count) if station else 0
    routes = claimable(book, s, seat)
    for word in range(ROUTE_WORDS):
        left = routes[word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            score = last_score(book, route, plan, count, 0)
            if score > most:
                best, most = route, score
    return best
