"""Chapters 1, 2 and 8: tickets, dealt at the start and drawn in a turn.

The ticket deck is a ring of places. At the start it holds the regular tickets in their shuffled
order, then the long ones; each seat's deal is a block of both, so that seats answer in any order
and the outcome does not depend on it. A place is struck out (GONE) when its ticket is kept or
leaves the game; what remains of the dealt blocks goes to the bottom when all have answered.
"""

from ferrovia.kernel import kernel, uint64
from ferrovia.rules.state.bits import EMPTY, below, has, insert, single
from ferrovia.rules.state.chance import choose
from ferrovia.rules.state.layout import (
    BOTTOM,
    GONE,
    NONE,
    OFFER,
    START,
    TICKET_WORDS,
    TICKETS,
    Book,
    State,
    Word,
)
from ferrovia.rules.state.log import (
    COUNT,
    COUNT_2,
    ITEMS,
    KEPT,
    OFFERED,
    Log,
    next_outcome,
    open_row,
)

# The subsets of an offer that have a given number of tickets, as sets of subsets.
_OF_SIZE = tuple(
    uint64(sum(1 << subset for subset in range(1 << OFFER) if subset.bit_count() == size))
    for size in range(OFFER + 1)
)


@kernel
def _shuffle_places(s: State, begin: int, end: int, log: Log) -> None:
    """Put the tickets from place `begin` to `end` into the order of the tape, or a random one."""
    for place in range(begin, end):
        outcome = next_outcome(log)
        if outcome == NONE:
            other = place + choose(s.rng, end - place)
        else:
            other = place
            while other < end - 1 and s.ticket_deck[other % TICKETS] != outcome:
                other += 1
        a, b = place % TICKETS, other % TICKETS
        s.ticket_deck[a], s.ticket_deck[b] = s.ticket_deck[b], s.ticket_deck[a]


@kernel
def _show_offer(s: State, seat: int, log: Log) -> None:
    """Log the seat's open offer."""
    row = open_row(log, OFFERED, seat, 0, 0)
    if row > 0:
        log.rows[row, COUNT] = s.offered[seat]
        for i in range(s.offered[seat]):
            log.rows[row, ITEMS + i] = s.offer[seat, i]


@kernel
def block(book: Book, s: State, seat: int, stage: int) -> tuple[int, int]:
    """Return where a seat's regular and long tickets of one stage of the start lie in the deck."""
    regular, long = 0, int(book.tickets - book.long_tickets)
    for earlier in range(stage):
        regular += int(s.players * book.deal_regular[earlier])
        long += int(s.players * book.deal_long[earlier])
    return (
        regular + int(seat * book.deal_regular[stage]),
        long + int(seat * book.deal_long[stage]),
    )


@kernel
def deal_stage(book: Book, s: State, seat: int, stage: int, log: Log) -> None:
    """Put the tickets of one stage of the start before a seat, the long ones first."""
    regular, long = block(book, s, seat, stage)
    for i in range(book.deal_long[stage]):
        s.offer[seat, i] = s.ticket_deck[long + i]
    for i in range(book.deal_regular[stage]):
        s.offer[seat, book.deal_long[stage] + i] = s.ticket_deck[regular + i]
    s.stage[seat] = stage
    s.offered[seat] = book.deal_long[stage] + book.deal_regular[stage]
    _show_offer(s, seat, log)


@kernel
def deal_tickets(book: Book, s: State, log: Log) -> None:
    """Shuffle the tickets and put the first offer before every seat (R2.3)."""
    regular = book.tickets - book.long_tickets
    for i in range(regular):
        s.ticket_deck[i] = book.long_tickets + i
    for i in range(book.long_tickets):
        s.ticket_deck[regular + i] = i
    _shuffle_places(s, 0, regular, log)
    _shuffle_places(s, regular, book.tickets, log)
    s.ticket_left = regular
    for seat in range(s.players):
        deal_stage(book, s, seat, 0, log)


@kernel
def holds_long(book: Book, s: State, seat: int) -> bool:
    """Return whether the seat has kept a long ticket. (They are numbered first.)"""
    for word in range(TICKET_WORDS):
        if s.tickets[seat, word] & below(max(0, book.long_tickets - 64 * word)) != EMPTY:
            return True
    return False


@kernel
def keep_bounds(book: Book, s: State, seat: int) -> tuple[int, int]:
    """Return the fewest and the most tickets that may be kept of the open offer."""
    offered = int(s.offered[seat])
    if s.phase != START:
        return min(int(book.ticket_keep), offered), offered  # R8.2
    stage = s.stage[seat]
    fewest = int(book.deal_min[stage])
    if not holds_long(book, s, seat):
        fewest = int(book.deal_min_without_long[stage])  # R1.3
    return fewest, min(int(book.deal_max[stage]), offered)


