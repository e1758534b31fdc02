"""What a player types, as actions: the notation, and shorter ways to say the same."""

from collections.abc import Callable

from ferrovia.game import (
    Action,
    BuildStation,
    ClaimRoute,
    DrawTickets,
    PayTunnel,
    View,
    read_action,
)
from ferrovia.terminal.lookup import (
    plain,
    read_card,
    read_cards,
    read_city_and_cards,
    read_route_and_cards,
)

VERBS = ("draw", "take", "keep", "claim", "pay", "withdraw", "station", "pass")


def is_choice(text: str) -> bool:
    """Return whether a text is only numbers, as in the answer to a numbered list."""
    words = text.replace(",", " ").split()
    return bool(words) and all(word.isascii() and word.isdecimal() for word in words)


def understand(verb: str, rest: str, view: View) -> list[Action]:
    """Return the actions that are meant, the legal ones if there are any.

    There are several when the payment was left open. An action that is not legal comes alone, so
    that the game can say why. InvalidAction if the words make no sense.
    """
    board = view.edition.board
    words = plain(rest).replace(",", " ").split()
    if verb == "draw" and words in (["tickets"], ["ticket"]):
        return [DrawTickets()]
    if verb == "claim" and words:
        routes, cards = read_route_and_cards(board, words)
        ids = [route.id for route in routes]
        unclaimed = [id for id in ids if id not in view.owners] or ids
        free = [id for id in unclaimed if id in view.open_routes] or unclaimed
        meant = _legal(
            view,
            lambda it: isinstance(it, ClaimRoute) and it.route in ids and _paid(it.cards, cards),
        )
        return meant or [ClaimRoute(free[0], cards)]
    if verb == "station" and words:
        city, cards = read_city_and_cards(board, words)
        meant = _legal(
            view,
            lambda it: isinstance(it, BuildStation) and it.city == city and _paid(it.cards, cards),
        )
        return meant or [BuildStation(city, cards)]
    if verb == "pay":
        cards = read_cards(words)
        meant = _legal(view, lambda it: isinstance(it, PayTunnel) and _paid(it.cards, cards))
        return meant or [PayTunnel(cards)]
    if verb == "take":
        words = [read_card(word) for word in words]
    return [read_action(" ".join((verb, *words)))]


def _legal(view: View, meant: Callable[[Action], bool]) -> list[Action]:
    return [action for action in view.legal_actions() if meant(action)]


def _paid(cards: tuple[str, ...], named: tuple[str, ...]) -> bool:
    return not named or cards == named
