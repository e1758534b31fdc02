"""A board as facts: cities, the routes between them, and the tickets that name them."""

from dataclasses import asdict, dataclass, field
from typing import Any, Final

COLORS: Final = (
    "purple",
    "blue",
    "orange",
    "white",
    "green",
    "yellow",
    "black",
    "red",
    "locomotive",
)
"""The kinds of train cards, in the order that every table of numbers uses."""

GRAY: Final = "gray"
"""The colour of a route that takes any one colour of cards (R5.1)."""


PLAYER_COLORS: Final = (
    "blue",
    "red",
    "green",
    "yellow",
    "black",
    "white",
    "brown",
    "purple",
    "gray",
    "orange",
)
"""The colours that a player's trains can have; the first five are those of the base box (R1.5)."""


@dataclass(frozen=True, slots=True)
class City:
    """A city: its id, its name as printed, and where it lies in degrees."""

    id: str
    name: str
    lat: float
    lon: float


@dataclass(frozen=True, slots=True)
class Route:
    """A row of `length` spaces between two cities; each half of a double is a route of its own.

    `color` is one of `COLORS` but not the locomotive, or `GRAY`. `ferry` counts
    the spaces that show a locomotive (R6.1).
    """

    id: str
    a: str
    b: str
    length: int
    color: str
    ferry: int = 0
    tunnel: bool = False


@dataclass(frozen=True, slots=True)
class Ticket:
    """Two cities to join and what that is worth. `big_city` is the mark of the Big Cities."""

    id: str
    a: str
    b: str
    points: int
    set: str
    long: bool = False
    big_city: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """Cities, routes and all printed tickets, in the order of the board file.

    Boards that come out of this package are sound: every id is unique, every city can be reached,
    and between two cities there are at most two routes, of equal length.
    """

    id: str
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    _cities: dict[str, City] = field(init=False, repr=False, compare=False)
    _routes: dict[str, Route] = field(init=False, repr=False, compare=False)
    _twins: dict[str, Route] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        first: dict[tuple[frozenset[str], int], Route] = {}
        twins: dict[str, Route] = {}
        for route in self.routes:
            other = first.setdefault((frozenset((route.a, route.b)), route.length), route)
            if other is not route:
                twins[route.id], twins[other.id] = other, route
        object.__setattr__(self, "_cities", {city.id: city for city in self.cities})
        object.__setattr__(self, "_routes", {route.id: route for route in self.routes})
        object.__setattr__(self, "_twins", twins)

    def city(self, id: str) -> City:
        """Return the city of that id; `KeyError` if there is none."""
        return self._cities[id]

    def route(self, id: str) -> Route:
        """Return the route of that id; `KeyError` if there is none."""
        return self._routes[id]

    def twin(self, route_id: str) -> Route | None:
        """Return the other half of a double: same two cities, same length (R5.6)."""
        return self._twins.get(route_id)

    def document(self) -> dict[str, Any]:
        """Return the board as a board file holds it; it loads back to an equal board."""
        return {
            "board": self.id,
            "cities": [asdict(city) for city in self.cities],
            "routes": [asdict(route) for route in self.routes],
            "tickets": [asdict(ticket) for ticket in self.tickets],
        }
