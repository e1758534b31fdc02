"""Actions as codes, the numbers of the kernel's small decisions, and back.

`codes_of` and `action_of` are the two ways, `action_behind` is the way back from what happened; the
rest are their parts, for callers that translate many actions at once. A `state` may also be the
seat's own view.
"""

from array import array
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from math import factorial

from ferrovia.boards import COLORS
from ferrovia.game import actions
from ferrovia.game.codec.events import row_of
from ferrovia.game.codec.fields import EXTRA_AT, OFFERED_AT, PHASE_AT
from ferrovia.game.codec.lexicon import LOCOMOTIVE_CARD, Lexicon
from ferrovia.game.errors import REASONS, IllegalAction, InvalidAction, illegal
from ferrovia.game.events import Event
from ferrovia.kernel import Buffer, Ints
from ferrovia.rules import calls
from ferrovia.rules.chapters import actions as codes
from ferrovia.rules.chapters import breaches
from ferrovia.rules.state.layout import LENGTH, PAY, ROUTES, START, STATE, TUNNEL

_LISTED = bytes(2 << 10)  # room for more than any menu has, or ways to pay for anything


def codes_of(
    lexicon: Lexicon, state: Buffer, seat: int, action: actions.Action, *, listed: bool = False
) -> tuple[int, ...]:
    """Return the codes of an action: one, or two where how to pay is a choice.

    With `listed` they are such as `legal_codes` lists: tickets go back in the order drawn. Raises
    IllegalAction or InvalidAction for an action that has no codes; whether each may be carried out
    is for the kernel to say.
    """
    match action:
        case actions.KeepTickets():
            offered = state[OFFERED_AT + seat]
            if offered == 0:
                return (lexicon.first_keep,)
            code = keep_code(lexicon, action, offered)
            if listed or state[PHASE_AT] == START:  # where tickets given back are shuffled together
                code = keep_code(lexicon, actions.KeepTickets(action.numbers), offered)
            return (code,)
        case actions.PayTunnel(cards):
            asked = state[EXTRA_AT] if state[PHASE_AT] == TUNNEL else len(cards)
            return (payment_code(cards, asked, "R7.2"),)
        case actions.ClaimRoute(_, cards) | actions.BuildStation(_, cards):
            return _with_payment(lexicon, state, seat, plain_code(lexicon, action), cards)
        case _:
            return (plain_code(lexicon, action),)


def _with_payment(
    lexicon: Lexicon, state: Buffer, seat: int, code: int, cards: tuple[str, ...]
) -> tuple[int, ...]:
    for card in cards:
        actions.known_card(card)
    chosen = target(lexicon, code)
    assert chosen is not None
    breach = calls.explain(lexicon.book, state, seat, code)
    if breach != breaches.FINE:
        raise illegal(breach)
    rule = "R5.1" if chosen < ROUTES else "R9.2"
    payment = payment_code(cards, price(lexicon, state, seat, chosen), rule)
    ways = ways_to_pay(lexicon, state, seat, chosen)
    if payment not in ways:
        raise _wrong_payment(lexicon, chosen, cards)
    return (code, payment) if len(ways) > 1 else (code,)


def _wrong_payment(lexicon: Lexicon, chosen: int, cards: tuple[str, ...]) -> IllegalAction:
    """Return why a route or station that can be paid cannot be paid with these cards."""
    ferry = lexicon.prices[chosen][2] if chosen < ROUTES else 0
    if cards.count(LOCOMOTIVE_CARD) < ferry:
        count = "one locomotive" if ferry == 1 else f"{ferry} locomotives"
        message = f"this ferry takes at least {count}"
        return IllegalAction("ferry_payment", "R6.1", message)
    reason, rule, message = REASONS[breaches.WRONG_PAYMENT]
    return IllegalAction(reason, rule if chosen < ROUTES else "R9.2", message)


def action_of(
    lexicon: Lexicon, state: Buffer, seat: int, code: int, payment: int | None = None
) -> actions.Action:
    """Return the action of a decision that can be made in a state, paid with `payment`.

    A claim or a station without a payment has no cards. Where the state asks how to pay for one,
    `code` is that payment.
    """
    if codes.ONLY_LOCOMOTIVES <= code < codes.ROUTE and state[PHASE_AT] == PAY:
        chosen: int | None = STATE.of(state).pending
        payment = code
    else:
        chosen = target(lexicon, code)
    if chosen is None:
        return plain_action(lexicon, code, state[EXTRA_AT], state[OFFERED_AT + seat])
    cards = (
        () if payment is None else cards_of_payment(payment, price(lexicon, state, seat, chosen))
    )
    return paid_action(lexicon, chosen, cards)


def action_behind(lexicon: Lexicon, state: Buffer, seat: int, event: Event) -> actions.Action:
    """Return the action of a seat that led from a full state to an event that `decides`."""
    row = array("h", row_of(lexicon, event))
    code, payment = calls.decision_of(lexicon.book, state, seat, row)
    return action_of(lexicon, state, seat, code, payment)


def legal_codes(lexicon: Lexicon, state: Buffer, seat: int) -> Ints:
    """Return the legal decisions of a seat, ascending; none if no decision of it is awaited."""
    out = array("h", _LISTED)
    return out[: calls.legal(lexicon.book, state, seat, out)]


def ways_to_pay(lexicon: Lexicon, state: Buffer, seat: int, target: int) -> Ints:
    """Return all ways to pay for a route, or for ROUTES + a city, that the seat may choose now.

    Where there is one, the kernel asks for no decision.
    """
    out = array("h", _LISTED)
    return out[: calls.payments(lexicon.book, state, seat, target, out)]


