"""What a seat sees as small numbers: the layout of columns.py, written for CPU and GPU alike.

It reads what the seat may know and nothing else: public fields, and its own hand, tickets and
offer. Planner's plan for the position is a part of it, and what planner would do: so a net that
only copies plays as well as planner, in every edition.
"""

from typing import Any

from ferrovia.bots.kernel.paths import NO_WAY, cities_of, find_priced_ways, find_ways
from ferrovia.bots.kernel.scratch import PLANNED, Plan
from ferrovia.bots.net.columns import (
    ASKED,
    FEW_TRAINS,
    LAST_TURNS,
    OF_CARD,
    OF_CITY,
    OF_EDITION,
    OF_OFFERED,
    OF_OPEN_TICKET,
    OF_OTHER,
    OF_ROUTE,
    OWN,
    SLOTS,
)
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
from ferrovia.kernel import kernel, uint64
from ferrovia.rules.chapters.actions import PAYMENT, ROUTE
from ferrovia.rules.chapters.claims import claimable
from ferrovia.rules.chapters.menu import menu
from ferrovia.rules.chapters.stations import built
from ferrovia.rules.chapters.tickets import keepable
from ferrovia.rules.state.bits import EMPTY, ONE, has, lowest, next_member, popcount, single
from ferrovia.rules.state.layout import (
    COLORS,
    KEEP,
    KINDS,
    NONE,
    OVER,
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
def _put(obs: Numbers, f: int, game: int, value: int) -> None:
    obs[f, game] = min(max(value, 0), 255)


@kernel
def _flag(obs: Numbers, f: int, game: int, value: bool) -> None:
    obs[f, game] = 1 if value else 0


@kernel
def _bits(obs: Numbers, f: int, game: int, word: Word, count: int) -> int:
    for i in range(count):
        obs[f + i, game] = (word >> uint64(i)) & ONE
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
        _put(obs, f + OF_CARD.hand, game, held)
        _put(obs, f + OF_CARD.display, game, shown)
        _put(obs, f + OF_CARD.unseen, game, unseen)
        _put(obs, f + OF_CARD.discarded, game, s.discards[card])
        _put(obs, f + OF_CARD.need, game, need)
        _put(obs, f + OF_CARD.want, game, want)
        _put(obs, f + OF_CARD.lack, game, need - held)
        f += len(OF_CARD)
        for other in range(1, others + 1):
            known = 0
            if other < s.players:
                known = int(s.known[(seat + other) % s.players, card])
            _put(obs, f, game, known)
            f += 1
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
    _put(obs, f + OWN.deck, game, s.deck_size)
    _put(obs, f + OWN.discards, game, s.discards_size)
    _put(obs, f + OWN.hand, game, s.hand_size[seat])
    _put(obs, f + OWN.trains, game, s.trains[seat])
    _put(obs, f + OWN.points, game, s.points[seat])
    _put(obs, f + OWN.tickets, game, s.ticket_count[seat])
    _put(obs, f + OWN.done, game, done)
    _put(obs, f + OWN.done_points, game, done_points)
    _put(obs, f + OWN.open_points, game, open_points)
    _put(obs, f + OWN.lost_points, game, lost_points)
    _put(obs, f + OWN.ticket_deck, game, s.ticket_left)
    _put(obs, f + OWN.round, game, s.turns // s.players)
    _put(obs, f + OWN.bound, game, plan.bound)
    _put(obs, f + OWN.spare_trains, game, s.trains[seat] - plan.bound)
    _put(obs, f + OWN.turns_left, game, turns)
    _put(obs, f + OWN.free_turns, game, free)
    _put(obs, f + OWN.late_turns, game, -free)
    _put(obs, f + OWN.lacking, game, lack)
    _put(obs, f + OWN.tree_size, game, size_of(plan.tree))
    _put(obs, f + OWN.locomotives_needed, game, plan.ferry)
    _put(obs, f + OWN.network, game, largest_network(book, s, seat))
    _put(obs, f + OWN.stations_left, game, book.stations - built(s, seat))
    return f + len(OWN)


@kernel
def _other(book: Book, s: State, seat: int, other: int, obs: Numbers, f: int, game: int) -> int:
    known = 0
    for card in range(KINDS):
        known += int(s.known[other, card])
    _put(obs, f + OF_OTHER.hand, game, s.hand_size[other])
    _put(obs, f + OF_OTHER.unknown, game, s.hand_size[other] - known)
    _put(obs, f + OF_OTHER.trains, game, s.trains[other])
    _put(obs, f + OF_OTHER.points, game, s.points[other])
    _put(obs, f + OF_OTHER.ahead, game, s.points[seat] - s.points[other])
    _put(obs, f + OF_OTHER.behind, game, s.points[other] - s.points[seat])
    _put(obs, f + OF_OTHER.tickets, game, 0 if s.phase == START else int(s.ticket_count[other]))
    _put(obs, f + OF_OTHER.pace, game, turns_to_end(s, other))
    _put(obs, f + OF_OTHER.network, game, largest_network(book, s, other))
    _put(obs, f + OF_OTHER.stations, game, built(s, other))
    f += len(OF_OTHER)
    for step in range(len(FEW_TRAINS)):
        _flag(obs, f + step, game, s.trains[other] <= FEW_TRAINS[step])
    return f + len(FEW_TRAINS)


@kernel
def _pending(book: Book, s: State, plan: Plan, obs: Numbers, f: int, game: int) -> int:
    for i in range(LAST_TURNS):
        _flag(obs, f + i, game, s.turns_left == i)
    f += LAST_TURNS
    for phase in range(OVER):
        _flag(obs, f + phase, game, s.phase == phase)
    f += OVER
    asks = s.phase == PAY or s.phase == TUNNEL
    of_route = asks and s.pending < ROUTES
    route = int(s.pending) if of_route else 0
    for color in range(KINDS):
        _flag(obs, f + color, game, of_route and book.color[route] == color)
    f += KINDS
    tunnel = s.phase == TUNNEL
    _put(obs, f + ASKED.pays_length, game, int(book.length[route]) if of_route else 0)
    _put(obs, f + ASKED.pays_ferry, game, int(book.ferry[route]) if of_route else 0)
    _flag(obs, f + ASKED.pays_tunnel, game, of_route and book.tunnel[route] != 0)
    _flag(obs, f + ASKED.pays_station, game, asks and not of_route)
    _flag(obs, f + ASKED.pays_tree, game, of_route and in_tree(book, plan, route))
    _put(obs, f + ASKED.extra, game, int(s.extra) if tunnel else 0)
    _put(obs, f + ASKED.laid, game, int(s.laid) if tunnel else 0)
    _put(obs, f + ASKED.laid_locomotives, game, int(s.laid_locomotives) if tunnel else 0)
    return f + len(ASKED)


@kernel
def _routes(book: Book, s: State, seat: int, plan: Plan, obs: Numbers, f: int, game: int) -> int:
    for word in range(ROUTE_WORDS):
        taken, tree = EMPTY, plan.tree[word]
        for each in range(s.players):
            if each != seat:
                taken |= s.routes[each, word]
        for bit in range(min(64, max(0, book.routes - 64 * word))):
            opens = has(s.open[seat, word], bit)
            _flag(obs, f + OF_ROUTE.mine, game, has(s.routes[seat, word], bit))
            _flag(obs, f + OF_ROUTE.taken, game, has(taken, bit))
            _flag(obs, f + OF_ROUTE.open, game, opens)
            wanted = has(tree, bit)
            if opens and not wanted:
                wanted = in_tree(book, plan, 64 * word + bit)
            _flag(obs, f + OF_ROUTE.tree, game, wanted)
            _flag(obs, f + OF_ROUTE.side, game, has(plan.side[word], bit))
            _flag(obs, f + OF_ROUTE.loan, game, has(plan.loans[word], bit))
            f += len(OF_ROUTE)
    return f


@kernel
def _cities(
    book: Book, s: State, seat: int, others: int, plan: Plan, obs: Numbers, f: int, game: int
) -> int:
    width = others + len(OF_CITY)  # `others` flags after the first column
    for city in range(book.cities):
        at = f + width * city
        _flag(obs, at + OF_CITY.reached, game, has(plan.reach[seat], city))
        for other in range(1, others + 1):
            there = False
            if other < s.players:
                there = has(plan.reach[(seat + other) % s.players], city)
            _flag(obs, at + OF_CITY.reached + other, game, there)
        at += others
        _put(obs, at + OF_CITY.goals, game, 0)
        _put(obs, at + OF_CITY.offers, game, 0)
        mine = False
        for i in range(STATIONS):
            mine = mine or s.stations[seat, i] == city
        _flag(obs, at + OF_CITY.station, game, mine)
        _flag(obs, at + OF_CITY.occupied, game, has(s.stationed, city) and not mine)
    goals, offered = f + others + OF_CITY.goals, f + others + OF_CITY.offers
    for word in range(TICKET_WORDS):
        left = s.tickets[seat, word] & ~plan.score.completed[seat, word]
        while left != EMPTY:
            ticket = 64 * word + lowest(left)
            left &= left - ONE
            obs[goals + width * book.ticket_a[ticket], game] += 1
            obs[goals + width * book.ticket_b[ticket], game] += 1
    if offers(s):
        for i in range(s.offered[seat]):
            ticket = int(s.offer[seat, i])
            obs[offered + width * book.ticket_a[ticket], game] += 1
            obs[offered + width * book.ticket_b[ticket], game] += 1
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
        _put(obs, f + OF_OPEN_TICKET.points, game, points)
        _put(obs, f + OF_OPEN_TICKET.trains, game, trains)
        _flag(obs, f + OF_OPEN_TICKET.given_up, game, given_up)
        f += len(OF_OPEN_TICKET)
    return f


@kernel
def _place_of_offer(slots: int, others: int, obs: Numbers) -> int:
    """Return the first column of the tickets on offer."""
    return int(obs.shape[0]) - (others + len(OF_EDITION)) - len(OF_OFFERED) * slots


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
        _put(obs, f + OF_OFFERED.points, game, int(book.ticket_points[ticket]))
        _put(obs, f + OF_OFFERED.cost, game, cost)
        _put(obs, f + OF_OFFERED.extra, game, extra)
        _flag(obs, f + OF_OFFERED.lost, game, lost)
        _flag(obs, f + OF_OFFERED.long, game, ticket < book.long_tickets)
        f += len(OF_OFFERED)


@kernel
def _edition(book: Book, s: State, others: int, obs: Numbers, f: int, game: int) -> int:
    for other in range(others):
        _flag(obs, f + other, game, s.players == other + 2)
    f += others
    _put(obs, f + OF_EDITION.all_trains, game, book.trains)
    _put(obs, f + OF_EDITION.all_stations, game, book.stations)
    _put(obs, f + OF_EDITION.station_bonus, game, book.station_bonus)
    _put(obs, f + OF_EDITION.longest_bonus, game, book.longest_bonus)
    _put(obs, f + OF_EDITION.draw, game, book.ticket_draw)
    _put(obs, f + OF_EDITION.deals, game, book.deals)
    _put(obs, f + OF_EDITION.first_offer, game, book.deal_regular[book.deals - 1])
    _put(obs, f + OF_EDITION.long_tickets, game, book.long_tickets)
    _put(obs, f + OF_EDITION.all_tickets, game, book.tickets)
    return f + len(OF_EDITION)


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
        _put(obs, f, game, 0)
        f += 1
    f = _cards(book, s, seat, others, plan, obs, f, game)
    f = _own(book, s, seat, plan, turns, free, lack, obs, f, game)
    for other in range(1, others + 1):
        if other < s.players:
            f = _other(book, s, seat, (seat + other) % s.players, obs, f, game)
        else:
            for _ in range(len(OF_OTHER) + len(FEW_TRAINS)):
                _put(obs, f, game, 0)
                f += 1
    f = _pending(book, s, plan, obs, f, game)
    f = _routes(book, s, seat, plan, obs, f, game)
    f = _cities(book, s, seat, others, plan, obs, f, game)
    f = _held_tickets(book, s, seat, plan, obs, f, game)
    for _ in range(len(OF_OFFERED) * slots):
        _put(obs, f, game, 0)
        f += 1
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
    """Write what a seat that may act sees without planner's advice, whose columns are zeros.

    This is by far the faster way to observe a game: nothing is planned, no way is searched for.
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
            at = f + len(OF_OFFERED) * i
            _put(obs, at + OF_OFFERED.points, game, int(book.ticket_points[ticket]))
            _flag(obs, at + OF_OFFERED.long, game, ticket < book.long_tickets)


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
