"""Chapter 3: the turn, from the start of the game to its end (R10.2)."""

from ferrovia.kernel import kernel
from ferrovia.rules.chapters.actions import (
    DRAW_BLIND,
    DRAW_TICKETS,
    ONLY_LOCOMOTIVES,
    PASS_TURN,
    PAYMENT,
    ROUTE,
    TAKE,
    WITHDRAW_CARDS,
)
from ferrovia.rules.chapters.cards import (
    cards_left,
    deal_hands,
    settle_display,
    take_blind,
    take_face_up,
)
from ferrovia.rules.chapters.claims import open_all_routes, own
from ferrovia.rules.chapters.menu import price_of, ways_to_pay_for
from ferrovia.rules.chapters.payments import pay
from ferrovia.rules.chapters.stations import build
from ferrovia.rules.chapters.tickets import (
    deal_tickets,
    draw_tickets,
    form_ticket_deck,
    keep,
    start_is_over,
)
from ferrovia.rules.chapters.tunnels import attempt, clear_revealed, complete, withdraw
from ferrovia.rules.state.bits import EMPTY, lowest, popcount
from ferrovia.rules.state.chance import choose, seed_generator
from ferrovia.rules.state.layout import (
    EVERYTHING,
    KEEP,
    LENGTH,
    LOCOMOTIVE,
    NONE,
    OVER,
    PAY,
    ROUTES,
    SEATS,
    SECOND,
    START,
    STATIONS,
    TUNNEL,
    TURN,
    Book,
    State,
    Words,
)
from ferrovia.rules.state.log import LAST_ROUND, PASS, Log, open_row

LAST_ROUND_TRAINS = 2


@kernel
def start(book: Book, s: State, seed: Words, players: int, first: int, log: Log) -> None:
    """Set up a game (chapter 2). The state must be all zero; with `first` NONE, chance decides."""
    s.viewer = EVERYTHING
    s.players = players
    s.phase = START
    s.turns_left = NONE
    s.pending = NONE
    seed_generator(s.rng, seed, 0)
    lot = choose(s.rng, players)  # drawn in any case, so that the cards do not depend on `first`
    s.first = lot if first == NONE else first  # R2.4
    s.seat = s.first
    for seat in range(players):
        s.trains[seat] = book.trains
    for seat in range(SEATS):
        for i in range(STATIONS):
            s.stations[seat, i] = NONE
    open_all_routes(book, s)
    deal_hands(book, s, log)
    deal_tickets(book, s, log)


@kernel
def end_turn(s: State, log: Log) -> None:
    """Clear the table, announce the last round (R10.2), and go on to the next seat (R2.4)."""
    clear_revealed(s)
    settle_display(s, log)
    s.pending = NONE
    if s.turns_left > 0:
        s.turns_left -= 1
    elif s.trains[s.seat] <= LAST_ROUND_TRAINS:
        s.turns_left = s.players
        open_row(log, LAST_ROUND, s.seat, 0, 0)
    if s.turns_left == 0 or s.passes == s.players:  # R3.3
        s.phase = OVER
        return
    s.seat = (s.seat + 1) % s.players
    s.phase = TURN
    s.turns += 1


@kernel
def _drawn(s: State, first: bool, log: Log) -> None:
    """After a card: let the seat take a second one if it may (R4.1, R4.9), else end the turn."""
    if first and cards_left(s):
        s.phase = SECOND
    else:
        end_turn(s, log)


@kernel
def _pay_pending(
    book: Book, s: State, seat: int, color: int, colored: int, locomotives: int, log: Log
) -> None:
    """Pay for the pending route or station and take it; a tunnel may ask for more first."""
    s.passes = 0
    target = s.pending
    if target >= ROUTES:
        build(s, seat, target - ROUTES, color, colored, locomotives, log)
        end_turn(s, log)
    elif book.tunnel[target]:
        attempt(book, s, seat, target, color, colored, locomotives, log)
        if s.phase != TUNNEL:
            end_turn(s, log)
    else:
        pay(s, seat, color, colored, locomotives)
        own(book, s, seat, target, color, colored, locomotives, log)
        end_turn(s, log)


@kernel
def _answer_payment(book: Book, s: State, seat: int, action: int, log: Log) -> None:
    """Carry out a payment: for what is pending, or for the extra cards of a tunnel."""
    in_tunnel = s.phase == TUNNEL
    cards = int(s.extra) if in_tunnel else price_of(book, s, seat, s.pending)[1]
    if action == ONLY_LOCOMOTIVES:
        color, locomotives = LOCOMOTIVE, cards
    else:
        color, locomotives = (action - PAYMENT) // LENGTH, (action - PAYMENT) % LENGTH
    if in_tunnel:
        complete(book, s, seat, cards - locomotives, locomotives, log)
        end_turn(s, log)
    else:
        _pay_pending(book, s, seat, color, cards - locomotives, locomotives, log)


@kernel
def _choose_target(book: Book, s: State, seat: int, target: int, log: Log) -> None:
    """Choose a route or a city: ask how to pay for it, unless there is one way only."""
    s.pending = target
    basic, ways = ways_to_pay_for(book, s, seat, target)
    s.phase = PAY
    if popcount(basic) + popcount(ways) == 1:
        only_way = ONLY_LOCOMOTIVES if ways == EMPTY else PAYMENT + lowest(ways)
        _answer_payment(book, s, seat, only_way, log)


@kernel
def _answer_offer(book: Book, s: State, seat: int, action: int, log: Log) -> None:
    """Carry out a keep; after the last one of the start the turns begin."""
    subsets = 1 << book.max_offer
    if action >= book.actions:
        subset = (action - book.actions) % subsets
        order = (action - book.actions) // subsets + 1
    else:
        subset = action - book.first_keep
        order = 0
    keep(book, s, seat, subset, order, log)
    if s.phase == KEEP:
        end_turn(s, log)
    elif start_is_over(s):
        form_ticket_deck(book, s, log)
        s.phase = TURN
        s.turns = 1


@kernel
def play(book: Book, s: State, seat: int, action: int, log: Log) -> None:
    """Carry out a legal action. It is not checked here: see `apply` in calls.py."""
    if action >= book.first_keep:
        _answer_offer(book, s, seat, action, log)
    elif s.phase == PAY or (s.phase == TUNNEL and action != WITHDRAW_CARDS):
        _answer_payment(book, s, seat, action, log)
    elif s.phase == TUNNEL:
        withdraw(s, seat, log)
        end_turn(s, log)
    elif action == PASS_TURN:
        s.passes += 1
        open_row(log, PASS, seat, 0, 0)
        end_turn(s, log)
    elif action == DRAW_BLIND:
        first = s.phase == TURN
        s.passes = 0
        take_blind(s, seat, log)
        _drawn(s, first, log)
    elif action < DRAW_TICKETS:
        card = action - TAKE
        first = s.phase == TURN and card != LOCOMOTIVE  # R4.3
        s.passes = 0
        take_face_up(s, seat, card, log)
        _drawn(s, first, log)
    elif action == DRAW_TICKETS:
        s.passes = 0
        draw_tickets(book, s, seat, log)
        s.phase = KEEP
    elif action >= book.first_city:
        _choose_target(book, s, seat, ROUTES + action - book.first_city, log)
    else:
        _choose_target(book, s, seat, action - ROUTE, log)
