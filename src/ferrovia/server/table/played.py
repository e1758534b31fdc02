"""The game of a table, as its log leads to it: begun, followed and rewound."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from ferrovia.errors import FerroviaError
from ferrovia.game import Game, RecordError
from ferrovia.game.chance.shuffle import read_shuffle
from ferrovia.game.events import Event
from ferrovia.game.records.fork import forked
from ferrovia.game.records.replay import edition_of, follow, rewound, set_back
from ferrovia.server.table.entries import AnyEntry, Decided, Events, Started, Undone


class Diverged(FerroviaError):
    """The rules do not lead to what the log of a table says happened in its game."""


def started_game(entry: Started) -> Game:
    """Return the game that an entry says has begun; raises `Diverged`."""
    header = entry.header
    try:
        if entry.fork is not None:
            return forked(header, entry.events, bytes.fromhex(entry.fork.seed) or None)
        seed = bytes.fromhex(header.seed or "")
        game = Game(edition_of(header), header.players, seed=seed, first=header.first)
        game.shuffle = read_shuffle(header.shuffle, header.seed, len(header.players))
    except ValueError as problem:  # every error of a game is one
        raise Diverged(str(problem)) from None
    if tuple(game.events) != entry.events:
        raise Diverged("the cards and tickets are not those that the seed gives")
    return game


def follow_decisions(game: Game, decided: Sequence[Decided]) -> None:
    """Advance a game by decisions and their outcomes; raises `Diverged`."""
    events = [event for entry in decided for event in entry.events]
    try:
        follow(game, events, decided[-1].result)
    except RecordError as problem:
        try:
            _decide_again(game, decided)
        except ValueError:
            raise Diverged(str(problem)) from None


def _decide_again(game: Game, decided: Sequence[Decided]) -> None:
    """Make the decisions again whose events could not be followed; the events must be the same."""
    for entry in decided:
        if tuple(game.play(entry.seat, entry.action)) != entry.events:
            raise RecordError("the decisions lead to other events")
    if decided[-1].result != (game.result() if game.over else None):
        raise RecordError("the game is scored differently now")


class Moment(NamedTuple):
    """The state of a game after a number of events, before a decision."""

    events: int
    state: bytes


MOST_MOMENTS = 16
"""The moments that are kept of a game, 1 KB each: the last decisions are taken back at once."""


def moment_of(game: Game) -> Moment:
    """Return the moment at which a game stands."""
    return Moment(len(game.events), bytes(game.state))


def taken_back(
    game: Game, fork: Game | None, kept: Sequence[Moment], counts: Sequence[int]
) -> tuple[Game, list[Moment]]:
    """Return a game as it stood after the last of these numbers of events, chance included, and the
    moments before it; raises `Diverged`.

    `kept` are the moments that are known. If that is none of them, the game is replayed, and the
    moments of the decisions before it are found on the way, which end after the other numbers.
    `fork`: the game as it was forked, where its cards to come were new.
    """
    count = counts[-1]
    moments = [one for one in kept if one.events <= count]
    if moments and moments[-1].events == count:
        return set_back(game, count, bytearray(moments.pop().state)), moments
    try:
        return _replayed_through(game, fork, counts)
    except RecordError:
        pass
    try:  # its cards are not those of its seed any more
        return rewound(game, count), []
    except RecordError as problem:
        raise Diverged(str(problem)) from None


def _replayed_through(
    game: Game, fork: Game | None, counts: Sequence[int]
) -> tuple[Game, list[Moment]]:
    moments: list[Moment] = []
    if fork is None:
        before = rewound(game, counts[0])
    else:
        before = fork.copy()
        follow(before, game.events[len(before.events) : counts[0]])
    for start, end in pairwise(counts):
        moments.append(moment_of(before))
        follow(before, game.events[start:end])
    return before, moments


def events_of(log: Iterable[AnyEntry]) -> tuple[Event, ...]:
    """Return the events of the game that a whole log holds, without what was taken back."""
    held: list[tuple[int, Events]] = []
    for number, entry in enumerate(log, start=1):
        if isinstance(entry, Started | Decided):
            held.append((number, entry.events))
        elif isinstance(entry, Undone):
            held = [one for one in held if one[0] < entry.first]
    return tuple(event for _, events in held for event in events)
