"""The editions, ticket packs and bots that tables can be set up with."""

import os
from collections.abc import Iterable

from ferrovia import __version__
from ferrovia.boards import BoardError, Edition, editions, load_pack, pack_names, with_packs
from ferrovia.boards import edition as load_edition
from ferrovia.server import protocol
from ferrovia.server.refusals import Refusal


def bot_names() -> tuple[str, ...]:
    """The bots that can take a seat."""
    from ferrovia.bots import names

    return tuple(names())


def level_names() -> tuple[str, ...]:
    """The bots for people to choose from, weakest first."""
    from ferrovia.bots import LEVELS

    return tuple(LEVELS)


class Catalog:
    """Built-in editions, and boards that the people who run the server offer.

    Names are looked up, never opened: what a stranger has typed is no path here.
    """

    def __init__(self, boards: Iterable[str | os.PathLike[str]] = ()) -> None:
        own = [load_edition(os.fspath(board)) for board in boards]
        self._own = {edition.id: edition for edition in own}

    def editions(self) -> tuple[Edition, ...]:
        return (*(load_edition(name) for name in editions()), *self._own.values())

    def find(self, name: str, extras: tuple[str, ...]) -> Edition:
        """The edition of a name with these packs; Refusal when there is none."""
        edition = self._own.get(name)
        if edition is None:
            if name not in editions():
                raise Refusal("no_such_edition", f"there is no edition '{name}'")
            edition = load_edition(name)
        if not extras:
            return edition
        known = pack_names()
        for extra in extras:
            if extra not in known:
                raise Refusal("no_such_pack", f"there is no ticket pack '{extra}'")
        try:
            return with_packs(edition, [load_pack(extra, edition.board) for extra in extras])
        except BoardError as problem:
            raise Refusal("invalid_setup", problem.problems[0].message) from None

    def offerings(self) -> protocol.Offerings:
        """What a table can be set up with."""
        return protocol.Offerings(
            version=__version__,
            editions=tuple(
                protocol.EditionInfo(
                    id=edition.id,
                    name=edition.name,
                    board=edition.board.id,
                    seats_min=edition.seats[0],
                    seats_max=edition.seats[1],
                )
                for edition in self.editions()
            ),
            packs=pack_names(),
            bots=bot_names(),
            levels=level_names(),
        )
