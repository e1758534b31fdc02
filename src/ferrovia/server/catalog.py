"""The catalog: editions, ticket packs and bots that tables can be set up with."""

import hashlib
import json
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, cast

from ferrovia.atomic_files import write_atomic
from ferrovia.boards import (
    BoardError,
    Edition,
    TicketPack,
    board,
    edition_from_document,
    editions,
    load_edition,
    load_pack,
    pack_names,
    with_packs,
)
from ferrovia.boards.packs import BoxedPack, boxed_packs, save_pack
from ferrovia.data_folder import data_folder
from ferrovia.server.refusals import Refusal
from ferrovia.workshop.generator import SIZES, Size

_KEPT = re.compile(r"own-[0-9a-f]{16}")
_MADE = re.compile(rf"made-({'|'.join(SIZES)})-([0-9]{{1,9}})-([a-z0-9-]{{1,40}})")
_MOST_OPENED = 200  # boards in memory


def _boards_folder() -> Path:
    return data_folder() / "boards"


def level_names() -> tuple[str, ...]:
    """Return the bots for people to choose from, weakest first."""
    from ferrovia.bots import LEVELS

    return tuple(LEVELS)


def even_level() -> str:
    """Return the level that is an even game for most people."""
    return level_names()[1]


class MadeBoard(NamedTuple):
    """A board that is made for a table, another one for every game: what it is made of, from which
    the same board is made again.
    """

    region: str
    size: Size
    seed: int

    @classmethod
    def of(cls, edition: str) -> "MadeBoard | None":
        """Return what the edition of a table is made of; None for an edition that is there."""
        found = _MADE.fullmatch(edition)
        if found is None:
            return None
        return cls(found[3], cast(Size, found[1]), int(found[2]))

    @property
    def word(self) -> str:
        """The id of its edition."""
        return f"made-{self.size}-{self.seed}-{self.region}"


class Catalog:
    """The built-in editions and bots, and the boards, packs and bots that this server adds.

    Names are looked up, never opened or run: what a stranger types is neither a path nor a command.
    """

    def __init__(
        self,
        boards: Iterable[str | os.PathLike[str]] = (),
        programs: Iterable[str] = (),
        bots: Iterable[str] = (),
        packs: Iterable[str] = (),
    ) -> None:
        self._packs = {load_pack(pack).name: pack for pack in packs}
        self._more_bots = (*programs, *bots)
        own = [load_edition(os.fspath(board)) for board in boards]
        self._opened: dict[str, Edition] = {}
        self._own = {edition.id: edition for edition in own}

    def editions(self) -> tuple[Edition, ...]:
        """Return every edition once: a board of one's own replaces ours of the same id."""
        return tuple(({name: load_edition(name) for name in editions()} | self._own).values())

    def open(self, edition: Edition) -> str:
        """Offer a board of somebody's own from now on, and return the id of its edition, which
        names its contents. It is kept in the user's folder, so that its tables outlive the server.
        """
        document = edition.document()
        document["edition"]["id"] = ""
        text = json.dumps(document, ensure_ascii=False, sort_keys=True)
        id = f"own-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        if id not in self._opened:
            self.keep(id, edition)
        return id

    def keep(self, id: str, edition: Edition) -> None:
        """Keep a board under an id, in memory and in the user's folder."""
        document = edition.document()
        document["edition"]["id"] = id
        self._remember(id, edition_from_document(document))
        with suppress(OSError):  # as in a page, where it lasts as long as the page
            folder = _boards_folder()
            folder.mkdir(parents=True, exist_ok=True)
            write_atomic(folder / f"{id}.json", json.dumps(document, ensure_ascii=False))

    def knows(self, id: str) -> bool:
        """Return whether a board was kept under an id."""
        return self._opened_board(id) is not None

    def _remember(self, id: str, edition: Edition) -> Edition:
        self._opened[id] = edition
        if len(self._opened) > _MOST_OPENED:
            del self._opened[next(iter(self._opened))]
        return edition

    def _opened_board(self, id: str) -> Edition | None:
        found = self._opened.get(id)
        if found is None and (_KEPT.fullmatch(id) or _MADE.fullmatch(id)):
            file = _boards_folder() / f"{id}.json"
            with suppress(BoardError):
                return self._remember(id, load_edition(file))
        return found

    def find(self, name: str, extras: tuple[str, ...]) -> Edition:
        """Return the edition of a name with these packs; raises `Refusal` if there is none."""
        edition = self._own.get(name) or self._opened_board(name)
        if edition is None:
            if name not in editions():
                raise Refusal("no_such_edition", f"there is no edition '{name}'")
            edition = load_edition(name)
        if not extras:
            return edition
        known = self.packs()
        for extra in extras:
            if extra not in known:
                raise Refusal("no_such_pack", f"there is no ticket pack '{extra}'")
        files = [self._packs.get(extra, extra) for extra in extras]
        try:
            return with_packs(edition, [load_pack(file, edition.board) for file in files])
        except BoardError as problem:
            raise Refusal("invalid_setup", problem.problems[0].message) from None

    def packs(self) -> tuple[str, ...]:
        """Return the names of the ticket packs."""
        return tuple(dict.fromkeys((*pack_names(), *self._packs)))

    def offered_packs(self) -> tuple[tuple[BoxedPack, TicketPack | None], ...]:
        """Return every pack that a table can be played with, and those of boxes whose tickets
        nobody has entered here (None). A pack of somebody's own has the cards that it has.
        """
        found: dict[str, tuple[BoxedPack, TicketPack | None]] = {}
        for name in self.packs():
            with suppress(BoardError):
                pack = load_pack(self._packs.get(name, name))
                found[name] = (BoxedPack(name, pack.board, len(pack.tickets), ()), pack)
        for boxed in boxed_packs():
            found[boxed.name] = (boxed, found[boxed.name][1] if boxed.name in found else None)
        return tuple(found.values())

    def enter(self, name: str, tickets: list[dict[str, Any]]) -> None:
        """Keep the tickets of a box in the user's folder, for every table from now on; raises
        `Refusal`.
        """
        boxed = next((boxed for boxed in boxed_packs() if boxed.name == name), None)
        if boxed is None or name in self._packs:
            raise Refusal("no_such_pack", f"there is no box with the tickets '{name}'")
        try:
            save_pack(boxed, tickets, board(boxed.board))
        except BoardError as problem:
            raise Refusal("invalid_setup", str(problem)[:2000]) from None

    def bots(self) -> tuple[str, ...]:
        """Return the names of the bots that can take a seat."""
        from ferrovia.bots import SOCIABLE, names

        return tuple(dict.fromkeys((*names(), *SOCIABLE, *self._more_bots)))

    def bot(self, name: str) -> str:
        """Return the name if there is such a bot; raises `Refusal` if not."""
        if name not in self.bots():
            raise Refusal("no_such_bot", f"there is no bot '{name}'")
        return name
