"""The shuffle with everybody's part: how the seed of a game follows from random parts.

Everybody commits to 32 random bytes, then all are revealed; the seed is a hash of them. So nobody
decides it alone, not even whoever runs the table (docs/record.md has the protocol).
"""

import hashlib
import re
from collections.abc import Iterable
from typing import Any

import msgspec

from ferrovia.game.errors import RecordError

MIXED = "ferrovia shuffle 1"
"""The seed is mixed from the part of the server and those of the players."""
GIVEN = "given"
"""The seed was chosen by whoever set the table up: for practice, or for the same deal again."""

_HEX = re.compile(r"[0-9a-f]{64}")


class ServerPart(msgspec.Struct, frozen=True, kw_only=True):
    """The part of the server; null while the game goes on, because the seed follows from it."""

    commitment: str
    part: str | None


class PlayerPart(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a player; null if it was not revealed in time, and so left out."""

    player: int
    commitment: str
    part: str | None


class ShuffleMethod(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the seed of a game came about, and who had a part in it."""

    method: str
    server: ServerPart | None = None
    players: tuple[PlayerPart, ...] = ()

    def public(self) -> "ShuffleMethod":
        """Return what everybody may know while the game goes on."""
        if self.server is None:
            return self
        server = msgspec.structs.replace(self.server, part=None)
        return msgspec.structs.replace(self, server=server)

    def plain(self) -> dict[str, Any]:
        """Return it as the header of a record holds it: as it is read from JSON."""
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return plain


def commitment_to(part: str) -> str:
    """Return the commitment to a part or a seed in hex: the SHA-256 of its bytes, in hex."""
    return hashlib.sha256(bytes.fromhex(part)).hexdigest()


def mixed_seed(server: str, parts: Iterable[tuple[int, str]]) -> bytes:
    """Return the seed that follows from the server's part and those of players, all in hex.

    It is the SHA-256 of lines of text, so `sha256sum` can check it.
    """
    lines = [MIXED, f"server {server}", *(f"{player} {part}" for player, part in sorted(parts))]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()


def mixed_shuffle(server: str, players: Iterable[PlayerPart]) -> tuple[bytes, ShuffleMethod]:
    """Return the seed of a game, and what its record says of it."""
    parts = tuple(sorted(players, key=lambda part: part.player))
    seed = mixed_seed(server, [(it.player, it.part) for it in parts if it.part is not None])
    theirs = ServerPart(commitment=commitment_to(server), part=server)
    return seed, ShuffleMethod(method=MIXED, server=theirs, players=parts)


def read_shuffle(data: Any, seed: str | None, players: int) -> ShuffleMethod | None:
    """Return what the header of a record says of its shuffle, checked as far as it has been
    revealed.

    None if it says nothing that this version knows. Raises `RecordError` for what is not so.
    """
    if not isinstance(data, dict) or data.get("method") not in (MIXED, GIVEN):
        return None
    try:
        shuffle = msgspec.convert(data, ShuffleMethod)
    except msgspec.ValidationError as problem:
        raise RecordError(f"shuffle: {problem}", 1) from None
    if shuffle.method == MIXED:
        _check(shuffle, seed, players)
    return shuffle


def _check(shuffle: ShuffleMethod, seed: str | None, players: int) -> None:
    server = shuffle.server
    if server is None:
        raise RecordError("shuffle: the part of the server is missing", 1)
    seats = [it.player for it in shuffle.players]
    if seats != sorted(set(seats)) or not set(seats) <= set(range(players)):
        raise RecordError("shuffle: every player has one part at most, in the order of seats", 1)
    _check_part("the server", server.commitment, server.part)
    for it in shuffle.players:
        _check_part(f"player {it.player}", it.commitment, it.part)
    if seed is None:
        return
    if server.part is None:
        raise RecordError("shuffle: the seed is there, and the part of the server is not", 1)
    parts = [(it.player, it.part) for it in shuffle.players if it.part is not None]
    if mixed_seed(server.part, parts).hex() != seed.lower():
        raise RecordError("shuffle: the seed does not follow from the parts", 1)


def _check_part(whose: str, commitment: str, part: str | None) -> None:
    for text in (commitment, part):
        if text is not None and not _HEX.fullmatch(text):
            raise RecordError(f"shuffle: of {whose}: 32 bytes in lower-case hex are needed", 1)
    if part is not None and commitment_to(part) != commitment:
        raise RecordError(f"shuffle: the part of {whose} is not what they committed to", 1)
