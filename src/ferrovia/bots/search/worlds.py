"""Worlds: full states that agree with a view; those that explain what was claimed are likelier.

Cards are remembered exactly: what is known to be in a hand is there, all else unseen is dealt at
random. Which tickets the others hold is guessed from their routes.
"""

from ferrovia.bots.kernel.paths import find_ways
from ferrovia.bots.kernel.scratch import Plan
from ferrovia.bots.search.exponential import exp
from ferrovia.bots.search.workspace import Numbers, Workspace
from ferrovia.kernel import kernel, record, uint32
from ferrovia.rules.state.bits import EMPTY, has_member, insert, next_member, remove
from ferrovia.rules.state.chance import STREAM, next_word, seed_generator
from ferrovia.rules.state.layout import (
    ROUTE_WORDS,
    START,
    STATE,
    TICKET_WORDS,
    TICKETS,
    Book,
    State,
    Words,
)
from ferrovia.rules.state.log import NO_LOG
from ferrovia.rules.state.sampling import sample_state
from ferrovia.rules.state.visibility import copy_whole

# How likely a ticket is held, measured on games of greedy (USA classic): the odds grow with the
# part of its way that is built, are much higher when it is complete, lower when it is lost.
BUILT = 4.0  # as a power of e
COMPLETE = 4.0
LOST = 0.1


@kernel
def _costs(book: Book, s: State, seat: int, plan: Plan, out: Numbers) -> None:
    """Write the cost of the cheapest way of every ticket to a seat to `out`."""
    for ticket in range(book.tickets):
        goal = book.ticket_b[ticket]
        find_ways(book, s, seat, book.ticket_a[ticket], goal, plan)
        out[ticket] = plan.cost[goal]


@kernel
def fit_tickets(book: Book, view: Numbers, workspace: Workspace) -> None:
    """Write how well every ticket explains the routes of every other seat to `workspace.fit`."""
    copy_whole(view, workspace.state)
    s = record(workspace.state, STATE)
    viewer = s.viewer
    for seat in range(s.players):
        if seat != viewer:
            _costs(book, s, seat, workspace.plans[seat], workspace.fit[seat])
    for word in range(ROUTE_WORDS):
        s.routes[viewer, word] = EMPTY
        s.open[viewer, word] = book.all_routes[word]
    _costs(book, s, viewer, workspace.plans[viewer], workspace.fit[viewer])
    for seat in range(s.players):
        if seat != viewer:
            for ticket in range(book.tickets):
                cost, whole = workspace.fit[seat, ticket], workspace.fit[viewer, ticket]
                odds = exp(BUILT * max(0.0, 1.0 - cost / whole))
                if cost == 0:
                    odds *= COMPLETE
                elif cost > s.trains[seat]:
                    odds *= LOST
                workspace.fit[seat, ticket] = odds


@kernel
def _fraction(rng: Words) -> float:
    """Return a random number from 0 to 1, without 1."""
    return float(next_word(rng)) / 4294967296.0


@kernel
def _swap_regular(s: State, seat: int, ticket: int, fit: Numbers, rng: Words) -> None:
    """Let a seat hold the ticket, or one of the deck instead, by how well they fit."""
    total = fit[ticket]
    for i in range(s.ticket_left):
        total += fit[s.ticket_deck[(s.ticket_head + i) % TICKETS]]
    left = total * _fraction(rng) - fit[ticket]
    place = 0
    while left >= 0.0 and place < s.ticket_left:
        left -= fit[s.ticket_deck[(s.ticket_head + place) % TICKETS]]
        place += 1
    if place > 0:
        at = (s.ticket_head + place - 1) % TICKETS
        remove(s.tickets[seat], ticket)
        insert(s.tickets[seat], s.ticket_deck[at])
        s.ticket_deck[at] = ticket


@kernel
def _seen_or_held(s: State, viewer: int, ticket: int) -> bool:
    """Return whether the world has given the ticket to a seat, or the viewer has it on offer."""
    for seat in range(s.players):
        if has_member(s.tickets[seat], ticket):
            return True
    for i in range(s.offered[viewer]):
        if s.offer[viewer, i] == ticket:
            return True
    return False


@kernel
def _swap_long(
    book: Book, s: State, viewer: int, seat: int, ticket: int, fit: Numbers, rng: Words
) -> None:
    """Do the same for a long ticket and those that nobody holds."""
    total = fit[ticket]
    for other in range(book.long_tickets):
        if not _seen_or_held(s, viewer, other):
            total += fit[other]
    left = total * _fraction(rng) - fit[ticket]
    chosen = ticket
    for other in range(book.long_tickets):
        if left >= 0.0 and not _seen_or_held(s, viewer, other):
            left -= fit[other]
            chosen = other
    remove(s.tickets[seat], ticket)
    insert(s.tickets[seat], chosen)


@kernel
def sample_world(book: Book, view: Numbers, number: int, workspace: Workspace) -> None:
    """Write world `number` of this view to `workspace.world`; it is always the same."""
    copy_whole(view, workspace.world)
    s = record(workspace.world, STATE)
    viewer = s.viewer
    seed_generator(workspace.rng, workspace.seed, number)
    # Other decisions are given other worlds.
    workspace.rng[STREAM + 1] = uint32(1 + viewer + 8 * (s.phase + 8 * s.turns))
    sample_state(book, s, workspace.rng, NO_LOG)
    if s.phase == START:
        return
    for seat in range(s.players):
        if seat == viewer:
            continue
        for word in range(TICKET_WORDS):
            held = s.tickets[seat, word]
            while held != EMPTY:
                ticket, held = next_member(held, 64 * word)
                if ticket < book.long_tickets:
                    _swap_long(book, s, viewer, seat, ticket, workspace.fit[seat], workspace.rng)
                else:
                    _swap_regular(s, seat, ticket, workspace.fit[seat], workspace.rng)
