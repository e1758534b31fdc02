"""The columns of an observation: one layout per board, the same for all its editions.

This is the one list of them. A group of columns that belong together is a tuple of places, and what
each field is annotated with is what its column means: so `OWN.trains` is where, counted
from the first column of its group, the seat's own trains are, for whoever writes or reads them.

The layout is what a net was trained on: a new column or another order is another layout, and old
weights do not fit it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeVar, cast, get_type_hints

from ferrovia.boards import COLORS as CARD_NAMES
from ferrovia.boards import Board, Edition, editions, load_edition
from ferrovia.rules.chapters.actions import ROUTE
from ferrovia.rules.state.layout import CITIES, KINDS

SLOTS = 8  # open tickets that have columns of their own
PHASES = ("start", "turn", "second card", "payment", "tunnel", "offer")
LAST_TURNS = 7  # turns left in the last round: 0 to 5, and more
FEW_TRAINS = (2, 5, 8, 11)  # how near the end is: at most this many trains left


class Means(NamedTuple):
    """What a column means, what it is multiplied with, and its name if that is not the field's."""

    meaning: str
    scale: float = 1.0  # 1: true or false
    name: str = ""


class OfCard(NamedTuple):
    """For each kind of card; then, for each of the others, the cards known to be in that hand."""

    hand: Annotated[int, Means("cards in the own hand", 0.25)]
    display: Annotated[int, Means("cards face up", 0.5)]
    unseen: Annotated[int, Means("cards in the deck or unknown in other hands", 0.1)]
    discarded: Annotated[int, Means("cards in the discards", 0.1)]
    need: Annotated[int, Means("cards that planner's tree asks for", 0.15)]
    want: Annotated[int, Means("cards that its tree and side routes ask for", 0.15)]
    lack: Annotated[int, Means("cards of the tree that are not in the hand", 0.3)]


class Own(NamedTuple):
    """For the seat that observes."""

    deck: Annotated[int, Means("cards in the deck", 0.01)]
    discards: Annotated[int, Means("cards in the discards", 0.02)]
    hand: Annotated[int, Means("cards in the own hand", 0.05)]
    trains: Annotated[int, Means("own trains left", 0.03)]
    points: Annotated[int, Means("own points for routes", 0.015)]
    tickets: Annotated[int, Means("own tickets", 0.2)]
    done: Annotated[int, Means("own tickets that are completed", 0.3)]
    done_points: Annotated[int, Means("their points", 0.03)]
    open_points: Annotated[
        int, Means("points of open tickets that planner means to complete", 0.03)
    ]
    lost_points: Annotated[int, Means("points of open tickets that it has given up", 0.03)]
    ticket_deck: Annotated[int, Means("tickets in the deck", 0.04)]
    round: Annotated[int, Means("turns begun, divided by the seats", 0.03)]
    bound: Annotated[int, Means("trains that planner's tree takes", 0.04)]
    spare_trains: Annotated[int, Means("own trains that it leaves", 0.04)]
    turns_left: Annotated[int, Means("turns that planner thinks it has", 0.05)]
    free_turns: Annotated[int, Means("those that its tree leaves", 0.08)]
    late_turns: Annotated[int, Means("turns that its tree lacks", 0.2)]
    lacking: Annotated[int, Means("cards that its tree lacks", 0.1)]
    tree_size: Annotated[int, Means("routes in its tree", 0.2)]
    locomotives_needed: Annotated[int, Means("locomotives that its ferries ask for", 0.3)]
    network: Annotated[int, Means("trains of the own largest connected network", 0.03)]
    stations_left: Annotated[int, Means("own stations not built", 0.4)]


class OfOther(NamedTuple):
    """For each of the others; then flags for how few trains are left, which is how near the last
    round is."""

    hand: Annotated[int, Means("cards in that hand", 0.05)]
    unknown: Annotated[int, Means("those of them that nobody knows", 0.1)]
    trains: Annotated[int, Means("trains left", 0.03)]
    points: Annotated[int, Means("points for routes", 0.015)]
    ahead: Annotated[int, Means("own points less these", 0.03)]
    behind: Annotated[int, Means("these points less the own", 0.03, name="behind")]
    tickets: Annotated[int, Means("tickets held; 0 while tickets are chosen at the start", 0.2)]
    pace: Annotated[int, Means("turns to the last round at the quickest", 0.06)]
    network: Annotated[int, Means("trains of the largest connected network", 0.03)]
    stations: Annotated[int, Means("stations built", 0.4)]


