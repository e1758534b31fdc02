"""An edition: a board, the tickets in use and every number that editions differ in (R1)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Final, Literal

from ferrovia.boards.limits import MAX_TICKETS
from ferrovia.boards.model import Board, Ticket
from ferrovia.boards.reading.problems import Document, Findings, nearest

NotKept = Literal["out", "bottom"]
"""Where tickets go that were not kept at the start: out of the game, or shuffled to the bottom."""


@dataclass(frozen=True, slots=True)
class TicketDeal:
    """One stage of the first offer: how many tickets of each kind, and how many may be kept.

    `keep_min_without_long` takes the place of `keep_min` for a player who kept no long ticket
    in an earlier stage (R1.3); where there is no earlier stage the two are equal.
    """

    long: int
    regular: int
    keep_min: int
    keep_max: int
    keep_min_without_long: int


@dataclass(frozen=True, slots=True)
class TicketPack:
    """Extra tickets for one board (R1.4); `set` of each is the name of the pack."""

    name: str
    board: str
    tickets: tuple[Ticket, ...]


@dataclass(frozen=True, slots=True)
class Edition:
    """All that the rules need to know before the first card is dealt.

    `tickets` are exactly those in play, the long ones first, both kinds in the order of the
    board file, followed by those of `packs`. They follow from `board`, `sets`,
    `marked_only`, `deals` and `packs`. `route_points` has every length on the board.
    `seats` is the smallest and the largest table.
    """

    id: str
    name: str
    board: Board
    sets: tuple[str, ...]
    marked_only: bool
    tickets: tuple[Ticket, ...]
    seats: tuple[int, int]
    trains: int
    stations: int
    deals: tuple[TicketDeal, ...]
    long_not_kept: NotKept
    regular_not_kept: NotKept
    ticket_draw: int
    ticket_keep: int
    longest_bonus: int
    station_bonus: int
    tie_break: tuple[str, ...]
    player_colors: tuple[str, ...]
    route_points: Mapping[int, int] = field(hash=False)
    cards: Mapping[str, int] = field(hash=False)
    packs: tuple[TicketPack, ...] = ()
    _tickets: dict[str, Ticket] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_tickets", {ticket.id: ticket for ticket in self.tickets})

    @property
    def extras(self) -> tuple[str, ...]:
        """The names of the ticket packs in use."""
        return tuple(pack.name for pack in self.packs)

    def ticket(self, id: str) -> Ticket:
        """Return the ticket in play of that id; `KeyError` if there is none."""
        return self._tickets[id]

    def check_seats(self, players: int) -> None:
        """Raise ValueError if this edition is not for that number of players."""
        fewest, most = self.seats
        if not fewest <= players <= most:
            raise ValueError(f"{self.id} is for {fewest} to {most} players, not {players}")

    def document(self) -> dict[str, Any]:
        """Return the board file of this edition; it loads back to an equal edition without packs.

        Packs are not part of it: a record carries them next to the board (`packs_header`).
        """
        numbers = {name: _as_json(getattr(self, name)) for name in NUMBERS}
        return {**self.board.document(), "edition": numbers}


NUMBERS: Final = tuple(
    field.name
    for field in fields(Edition)
    if field.name not in ("board", "tickets", "packs", "_tickets")
)
"""The fields that the `edition` of a board file holds."""

IN_PLAY: Final = ("id", "a", "b", "points", "long")
"""The fields of a ticket that matter in play."""


def _as_json(value: Any) -> Any:
    if isinstance(value, tuple):
        return [asdict(it) if isinstance(it, TicketDeal) else it for it in value]
    if isinstance(value, Mapping):
        return {str(key): number for key, number in value.items()}
    return value


def edition_document(edition: Edition) -> dict[str, Any]:
    """Return the board file of an edition, and what follows from it: `in_play` the tickets of its
    deck, with packs, `twins` for each half of a double route the other one, and `big_cities`."""
    board = edition.board
    tickets = [{name: getattr(it, name) for name in IN_PLAY} for it in edition.tickets]
    twins = {it.id: twin.id for it in board.routes if (twin := board.twin(it.id)) is not None}
    derived = {"in_play": tickets, "twins": twins, "big_cities": big_cities(edition)}
    return {**edition.document(), **derived}


def big_cities(edition: Edition) -> list[str]:
    """Return the cities that give a ticket its mark, where an edition is played with marked tickets
    only: of the regular tickets, none without the mark names one of them."""
    if not edition.marked_only:
        return []
    ends: dict[bool, set[str]] = {True: set(), False: set()}
    for ticket in edition.board.tickets:
        if not ticket.long:
            ends[ticket.big_city] |= {ticket.a, ticket.b}
    return sorted(ends[True] - ends[False])


def tickets_in_use(
    board: Board,
    sets: Sequence[str],
    marked_only: bool,
    deals: Sequence[TicketDeal],
    packs: Iterable[TicketPack] = (),
) -> tuple[Ticket, ...]:
    """Return the tickets of an edition, the long ones first.

    Where no stage deals long tickets they are not used at all: they could only leave the game
    unseen (R1.2). Where only marked tickets are used, only marked ones of a pack join (R1.4).
    """
    own = [ticket for ticket in board.tickets if ticket.set in sets]
    extra = [ticket for pack in packs for ticket in pack.tickets]
    used = [ticket for ticket in own + extra if ticket.big_city or not marked_only]
    long = [ticket for ticket in used if ticket.long] if any(d.long for d in deals) else []
    return (*long, *(ticket for ticket in used if not ticket.long))


def with_packs(edition: Edition, packs: Iterable[TicketPack]) -> Edition:
    """Return the edition with exactly these packs, each ticket in the deck of its kind.

    Raises `BoardError` for a pack of another board, an unknown city, a pack or ticket that
    comes twice, or more tickets than there is room for.
    """
    packs = tuple(packs)
    board = edition.board
    findings = Findings(Document(f"edition {edition.id}", None))
    names: set[str] = set()
    taken = {ticket.id for ticket in board.tickets}
    cities = [city.id for city in board.cities]
    for pack in packs:
        if pack.name in names:
            findings.add((), f"the ticket pack '{pack.name}' is named twice")
            continue
        names.add(pack.name)
        if pack.board != board.id:
            message = f"the ticket pack '{pack.name}' is for the board '{pack.board}'"
            findings.add((), message, f"this edition is played on '{board.id}'")
            continue
        for ticket in pack.tickets:
            if ticket.id in taken:
                findings.add((), f"there are two tickets with the id '{ticket.id}'")
            taken.add(ticket.id)
            for city in (ticket.a, ticket.b):
                if city not in cities:
                    message = f"ticket '{ticket.id}' names the city '{city}', which is unknown"
                    findings.add((), message, nearest(city, cities))
    tickets = tickets_in_use(board, edition.sets, edition.marked_only, edition.deals, packs)
    if len(tickets) > MAX_TICKETS:
        findings.add((), f"{len(tickets)} tickets are too many: at most {MAX_TICKETS}")
    findings.raise_any()
    return replace(edition, packs=packs, tickets=tickets)
