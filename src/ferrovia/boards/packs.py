"""Ticket packs: extra tickets that the owner of a box writes down (R1.4)."""

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ferrovia.atomic_files import write_atomic
from ferrovia.boards.edition import TicketPack
from ferrovia.boards.limits import MAX_POINTS, MAX_TICKETS
from ferrovia.boards.model import Board, Ticket
from ferrovia.boards.reading.board import note_repeated_ids, note_wrong_ends
from ferrovia.boards.reading.fields import CITY_ID, MAX_NOTE, NAME_ID, TICKET_ID, Members, is_name
from ferrovia.boards.reading.json_file import parse_document, read_document
from ferrovia.boards.reading.problems import (
    BoardError,
    Document,
    FileProblem,
    Findings,
    nearest,
    refusal,
)
from ferrovia.data_folder import data_folder

TEMPLATES: Final = Path(__file__).parent / "data" / "packs"
"""Packs whose tickets are not known to us: everything but the tickets is filled in."""


@dataclass(frozen=True, slots=True)
class BoxedPack:
    """A pack that comes with a box: how many cards it has, and the cities of each that is known."""

    name: str
    board: str
    cards: int
    known: tuple[tuple[str, str], ...]


_EXAMPLE: Final = '{"a": "one_city", "b": "other_city", "points": 8, "long": false, "mark": false}'


def packs_folder() -> Path:
    """Return where packs are looked up by name: `packs` in the user's data folder."""
    return data_folder() / "packs"


def pack_names() -> tuple[str, ...]:
    """Return the names of the packs in the user's folder, filled in or not, sorted."""
    return _names_in(packs_folder())


def boxed_packs() -> tuple[BoxedPack, ...]:
    """Return the packs of boxes, whose tickets are not known to us."""
    found = []
    for name in _names_in(TEMPLATES):
        template = read_document(TEMPLATES / f"{name}.json").value
        assert isinstance(template, dict)
        known = tuple((a, b) for a, b in template.get("known", ()))
        found.append(BoxedPack(name, template["board"], template["cards"], known))
    return tuple(found)


def save_pack(boxed: BoxedPack, tickets: Sequence[dict[str, Any]], board: Board) -> None:
    """Write down the tickets of a box in the user's folder, in place of those that were there;
    none at all removes the pack. Raises `BoardError` for tickets that cannot be, and where the file
    that is there cannot be read: somebody may have written it by hand.
    """
    file = packs_folder() / f"{boxed.name}.json"
    if file.is_file():
        _read(read_document(file), boxed.name, board)
    text = json.dumps({"pack": boxed.name, "board": boxed.board, "tickets": tickets}, indent=1)
    _read(parse_document(text, boxed.name), boxed.name, board)
    if len(tickets) > boxed.cards:
        raise refusal(
            f"has {len(tickets)} tickets, but the box only {boxed.cards}", file=boxed.name
        )
    if tickets:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, text + "\n")
    else:
        file.unlink(missing_ok=True)


def load_pack(name_or_path: str | os.PathLike[str], board: Board | None = None) -> TicketPack:
    """Return a pack by its name in the user's folder, or by the path of its file.

    With `board` the cities are checked too, and a pack of another board is refused; without it
    that is done when the pack joins an edition (`with_packs`). A template that nobody has
    filled in yet is refused with what is not known and how to fill it in. Paths are opened as
    they are: do not pass on what a stranger has typed.
    """
    wanted, file = _find(name_or_path)
    pack, note = _read(read_document(file), wanted, board)
    if not pack.tickets:
        raise BoardError([_unfilled(pack.name, note, file)])
    return pack


def _read(document: Document, wanted: str | None, board: Board | None) -> tuple[TicketPack, str]:
    """Return the pack of a file, which may have no tickets yet, and what it notes about that."""
    findings = Findings(document)
    fields = Members(document.value, (), findings)
    name = fields.word("pack", NAME_ID)
    board_id = fields.word("board", NAME_ID)
    note = fields.text("note", default="It has no tickets yet.", longest=MAX_NOTE)
    fields.integer("cards", 0, MAX_TICKETS, default=0)
    if fields.has("known"):
        fields.array("known", MAX_TICKETS)
    entries = fields.array("tickets", MAX_TICKETS)
    tickets = tuple(
        _ticket(Members(entry, ("tickets", index), findings), name)
        for index, entry in enumerate(entries)
    )
    fields.finish()
    if wanted and name != wanted and findings.clean("pack"):
        findings.add(("pack",), f"is '{name}', but the file is named after '{wanted}'")
    _note_misfits(board_id, tickets, board, findings)
    findings.raise_any()
    return TicketPack(name, board_id, tickets), note


