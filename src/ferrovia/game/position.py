"""A position as text: what a diagram is in a book of chess.

    edition: europe
    turn: 0
    display: red red blue green locomotive
    discards: blue*3
    next: red locomotive
    seat 0: hand red*3 locomotive | routes paris-zurich | stations wien | tickets europe:berlin-roma
    seat 1: hand blue*4

Only `edition`, `turn` and the seats must be given; the seats are as many as there are lines. What
is left out has its obvious value: an empty hand, all trains that are not on the board, all cards
that lie nowhere else in the deck, all tickets that nobody holds in the ticket deck in the order of
the edition. `hand rest` takes all cards that lie nowhere else. `next` names the cards that will
be drawn; it is for tests and examples. `extras` names ticket packs. `last round: 2` says how many
turns are left.

What lies on the table must be possible: a long ticket in the ticket deck is refused, unless the
text says `composed: yes`, as a puzzle may. A deck that is named may leave cards out of the game;
the normal form of such a position says `composed: yes`, and `why_composed` returns the reason.

A position is between turns. `write_position` returns the one normal form, which names all that is
not obvious and reads back to the same position.
"""

from array import array
from collections import Counter
from collections.abc import Iterable

from ferrovia.boards import COLORS, Edition, is_builtin, load_edition
from ferrovia.boards.reading.problems import shown
from ferrovia.errors import FerroviaError
from ferrovia.game.codec.lexicon import Lexicon, lexicon_of
from ferrovia.game.errors import no_such
from ferrovia.game.game import Game
from ferrovia.game.records.tape import tape
from ferrovia.game.scores import members
from ferrovia.kernel import RecordView
from ferrovia.rules import calls
from ferrovia.rules.state.layout import LOCOMOTIVE, NONE, PLACES, STATE, TICKETS, TURN

MAX_LENGTH = 1 << 16
"""The longest text that is read as a position."""

_KEYS = (
    "edition",
    "composed",
    "extras",
    "turn",
    "display",
    "deck",
    "discards",
    "tickets",
    "next",
    "last round",
)
_SEAT_KEYS = ("hand", "routes", "stations", "tickets", "trains")


class PositionError(FerroviaError, ValueError):
    """A position that cannot be read, or that is impossible."""

    __module__ = "ferrovia"  # its public name


def _lines(text: str) -> tuple[dict[str, str], list[dict[str, str]]]:
    """Return the general lines, and for each seat its parts."""
    general: dict[str, str] = {}
    seats: list[dict[str, str]] = []
    for line in text.splitlines():
        if not line.strip():
            continue
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon:
            raise PositionError(f"'{line.strip()}' has no colon")
        if key == f"seat {len(seats)}":
            seats.append(_parts(value))
        elif key in _KEYS and key not in general:
            general[key] = value
        else:
            raise PositionError(f"'{key}' is unknown, comes twice, or is out of order")
    for key in ("edition", "turn"):
        if key not in general:
            raise PositionError(f"the line '{key}:' is missing")
    return general, seats


def _parts(text: str) -> dict[str, str]:
    parts: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split("|"))):
        key, _, value = part.partition(" ")
        if key not in _SEAT_KEYS or key in parts:
            raise PositionError(
                f"'{key}' is unknown or comes twice; known: {', '.join(_SEAT_KEYS)}"
            )
        parts[key] = value
    return parts


def _cards(text: str) -> list[str]:
    """Return cards by name, in order; `red*3` is three of them."""
    cards: list[str] = []
    for word in text.split():
        name, _, count = word.partition("*")
        if name not in COLORS or (count and not (count.isdecimal() and len(count) <= 3)):
            raise PositionError(no_such("card", word, COLORS))
        cards += [name] * (int(count) if count else 1)
    return cards


def _one_card(word: str) -> list[str]:
    cards = _cards(word)
    if len(cards) != 1:
        raise PositionError("each place of the display shows one card")
    return cards


def _number(text: str, what: str, below: int) -> int:
    if not text.isdecimal() or len(text) > 9 or int(text) >= below:
        raise PositionError(f"{what} must be a number below {below}, not {shown(text)}")
    return int(text)


def _find(numbers: dict[str, int], name: str, what: str) -> int:
    if name not in numbers:
        raise PositionError(no_such(what, name, numbers))
    return numbers[name]


