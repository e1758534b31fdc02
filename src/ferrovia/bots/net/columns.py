"""The columns of an observation: one layout per board, the same for all its editions.

The layout is what a net was trained on: a new column or another order is another layout, and old
weights do not fit it. `observe` writes the columns in exactly this order.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from ferrovia.boards import COLORS as CARD_NAMES
from ferrovia.boards import Board, Edition, edition, editions
from ferrovia.rules.chapters.actions import ROUTE
from ferrovia.rules.state.layout import CITIES, KINDS

SLOTS = 8  # open tickets that have columns of their own
LAST_TURNS = 7  # turns left in the last round: 0 to 5, and more
FEW_TRAINS = 4  # steps of three trains that show how near the end is


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
    """The layout for a board, with so many tickets on offer and so many other seats."""

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

    def scales(self) -> npt.NDArray[np.float32]:
        """What each column is multiplied with."""
        return np.array([column.scale for column in self.all], np.float32)


def _flags(names: Iterable[str], meaning: str) -> Iterator[Column]:
    for name in names:
        yield Column(name, meaning, 1.0)


def _numbers(*columns: tuple[str, str, float]) -> Iterator[Column]:
    for column in columns:
        yield Column(*column)


def _cards(others: int) -> Iterator[Column]:
    for name in CARD_NAMES[:KINDS]:
        yield from _numbers(
            (f"hand {name}", "cards in the own hand", 0.25),
            (f"display {name}", "cards face up", 0.5),
            (f"unseen {name}", "cards in the deck or unknown in other hands", 0.1),
            (f"discarded {name}", "cards in the discards", 0.1),
            (f"need {name}", "cards that planner's tree asks for", 0.15),
            (f"want {name}", "cards that its tree and side routes ask for", 0.15),
            (f"lack {name}", "cards of the tree that are not in the hand", 0.3),
        )
        for other in range(1, others + 1):
            yield Column(f"known {name} of +{other}", "cards known to be in that hand", 0.25)


def _own() -> Iterator[Column]:
    yield from _numbers(
        ("deck", "cards in the deck", 0.01),
        ("discards", "cards in the discards", 0.02),
        ("hand", "cards in the own hand", 0.05),
        ("trains", "own trains left", 0.03),
        ("points", "own points for routes", 0.015),
        ("tickets", "own tickets", 0.2),
        ("done", "own tickets that are completed", 0.3),
        ("done points", "their points", 0.03),
        ("open points", "points of open tickets that planner means to complete", 0.03),
        ("lost points", "points of open tickets that it has given up", 0.03),
        ("ticket deck", "tickets in the deck", 0.04),
        ("round", "turns begun, divided by the seats", 0.03),
        ("bound", "trains that planner's tree takes", 0.04),
        ("spare trains", "own trains that it leaves", 0.04),
        ("turns left", "turns that planner thinks it has", 0.05),
        ("free turns", "those that its tree leaves", 0.08),
        ("late turns", "turns that its tree lacks", 0.2),
        ("lacking", "cards that its tree lacks", 0.1),
        ("tree size", "routes in its tree", 0.2),
        ("locomotives needed", "locomotives that its ferries ask for", 0.3),
        ("network", "trains of the own largest connected network", 0.03),
        ("stations left", "own stations not built", 0.4),
    )


def _other(seat: int) -> Iterator[Column]:
    yield from _numbers(
        (f"hand of +{seat}", "cards in that hand", 0.05),
        (f"unknown of +{seat}", "those of them that nobody knows", 0.1),
        (f"trains of +{seat}", "trains left", 0.03),
        (f"points of +{seat}", "points for routes", 0.015),
        (f"ahead of +{seat}", "own points less these", 0.03),
        (f"behind +{seat}", "these points less the own", 0.03),
        (f"tickets of +{seat}", "tickets held; 0 while tickets are chosen at the start", 0.2),
        (f"pace of +{seat}", "turns to the last round at the quickest", 0.06),
        (f"network of +{seat}", "trains of the largest connected network", 0.03),
        (f"stations of +{seat}", "stations built", 0.4),
    )
    few = [f"+{seat} has at most {3 * i + 2} trains" for i in range(FEW_TRAINS)]
    yield from _flags(few, "how near the last round is")


def _pending() -> Iterator[Column]:
    phases = ("start", "turn", "second card", "payment", "tunnel", "offer")
    yield from _flags((f"phase {name}" for name in phases), "what the decision is about")
    colors = (*CARD_NAMES[: KINDS - 1], "gray")
    yield from _flags((f"pays {name}" for name in colors), "colour of the route to be paid")
    yield from _numbers(
        ("pays length", "its length", 0.25),
        ("pays ferry", "its locomotives", 0.5),
        ("pays tunnel", "it is a tunnel", 1.0),
        ("pays station", "a station is to be paid", 1.0),
        ("pays tree", "the route is in planner's tree", 1.0),
        ("extra", "cards that a tunnel asks for", 0.5),
        ("laid", "cards laid for it", 0.25),
        ("laid locomotives", "locomotives among them", 0.5),
    )


def _routes(board: Board) -> Iterator[Column]:
    for route in board.routes:
        name = route.id
        yield from _flags((f"mine {name}",), "the seat has claimed the route")
        yield from _flags((f"taken {name}",), "another seat has claimed it")
        yield from _flags((f"open {name}",), "the seat may still claim it")
        yield from _flags((f"tree {name}",), "it or its twin is in planner's tree, and open")
        yield from _flags((f"side {name}",), "planner means to claim it for the points")
        yield from _flags((f"loan {name}",), "planner means to borrow it with a station")


def _cities(board: Board, others: int) -> Iterator[Column]:
    for city in board.cities:
        name = city.id
        yield from _flags((f"reached {name}",), "own routes touch the city")
        for other in range(1, others + 1):
            yield from _flags((f"reached {name} by +{other}",), "that seat's routes touch it")
        yield Column(f"goals {name}", "open tickets that end there", 0.5)
        yield Column(f"offers {name}", "tickets on offer that end there", 0.5)
        yield from _flags((f"station {name}",), "the seat has a station there")
        yield from _flags((f"occupied {name}",), "another seat has a station there")


def _tickets(offer: int) -> Iterator[Column]:
    for i in range(SLOTS):
        yield from _numbers(
            (f"open ticket {i} points", "points of the open ticket, dearest first", 0.06),
            (f"open ticket {i} trains", "trains that its way in planner's tree takes", 0.08),
            (f"open ticket {i} given up", "planner has no way for it", 1.0),
        )
    for i in range(offer):
        yield from _numbers(
            (f"offer {i} points", "points of the ticket on offer", 0.06),
            (f"offer {i} cost", "trains of its shortest way", 0.08),
            (f"offer {i} extra", "trains of it beyond planner's tree", 0.08),
            (f"offer {i} lost", "it has no way that the trains suffice for", 1.0),
            (f"offer {i} long", "it is a long ticket", 1.0),
        )


def _edition(others: int) -> Iterator[Column]:
    yield from _flags((f"{n} seats" for n in range(2, others + 2)), "seats at the table")
    yield from _numbers(
        ("all trains", "trains of a seat at the start", 0.02),
        ("all stations", "stations of a seat at the start", 0.33),
        ("station bonus", "points of a station that was not built", 0.25),
        ("longest bonus", "points of the longest route", 0.1),
        ("draw", "tickets of an offer in a turn", 0.25),
        ("deals", "stages of the first offer", 0.5),
        ("first offer", "regular tickets of its last stage", 0.2),
        ("long tickets", "long tickets of the edition", 0.1),
        ("all tickets", "tickets of the edition", 0.01),
    )


def columns_of(board: Board, offer: int, others: int) -> Columns:
    """Return the layout for a board with offers of so many tickets and so many other seats."""
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
    every += [*_cards(others), *_own()]
    for seat in range(1, others + 1):
        every += _other(seat)
    last = [f"last round {i}" for i in range(LAST_TURNS)]
    every += [*_flags(last, "turns left in the last round"), *_pending()]
    every += [*_routes(board), *_cities(board, others), *_tickets(offer), *_edition(others)]
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
    if all(edition(name).board != own.of for name in editions()):
        return own
    common = layout(own.board)
    return common if own.offer <= common.offer and own.others <= common.others else own


@cache
def layout(board: str) -> Columns:
    """Return the layout of a board that comes with Ferrovia, for all its editions."""
    found = [edition(name) for name in editions()]
    return layout_of(each for each in found if each.board.id == board)
