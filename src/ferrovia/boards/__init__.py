"""Boards, editions and ticket packs: facts as data, and their validation.

>>> from ferrovia.boards import load_edition
>>> europe = load_edition("europe")
>>> europe.board.route("palermo-smyrna").ferry
2
"""

from ferrovia.boards.catalog import (
    board,
    edition_from_document,
    editions,
    is_builtin,
    load_edition,
)
from ferrovia.boards.check import BoardReport, BoardSummary, check
from ferrovia.boards.edition import (
    Edition,
    NotKept,
    TicketDeal,
    TicketPack,
    edition_document,
    with_packs,
)
from ferrovia.boards.model import COLORS, GRAY, PLAYER_COLORS, Board, City, Route, Ticket
from ferrovia.boards.packs import (
    load_pack,
    pack_names,
    packs_folder,
    packs_from_header,
    packs_header,
)
from ferrovia.boards.reading.problems import BoardError, FileProblem, near_miss

__all__ = [
    "COLORS",
    "GRAY",
    "PLAYER_COLORS",
    "Board",
    "BoardError",
    "BoardReport",
    "BoardSummary",
    "City",
    "Edition",
    "FileProblem",
    "NotKept",
    "Route",
    "Ticket",
    "TicketDeal",
    "TicketPack",
    "board",
    "check",
    "edition_document",
    "edition_from_document",
    "editions",
    "is_builtin",
    "load_edition",
    "load_pack",
    "near_miss",
    "pack_names",
    "packs_folder",
    "packs_from_header",
    "packs_header",
    "with_packs",
]
