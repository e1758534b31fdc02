"""Why an action is not legal: a number that the game layer turns into words and a rule."""

from ferrovia.kernel import kernel
from ferrovia.rules.chapters.actions import (
    DRAW_BLIND,
    DRAW_TICKETS,
    PASS_TURN,
    PAYMENT,
    ROUTE,
    TAKE,
)
from ferrovia.rules.chapters.cards import cards_left, place_of
from ferrovia.rules.chapters.menu import allows, may_act, menu
from ferrovia.rules.chapters.stations import built
from ferrovia.rules.chapters.tickets import keep_bounds, orders
from ferrovia.rules.state.bits import EMPTY, has_member, single
from ferrovia.rules.state.layout import (
    KEEP,
    LOCOMOTIVE,
    NONE,
    OFFER,
    OVER,
    PAY,
    SECOND,
    START,
    TUNNEL,
    Book,
    State,
)

(
    FINE,
    NO_SUCH_ACTION,
    GAME_IS_OVER,
    NOT_YOUR_TURN,
    TICKETS_FIRST,
    OFFER_FIRST,
    NO_OFFER,
    KEEP_MORE_AT_START,
    KEEP_MORE,
    KEEP_FEWER,
    NOT_OFFERED,
    NO_CARDS_LEFT,
    NOT_FACE_UP,
    LOCOMOTIVE_SECOND,
    SECOND_CARD_FIRST,
    NO_TICKETS_LEFT,
    ROUTE_CLAIMED,
    OWN_DOUBLE,
    CLOSED_DOUBLE,
    TOO_FEW_TRAINS,
    TOO_FEW_CARDS,
    FERRY_LOCOMOTIVES,
    WRONG_PAYMENT,
    PAYMENT_FIRST,
    NOTHING_TO_PAY,
    TUNNEL_FIRST,
    WRONG_EXTRA,
    NO_STATIONS_LEFT,
    CITY_OCCUPIED,
    STATION_CARDS,
    MAY_NOT_PASS,
) = range(31)


@kernel
def _claimed(s: State, route: int) -> bool:
    for seat in range(s.players):
        if has_member(s.routes[seat], route):
            return True
    return False


@kernel
def _why_no_claim(book: Book, s: State, seat: int, route: int) -> int:
    if _claimed(s, route):
        return ROUTE_CLAIMED
    if not has_member(s.open[seat], route):
        return OWN_DOUBLE if has_member(s.routes[seat], book.twin[route]) else CLOSED_DOUBLE
    if s.trains[seat] < book.length[route]:
        return TOO_FEW_TRAINS
    if s.hand[seat, LOCOMOTIVE] < book.ferry[route]:
        return FERRY_LOCOMOTIVES
    return TOO_FEW_CARDS


@kernel
def _why_no_station(book: Book, s: State, seat: int, city: int) -> int:
    if built(s, seat) >= book.stations:
        return NO_STATIONS_LEFT
    if s.stationed & single(city) != EMPTY:
        return CITY_OCCUPIED
    return STATION_CARDS


@kernel
def _why_no_keep(book: Book, s: State, seat: int, action: int) -> int:
    base = book.actions if action >= book.actions else book.first_keep
    subset = (action - base) & ((1 << book.max_offer) - 1)
    count, fewest_and_most = 0, keep_bounds(book, s, seat)
    for i in range(book.max_offer):
        if (subset >> i) & 1:
            if i >= s.offered[seat]:
                return NOT_OFFERED
            count += 1
    if count < fewest_and_most[0]:
        return KEEP_MORE_AT_START if s.phase == START else KEEP_MORE
    if count > fewest_and_most[1]:
        return KEEP_FEWER
    return NO_SUCH_ACTION  # no such order of the tickets given back


@kernel
def _why_no_card(s: State, action: int) -> int:
    if not cards_left(s):
        return NO_CARDS_LEFT
    if action != DRAW_BLIND and place_of(s, action - TAKE) == NONE:
        return NOT_FACE_UP
    return LOCOMOTIVE_SECOND


@kernel
def _reason(book: Book, s: State, seat: int, action: int) -> int:
    """Return the first rule in the way of an action that is not on the menu."""
    if action < 0 or action >= book.actions + orders(OFFER) * (1 << book.max_offer):
        return NO_SUCH_ACTION
    if s.phase == OVER:
        return GAME_IS_OVER
    if s.phase == START and action < book.first_keep:
        return TICKETS_FIRST
    if not may_act(s, seat):
        return NO_OFFER if s.phase == START else NOT_YOUR_TURN
    if action >= book.first_keep:
        return _why_no_keep(book, s, seat, action) if s.offered[seat] > 0 else NO_OFFER
    if s.phase == KEEP:
        return OFFER_FIRST
    if s.phase == PAY:
        return WRONG_PAYMENT if PAYMENT - 1 <= action < ROUTE else PAYMENT_FIRST
    if s.phase == TUNNEL:
        return WRONG_EXTRA if PAYMENT - 1 <= action < ROUTE else TUNNEL_FIRST
    if action < DRAW_TICKETS:
        return _why_no_card(s, action)
    if s.phase == SECOND:
        return SECOND_CARD_FIRST
    if action == DRAW_TICKETS:
        return NO_TICKETS_LEFT
    if action == PASS_TURN:
        return MAY_NOT_PASS
    if action < ROUTE:
        return NOTHING_TO_PAY
    if action < book.first_city:
        return _why_no_claim(book, s, seat, action - ROUTE)
    return _why_no_station(book, s, seat, action - book.first_city)


@kernel
def why_not(book: Book, s: State, seat: int, action: int) -> int:
    """Return FINE for a legal action of the seat, else the reason why it is not legal."""
    if seat < 0 or seat >= s.players:
        return NOT_YOUR_TURN
    if allows(book, s, menu(book, s, seat), action):
        return FINE
    return _reason(book, s, seat, action)
