"""A report on a board file, for the person who is making it."""

import os
from collections import Counter
from dataclasses import dataclass

from ferrovia.boards.catalog import edition_in
from ferrovia.boards.edition import Edition
from ferrovia.boards.model import COLORS, GRAY, Board
from ferrovia.boards.reading.json_file import read_document
from ferrovia.boards.reading.problems import BoardError, Document, FileProblem, Findings
from ferrovia.boards.ways import distances

_FAR = 3
"""Printed tickets are worth the shortest way, give or take this."""

_UNEQUAL = 2
"""Colours are very unequal when one has more than this many times the spaces of another."""


@dataclass(frozen=True, slots=True)
class BoardSummary:
    """A board in numbers. Colours and lengths count routes; `doubles` counts pairs."""

    board: str
    edition: str
    cities: int
    routes: int
    spaces: int
    by_color: dict[str, int]
    by_length: dict[int, int]
    doubles: int
    tunnels: int
    ferries: int
    tickets: int
    long_tickets: int


@dataclass(frozen=True, slots=True)
class BoardReport:
    """What `check` found. There is a summary exactly when there are no problems."""

    file: str
    problems: tuple[FileProblem, ...]
    warnings: tuple[FileProblem, ...]
    summary: BoardSummary | None

    @property
    def ok(self) -> bool:
        """Whether the board can be played; warnings do not count."""
        return not self.problems

    def __str__(self) -> str:
        lines = [f"problem  {problem}" for problem in self.problems]
        lines += [f"warning  {warning}" for warning in self.warnings]
        if self.summary is not None:
            lines.append(_describe(self.summary))
        return "\n".join(lines)


def check(path: str | os.PathLike[str]) -> BoardReport:
    """Check a board file and return a report; never raises for what is wrong with the file."""
    try:
        return check_document(read_document(path))[0]
    except BoardError as error:
        return BoardReport(os.fspath(path), error.problems, (), None)


def check_document(document: Document) -> tuple[BoardReport, Edition | None]:
    """Check a board that was read, and return the report, and its edition without problems."""
    try:
        edition = edition_in(document)
    except BoardError as error:
        return BoardReport(document.name, error.problems, (), None), None
    warnings = Findings(document)
    _warn_of_tickets(edition, warnings)
    _warn_of_unused_long_tickets(edition, warnings)
    _warn_of_colors(edition.board, warnings)
    _warn_of_spaces(edition, warnings)
    report = BoardReport(document.name, (), warnings.problems(), summarize(edition))
    return report, edition


def summarize(edition: Edition) -> BoardSummary:
    """Return the numbers of an edition's board and of the tickets in use."""
    board = edition.board
    colors = Counter(route.color for route in board.routes)
    return BoardSummary(
        board=board.id,
        edition=edition.id,
        cities=len(board.cities),
        routes=len(board.routes),
        spaces=sum(route.length for route in board.routes),
        by_color={color: colors[color] for color in (*COLORS[:-1], GRAY)},
        by_length=dict(sorted(Counter(route.length for route in board.routes).items())),
        doubles=sum(board.twin(route.id) is not None for route in board.routes) // 2,
        tunnels=sum(route.tunnel for route in board.routes),
        ferries=sum(route.ferry > 0 for route in board.routes),
        tickets=len(edition.tickets),
        long_tickets=sum(ticket.long for ticket in edition.tickets),
    )


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _describe(summary: BoardSummary) -> str:
    colors = ", ".join(f"{color} {count}" for color, count in summary.by_color.items())
    lengths = ", ".join(f"{length}: {count}" for length, count in summary.by_length.items())
    return (
        f"board '{summary.board}': {summary.cities} cities, {summary.routes} routes, "
        f"{summary.spaces} spaces\n"
        f"  routes by colour  {colors}\n"
        f"  routes by length  {lengths}\n"
        f"  {_count(summary.doubles, 'double')}, {_count(summary.tunnels, 'tunnel')}, "
        f"{_count(summary.ferries, 'ferry', 'ferries')}\n"
        f"edition '{summary.edition}': {summary.tickets} tickets, {summary.long_tickets} long"
    )


def _warn_of_tickets(edition: Edition, warnings: Findings) -> None:
    board = edition.board
    ways = {city.id: distances(board.routes, city.id) for city in board.cities}
    for index, ticket in enumerate(edition.board.tickets):
        way = ways[ticket.a][ticket.b]
        if abs(ticket.points - way) > _FAR:
            message = f"{ticket.points} points, but the shortest way has {way} spaces"
            warnings.add(("tickets", index, "points"), message)


def _warn_of_unused_long_tickets(edition: Edition, warnings: Findings) -> None:
    if not any(deal.long for deal in edition.deals):
        long = sum(ticket.long for ticket in edition.board.tickets)
        if long:
            message = f"deals no long tickets, so the {long} of the board are not used"
            warnings.add(("edition", "deals"), message)


def _warn_of_colors(board: Board, warnings: Findings) -> None:
    spaces = Counter(dict.fromkeys(COLORS[:-1], 0))
    for route in board.routes:
        if route.color != GRAY:
            spaces[route.color] += route.length
    (most, high), *_, (least, low) = spaces.most_common()
    if high > _UNEQUAL * low:
        message = f"very unequal colours: {high} {most} spaces, but {low} {least} ones"
        warnings.add(("routes",), message)


def _warn_of_spaces(edition: Edition, warnings: Findings) -> None:
    spaces = sum(route.length for route in edition.board.routes)
    trains = edition.trains * edition.seats[1]
    if spaces < trains:
        message = f"{edition.seats[1]} players have {trains} trains for {spaces} spaces"
        hint = "give fewer trains, or lower the largest number of seats"
        warnings.add(("edition", "trains"), message, hint)
