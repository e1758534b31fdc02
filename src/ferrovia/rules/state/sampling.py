"""Sampling a full state that agrees with a view: what the viewer cannot see is drawn at random."""

from ferrovia.kernel import kernel
from ferrovia.rules.chapters.tickets import block, deal_stage, keep, keepable
from ferrovia.rules.state.bits import EMPTY, has_member, insert, nth, popcount
from ferrovia.rules.state.chance import ALL_USED, BLOCK, COUNTER, KEY, USED, choose, next_word
from ferrovia.rules.state.layout import (
    EVERYTHING,
    GONE,
    KINDS,
    LOCOMOTIVE,
    NONE,
    PLACES,
    SEATS,
    START,
    TICKET_WORDS,
    TICKETS,
    Book,
    State,
    Words,
)
from ferrovia.rules.state.log import Log


@kernel
def take_card(s: State, size: int, rng: Words) -> int:
    """Take a card at random out of a deck, and return its kind."""
    left = choose(rng, size)
    card = 0
    while left >= s.deck[card]:
        left -= int(s.deck[card])
        card += 1
    s.deck[card] -= 1
    return card


@kernel
def _sample_hands(book: Book, s: State, rng: Words) -> None:
    """Deal all cards that the viewer has not seen to the other hands and the deck."""
    for card in range(KINDS):
        count = book.cards[card] - s.discards[card] - s.revealed[card]
        for seat in range(s.players):
            count -= s.hand[seat, card] if seat == s.viewer else s.known[seat, card]
        s.deck[card] = count
    for place in range(PLACES):
        if s.display[place] != NONE:
            s.deck[s.display[place]] -= 1
    s.deck[s.laid_color] -= s.laid
    s.deck[LOCOMOTIVE] -= s.laid_locomotives
    unseen = 0
    for card in range(KINDS):
        unseen += int(s.deck[card])
    for seat in range(s.players):
        if seat == s.viewer:
            continue
        missing = int(s.hand_size[seat])
        for card in range(KINDS):
            s.hand[seat, card] = s.known[seat, card]
            missing -= int(s.known[seat, card])
        for _ in range(missing):
            s.hand[seat, take_card(s, unseen, rng)] += 1
            unseen -= 1


@kernel
def _seen(s: State, ticket: int) -> bool:
    """Return whether the viewer holds the ticket or has it on offer."""
    if s.viewer >= SEATS:
        return False
    if has_member(s.tickets[s.viewer], ticket):
        return True
    for i in range(s.offered[s.viewer]):
        if s.offer[s.viewer, i] == ticket:
            return True
    return False


@kernel
def _gather_unseen(s: State, first: int, end: int, at: int, size: int, rng: Words) -> int:
    """Write the unseen tickets of a range into the deck in random order, and return their end.

    They stand `at` + `size` places below its top.
    """
    count = size
    for ticket in range(first, end):
        if not _seen(s, ticket):
            other = size + choose(rng, count - size + 1)
            here = (at + count) % TICKETS
            there = (at + other) % TICKETS
            s.ticket_deck[here] = s.ticket_deck[there]
            s.ticket_deck[there] = ticket
            count += 1
    return count


@kernel
def _long_capacity(book: Book, s: State, seat: int) -> int:
    """Return how many long tickets a seat can hold, by the deals of the start and its tickets."""
    most = 0
    for stage in range(book.deals):
        most += int(min(book.deal_long[stage], book.deal_max[stage]))
    return min(most, int(s.ticket_count[seat]))


@kernel
def _sample_tickets(book: Book, s: State, rng: Words) -> None:
    """Deal the unseen tickets to the other seats; the rest of the regular ones is the deck."""
    top = int(s.ticket_head)
    regular = _gather_unseen(s, book.long_tickets, book.tickets, top, 0, rng)
    longs_end = _gather_unseen(s, 0, book.long_tickets, top, regular, rng)
    long_at = regular
    needed = int(s.ticket_left) - regular
    room = 0
    for seat in range(s.players):
        if seat != s.viewer:
            needed += int(s.ticket_count[seat]) + int(s.offered[seat])
            room += _long_capacity(book, s, seat)
    for seat in range(s.players):
        if seat == s.viewer:
            continue
        capacity = _long_capacity(book, s, seat)
        room -= capacity
        longs = 0
        while longs < capacity and long_at < longs_end:
            # A long ticket that can be held is held with probability 1/2, or because there
            # are too few regular ones.
            if needed <= room + capacity - longs - 1 and choose(rng, 2) == 0:
                capacity -= 1
                continue
            insert(s.tickets[seat], s.ticket_deck[(top + long_at) % TICKETS])
            long_at += 1
            longs += 1
            needed -= 1
        for _ in range(s.ticket_count[seat] - longs):
            regular -= 1
            insert(s.tickets[seat], s.ticket_deck[(top + regular) % TICKETS])
        for i in range(s.offered[seat]):
            regular -= 1
            s.offer[seat, i] = s.ticket_deck[(top + regular) % TICKETS]


