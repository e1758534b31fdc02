"""Bringing a table back from its log, so that its game stands exactly where it stood.

The log tells decisions and outcomes. The outcomes are proved by the rules and the seed; where
that fails, the decisions are made again; where the rules now shuffle otherwise than when the game
began, what happened still counts, and the future comes from another stream of the same seed.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence

import msgspec
import numpy as np

from ferrovia.errors import FerroviaError
from ferrovia.game import Game, Record, RecordError
from ferrovia.game.events import Event
from ferrovia.game.replay import edition_of, replay
from ferrovia.rules import calls
from ferrovia.rules.state.layout import STATE
from ferrovia.server.logs import note
from ferrovia.server.table.entries import AnyEntry, Decided, read_entry
from ferrovia.server.table.table import Table, events_of


class UnreadableGame(FerroviaError):
    """A log that this version cannot make sense of. It is left as it is."""


def resume(id: str, log: Iterable[bytes]) -> Table | None:
    """The table of a log, its game included; None for an empty log."""
    table = Table(id)
    told: list[AnyEntry] = []
    for data in log:
        try:
            entry = read_entry(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as problem:
            raise UnreadableGame(f"entry {table.number + 1}: {problem}") from None
        table.fold(entry)
        told.append(entry)
    if table.number == 0:
        return None
    if table.header is not None:
        table.game = _game(table, told)
    return table


def _game(table: Table, told: Sequence[AnyEntry]) -> Game:
    assert table.header is not None
    events: list[Event] = []
    for entry in told:
        events += events_of(entry)
    record = Record(table.header, tuple(events), table.result)
    decisions = [entry for entry in told if isinstance(entry, Decided)]
    ways: list[tuple[str, Callable[[], Game]]] = [
        ("proof", lambda: replay(record)),
        ("decisions", lambda: _by_decisions(record, decisions)),
        ("outcomes", lambda: _by_outcomes(record, table.number)),
    ]
    problems: list[str] = []
    for way, resumed in ways:
        try:
            game = resumed()
        except ValueError as problem:  # every error of a game is one
            problems.append(str(problem))
            continue
        if problems:
            note("game_resumed_otherwise", table=table.id, way=way, problem=problems[0])
        return game
    raise UnreadableGame(problems[0])


def _by_decisions(record: Record, decisions: Sequence[Decided]) -> Game:
    header = record.header
    seed = bytes.fromhex(header.seed or "")
    game = Game(edition_of(header), header.players, seed=seed, first=header.first)
    for decision in decisions:
        game.play(decision.seat, decision.action)
    if tuple(game.events) != record.events:
        raise RecordError("the decisions lead to other events")
    if game.over and game.result() != record.result:
        raise RecordError("the game is scored otherwise now")
    return game


def _by_outcomes(record: Record, number: int) -> Game:
    if record.result is not None:
        raise RecordError("the game is over")  # its record is told straight from the log
    seed = bytes.fromhex(record.header.seed or "")
    unproved = msgspec.structs.replace(record.header, seed=None)
    game = replay(Record(unproved, record.events, None))
    game.seed = seed
    fresh = hashlib.sha256(seed + number.to_bytes(8, "big")).digest()
    calls.seed_generator(game.state.view(STATE)[0].rng, np.frombuffer(fresh, np.uint8).copy(), 0)
    return game