@kernel
def keepable(book: Book, s: State, seat: int) -> Word:
    """Return the subsets of the open offer that may be kept."""
    fewest, most = keep_bounds(book, s, seat)
    subsets = EMPTY
    for size in range(fewest, most + 1):
        subsets |= _OF_SIZE[size]
    return subsets & below(1 << s.offered[seat])


@kernel
def draw_tickets(book: Book, s: State, seat: int, log: Log) -> None:
    """Offer the seat the top tickets of the deck, or what is left of it (R8.1)."""
    count = min(book.ticket_draw, s.ticket_left)
    for i in range(count):
        s.offer[seat, i] = s.ticket_deck[(s.ticket_head + i) % TICKETS]
    s.ticket_head = (s.ticket_head + count) % TICKETS
    s.ticket_left -= count
    s.offered[seat] = count
    _show_offer(s, seat, log)


@kernel
def _to_bottom(s: State, ticket: int) -> None:
    """Put a ticket at the bottom of the deck."""
    s.ticket_deck[(s.ticket_head + s.ticket_left) % TICKETS] = ticket
    s.ticket_left += 1


@kernel
def orders(count: int) -> int:
    """Return in how many orders `count` tickets can be given back."""
    result = 1
    for i in range(2, count + 1):
        result *= i
    return result


@kernel
def _strike_out(book: Book, s: State, ticket: int) -> None:
    """Mark the place of a ticket in the deck as GONE."""
    for place in range(book.tickets):
        if s.ticket_deck[place] == ticket:
            s.ticket_deck[place] = GONE
            return


@kernel
def keep(book: Book, s: State, seat: int, subset: int, order: int, log: Log) -> None:
    """Answer the open offer. In a turn the others go to the bottom, in the order of that rank."""
    offered = s.offered[seat]
    row = open_row(log, KEPT, seat, 0, 0)
    written = ITEMS
    for i in range(offered):
        if has(uint64(subset), i):
            ticket = s.offer[seat, i]
            insert(s.tickets[seat], ticket)
            s.ticket_count[seat] += 1
            if s.phase == START:
                _strike_out(book, s, ticket)
            if row > 0:
                log.rows[row, written] = ticket
            written += 1
    kept = written - ITEMS
    left = ~uint64(subset) & below(offered)
    for remaining in range(offered - kept, 0, -1):
        rank = order // orders(remaining - 1)
        order %= orders(remaining - 1)
        chosen = 0
        while rank > 0 or not has(left, chosen):
            if has(left, chosen):
                rank -= 1
            chosen += 1
        left &= ~single(chosen)
        ticket = s.offer[seat, chosen]
        if s.phase != START:
            _to_bottom(s, ticket)
        elif (
            book.long_not_kept if ticket < book.long_tickets else book.regular_not_kept
        ) != BOTTOM:
            _strike_out(book, s, ticket)
        if row > 0:
            log.rows[row, written] = ticket
        written += 1
    if row > 0:
        log.rows[row, COUNT] = kept
        log.rows[row, COUNT_2] = offered - kept
    s.offered[seat] = 0
    if s.phase == START and s.stage[seat] + 1 < book.deals:
        deal_stage(book, s, seat, s.stage[seat] + 1, log)


@kernel
def start_is_over(s: State) -> bool:
    """Return whether every seat has answered its offers."""
    for seat in range(s.players):
        if s.offered[seat] > 0:
            return False
    return True


@kernel
def form_ticket_deck(book: Book, s: State, log: Log) -> None:
    """Make the deck of the undealt regular tickets, with those given back shuffled below them."""
    regular = book.tickets - book.long_tickets
    dealt, dealt_long = 0, 0
    for stage in range(book.deals):
        dealt += s.players * book.deal_regular[stage]
        dealt_long += s.players * book.deal_long[stage]
    # Long tickets that were never dealt leave unseen (R1.2): their places are free.
    end = regular
    for place in range(regular, regular + dealt_long):
        if s.ticket_deck[place] != GONE:
            s.ticket_deck[end] = s.ticket_deck[place]
            end += 1
    for place in range(dealt):
        if s.ticket_deck[place] != GONE:
            s.ticket_deck[end % TICKETS] = s.ticket_deck[place]
            end += 1
    s.ticket_head = dealt
    s.ticket_left = end - dealt
    _shuffle_places(s, regular, end, log)
