"""Films as they are sent, made beside the event loop.

A record that brings a board of its own is shown by a process of its own, which is ended when it
takes too long: what its board can make the search for the longest route and the layout cost is not
known before.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ferrovia.boards import edition_document
from ferrovia.drawing.picture import picture_json
from ferrovia.game.film import Eyes, film_of
from ferrovia.server import protocol
from ferrovia.server.child_process import ask_module
from ferrovia.server.film.pictures import picture
from ferrovia.server.film.proof import proof
from ferrovia.server.film.source import Source, same_edition, source_of_text, step_named
from ferrovia.server.lobby.catalog import Catalog
from ferrovia.server.protocol.refusals import Refusal

SECONDS = 20.0
"""The time for a film of a board that is not known."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for: from whose eyes (None: everything, or the only eyes there are), and the
    last turn that is wanted, with a part of it (`12.1`) or without (`12`). `interludes`: also what
    happened beside the game.
    """

    eyes: str | None = None
    until: str | None = None
    interludes: bool = False


def screening(
    source: Source,
    asked: Asked,
    catalog: Catalog,
    interludes: Callable[[Eyes], Sequence[protocol.Interlude]] = lambda _: (),
) -> bytes:
    """Return the film of a source as JSON, with its interludes; raises `Refusal`."""
    eyes = source.eyes(asked.eyes)
    game, steps = source.steps()
    practice = source.record.header.practice is True
    until = None if asked.until is None else step_named(steps, asked.until)
    film = film_of(game, steps, eyes, until=until, practice=practice)
    known = same_edition(game, catalog)
    return msgspec.json.encode(
        protocol.Screening(
            film=film,
            edition=None if known else edition_document(game.edition),
            picture=None if known else msgspec.Raw(picture_json(game.edition.board).encode()),
            interludes=tuple(it for it in interludes(eyes) if it.frame <= len(film.steps)),
        )
    )


async def beside(work: str, record: bytes, asked: dict[str, Any]) -> bytes:
    """Return what a process of its own answers to a request about a record; raises `Refusal`."""
    request = json.dumps({"work": work, "asked": asked}).encode() + b"\n" + record
    try:
        done = await ask_module(__package__, request, SECONDS)
    except TimeoutError:
        raise Refusal("too_large", "this board takes too long") from None
    if done.status:
        raise Refusal("invalid_record", "this record cannot be shown")
    kind, _, body = done.out.partition(b"\n")
    if kind == b"refused":
        problem = msgspec.json.decode(body, type=protocol.Problem)
        raise Refusal(problem.code, problem.detail, rule=problem.rule, line=problem.line)
    return body


def answer(request: bytes) -> bytes:
    """Return the answer of the process to a request on its standard input."""
    head, _, record = request.partition(b"\n")
    asked = json.loads(head)
    try:
        source = source_of_text(record)
        if asked["work"] == "film":
            return b"done\n" + screening(source, Asked(**asked["asked"]), Catalog())
        if asked["work"] == "picture":
            return b"done\n" + picture(source, **asked["asked"]).encode()
        if asked["work"] == "proof":
            return b"done\n" + msgspec.json.encode(proof(source))
        raise Refusal("internal")
    except Refusal as refusal:
        return b"refused\n" + msgspec.json.encode(protocol.Problem.of(refusal))
