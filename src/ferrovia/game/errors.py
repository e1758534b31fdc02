"""The errors of a game, by cause, and the reasons for refusing an action. All are ValueErrors."""

from collections.abc import Iterable

from ferrovia.boards.reading.problems import nearest, shown
from ferrovia.errors import FerroviaError
from ferrovia.rules.chapters import breaches


class InvalidAction(FerroviaError, ValueError):
    """An action that cannot be read: a word, a card or a name that does not exist."""

    __module__ = "ferrovia"  # its public name


class IllegalAction(FerroviaError, ValueError):
    """An action against the rules.

    `rule` is its number in the rules, `reason` a name for programs (and translations).
    The message is for the player who tried, and for nobody else: it may reveal their hand.
    """

    __module__ = "ferrovia"  # its public name

    def __init__(self, reason: str, rule: str, message: str) -> None:
        super().__init__(f"{message} ({rule})")
        self.message = message
        self.reason = reason
        self.rule = rule


class RecordError(FerroviaError, ValueError):
    """A record that cannot be read or that breaks a rule, with the line where it does."""

    __module__ = "ferrovia"  # its public name

    def __init__(self, message: str, line: int | None = None, rule: str | None = None) -> None:
        place = "" if line is None else f"line {line}: "
        cited = "" if rule is None else f" ({rule})"
        super().__init__(f"{place}{message}{cited}")
        self.message = message
        self.line = line
        self.rule = rule


# Reason, rule and message for each breach of the rules that the kernel finds.
REASONS: dict[int, tuple[str, str, str]] = {
    breaches.NO_SUCH_ACTION: ("no_such_action", "R3.1", "there is no such action"),
    breaches.GAME_IS_OVER: ("game_is_over", "R10.2", "the game is over"),
    breaches.NOT_YOUR_TURN: ("not_your_turn", "R2.4", "it is another player's turn"),
    breaches.TICKETS_FIRST: ("tickets_first", "R2.3", "choose your tickets first"),
    breaches.OFFER_FIRST: ("offer_first", "R8.2", "choose which of the tickets to keep first"),
    breaches.NO_OFFER: ("no_offer", "R8.2", "there are no tickets to choose from"),
    breaches.KEEP_MORE_AT_START: ("keep_more_at_start", "R2.3", "keep more of these tickets"),
    breaches.KEEP_MORE: ("keep_more", "R8.2", "keep more of these tickets"),
    breaches.KEEP_FEWER: ("keep_fewer", "R1.3", "keep fewer of these tickets"),
    breaches.NOT_OFFERED: ("not_offered", "R8.2", "that ticket was not offered"),
    breaches.NO_CARDS_LEFT: ("no_cards_left", "R4.9", "deck and discards are empty"),
    breaches.NOT_FACE_UP: ("not_face_up", "R4.1", "no such card lies face up"),
    breaches.LOCOMOTIVE_SECOND: (
        "locomotive_second",
        "R4.4",
        "a face-up locomotive can never be the second card",
    ),
    breaches.SECOND_CARD_FIRST: ("second_card_first", "R4.1", "take your second card first"),
    breaches.NO_TICKETS_LEFT: ("no_tickets_left", "R8.1", "the ticket deck is empty"),
    breaches.ROUTE_CLAIMED: ("route_claimed", "R5.5", "this route is claimed already"),
    breaches.OWN_DOUBLE: (
        "own_double",
        "R5.6",
        "you own the other half of this double, and can never own both",
    ),
    breaches.CLOSED_DOUBLE: (
        "closed_double",
        "R5.7",
        "closed: with two or three players only one half of a double is used",
    ),
    breaches.TOO_FEW_TRAINS: ("too_few_trains", "R5.3", "you have too few trains left"),
    breaches.TOO_FEW_CARDS: ("too_few_cards", "R5.1", "you have too few cards of one colour"),
    breaches.FERRY_LOCOMOTIVES: (
        "ferry_locomotives",
        "R6.1",
        "this ferry needs more locomotives than you have",
    ),
    breaches.WRONG_PAYMENT: ("wrong_payment", "R5.1", "it cannot be paid with these cards"),
    breaches.PAYMENT_FIRST: ("payment_first", "R3.1", "pay for what you have chosen first"),
    breaches.NOTHING_TO_PAY: ("nothing_to_pay", "R7.2", "there is nothing to pay"),
    breaches.TUNNEL_FIRST: ("tunnel_first", "R7.4", "pay for the tunnel or withdraw first"),
    breaches.WRONG_EXTRA: (
        "wrong_extra",
        "R7.2",
        "the tunnel cannot be paid with these cards",
    ),
    breaches.NO_STATIONS_LEFT: ("no_stations_left", "R9.1", "you have no station left to build"),
    breaches.CITY_OCCUPIED: ("city_occupied", "R9.1", "there is a station in this city already"),
    breaches.STATION_CARDS: (
        "station_cards",
        "R9.2",
        "you have too few cards of one colour for your next station",
    ),
    breaches.MAY_NOT_PASS: ("may_not_pass", "R3.2", "you may not pass while you can do anything"),
}


def no_such(kind: str, name: str, known: Iterable[str]) -> str:
    """Return the message for a name that is not known, with the one that may have been meant."""
    hint = nearest(name, known)
    return f"there is no {kind} {shown(name)}" + (f"; {hint}" if hint else "")


def illegal(breach: int) -> IllegalAction:
    """Return the error for a breach that the kernel found."""
    return IllegalAction(*REASONS[breach])