class PositionBuilder:
    """Builds a position on a state that was set up and then cleared."""

    def __init__(self, lexicon: Lexicon, players: int) -> None:
        self.lexicon = lexicon
        self.state = STATE.new()
        calls.start(lexicon.book, self.state, bytes(32), players, 0, bytearray(), array("i"))
        s = STATE.of(self.state)
        for name in ("tickets", "hand", "hand_size", "known", "deck", "discards", "offered"):
            field = STATE.fields[name]
            self.state[field.begin : field.begin + field.size] = bytes(field.size)
        s.deck_size = s.discards_size = s.ticket_left = s.ticket_head = 0
        s.display = [NONE] * PLACES
        s.phase, s.turns = TURN, 1
        self.s = s
        self.unplaced = Counter(lexicon.edition.cards)

    def cards(self, cards: Iterable[str]) -> list[int]:
        """Take cards from those that are not placed yet, and return their numbers."""
        numbers = []
        for card in cards:
            if self.unplaced[card] == 0:
                raise PositionError(f"the edition has no more {card} cards")
            self.unplaced[card] -= 1
            numbers.append(COLORS.index(card))
        return numbers

    def rest(self) -> list[str]:
        return list(self.unplaced.elements())

    def pile(self, field: str, cards: Iterable[str]) -> None:
        for card in self.cards(cards):
            getattr(self.s, field)[card] += 1
        setattr(self.s, f"{field}_size", sum(getattr(self.s, field)))

    def seat(self, seat: int, parts: dict[str, str]) -> None:
        lexicon, s = self.lexicon, self.s
        for name in parts.get("routes", "").split():
            route = _find(lexicon.route_number, name, "route")
            if s.trains[seat] < lexicon.tables.length[route]:
                raise PositionError(f"seat {seat} has too few trains for these routes")
            if not calls.place_route(lexicon.book, self.state, seat, route):
                raise PositionError(
                    f"seat {seat} cannot own {name} in addition to what is owned already"
                )
        if "trains" in parts:
            s.trains[seat] = _number(parts["trains"], "trains", s.trains[seat] + 1)
        stations = parts.get("stations", "").split()
        if len(stations) > lexicon.edition.stations:
            raise PositionError(f"seat {seat} has more than {lexicon.edition.stations} stations")
        for place, name in enumerate(stations):
            city = _find(lexicon.city_number, name, "city")
            if not calls.place_station(self.state, seat, place, city):
                raise PositionError(f"there are two stations in {name}")
        for name in parts.get("tickets", "").split():
            ticket = _find(lexicon.ticket_number, name, "ticket")
            if not calls.place_ticket(self.state, seat, ticket):
                raise PositionError(f"the ticket {name} is held twice")
        if parts.get("hand") != "rest":
            self.hand(seat, _cards(parts.get("hand", "")))

    def hand(self, seat: int, cards: Iterable[str]) -> None:
        for card in self.cards(cards):
            self.s.hand[seat, card] += 1
            self.s.hand_size[seat] += 1

    def ticket_deck(self, names: list[str] | None) -> None:
        longs = self.lexicon.tables.long_tickets
        held = {t for seat in range(self.s.players) for t in members(self.s.tickets[seat])}
        if names is None:
            deck = [t for t in range(longs, len(self.lexicon.tickets)) if t not in held]
        else:
            deck = [_find(self.lexicon.ticket_number, name, "ticket") for name in names]
        if held & set(deck) or len(set(deck)) < len(deck):
            raise PositionError("a ticket is in two places")
        self.s.ticket_deck[: len(deck)] = array("B", deck)
        self.s.ticket_left = len(deck)


def most_long_tickets(edition: Edition) -> int:
    """Return how many long tickets a seat can have kept, where the others left the game (R1.3)."""
    return sum(min(deal.long, deal.keep_max) for deal in edition.deals)


def _impossible(lexicon: Lexicon, s: RecordView) -> str | None:
    """Return why what lies on the table cannot lie there in any game, or None."""
    edition, players = lexicon.edition, s.players
    display = [card for card in s.display if card != NONE]
    others = sum(s.deck[:LOCOMOTIVE]) + sum(s.discards[:LOCOMOTIVE])
    others += sum(card != LOCOMOTIVE for card in display)
    if display.count(LOCOMOTIVE) >= 3 and others >= 3:
        return "three locomotives do not stay face up (R4.6)"
    if edition.long_not_kept == "out":
        longs = lexicon.tables.long_tickets
        for ticket in _ticket_deck(s):
            if ticket < longs:
                return f"the long ticket {lexicon.tickets[ticket]} is in the ticket deck (R1.2)"
        most = most_long_tickets(edition)
        for seat in range(players):
            if sum(ticket < longs for ticket in members(s.tickets[seat])) > most:
                return f"seat {seat} holds more than {most} long tickets (R1.3)"
    return None


def _incomplete(lexicon: Lexicon, s: RecordView) -> str | None:
    """Return which cards or tickets of the edition are nowhere, though a game has them, or None."""
    edition, players = lexicon.edition, s.players
    for card, name in enumerate(COLORS):
        in_hands = sum(s.hand[seat, card] for seat in range(players))
        on_table = s.deck[card] + s.discards[card] + list(s.display).count(card)
        missing = edition.cards[name] - in_hands - on_table
        if missing:
            return f"cards that are nowhere: {missing} {name} (R2.1)"
    longs = lexicon.tables.long_tickets
    held = [ticket for seat in range(players) for ticket in members(s.tickets[seat])]
    found = sum(ticket >= longs for ticket in (*held, *_ticket_deck(s)))
    missing = len(lexicon.tickets) - longs - found
    out = sum(deal.regular for deal in edition.deals) if edition.regular_not_kept == "out" else 0
    if missing > players * out:
        return f"tickets that are nowhere: {missing} regular ones (R8.2)"
    return None


