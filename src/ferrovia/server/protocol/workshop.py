"""The workshop over HTTP: requests about a board file, which a client sends as text."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ferrovia.boards.limits import MAX_BYTES, MAX_SEATS, MAX_TICKETS
from ferrovia.workshop.generator import Size
from ferrovia.workshop.network import Network
from ferrovia.workshop.playtest import Level
from ferrovia.workshop.print.paper import Paper
from ferrovia.workshop.print.prints import LONG_SIDE, What

BoardText = Annotated[str, Meta(max_length=MAX_BYTES)]
Seed = Annotated[int, Meta(ge=0, le=10**9)]
FileName = Annotated[str, Meta(min_length=1, max_length=200)]


class BoardWork(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="work"
):
    """Something that takes a moment, and is done while games go on."""


class MakeBoard(BoardWork, frozen=True, kw_only=True, tag="make"):
    """Make a board of a region."""

    region: Annotated[str, Meta(min_length=1, max_length=200)]
    size: Size = "medium"
    seed: Seed = 1
    name: Annotated[str, Meta(max_length=60)] = ""


class ReadFiles(BoardWork, frozen=True, kw_only=True, tag="read"):
    """Make a board file of the files of other programs; each is its name and its text."""

    files: Annotated[dict[FileName, Annotated[str, Meta(max_length=16 << 20)]], Meta(max_length=10)]


class CheckBoard(BoardWork, frozen=True, kw_only=True, tag="check"):
    """Find what is wrong with a board, and measure it."""

    board: BoardText


class DrawBoard(BoardWork, frozen=True, kw_only=True, tag="draw"):
    """Lay a board out as it is played."""

    board: BoardText


class SearchTickets(BoardWork, frozen=True, kw_only=True, tag="tickets"):
    """Search tickets for a board, whatever its own are; those named stay as they are."""

    board: BoardText
    seed: Seed = 1
    style: Literal["balanced", "short", "long"] = "balanced"
    count: Annotated[int, Meta(ge=1, le=MAX_TICKETS)] | None = None
    keep: Annotated[tuple[Annotated[str, Meta(max_length=100)], ...], Meta(max_length=192)] = ()


class PlaytestBoard(BoardWork, frozen=True, kw_only=True, tag="playtest"):
    """Let bots play a board; `against` is an earlier version, on which they play the same deals."""

    board: BoardText
    players: Annotated[int, Meta(ge=2, le=MAX_SEATS)]
    games: Annotated[int, Meta(ge=10, le=1000)] = 1000
    seed: Seed = 1
    level: Level = "driver"
    against: BoardText | None = None


class ExportBoard(BoardWork, frozen=True, kw_only=True, tag="export"):
    """Write a board for other programs: files by their names."""

    board: BoardText
    form: Literal["tables", "geojson"]


class PrintBoard(BoardWork, frozen=True, kw_only=True, tag="print"):
    """Lay a board, its tickets or its train cards out on paper, as a PDF where one can be made."""

    board: BoardText
    form: Literal["pdf", "svg"] = "pdf"
    what: What
    layout: Literal["one", "panels", "full", "sheets", "single"]
    paper: Paper = "a4"
    long_side: Annotated[int, Meta(ge=LONG_SIDE[0], le=LONG_SIDE[1])] | None = None


AnyBoardWork = (
    MakeBoard
    | ReadFiles
    | CheckBoard
    | DrawBoard
    | SearchTickets
    | PlaytestBoard
    | ExportBoard
    | PrintBoard
)


class BoardProblem(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a board file, in English: where, what, and what to do about it."""

    line: int | None
    path: str
    message: str
    hint: str


class BoardFile(msgspec.Struct, frozen=True, kw_only=True):
    """A board file, and notes on what was left out."""

    board: str
    notes: tuple[str, ...] = ()


class BoardChecked(msgspec.Struct, frozen=True, kw_only=True):
    """Problems keep a board from being played, warnings do not; `network` is there without
    problems, and `printed` are the printed boards to compare it with.
    """

    problems: tuple[BoardProblem, ...]
    warnings: tuple[BoardProblem, ...]
    network: Network | None
    printed: dict[str, Network]


class FoundTicket(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket as a board file has it."""

    id: str
    a: str
    b: str
    points: int
    set: str
    long: bool


class FoundTickets(msgspec.Struct, frozen=True, kw_only=True):
    """A deck that was searched."""

    tickets: tuple[FoundTicket, ...]


class BoardExport(msgspec.Struct, frozen=True, kw_only=True):
    """Files by their names."""

    files: dict[str, str]


class PrintedSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet in millimetres, and what is on it as elements of SVG."""

    wide: float
    high: float
    svg: str


class BoardPrint(msgspec.Struct, frozen=True, kw_only=True):
    """A PDF in base 64; or the sheets, and the `symbols` of SVG that they use, where none was
    wanted or can be made.
    """

    title: str
    pdf: str | None = None
    symbols: str = ""
    sheets: tuple[PrintedSheet, ...] = ()


class Region(msgspec.Struct, frozen=True, kw_only=True):
    """A region by its word, and its name in English."""

    word: str
    name: str


class Regions(msgspec.Struct, frozen=True, kw_only=True):
    """The regions that a board can be made of, the fewest and the most players of each size, and
    whom to thank for the cities.
    """

    regions: tuple[Region, ...]
    sizes: dict[str, tuple[int, int]]
    credit: str


class WorldCity(msgspec.Struct, frozen=True, kw_only=True):
    """A city of the world, and the two letters of its country."""

    name: str
    lat: float
    lon: float
    country: str


class WorldCities(msgspec.Struct, frozen=True, kw_only=True):
    """The cities that are called so."""

    cities: tuple[WorldCity, ...]


class OpenBoard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Offer a board of one's own at this server, to play on it."""

    board: BoardText


class OpenedBoard(msgspec.Struct, frozen=True, kw_only=True):
    """The id under which tables can be set up with it."""

    edition: str


class EditedFile(msgspec.Struct, frozen=True, kw_only=True):
    """The file of `ferrovia edit`: its name, a word for its contents (empty: there is no such file
    yet), and its text unless the client has it.
    """

    name: str
    version: str
    board: str | None = None


class SaveFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Write the file of `ferrovia edit`, if it still is the version `after`."""

    board: BoardText
    after: Annotated[str, Meta(max_length=16)]


class SavedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A word for what is in the file now."""

    version: str


class Land(msgspec.Struct, frozen=True, kw_only=True):
    """The land and lakes of a part of the world: closed lines, longitude and latitude in turn."""

    land: tuple[tuple[float, ...], ...]
    lakes: tuple[tuple[float, ...], ...]
