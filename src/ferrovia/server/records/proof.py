"""Proof of a record that somebody sends: the rules replay it, and only then is anything done."""

import msgspec

from ferrovia.analysis.analysis import record_hash
from ferrovia.server.records.source import Source


class Proved(msgspec.Struct, frozen=True):
    """What a record has proved to be: its hash, and whether its game is over."""

    record: str
    over: bool


def proof(source: Source) -> Proved:
    """Return what a record proves to be; raises `Refusal` where the rules do not agree with it."""
    game, _ = source.replayed
    return Proved(record_hash(game), game.over)