def payment_code(cards: Sequence[str], needed: int, rule: str) -> int:
    """Return the code of a payment: `needed` cards of one colour, else IllegalAction; `rule` asks
    for it: R5.1 for a route, R7.2 for what a tunnel costs besides, R9.2 for a station.
    """
    counts = Counter(map(actions.known_card, cards))
    locomotives = counts.pop(LOCOMOTIVE_CARD, 0)
    if len(counts) > 1:
        raise IllegalAction("one_color", rule, "cards of one colour only, and locomotives")
    if len(cards) != needed:
        asked = "one card is" if needed == 1 else f"{needed} cards are"
        raise IllegalAction("wrong_number", rule, f"{asked} needed")
    if not counts:
        return codes.ONLY_LOCOMOTIVES
    color = COLORS.index(next(iter(counts)))
    return codes.PAYMENT + color * LENGTH + locomotives


@cache
def cards_of_payment(code: int, needed: int) -> tuple[str, ...]:
    """Return the cards of a payment, those of the colour first."""
    if code == codes.ONLY_LOCOMOTIVES:
        return (LOCOMOTIVE_CARD,) * needed
    color, locomotives = divmod(code - codes.PAYMENT, LENGTH)
    return (COLORS[color],) * (needed - locomotives) + (LOCOMOTIVE_CARD,) * locomotives


@lru_cache(maxsize=1 << 12)
def texts_of_payments(ways: tuple[int, ...], needed: int) -> tuple[str, ...]:
    """Return the cards of payments as they stand in the text of an action."""
    payments = (cards_of_payment(way, needed) for way in ways)
    return tuple("".join(f" {card}" for card in cards) for cards in payments)


@lru_cache(maxsize=1 << 14)
def text_of_target(lexicon: Lexicon, target: int) -> str:
    """Return the text of a claim or station without its cards."""
    return str(paid_action(lexicon, target, ()))


def keep_code(lexicon: Lexicon, action: actions.KeepTickets, offered: int) -> int:
    """Return the code of a choice among `offered` tickets, with the order of those given back."""
    if len(set(action.numbers)) < len(action.numbers):
        raise InvalidAction("a ticket is named twice")
    for number in (*action.numbers, *action.back):
        if not 1 <= number <= offered:
            raise illegal(breaches.NOT_OFFERED)
    subset = sum(1 << (number - 1) for number in action.numbers)
    left = [n for n in range(1, offered + 1) if n not in action.numbers]
    if action.back and sorted(action.back) != left:
        raise InvalidAction("name all tickets that you give back after 'back', and no others")
    order = 0
    for number in action.back:
        order = order * len(left) + left.index(number)
        left.remove(number)
    return int(calls.keep_action(lexicon.book, subset, order))


def plain_code(lexicon: Lexicon, action: actions.Action) -> int:
    """Return the first decision of an action; a claim and a station have their payment after it."""
    match action:
        case actions.DrawCard():
            return codes.DRAW_BLIND
        case actions.TakeCard(card):
            return codes.TAKE + COLORS.index(actions.known_card(card))
        case actions.DrawTickets():
            return codes.DRAW_TICKETS
        case actions.Pass():
            return codes.PASS_TURN
        case actions.WithdrawTunnel():
            return codes.WITHDRAW_CARDS
        case actions.ClaimRoute(route):
            return codes.ROUTE + lexicon.route(route)
        case actions.BuildStation(city):
            return lexicon.first_city + lexicon.city(city)
    raise InvalidAction(f"'{action}' is not an action of one decision")


def target(lexicon: Lexicon, code: int) -> int | None:
    """Return the route, or ROUTES + city, of a decision that is followed by its payment."""
    if codes.ROUTE <= code < lexicon.first_city:
        return code - codes.ROUTE
    if lexicon.first_city <= code < lexicon.first_keep:
        return ROUTES + code - lexicon.first_city
    return None


def plain_action(lexicon: Lexicon, code: int, extra: int = 0, offered: int = 0) -> actions.Action:
    """Return the action of a decision that has no payment after it.

    A tunnel asks for `extra` cards. With `offered` tickets, those given back may have an order.
    """
    if code == codes.DRAW_BLIND:
        return actions.DrawCard()
    if code < codes.DRAW_TICKETS:
        return actions.TakeCard(COLORS[code - codes.TAKE])
    if code == codes.DRAW_TICKETS:
        return actions.DrawTickets()
    if code == codes.PASS_TURN:
        return actions.Pass()
    if code == codes.WITHDRAW_CARDS:
        return actions.WithdrawTunnel()
    if code < codes.ROUTE:
        return actions.PayTunnel(cards_of_payment(code, extra))
    order, subset = divmod(code - lexicon.first_keep, 1 << lexicon.tables.max_offer)
    kept = tuple(n + 1 for n in range(subset.bit_length()) if subset >> n & 1)
    left = [n for n in range(1, offered + 1) if n not in kept] if order else []
    back = []
    while left:
        place, order = divmod(order, factorial(len(left) - 1))
        back.append(left.pop(place))
    return actions.KeepTickets(kept, tuple(back))


def paid_action(lexicon: Lexicon, target: int, cards: tuple[str, ...]) -> actions.Action:
    """Return the claim of a route, or the station of ROUTES + a city, with its payment."""
    if target >= ROUTES:
        return actions.BuildStation(lexicon.cities[target - ROUTES], cards)
    return actions.ClaimRoute(lexicon.routes[target], cards)


def price(lexicon: Lexicon, state: Buffer, seat: int, target: int) -> int:
    """Return how many cards a route, or a station in ROUTES + a city, costs the seat."""
    if target < ROUTES:
        return lexicon.lengths[target]
    return int(calls.price(lexicon.book, state, seat, target))