@kernel
def _viewers_place(book: Book, s: State, place: int) -> bool:
    """Return whether a place of the ticket deck was dealt to the viewer at the start."""
    if s.viewer >= SEATS:
        return False
    for stage in range(s.stage[s.viewer] + 1):
        regular, long = block(book, s, s.viewer, stage)
        if regular <= place < regular + book.deal_regular[stage]:
            return True
        if long <= place < long + book.deal_long[stage]:
            return True
    return False


@kernel
def _fill_places(book: Book, s: State, begin: int, end: int, first_ticket: int, rng: Words) -> None:
    """Put unseen tickets of one kind into all places of that kind except the viewer's."""
    unseen, free = 0, 0
    for i in range(end - begin):
        if not _seen(s, first_ticket + i):
            unseen += 1
        if not _viewers_place(book, s, begin + i):
            free += 1
    place = begin
    for ticket in range(first_ticket, first_ticket + end - begin):
        if _seen(s, ticket):
            continue
        # More may be unseen than there are places: a view does not have what the viewer gave back.
        if choose(rng, unseen) < free:
            while _viewers_place(book, s, place):
                place += 1
            s.ticket_deck[place] = ticket
            place += 1
            free -= 1
        unseen -= 1
    for place in range(begin, end):
        if not _viewers_place(book, s, place):
            other = place + choose(rng, end - place)
            while _viewers_place(book, s, other):
                other = place + choose(rng, end - place)
            ticket = s.ticket_deck[place]
            s.ticket_deck[place] = s.ticket_deck[other]
            s.ticket_deck[other] = ticket


@kernel
def _sample_start(book: Book, s: State, rng: Words, log: Log) -> None:
    """Deal the tickets again around the viewer's, and let seats that have answered choose."""
    regular = int(book.tickets - book.long_tickets)
    for place in range(book.tickets):
        s.ticket_deck[place] = GONE
    _fill_places(book, s, 0, regular, book.long_tickets, rng)
    _fill_places(book, s, regular, book.tickets, 0, rng)
    if s.viewer < SEATS and s.offered[s.viewer] > 0:
        stage = s.stage[s.viewer]
        at, at_long = block(book, s, s.viewer, stage)
        for i in range(s.offered[s.viewer]):
            if i < book.deal_long[stage]:
                s.ticket_deck[at_long + i] = s.offer[s.viewer, i]
            else:
                s.ticket_deck[at + i - book.deal_long[stage]] = s.offer[s.viewer, i]
    for seat in range(s.players):
        if seat == s.viewer:
            continue
        awaited = s.offered[seat] > 0
        deal_stage(book, s, seat, 0, log)
        while not awaited and s.offered[seat] > 0:
            subsets = keepable(book, s, seat)
            keep(book, s, seat, nth(subsets, choose(rng, popcount(subsets))), 0, log)


@kernel
def sample_state(book: Book, s: State, rng: Words, log: Log) -> None:
    """Turn a view into a full state: hidden cards, tickets, and a future of its own."""
    for i in range(KEY, COUNTER):
        s.rng[i] = next_word(rng)
    for i in range(COUNTER, BLOCK):
        s.rng[i] = 0
    s.rng[USED] = ALL_USED
    for seat in range(s.players):
        if seat != s.viewer:
            for word in range(TICKET_WORDS):
                s.tickets[seat, word] = EMPTY
    _sample_hands(book, s, rng)
    if s.phase == START:
        _sample_start(book, s, rng, log)
    else:
        _sample_tickets(book, s, rng)
    s.viewer = EVERYTHING
