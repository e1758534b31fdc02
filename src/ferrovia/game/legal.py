"""What a seat may do now, and the reasons for what it may not; from a state or its own view."""

from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ferrovia.boards import COLORS
from ferrovia.game.actions import Action
from ferrovia.game.codec import actions as codec
from ferrovia.game.codec.actions import paid_action, text_of_target
from ferrovia.game.codec.fields import EXTRA_AT, PHASE_AT, SEAT_AT
from ferrovia.game.codec.lexicon import Lexicon
from ferrovia.game.errors import REASONS
from ferrovia.kernel import Buffer, Ints
from ferrovia.rules import calls
from ferrovia.rules.chapters import actions as codes
from ferrovia.rules.chapters.breaches import FINE
from ferrovia.rules.state.layout import PAY, ROUTES, SECOND, TURN


def legal_actions(lexicon: Lexicon, state: Buffer, seat: int) -> list[Action]:
    """Return the legal actions of a seat, every payment on its own."""
    menu = _menu(lexicon, state, seat)
    listed = [codec.plain_action(lexicon, code, menu.extra) for code in menu.plain]
    for targets, price in menu.paid:
        payments = [codec.cards_of_payment(way, price.cards) for way in price.ways]
        listed += [paid_action(lexicon, target, cards) for target in targets for cards in payments]
    return listed


def legal_texts(lexicon: Lexicon, state: Buffer, seat: int) -> list[str]:
    """Return the texts of `legal_actions`, in the same order, without making the actions."""
    menu = _menu(lexicon, state, seat)
    listed = [_text_of_plain(lexicon, code, menu.extra) for code in menu.plain]
    names = _texts_of_targets(lexicon)
    for targets, price in menu.paid:
        payments = price.texts()
        for target in targets:
            name = names[target]
            listed += [name + paid for paid in payments]
    return listed


@lru_cache(maxsize=1 << 12)
def _text_of_plain(lexicon: Lexicon, code: int, extra: int) -> str:
    return str(codec.plain_action(lexicon, code, extra))


@lru_cache(maxsize=64)
def _texts_of_targets(lexicon: Lexicon) -> dict[int, str]:
    """Return the texts of all claims and stations without their cards."""
    targets = [*range(len(lexicon.routes)), *range(ROUTES, ROUTES + len(lexicon.cities))]
    return {target: text_of_target(lexicon, target) for target in targets}


class _Price:
    """A number of cards, and all ways in which the seat can pay them."""

    __slots__ = ("_texts", "cards", "ways")

    def __init__(self, cards: int, ways: tuple[int, ...]) -> None:
        self.cards = cards
        self.ways = ways
        self._texts: tuple[str, ...] | None = None

    def texts(self) -> tuple[str, ...]:
        """Return the ways as texts."""
        if self._texts is None:
            self._texts = codec.texts_of_payments(self.ways, self.cards)
        return self._texts


class _Menu(NamedTuple):
    """Legal decisions of the kernel: those that stand alone (`extra` is what a tunnel asks for),
    then routes and stations (see `codec.target`) with what they cost.
    """

    plain: list[int]
    extra: int
    paid: list[tuple[Sequence[int], _Price]]


def _menu(lexicon: Lexicon, state: Buffer, seat: int) -> _Menu:
    found = codec.legal_codes(lexicon, state, seat).tolist()
    first, last = lexicon.first_city, lexicon.first_keep
    plain = [code for code in found if code < codes.ROUTE or code >= last]

    def price(target: int, cards: int) -> _Price:
        return _Price(cards, tuple(codec.ways_to_pay(lexicon, state, seat, target).tolist()))

    # What costs the same can be paid in the same ways, so these are asked for once.
    prices: dict[object, _Price] = {}
    paid: list[tuple[Sequence[int], _Price]] = []
    for code in found:
        if codes.ROUTE <= code < first:
            route = code - codes.ROUTE
            cost = lexicon.prices[route]
            if cost not in prices:
                prices[cost] = price(route, lexicon.lengths[route])
            paid.append(((route,), prices[cost]))
    cities = [ROUTES + code - first for code in found if first <= code < last]
    if cities:
        cards = calls.price(lexicon.book, state, seat, cities[0])
        paid.append((cities, price(cities[0], cards)))
    return _Menu(plain, state[EXTRA_AT], paid)


def barred(lexicon: Lexicon, state: Buffer, seat: int) -> dict[str, str]:
    """Return the reasons for what the seat may not do now, by subject: `claim ROUTE`,
    `station CITY`, `take CARD`, `draw`, `tickets`. Empty when it has no turn to choose in.

    A reason is the name of a breach, as in `IllegalAction.reason`.
    """
    phase = state[PHASE_AT]
    if phase not in (TURN, PAY, SECOND) or state[SEAT_AT] != seat:
        return {}
    subjects, decisions = _subjects(lexicon, phase != SECOND)
    found = array("q", bytes(8 * len(decisions)))
    calls.explain_all(lexicon.book, state, seat, decisions, found)
    return {
        subject: REASONS[breach][0]
        for subject, breach in zip(subjects, found, strict=True)
        if breach != FINE
    }


@lru_cache(maxsize=128)
def _subjects(lexicon: Lexicon, whole_turn: bool) -> tuple[tuple[str, ...], Ints]:
    """Return all subjects of a turn or of a second card, and the kernel's decisions for them."""
    subjects = {f"take {card}": codes.TAKE + n for n, card in enumerate(COLORS)}
    subjects["draw"] = codes.DRAW_BLIND
    if whole_turn:
        subjects["tickets"] = codes.DRAW_TICKETS
        subjects |= {f"claim {id}": codes.ROUTE + n for n, id in enumerate(lexicon.routes)}
    if whole_turn and lexicon.edition.stations:
        subjects |= {f"station {id}": lexicon.first_city + n for n, id in enumerate(lexicon.cities)}
    return tuple(subjects), array("q", subjects.values())