def why_composed(game: Game) -> str | None:
    """Return why no game leads to the position of this one, or None if one may.

    This is about cards and tickets, and for a game between turns.
    """
    s = STATE.of(game.state)
    return _impossible(game.lexicon, s) or _incomplete(game.lexicon, s)


def _ticket_deck(s: RecordView) -> list[int]:
    """Return the ticket deck, from its top on."""
    deck, head = s.ticket_deck, s.ticket_head
    return [deck[(head + place) % TICKETS] for place in range(s.ticket_left)]


def read_position(text: str) -> Game:
    """Return the game of a position; PositionError if it cannot be read or is impossible."""
    if len(text) > MAX_LENGTH:
        raise PositionError(f"a position has at most {MAX_LENGTH} characters")
    general, seats = _lines(text)
    if general.get("composed", "yes") != "yes":
        raise PositionError("the line 'composed:' says yes, or is left out")
    edition = load_edition(general["edition"], general.get("extras", "").split())
    try:
        edition.check_seats(len(seats))
    except ValueError as problem:
        raise PositionError(str(problem)) from None
    lexicon = lexicon_of(edition)
    build = PositionBuilder(lexicon, len(seats))
    for seat, parts in enumerate(seats):
        build.seat(seat, parts)
    display = [None if card == "none" else card for card in general.get("display", "").split()]
    if len(display) > PLACES:
        raise PositionError(f"the display has {PLACES} places")
    for place, card in enumerate(display):
        if card is not None:
            build.s.display[place] = build.cards(_one_card(card))[0]
    build.pile("discards", _cards(general.get("discards", "")))
    takers = [seat for seat, parts in enumerate(seats) if parts.get("hand") == "rest"]
    if len(takers) > 1:
        raise PositionError("only one hand can be the rest of the cards")
    if "deck" in general:
        build.pile("deck", _cards(general["deck"]))
    for seat in takers:
        build.hand(seat, build.rest())
    if "deck" not in general:
        build.pile("deck", build.rest())
    build.ticket_deck(general["tickets"].split() if "tickets" in general else None)
    build.s.seat = _number(general["turn"], "turn", len(seats))
    if "last round" in general:
        build.s.turns_left = _number(general["last round"], "last round", len(seats) + 1)
        if build.s.turns_left == 0:
            raise PositionError("last round: at least one turn is left, or the game is over")
    reason = None if "composed" in general else _impossible(lexicon, build.s)
    if reason is not None:
        raise PositionError(f"{reason}; a puzzle that wants this says 'composed: yes'")
    names = [f"Player {seat + 1}" for seat in range(len(seats))]
    game = Game.standing_at(lexicon, names, bytes(32), build.state, [])
    if "next" in general:
        game.foretell(tape(COLORS.index(card) for card in _cards(general["next"])))
    return game


def _counted(counts: Iterable[int]) -> str:
    named = [(COLORS[card], int(count)) for card, count in enumerate(counts) if count]
    return " ".join(name if count == 1 else f"{name}*{count}" for name, count in named)


def write_position(game: Game) -> str:
    """Return the normal form of a position between turns, on a board that comes with Ferrovia."""
    s, lexicon = STATE.of(game.state), game.lexicon
    if s.phase != TURN:
        raise PositionError("a position can be written only between turns")
    if not is_builtin(game.edition):
        raise PositionError("a position names its edition, and only built-in editions have a name")
    display = ["none" if card == NONE else COLORS[card] for card in s.display]
    deck = [lexicon.tickets[ticket] for ticket in _ticket_deck(s)]
    lines = [
        f"edition: {game.edition.id}",
        *(["composed: yes"] if why_composed(game) else []),
        *([f"extras: {' '.join(game.edition.extras)}"] if game.edition.extras else []),
        f"turn: {s.seat}",
        f"display: {' '.join(display)}",
        f"deck: {_counted(s.deck)}",
        f"discards: {_counted(s.discards)}",
        f"tickets: {' '.join(deck)}",
    ]
    if s.turns_left != NONE:
        lines.append(f"last round: {s.turns_left}")
    for seat in range(game.players):
        parts = {
            "hand": _counted(s.hand[seat]),
            "routes": " ".join(lexicon.routes[route] for route in members(s.routes[seat])),
            "stations": " ".join(lexicon.cities[city] for city in s.stations[seat] if city != NONE),
            "tickets": " ".join(lexicon.tickets[ticket] for ticket in members(s.tickets[seat])),
            "trains": str(s.trains[seat]),
        }
        joined = " | ".join(f"{key} {value}" for key, value in parts.items() if value)
        lines.append(f"seat {seat}: {joined}")
    return "\n".join(lines) + "\n"
