"""What can be made of a record, as a request that can also be sent to another process."""

from collections.abc import Sequence

import msgspec

from ferrovia.server.catalog import Catalog
from ferrovia.server.protocol.from_server import Interlude
from ferrovia.server.records.film import film
from ferrovia.server.records.pictures import END, picture
from ferrovia.server.records.proof import proof
from ferrovia.server.records.source import Source


class RecordWork(msgspec.Struct, frozen=True, kw_only=True, tag_field="work"):
    """What is to be made; the fields are those of the function that makes it."""


class MakeFilm(RecordWork, frozen=True, kw_only=True, tag="film"):
    eyes: str | None = None
    until: str | None = None


class DrawPicture(RecordWork, frozen=True, kw_only=True, tag="picture"):
    at: str = END
    since: str | None = None
    names: bool = True


class Prove(RecordWork, frozen=True, kw_only=True, tag="proof"):
    pass


AnyWork = MakeFilm | DrawPicture | Prove


def made(
    work: AnyWork, source: Source, catalog: Catalog, interludes: Sequence[Interlude] = ()
) -> bytes:
    """Return what is made of a record, as it is sent; raises `Refusal`."""
    match work:
        case MakeFilm(eyes=eyes, until=until):
            return film(source, catalog, eyes, until, interludes)
        case DrawPicture(at=at, since=since, names=names):
            return picture(source, at, since, names=names)
        case Prove():
            return msgspec.json.encode(proof(source))
