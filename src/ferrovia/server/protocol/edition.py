"""An edition whole, as clients get it: its board file, and the tickets that are in play.

The fields follow from the dataclasses of `ferrovia.boards`, so that an edition is described once:
what is added there is in the document (`edition_document`), here and in the client's types.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from types import GenericAlias
from typing import Any, get_type_hints

import msgspec

from ferrovia.boards import City, Edition, Route, Ticket, TicketDeal
from ferrovia.boards.edition import IN_PLAY, NUMBERS


def _struct(name: str, about: str | None, members: Mapping[str, Any]) -> Any:
    return msgspec.defstruct(
        name,
        list(members.items()),
        frozen=True,
        kw_only=True,
        module=__name__,
        namespace={"__doc__": about},
    )


def _list_of(kind: Any) -> Any:
    return GenericAlias(tuple, (kind, ...))


def _members(kind: type, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return the types of a dataclass's fields, or of some of them, as they are in JSON."""
    hints = get_type_hints(kind)
    chosen = names or (field.name for field in fields(kind))
    return {name: _IN_JSON.get(hints[name], hints[name]) for name in chosen}


# Pairs are lists in JSON, and keys are text.
_IN_JSON: dict[Any, Any] = {
    tuple[int, int]: tuple[int, ...],
    Mapping[int, int]: dict[str, int],
    Mapping[str, int]: dict[str, int],
}

CityFact = _struct("CityFact", None, _members(City))
RouteFact = _struct("RouteFact", "`ferry` counts its locomotives.", _members(Route))
TicketFact = _struct("TicketFact", None, _members(Ticket))
TicketInPlay = _struct("TicketInPlay", None, _members(Ticket, IN_PLAY))
DealFact = _struct(
    "DealFact",
    "Tickets that everybody is offered at the start, and how many of them are kept.",
    _members(TicketDeal),
)
_IN_JSON[tuple[TicketDeal, ...]] = _list_of(DealFact)
EditionNumbers = _struct(
    "EditionNumbers",
    "The numbers of an edition; `seats` are the fewest and the most.",
    _members(Edition, NUMBERS),
)
EditionDocument = _struct(
    "EditionDocument",
    "The board file of an edition, `in_play` the tickets of its deck, packs included, `twins` the"
    " other half of every half of a double route, and where only marked tickets are used the"
    " `big_cities` that mark them.",
    {
        "board": str,
        "cities": _list_of(CityFact),
        "routes": _list_of(RouteFact),
        "tickets": _list_of(TicketFact),
        "edition": EditionNumbers,
        "in_play": _list_of(TicketInPlay),
        "twins": dict[str, str],
        "big_cities": _list_of(str),
    },
)
