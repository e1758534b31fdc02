"""The game record, written and read; `ferrovia.game.records.replay` proves every line of it."""

import hashlib
import re
from typing import TYPE_CHECKING, Any

import msgspec

from ferrovia.boards import PLAYER_COLORS, is_builtin, packs_header
from ferrovia.game import events
from ferrovia.game.chance.shuffle import read_shuffle
from ferrovia.game.errors import RecordError
from ferrovia.game.scores import Result

if TYPE_CHECKING:
    from ferrovia.game.game import Game

VERSION = 1
MAX_BYTES = 16 << 20
MAX_EVENTS = 50_000


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line; with `packs` if there are extras, with `board` if it is not built in, with
    `shuffle` if it is known who had a part in the seed.

    `practice`: moves could be taken back; the record is the game as it went in the end. `colors`:
    those of the players' trains, where they are not the edition's; `portraits`: the names of those
    that people have chosen.

    What is unknown here is ignored, and what follows from the rest may be left out.
    """

    record: str
    version: int
    edition: str
    extras: tuple[str, ...] = ()
    players: tuple[str, ...]
    first: int
    seed: str | None = None
    commitment: str = ""
    practice: bool | msgspec.UnsetType = msgspec.UNSET
    colors: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    portraits: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    shuffle: Any = msgspec.UNSET
    packs: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    board: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


class _LastLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    result: Result


class Record(msgspec.Struct, frozen=True):
    """A whole game: header, events in order, and the result once it is over."""

    header: Header
    events: tuple[events.Event, ...]
    result: Result | None

    def text(self) -> str:
        """Return the record as JSON Lines."""
        lines: list[msgspec.Struct] = [self.header, *self.events]
        if self.result is not None:
            lines.append(_LastLine(self.result))
        return _ENCODER.encode_lines(lines).decode()


_ENCODER = msgspec.json.Encoder()
_HEADER = msgspec.json.Decoder(Header)
_EVENT: msgspec.json.Decoder[events.Event] = msgspec.json.Decoder(events.AnyEvent)
_RESULT = msgspec.json.Decoder(_LastLine)
_PORTRAIT = re.compile(r"[a-z]{0,16}")
_IS_RESULT = re.compile(rb'\s*\{\s*"result"').match


def header_of(game: "Game", seed: str | None) -> Header:
    """Return the header of a game; a seat's view of a running game leaves the seed out."""
    edition, shuffle = game.edition, game.shuffle
    if shuffle is not None and seed is None:
        shuffle = shuffle.public()
    return Header(
        record="ferrovia",
        version=VERSION,
        edition=edition.id,
        extras=edition.extras,
        players=game.names,
        first=game.view(None).first,
        seed=seed,
        commitment=game.commitment,
        shuffle=msgspec.UNSET if shuffle is None else shuffle.plain(),
        packs=packs_header(edition.packs) if edition.packs else msgspec.UNSET,
        board=msgspec.UNSET if is_builtin(edition) else edition.document(),
    )


def full_header_of(game: "Game") -> Header:
    """Return the header of a game with its seed, if that is known."""
    return header_of(game, game.seed.hex() if game.seed_known else None)


def record_of(game: "Game") -> Record:
    """Return the full record of a game so far."""
    result = game.result() if game.over else None
    return Record(full_header_of(game), tuple(game.events), result)


def record_for(game: "Game", seat: int | None) -> Record:
    """Return the record as a seat or the public may see it: no secrets until the end (R11.3)."""
    if game.over:
        return record_of(game)
    return Record(header_of(game, None), tuple(game.events_for(seat)), None)


def read_record(text: str | bytes) -> Record:
    """Return the record of a text; checks its form, not its rules (see `replay`)."""
    data = text.encode() if isinstance(text, str) else text
    if len(data) > MAX_BYTES:
        raise RecordError(f"a record has at most {MAX_BYTES >> 20} MiB")
    if data.count(b"\n") > MAX_EVENTS:
        raise RecordError(f"a record has at most {MAX_EVENTS} lines")
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    if not lines:
        raise RecordError("the record is empty")
    if len(lines) > MAX_EVENTS:
        raise RecordError(f"a record has at most {MAX_EVENTS} lines")
    header = _read_header(lines[0])
    result = None
    if len(lines) > 1 and _IS_RESULT(lines[-1]):
        result = _decode(_RESULT, lines.pop(), len(lines) + 1).result
    decode = _EVENT.decode
    recorded = []
    try:
        for line in lines[1:]:
            recorded.append(decode(line))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise RecordError(str(problem), len(recorded) + 2) from None
    return Record(header, tuple(recorded), result)


def _decode(decoder: Any, line: bytes, number: int) -> Any:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise RecordError(str(problem), number) from None


def _read_header(line: bytes) -> Header:
    header: Header = _decode(_HEADER, line, 1)
    if header.record != "ferrovia":
        raise RecordError("this is not a Ferrovia record", 1)
    if header.version != VERSION:
        raise RecordError(
            f"the record has version {header.version}; this program reads version {VERSION}", 1
        )
    if header.seed is not None:
        try:
            seed = bytes.fromhex(header.seed)
        except ValueError:
            raise RecordError("the seed is not hexadecimal", 1) from None
        if len(seed) != 32:
            raise RecordError("a seed has 32 bytes", 1)
        commitment = hashlib.sha256(seed).hexdigest()
        if header.commitment == "":
            header = msgspec.structs.replace(header, commitment=commitment)
        elif header.commitment.lower() != commitment:
            raise RecordError("the commitment is not the SHA-256 of the seed", 1)
    _check_looks(header)
    read_shuffle(header.shuffle, header.seed, len(header.players))
    return header


def _check_looks(header: Header) -> None:
    """Raise `RecordError` unless colours and portraits are what they can be."""
    players = len(header.players)
    if header.colors is not msgspec.UNSET and (
        len(header.colors) != players
        or len(set(header.colors)) != players
        or not set(header.colors) <= set(PLAYER_COLORS)
    ):
        raise RecordError("every player has a colour of their own", 1)
    if header.portraits is not msgspec.UNSET and (
        len(header.portraits) != players
        or not all(_PORTRAIT.fullmatch(name) for name in header.portraits)
    ):
        raise RecordError("every player has the name of a portrait, or an empty one", 1)
