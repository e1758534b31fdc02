"""Films as they are sent."""

from collections.abc import Sequence

import msgspec

from ferrovia.boards import edition_document
from ferrovia.drawing.picture import picture_json
from ferrovia.game.film import film_of
from ferrovia.server.catalog import Catalog
from ferrovia.server.protocol.from_server import Interlude, Screening
from ferrovia.server.records.source import Source, same_edition, step_named


def film(
    source: Source,
    catalog: Catalog,
    eyes: str | None = None,
    until: str | None = None,
    interludes: Sequence[Interlude] = (),
) -> bytes:
    """Return the film of a source as JSON; raises `Refusal`.

    `eyes`: from whose it is seen (None: everything, or the only ones there are). `until`: the last
    turn wanted, with its part (`12.1`) or without (`12`); interludes after it are left out.
    """
    seen_by = source.eyes(eyes)
    game, steps = source.replayed
    header = source.record.header
    last = None if until is None else step_named(steps, until)
    found = film_of(game, steps, seen_by, until=last, practice=header.practice is True)
    known = same_edition(game, catalog)
    return msgspec.json.encode(
        Screening(
            film=found,
            edition=None if known else edition_document(game.edition),
            picture=None if known else msgspec.Raw(picture_json(game.edition.board).encode()),
            colors=header.colors or (),
            portraits=header.portraits or (),
            interludes=tuple(it for it in interludes if it.frame <= len(found.steps)),
        )
    )
