"""The editions that come with Ferrovia, and those of board files."""

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ferrovia.boards.edition import Edition, TicketPack, with_packs
from ferrovia.boards.model import Board
from ferrovia.boards.packs import load_pack
from ferrovia.boards.reading.board import read_board
from ferrovia.boards.reading.edition import read_edition
from ferrovia.boards.reading.fields import NAME_ID, Members, is_name
from ferrovia.boards.reading.json_file import read_document
from ferrovia.boards.reading.problems import Document, Findings, nearest, refusal

VERSION = 1
"""The form of board files; a file of a newer one is refused."""

_DATA = Path(__file__).parent / "data"


def editions() -> tuple[str, ...]:
    """Return the ids of the editions that come with Ferrovia."""
    return tuple(_builtin())


def load_edition(
    name_or_path: str | os.PathLike[str], extras: Iterable[str | os.PathLike[str]] = ()
) -> Edition:
    """Return a built-in edition by its id, or that of a board file, with ticket packs switched on.

    Raises `BoardError` with every problem found. Paths are opened as they are: before
    passing on what a stranger has typed, see that it is one of `editions`.
    """
    bare = _bare(name_or_path)
    packs = [load_pack(extra, bare.board) for extra in extras]
    return with_packs(bare, packs) if packs else bare


def board(name_or_path: str | os.PathLike[str]) -> Board:
    """Return the board of a built-in edition, or of a board file."""
    return _bare(name_or_path).board


def is_builtin(edition: Edition) -> bool:
    """Return whether the id alone determines this edition, apart from its packs.

    If not, a record must hold its document.
    """
    known = _builtin().get(edition.id)
    return known is not None and with_packs(known, edition.packs) == edition


def edition_from_document(
    document: object, packs: Iterable[TicketPack] = (), *, name: str = "board"
) -> Edition:
    """Return the edition of an untrusted document in the form of `Edition.document`.

    `name` is what problems call the document.
    """
    return with_packs(edition_in(Document(name, document)), packs)


def edition_in(document: Document) -> Edition:
    """Return the edition of a board file from any source; numbers that it omits are defaults."""
    findings = Findings(document)
    root = Members(document.value, (), findings)
    root.text("$schema", default="", longest=200)
    if root.integer("version", 1, 10**6, default=VERSION) > VERSION:
        hint = "update Ferrovia"
        raise refusal("was written by a newer Ferrovia, in a form that is not known", hint)
    board = read_board(root)
    edition = read_edition(root.inner("edition"), board)
    root.finish()
    findings.raise_any()
    return edition


def _bare(name_or_path: str | os.PathLike[str]) -> Edition:
    if not is_name(name_or_path):
        return edition_in(read_document(name_or_path))
    found = _builtin().get(name_or_path)
    if found is None:
        hint = f"a board file is given by its path; {nearest(name_or_path, _builtin())}"
        raise refusal(f"there is no edition '{name_or_path}'", hint)
    return found


@cache
def _builtin() -> dict[str, Edition]:
    """Return every edition of `editions.json`, by its id."""
    document = read_document(_DATA / "editions.json")
    findings = Findings(document)
    root = Members(document.value, (), findings)
    found = {}
    boards: dict[str, Board] = {}
    for index, value in enumerate(root.array("editions", most=100)):
        fields = Members(value, ("editions", index), findings)
        board_id = fields.word("board", NAME_ID)
        if board_id not in boards:
            boards[board_id] = edition_in(read_document(_DATA / f"{board_id}.json")).board
        edition = read_edition(fields, boards[board_id])
        found[edition.id] = edition
    root.finish()
    findings.raise_any()
    return found