class Asked(NamedTuple):
    """For what is to be paid; before it, flags for the last round, the phase and the colour."""

    pays_length: Annotated[int, Means("its length", 0.25)]
    pays_ferry: Annotated[int, Means("its locomotives", 0.5)]
    pays_tunnel: Annotated[int, Means("it is a tunnel")]
    pays_station: Annotated[int, Means("a station is to be paid")]
    pays_tree: Annotated[int, Means("the route is in planner's tree")]
    extra: Annotated[int, Means("cards that a tunnel asks for", 0.5)]
    laid: Annotated[int, Means("cards of a colour laid for it", 0.25)]
    laid_locomotives: Annotated[int, Means("locomotives laid for it", 0.5)]


class OfRoute(NamedTuple):
    """For each route."""

    mine: Annotated[int, Means("the seat has claimed the route")]
    taken: Annotated[int, Means("another seat has claimed it")]
    open: Annotated[int, Means("the seat may still claim it")]
    tree: Annotated[int, Means("it or its twin is in planner's tree, and open")]
    side: Annotated[int, Means("planner means to claim it for the points")]
    loan: Annotated[int, Means("planner means to borrow it with a station")]


class OfCity(NamedTuple):
    """For each city; after the first, flags for the others whose routes touch it."""

    reached: Annotated[int, Means("own routes touch the city")]
    goals: Annotated[int, Means("open tickets that end there", 0.5)]
    offers: Annotated[int, Means("tickets on offer that end there", 0.5)]
    station: Annotated[int, Means("the seat has a station there")]
    occupied: Annotated[int, Means("another seat has a station there")]


class OfOpenTicket(NamedTuple):
    """For each of the first open tickets, the dearest first."""

    points: Annotated[int, Means("points of the open ticket, dearest first", 0.06)]
    trains: Annotated[int, Means("trains that its way in planner's tree takes", 0.08)]
    given_up: Annotated[int, Means("planner has no way for it")]


class OfOffered(NamedTuple):
    """For each ticket on offer."""

    points: Annotated[int, Means("points of the ticket on offer", 0.06)]
    cost: Annotated[int, Means("trains of its shortest way", 0.08)]
    extra: Annotated[int, Means("trains of it beyond planner's tree", 0.08)]
    lost: Annotated[int, Means("it has no way that the trains suffice for")]
    long: Annotated[int, Means("it is a long ticket")]


class OfEdition(NamedTuple):
    """For the edition; before it, flags for the number of seats."""

    all_trains: Annotated[int, Means("trains of a seat at the start", 0.02)]
    all_stations: Annotated[int, Means("stations of a seat at the start", 0.33)]
    station_bonus: Annotated[int, Means("points of a station that was not built", 0.25)]
    longest_bonus: Annotated[int, Means("points of the longest route", 0.1)]
    draw: Annotated[int, Means("tickets of an offer in a turn", 0.25)]
    deals: Annotated[int, Means("stages of the first offer", 0.5)]
    first_offer: Annotated[int, Means("regular tickets of its last stage", 0.2)]
    long_tickets: Annotated[int, Means("long tickets of the edition", 0.1)]
    all_tickets: Annotated[int, Means("tickets of the edition", 0.01)]


Group = TypeVar("Group", bound=tuple[int, ...])


def _places(group: type[Group]) -> Group:
    """Return where the columns of a group stand, from its first on."""
    places: Any = group
    return cast(Group, places._make(range(len(places._fields))))


OF_CARD = _places(OfCard)
OWN = _places(Own)
OF_OTHER = _places(OfOther)
ASKED = _places(Asked)
OF_ROUTE = _places(OfRoute)
OF_CITY = _places(OfCity)
OF_OPEN_TICKET = _places(OfOpenTicket)
OF_OFFERED = _places(OfOffered)
OF_EDITION = _places(OfEdition)


@dataclass(frozen=True, slots=True)
class Column:
    """One number of an observation, 0 to 255; the net multiplies it with `scale` first."""

    name: str
    meaning: str
    scale: float

    @property
    def most(self) -> int:
        """The largest value: 1 for what is true or false."""
        return 1 if self.scale == 1.0 else 255


@dataclass(frozen=True)
class Columns:
    """The layout for a board, a number of tickets on offer and a number of other seats."""

    of: Board
    offer: int
    others: int
    all: tuple[Column, ...]

    @property
    def board(self) -> str:
        """The id of the board."""
        return self.of.id

    @property
    def actions(self) -> int:
        """The number of actions, which is that of the legal mask."""
        return ROUTE + len(self.of.routes) + len(self.of.cities) + (1 << self.offer)

    @property
    def count(self) -> int:
        return len(self.all)

    def scales(self) -> list[float]:
        """What each column is multiplied with."""
        return [column.scale for column in self.all]


def _flags(names: Iterable[str], meaning: str) -> Iterator[Column]:
    for name in names:
        yield Column(name, meaning, 1.0)


