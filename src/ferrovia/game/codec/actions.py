"""Actions as the kernel's decisions, and back."""

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache

from ferrovia.boards import COLORS
from ferrovia.game import actions
from ferrovia.game.codec.lexicon import LOCOMOTIVE_CARD, Buffer, Lexicon
from ferrovia.game.errors import IllegalAction, InvalidAction, illegal
from ferrovia.rules import calls
from ferrovia.rules.chapters import actions as codes
from ferrovia.rules.chapters import breaches
from ferrovia.rules.state.layout import LENGTH, ROUTES


def payment_code(cards: Sequence[str], needed: int) -> int:
    """Return the code of a payment: `needed` cards of one colour, else IllegalAction (R5.1)."""
    counts = Counter(map(actions.known_card, cards))
    locomotives = counts.pop(LOCOMOTIVE_CARD, 0)
    if len(counts) > 1:
        raise IllegalAction("one_color", "R5.1", "cards of one colour only, and locomotives")
    if len(cards) != needed:
        raise IllegalAction("wrong_number", "R5.1", f"{needed} cards are needed")
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
def text_of_target(words: Lexicon, target: int) -> str:
    """Return the text of a claim or station without its cards."""
    return str(paid_action(words, target, ()))


def keep_code(words: Lexicon, action: actions.KeepTickets, offered: int) -> int:
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
    return int(calls.keep_action(words.book, subset, order))


def plain_code(words: Lexicon, action: actions.Action) -> int:
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
            return codes.ROUTE + words.route(route)
        case actions.BuildStation(city):
            return words.first_city + words.city(city)
    raise InvalidAction(f"'{action}' is not an action of one decision")


def target(words: Lexicon, code: int) -> int | None:
    """Return the route, or ROUTES + city, of a decision that is followed by its payment."""
    if codes.ROUTE <= code < words.first_city:
        return code - codes.ROUTE
    if words.first_city <= code < words.first_keep:
        return ROUTES + code - words.first_city
    return None


def plain_action(words: Lexicon, code: int) -> actions.Action:
    """Return the action of a decision that has no payment."""
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
    subset = code - words.first_keep
    return actions.KeepTickets(tuple(n + 1 for n in range(subset.bit_length()) if subset >> n & 1))


def paid_action(words: Lexicon, target: int, cards: tuple[str, ...]) -> actions.Action:
    """Return the claim of a route, or the station of ROUTES + a city, with its payment."""
    if target >= ROUTES:
        return actions.BuildStation(words.cities[target - ROUTES], cards)
    return actions.ClaimRoute(words.routes[target], cards)


def unpaid_action(words: Lexicon, code: int) -> actions.Action:
    """Return the action of a decision; a claim or a station without the cards that pay for it."""
    goal = target(words, code)
    return plain_action(words, code) if goal is None else paid_action(words, goal, ())


def price(words: Lexicon, state: Buffer, seat: int, target: int) -> int:
    """Return how many cards a route, or a station in ROUTES + a city, costs the seat."""
    if target < ROUTES:
        return words.lengths[target]
    return int(calls.price(words.book, state, seat, target))
