"""What must hold between the numbers of an edition and its board for every table to be playable."""

from ferrovia.boards.edition import Edition
from ferrovia.boards.fields import Fields
from ferrovia.boards.limits import START_CARDS
from ferrovia.boards.model import GRAY


def note_edition_problems(edition: Edition, fields: Fields) -> None:
    """Note what the largest table would lack, and routes that nobody could ever claim."""
    _note_too_few_tickets(edition, fields)
    _note_too_few_cards(edition, fields)
    _note_too_few_colors(edition, fields)
    _note_unclaimable_routes(edition, fields)


def _note_too_few_tickets(edition: Edition, fields: Fields) -> None:
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


def _note_too_few_cards(edition: Edition, fields: Fields) -> None:
    if not _sure(fields, "cards", "seats"):
        return
    total, needed = sum(edition.cards.values()), START_CARDS * edition.seats[1]
    if total < needed:
        message = f"{total} cards are too few: {edition.seats[1]} players are dealt {needed}"
        fields.findings.add((*fields.place, "cards"), message, "add cards (R2.2)")


def _note_too_few_colors(edition: Edition, fields: Fields) -> None:
    if not _sure(fields, "player_colors", "seats"):
        return
    if len(edition.player_colors) < edition.seats[1]:
        message = f"{len(edition.player_colors)} colours are too few for {edition.seats[1]} players"
        fields.findings.add((*fields.place, "player_colors"), message)


def _note_unclaimable_routes(edition: Edition, fields: Fields) -> None:
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


def _sure(fields: Fields, *keys: str) -> bool:
    """Whether these numbers are what the file says, not stand-ins for something wrong."""
    return all(fields.findings.untouched(*fields.place, key) for key in keys)