def _group(places: tuple[int, ...], name: str = "{}") -> list[Column]:
    """Return the columns of a group; `name` makes their names from those of the fields."""
    found = []
    hints: dict[str, Any] = get_type_hints(type(places), include_extras=True)
    for field, hint in hints.items():
        [means] = hint.__metadata__
        own: str = means.name or name.format(field.replace("_", " "))
        found.append(Column(own, means.meaning, means.scale))
    return found


def _of(columns: Iterable[Column], what: str) -> Iterator[Column]:
    """Return columns with the thing they are about at the end of their names."""
    for column in columns:
        yield Column(f"{column.name} {what}", column.meaning, column.scale)


def _cards(others: int) -> Iterator[Column]:
    of_card = _group(OF_CARD)
    for card in CARD_NAMES[:KINDS]:
        yield from _of(of_card, card)
        for other in range(1, others + 1):
            yield Column(f"known {card} of +{other}", "cards known to be in that hand", 0.25)


def _other(seat: int) -> Iterator[Column]:
    yield from _of(_group(OF_OTHER, "{} of"), f"+{seat}")
    few = [f"+{seat} has at most {trains} trains" for trains in FEW_TRAINS]
    yield from _flags(few, "how near the last round is")


def _pending() -> Iterator[Column]:
    yield from _flags(
        (f"last round {i}" for i in range(LAST_TURNS)), "turns left in the last round"
    )
    yield from _flags((f"phase {name}" for name in PHASES), "what the decision is about")
    colors = (*CARD_NAMES[: KINDS - 1], "gray")
    yield from _flags((f"pays {name}" for name in colors), "colour of the route to be paid")
    yield from _group(ASKED)


def _cities(board: Board, others: int) -> Iterator[Column]:
    first, *rest = _group(OF_CITY)
    for city in board.cities:
        yield from _of([first], city.id)
        for other in range(1, others + 1):
            yield from _flags((f"reached {city.id} by +{other}",), "that seat's routes touch it")
        yield from _of(rest, city.id)


def _tickets(offer: int) -> Iterator[Column]:
    for i in range(SLOTS):
        yield from _group(OF_OPEN_TICKET, f"open ticket {i} {{}}")
    for i in range(offer):
        yield from _group(OF_OFFERED, f"offer {i} {{}}")


def columns_of(board: Board, offer: int, others: int) -> Columns:
    """Return the layout for a board, the tickets of an offer and the number of other seats."""
    actions = ROUTE + len(board.routes) + len(board.cities) + (1 << offer)
    if len(board.cities) > CITIES:
        raise ValueError(f"the board {board.id} has more than {CITIES} cities")
    every: list[Column] = [
        *_flags((f"legal {a}" for a in range(actions)), "the action is legal"),
        *_flags((f"planner {a}" for a in range(actions)), "planner would do this"),
    ]
    for subset in range(1 << offer):
        meaning = "255 for the subset of the offer that planner likes best, 1 less per 1/4 point"
        every.append(Column(f"worth {subset}", meaning, 1 / 64))
    every += [*_cards(others), *_group(OWN)]
    for seat in range(1, others + 1):
        every += _other(seat)
    every += _pending()
    of_route = _group(OF_ROUTE)
    for route in board.routes:
        every += _of(of_route, route.id)
    every += [*_cities(board, others), *_tickets(offer)]
    every += _flags((f"{n} seats" for n in range(2, others + 2)), "seats at the table")
    every += _group(OF_EDITION)
    return Columns(board, offer, others, tuple(every))


def layout_of(found: Iterable[Edition]) -> Columns:
    """Return the layout for editions of one board; ValueError if they are of several."""
    chosen = tuple(found)
    boards = {each.board.id for each in chosen}
    if len(boards) != 1:
        raise ValueError(f"a layout is for editions of one board, not of {sorted(boards)}")
    offer = max(
        max(each.ticket_draw, *(deal.long + deal.regular for deal in each.deals), 0)
        for each in chosen
    )
    return columns_of(chosen[0].board, offer, max(each.seats[1] for each in chosen) - 1)


def layout_for(found: Iterable[Edition]) -> Columns:
    """Return the layout for some editions: that of `layout`, if their board comes with Ferrovia."""
    chosen = tuple(found)
    own = layout_of(chosen)
    if all(load_edition(name).board != own.of for name in editions()):
        return own
    common = layout(own.board)
    return common if own.offer <= common.offer and own.others <= common.others else own


@cache
def layout(board: str) -> Columns:
    """Return the layout of a board that comes with Ferrovia, for all its editions."""
    found = [load_edition(name) for name in editions()]
    return layout_of(each for each in found if each.board.id == board)
