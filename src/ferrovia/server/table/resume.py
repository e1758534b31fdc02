"""Resuming a table from its log, so that its game stands exactly where it stood.

The table follows its log (see `Table.apply`). If the rules shuffle differently from when the game
began, what happened still counts, and the rest of the game is drawn from another stream of the same
seed.
"""

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from ferrovia.errors import FerroviaError
from ferrovia.game import Game, Record, RecordError
from ferrovia.game.records.replay import replay
from ferrovia.rules import calls
from ferrovia.rules.state.layout import STATE
from ferrovia.server.logs import note
from ferrovia.server.table.entries import AnyEntry, read_entry
from ferrovia.server.table.played import Diverged, events_of
from ferrovia.server.table.table import Table


class UnreadableGame(FerroviaError):
    """This version cannot read a log. It is left as it is."""


def resume(id: str, log: Iterable[bytes]) -> Table | None:
    """Return the table of a log, its game included; None for an empty log."""
    entries = _read(log)
    if not entries:
        return None
    table = Table(id)
    try:
        table.apply(*entries)
    except Diverged as problem:
        table = _resume_by_outcomes(id, entries, str(problem))
        note("game_resumed_otherwise", table=id, way="outcomes", problem=str(problem))
    return table


def _read(log: Iterable[bytes]) -> list[AnyEntry]:
    entries: list[AnyEntry] = []
    for number, data in enumerate(log, start=1):
        try:
            entries.append(read_entry(data))
        except (msgspec.DecodeError, UnicodeDecodeError) as problem:
            raise UnreadableGame(f"entry {number}: {problem}") from None
    return entries


def _resume_by_outcomes(id: str, entries: Sequence[AnyEntry], problem: str) -> Table:
    table = Table.standing_at(id, entries, None)
    if table.header is None:
        raise UnreadableGame(problem)
    record = Record(table.header, events_of(entries), table.result)
    try:
        game = _by_outcomes(record, table.number)
    except ValueError:  # every error of a game is one
        raise UnreadableGame(problem) from None
    return Table.standing_at(id, entries, game)


def _by_outcomes(record: Record, number: int) -> Game:
    if record.result is not None:
        raise RecordError("the game is over")  # its record is written from the log alone
    seed = bytes.fromhex(record.header.seed or "")
    unproved = msgspec.structs.replace(record.header, seed=None)
    game = replay(Record(unproved, record.events, None))
    game.seed = seed
    game.commit_to(None)
    fresh = hashlib.sha256(seed + number.to_bytes(8, "big")).digest()
    calls.seed_generator(STATE.of(game.state).rng, fresh, 0)
    return game
