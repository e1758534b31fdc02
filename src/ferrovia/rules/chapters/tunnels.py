"""Chapter 7: tunnels. Cards are laid, three are turned up, and more may be due."""

from ferrovia.kernel import kernel
from ferrovia.rules.chapters.cards import discard, draw_card, spend
from ferrovia.rules.chapters.claims import own
from ferrovia.rules.chapters.payments import pay, with_color
from ferrovia.rules.state.bits import EMPTY
from ferrovia.rules.state.layout import KINDS, LOCOMOTIVE, NONE, TUNNEL, Book, State, Word
from ferrovia.rules.state.log import COUNT, ITEMS, REVEAL, WITHDRAW, Log, open_row

TURNED_UP = 3


@kernel
def attempt(
    book: Book,
    s: State,
    seat: int,
    route: int,
    color: int,
    colored: int,
    locomotives: int,
    log: Log,
) -> None:
    """Lay cards for a tunnel and turn up three (R7.1); claim it when nothing more is due (R7.8)."""
    if colored > 0:
        spend(s, seat, color, colored)
    spend(s, seat, LOCOMOTIVE, locomotives)
    s.laid_color = color
    s.laid = colored
    s.laid_locomotives = locomotives
    s.pending = route
    first, second, third = draw_card(s, log), draw_card(s, log), draw_card(s, log)  # R7.6
    turned_up = 0
    for card in (first, second, third):
        if card != NONE:
            turned_up += 1
            s.revealed[card] += 1
    extra = int(s.revealed[LOCOMOTIVE])  # R7.3
    if colored > 0:
        extra += int(s.revealed[color])  # R7.2
    s.extra = extra
    row = open_row(log, REVEAL, seat, route, extra)
    if row > 0:
        log.rows[row, COUNT] = turned_up
        log.rows[row, ITEMS] = color
        log.rows[row, ITEMS + 1] = colored
        log.rows[row, ITEMS + 2] = locomotives
        log.rows[row, ITEMS + 3] = first
        log.rows[row, ITEMS + 4] = second
        log.rows[row, ITEMS + 5] = third
    if extra == 0:
        complete(book, s, seat, 0, 0, log)
    else:
        s.phase = TUNNEL


@kernel
def ways_to_pay_extra(s: State, seat: int) -> Word:
    """Return the payments of the extra cards that use the laid colour."""
    if s.laid == 0:
        return EMPTY
    return with_color(s, seat, s.laid_color, s.extra, 0)


@kernel
def complete(book: Book, s: State, seat: int, colored: int, locomotives: int, log: Log) -> None:
    """Pay the extra cards and claim the tunnel. They take no trains and score nothing (R7.7)."""
    color, route = s.laid_color, s.pending
    pay(s, seat, color, colored, locomotives)
    colored += s.laid
    locomotives += s.laid_locomotives
    if s.laid > 0:
        discard(s, color, s.laid)
    discard(s, LOCOMOTIVE, s.laid_locomotives)
    s.laid = 0
    s.laid_locomotives = 0
    own(book, s, seat, route, color, colored, locomotives, log)


@kernel
def withdraw(s: State, seat: int, log: Log) -> None:
    """Put the laid cards back into the hand; everybody has seen them (R7.4)."""
    if s.laid > 0:
        s.hand[seat, s.laid_color] += s.laid
        s.known[seat, s.laid_color] += s.laid
    s.hand[seat, LOCOMOTIVE] += s.laid_locomotives
    s.known[seat, LOCOMOTIVE] += s.laid_locomotives
    s.hand_size[seat] += s.laid + s.laid_locomotives
    s.laid = 0
    s.laid_locomotives = 0
    open_row(log, WITHDRAW, seat, s.pending, 0)


@kernel
def clear_revealed(s: State) -> None:
    """Discard the turned-up cards at the end of the turn (R7.5)."""
    for card in range(KINDS):
        if s.revealed[card] > 0:
            discard(s, card, s.revealed[card])
            s.revealed[card] = 0
    s.extra = 0
