"""From the JSON of an edition to an `Edition`, with a default for every number.

Then what must hold between these numbers and the board for every table to be playable.
"""

from collections.abc import Mapping
from math import comb
from typing import Final, cast

from ferrovia.boards.edition import Edition, NotKept, TicketDeal, tickets_in_use
from ferrovia.boards.limits import (
    ENOUGH_OTHERS,
    MAX_CARDS_OF_COLOR,
    MAX_LENGTH,
    MAX_OFFER,
    MAX_POINTS,
    MAX_REDEALS,
    MAX_SEATS,
    MAX_STAGES,
    MAX_STATIONS,
    MAX_TRAINS,
    MIN_SEATS,
    PLACES,
    START_CARDS,
)
from ferrovia.boards.model import COLORS, GRAY, PLAYER_COLORS, Board
from ferrovia.boards.reading.fields import NAME_ID, Members, integer

ROUTE_POINTS: Final[Mapping[int, int]] = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 8: 21}
"""R10.1."""

CARDS: Final[Mapping[str, int]] = dict.fromkeys(COLORS[:-1], 12) | {"locomotive": 14}
"""R2.1."""

TIE_BREAKS: Final = ("tickets", "stations", "longest")
NOT_KEPT: Final = ("out", "bottom")

_BASE_PLAYERS = 5


def read_edition(fields: Members, board: Board) -> Edition:
    """Return the edition of these numbers; problems are noted in `fields.findings`.

    `board` may hold the stand-ins of a file with problems; the result is sound only if none
    were noted.
    """
    sets = tuple(dict.fromkeys(ticket.set for ticket in board.tickets))
    chosen = fields.choices("sets", sets, default=sets)
    marked_only = fields.flag("marked_only", default=False)
    seats = _seats(fields)
    stations = fields.integer("stations", 0, MAX_STATIONS, default=0)
    draw = fields.integer("ticket_draw", 1, MAX_OFFER, default=3)
    long = any(ticket.long and ticket.set in chosen for ticket in board.tickets)
    deals = _deals(fields, long)
    edition = Edition(
        id=fields.word("id", NAME_ID, default=board.id or "own"),
        name=fields.text("name", default=_title(board.id)),
        board=board,
        sets=chosen,
        marked_only=marked_only,
        tickets=tickets_in_use(board, chosen, marked_only, deals),
        seats=seats,
        trains=fields.integer("trains", 1, MAX_TRAINS, default=45),
        stations=stations,
        deals=deals,
        long_not_kept=_not_kept(fields, "long_not_kept", "out"),
        regular_not_kept=_not_kept(fields, "regular_not_kept", "bottom"),
        ticket_draw=draw,
        ticket_keep=fields.integer("ticket_keep", 1, draw, default=1),
        longest_bonus=fields.integer("longest_bonus", 0, MAX_POINTS, default=10),
        station_bonus=fields.integer("station_bonus", 0, MAX_POINTS, default=4 if stations else 0),
        tie_break=fields.choices(
            "tie_break",
            TIE_BREAKS,
            default=[by for by in TIE_BREAKS if stations or by != "stations"],
        ),
        player_colors=fields.choices(
            "player_colors", PLAYER_COLORS, default=PLAYER_COLORS[: max(_BASE_PLAYERS, seats[1])]
        ),
        route_points=_route_points(fields.inner("route_points")),
        cards=_cards(fields.inner("cards")),
    )
    fields.finish()
    note_edition_problems(edition, fields)
    return edition


def _seats(fields: Members) -> tuple[int, int]:
    if not fields.has("seats"):
        return MIN_SEATS, 5
    place = (*fields.place, "seats")
    match fields.array("seats", 2):
        case [smallest, largest]:
            low = integer(smallest, (*place, 0), MIN_SEATS, MAX_SEATS, fields.findings)
            high = integer(largest, (*place, 1), MIN_SEATS, MAX_SEATS, fields.findings)
            if fields.findings.untouched(*place) and low > high:
                message = f"the smallest table, {low}, is above the largest, {high}"
                fields.findings.add(place, message)
            return low, high
        case _ if fields.findings.clean(*place):
            fields.findings.add(place, "must be two numbers", "for example [2, 5]")
    return MIN_SEATS, MIN_SEATS


def _deals(fields: Members, long: bool) -> tuple[TicketDeal, ...]:
    if not fields.has("deals"):
        dealt = 4 if long else 3
        return (TicketDeal(dealt - 3, 3, keep_min=2, keep_max=dealt, keep_min_without_long=2),)
    place = (*fields.place, "deals")
    values = fields.array("deals", MAX_STAGES)
    if not values and fields.findings.clean(*place):
        fields.findings.add(place, "must have at least one stage")
    return tuple(
        _deal(Members(value, (*place, index), fields.findings))
        for index, value in enumerate(values)
    )


def _deal(fields: Members) -> TicketDeal:
    long = fields.integer("long", 0, MAX_OFFER, default=0)
    regular = fields.integer("regular", 0, MAX_OFFER, default=0)
    dealt = long + regular
    if not 1 <= dealt <= MAX_OFFER:
        message = f"deals {dealt} tickets; an offer has 1 to {MAX_OFFER}"
        fields.findings.add(fields.place, message)
        dealt = max(1, min(dealt, MAX_OFFER))
    most = fields.integer("keep_max", 1, dealt, default=dealt)
    least = fields.integer("keep_min", 0, most)
    without = fields.integer("keep_min_without_long", least, most, default=least)
    fields.finish()
    return TicketDeal(long, regular, least, most, without)


