"""What a player can do, in words. Each action has a short text that reads back to the same value.

draw                                    a blind card
take red                                a face-up card
tickets                                 draw tickets
keep 1 3                                of the tickets on offer, by their numbers
keep 2 back 3 1                         the same, naming the order of those given back
keep none                               where that is allowed
claim paris-zurich blue blue locomotive
pay blue                                the extra cards of a tunnel
withdraw                                ... or not
station wien red red
pass
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ferrovia.boards import COLORS
from ferrovia.game.errors import InvalidAction, no_such


@dataclass(frozen=True, slots=True)
class DrawCard:
    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class TakeCard:
    card: str

    def __str__(self) -> str:
        return f"take {self.card}"


@dataclass(frozen=True, slots=True)
class DrawTickets:
    def __str__(self) -> str:
        return "tickets"


@dataclass(frozen=True, slots=True)
class KeepTickets:
    """Keep tickets of the offer by their numbers, from 1 on, in ascending order.

    `back` names all the others in the order in which they go under the deck; empty means the
    order in which they were drawn.
    """

    numbers: tuple[int, ...]
    back: tuple[int, ...] = ()

    def __str__(self) -> str:
        kept = " ".join(map(str, self.numbers)) or "none"
        back = " back " + " ".join(map(str, self.back)) if self.back else ""
        return f"keep {kept}{back}"


@dataclass(frozen=True, slots=True)
class ClaimRoute:
    """Claim a route with these cards: those of a colour first, then locomotives."""

    route: str
    cards: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(("claim", self.route, *self.cards))


@dataclass(frozen=True, slots=True)
class PayTunnel:
    """Pay the extra cards of a tunnel."""

    cards: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(("pay", *self.cards))


@dataclass(frozen=True, slots=True)
class WithdrawTunnel:
    def __str__(self) -> str:
        return "withdraw"


@dataclass(frozen=True, slots=True)
class BuildStation:
    city: str
    cards: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(("station", self.city, *self.cards))


@dataclass(frozen=True, slots=True)
class Pass:
    def __str__(self) -> str:
        return "pass"


Action = (
    DrawCard
    | TakeCard
    | DrawTickets
    | KeepTickets
    | ClaimRoute
    | PayTunnel
    | WithdrawTunnel
    | BuildStation
    | Pass
)


def known_card(name: str) -> str:
    """Return the name if there is such a card; InvalidAction if not."""
    if name not in COLORS:
        raise InvalidAction(no_such("card", name, COLORS))
    return name


def _cards(words: Sequence[str]) -> tuple[str, ...]:
    if not words:
        raise InvalidAction("name the cards to pay with, such as: blue blue locomotive")
    return tuple(sorted(map(known_card, words), key=COLORS.index))


def _alone(action: Action) -> Callable[[Sequence[str]], Action]:
    def read(words: Sequence[str]) -> Action:
        if words:
            raise InvalidAction(f"nothing can follow '{action}': what is '{' '.join(words)}'?")
        return action

    return read


def _take(words: Sequence[str]) -> Action:
    if len(words) != 1:
        raise InvalidAction("name one card to take, such as: take red")
    return TakeCard(known_card(words[0]))


def _numbers(words: Sequence[str]) -> tuple[int, ...]:
    for word in words:
        if not (word.isascii() and word.isdecimal() and len(word) <= 2):
            raise InvalidAction(f"'{word}' is not the number of a ticket on offer")
    numbers = tuple(map(int, words))
    if len(set(numbers)) < len(numbers):
        raise InvalidAction("a ticket is named twice")
    return numbers


def _keep(words: Sequence[str]) -> Action:
    if not words:
        raise InvalidAction("name the tickets to keep by their numbers, such as: keep 1 3")
    if "back" in words:
        split = words.index("back")
        kept, back = words[:split], _numbers(words[split + 1 :])
        if not back:
            raise InvalidAction("name the tickets to give back after 'back'")
    else:
        kept, back = words, ()
    numbers = () if list(kept) == ["none"] else tuple(sorted(_numbers(kept)))
    return KeepTickets(numbers, back)


def _claim(words: Sequence[str]) -> Action:
    if not words:
        raise InvalidAction("name the route and the cards, such as: claim paris-zurich blue blue")
    return ClaimRoute(words[0], _cards(words[1:]))


def _station(words: Sequence[str]) -> Action:
    if not words:
        raise InvalidAction("name the city and the cards, such as: station wien red")
    return BuildStation(words[0], _cards(words[1:]))


_READERS: dict[str, Callable[[Sequence[str]], Action]] = {
    "draw": _alone(DrawCard()),
    "take": _take,
    "tickets": _alone(DrawTickets()),
    "keep": _keep,
    "claim": _claim,
    "pay": lambda words: PayTunnel(_cards(words)),
    "withdraw": _alone(WithdrawTunnel()),
    "station": _station,
    "pass": _alone(Pass()),
}


def read_action(text: str) -> Action:
    """Return the action of a text; `str(read_action(text))` is its one normal form."""
    words = text.split()
    if not words or words[0] not in _READERS:
        raise InvalidAction(f"an action begins with one of: {', '.join(_READERS)}")
    return _READERS[words[0]](words[1:])