def packs_header(packs: Iterable[TicketPack]) -> dict[str, list[dict[str, Any]]]:
    """Return packs as the header of a record holds them: name to tickets in full."""
    return {
        pack.name: [
            {
                "id": ticket.id,
                "cities": [ticket.a, ticket.b],
                "points": ticket.points,
                "long": ticket.long,
                "mark": ticket.big_city,
            }
            for ticket in pack.tickets
        ]
        for pack in packs
    }


def packs_from_header(header: object, board: Board) -> tuple[TicketPack, ...]:
    """Return the packs of a record's header, which is untrusted, for the board of that record."""
    if not isinstance(header, dict):
        raise refusal("must be an object of pack names and their tickets", file="packs")
    packs = []
    for name, entries in header.items():
        if not is_name(name):
            raise refusal("the name of a pack may hold only a to z, digits, _ and -", file="packs")
        findings = Findings(Document(f"pack {name}", None))
        fields = Members({"tickets": entries}, (), findings)
        tickets = tuple(
            _ticket(Members(_as_in_a_file(entry), ("tickets", index), findings), name)
            for index, entry in enumerate(fields.array("tickets", MAX_TICKETS))
        )
        _note_misfits(board.id, tickets, board, findings)
        findings.raise_any()
        packs.append(TicketPack(name, board.id, tickets))
    return tuple(packs)


def _ticket(fields: Members, pack: str) -> Ticket:
    a, b = fields.word("a", CITY_ID), fields.word("b", CITY_ID)
    ticket = Ticket(
        id=fields.word("id", TICKET_ID, default=f"{pack}:{a}-{b}"),
        a=a,
        b=b,
        points=fields.integer("points", 1, MAX_POINTS),
        set=pack,
        long=fields.flag("long", default=False),
        big_city=fields.flag("mark", default=False),
    )
    fields.finish()
    return ticket


def _as_in_a_file(entry: object) -> object:
    """Return a ticket of a record in the form of a pack file, where each city has its own key."""
    match entry:
        case {"cities": [a, b], **rest}:
            return {**rest, "a": a, "b": b}
        case _:
            return entry


def _note_misfits(
    board_id: str, tickets: tuple[Ticket, ...], board: Board | None, findings: Findings
) -> None:
    """Note tickets that clash with each other, or do not fit the board they are meant for."""
    note_repeated_ids("tickets", tickets, findings)
    if board is None or not findings.clean("board"):
        return
    if board_id != board.id:
        hint = "use it with an edition of its own board"
        findings.add(("board",), f"the pack is for '{board_id}', not for '{board.id}'", hint)
    else:
        note_wrong_ends("tickets", tickets, board.cities, findings)


def _unfilled(name: str, note: str, file: Path) -> FileProblem:
    target = packs_folder() / f"{name}.json"
    write = f"write its tickets into it, one for each card of your box, such as {_EXAMPLE}"
    hint = write if file == target else f"copy this file to {target} and {write}"
    return FileProblem(
        str(file), None, "tickets", f"the ticket pack '{name}' is empty. {note}", hint
    )


def _find(name_or_path: str | os.PathLike[str]) -> tuple[str | None, Path]:
    """Return the file of a pack, and the name that it must have if it was found by name."""
    if not is_name(name_or_path):
        return None, Path(name_or_path)
    for folder in (packs_folder(), TEMPLATES):
        file = folder / f"{name_or_path}.json"
        if file.is_file():
            return name_or_path, file
    known = dict.fromkeys((*pack_names(), *_names_in(TEMPLATES)))
    hint = f"packs are looked up in {packs_folder()}; a file is given by its path"
    close = nearest(name_or_path, known)
    ends = {"": "", "?": " "}.get(close[-1:], "; ")
    raise refusal(f"there is no ticket pack '{name_or_path}'", f"{close}{ends}{hint}")


def _names_in(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in folder.glob("*.json") if is_name(file.stem)))