def _not_kept(fields: Members, key: str, default: NotKept) -> NotKept:
    return cast(NotKept, fields.choice(key, NOT_KEPT, default=default))


def _route_points(fields: Members) -> dict[int, int]:
    """Return the points by length: R10.1, with what the edition adds or changes."""
    points = {}
    for length in range(1, MAX_LENGTH + 1):
        if fields.has(str(length)) or length in ROUTE_POINTS:
            default = ROUTE_POINTS.get(length)
            points[length] = fields.integer(str(length), 0, MAX_POINTS, default=default)
    fields.finish()
    return points


def _cards(fields: Members) -> dict[str, int]:
    """Return the cards by kind: R2.1, with what the edition changes."""
    cards = {
        color: fields.integer(color, 0, MAX_CARDS_OF_COLOR, default=CARDS[color])
        for color in COLORS
    }
    fields.finish()
    return cards


def _title(board_id: str) -> str:
    words = board_id.replace("_", " ").replace("-", " ").split()
    return " ".join(word.capitalize() for word in words)[:60] or "Own board"


def note_edition_problems(edition: Edition, fields: Members) -> None:
    """Note what the largest table would lack, and routes that nobody could ever claim."""
    _note_too_few_tickets(edition, fields)
    _note_too_few_cards(edition, fields)
    _note_endless_redeals(edition, fields)
    _note_too_few_colors(edition, fields)
    _note_unclaimable_routes(edition, fields)


def _note_too_few_tickets(edition: Edition, fields: Members) -> None:
    if not (fields.findings.untouched("tickets") and _sure(fields, "sets", "seats", "deals")):
        return
    largest = edition.seats[1]
    long = sum(ticket.long for ticket in edition.tickets)
    kinds = (
        ("long", long, sum(deal.long for deal in edition.deals)),
        ("regular", len(edition.tickets) - long, sum(deal.regular for deal in edition.deals)),
    )
    for kind, there, each in kinds:
        if there < largest * each:
            message = (
                f"{largest} players are dealt {each} {kind} tickets each, "
                f"{largest * each} in all, but there are {there}"
            )
            hint = "add tickets, deal fewer, or lower the largest number of seats"
            fields.findings.add((*fields.place, "deals"), message, hint)


def _note_too_few_cards(edition: Edition, fields: Members) -> None:
    if not _sure(fields, "cards", "seats"):
        return
    total, needed = sum(edition.cards.values()), START_CARDS * edition.seats[1]
    if total < needed:
        message = f"{total} cards are too few: {edition.seats[1]} players are dealt {needed}"
        fields.findings.add((*fields.place, "cards"), message, "add cards (R2.2)")


def _note_endless_redeals(edition: Edition, fields: Members) -> None:
    """Note cards of which five hardly ever show fewer than three locomotives (R4.6).

    The worst is counted that the first deal can bring: coloured cards alone in all hands, as far as
    three stay outside, since with fewer the display is not dealt anew (R4.7).
    """
    if not _sure(fields, "cards", "seats"):
        return
    locomotives = edition.cards["locomotive"]
    others = sum(edition.cards.values()) - locomotives
    if others < ENOUGH_OTHERS:
        return
    outside = max(ENOUGH_OTHERS, others - START_CARDS * edition.seats[1])
    if redeals(locomotives, outside) > MAX_REDEALS:
        message = (
            f"{locomotives} locomotives are too many for {others} other cards: "
            "the display would be dealt anew without end (R4.6)"
        )
        hint = "use fewer locomotives, or more of the other cards"
        fields.findings.add((*fields.place, "cards"), message, hint)


def redeals(locomotives: int, others: int) -> float:
    """Return how often five of these cards are turned up, on average, until they may stay (R4.6).

    They may stay with two locomotives at the most. There are at least three other cards.
    """
    all_ways = comb(locomotives + others, PLACES)
    good_ways = sum(comb(locomotives, few) * comb(others, PLACES - few) for few in range(3))
    return all_ways / good_ways if locomotives > 2 else 1.0


def _note_too_few_colors(edition: Edition, fields: Members) -> None:
    if not _sure(fields, "player_colors", "seats"):
        return
    if len(edition.player_colors) < edition.seats[1]:
        message = f"{len(edition.player_colors)} colours are too few for {edition.seats[1]} players"
        fields.findings.add((*fields.place, "player_colors"), message)


def _note_unclaimable_routes(edition: Edition, fields: Members) -> None:
    findings = fields.findings
    if not _sure(fields, "trains", "cards", "route_points"):
        return
    locomotives = edition.cards["locomotive"]
    colored = {color: count for color, count in edition.cards.items() if color != "locomotive"}
    for index, route in enumerate(edition.board.routes):
        if not findings.untouched("routes", index):
            continue
        length = ("routes", index, "length")
        if route.length not in edition.route_points:
            hint = f'write "{route.length}" and its points into edition.route_points'
            findings.add(length, f"length {route.length} has no points (R10.1)", hint)
        if route.length > edition.trains:
            findings.add(length, f"is longer than the {edition.trains} trains of a player (R5.3)")
        matching = max(colored.values()) if route.color == GRAY else colored[route.color]
        if route.length > matching + locomotives or route.ferry > locomotives:
            message = "there are not enough cards to claim this route, ever (R5.1, R6.1)"
            findings.add(("routes", index), message, "add cards or shorten the route")


def _sure(fields: Members, *keys: str) -> bool:
    """Return whether these numbers are what the file says, not stand-ins for something wrong."""
    return all(fields.findings.untouched(*fields.place, key) for key in keys)
