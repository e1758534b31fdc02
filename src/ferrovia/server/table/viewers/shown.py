"""Entries of the log as viewers are sent them: one table says which of their fields are public.

An entry is shown as the type in protocol/shown.py that has its tag, with the fields that this type
has. They are those of the entry itself, except for the ones that are made here; what is named in
neither place is shown to nobody.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, cast, get_args

import msgspec

from ferrovia.game.chance.odds import counting_places
from ferrovia.game.events import AnyEvent, Event, Tunnel
from ferrovia.game.records.turns import setup_length
from ferrovia.server.protocol.shown import AnyShown, Shown, ShownAside
from ferrovia.server.protocol.state import PartInfo, ShuffleInfo
from ferrovia.server.table import entries
from ferrovia.server.table.entries import HOST, AnyEntry
from ferrovia.server.table.table import Table

_ENCODE = msgspec.json.Encoder().encode


class _Look(NamedTuple):
    """A look at an entry of a table: by a seat, or by the public (None)."""

    table: Table
    number: int
    entry: Any
    seat: int | None


def _seen(look: _Look, events: Iterable[Event], *, at_start: bool) -> tuple[AnyEvent, ...]:
    """Return events of the game as they were seen when they happened; after its end all of them."""
    if look.table.result is None:  # a table that was closed is over, and its game is not
        events = (event.seen_by(look.seat, at_start=at_start) for event in events)
    return cast(tuple[AnyEvent, ...], tuple(events))


def _seen_when_started(look: _Look) -> tuple[AnyEvent, ...]:
    """Return the events of a game's beginning; that of a fork goes beyond the set-up."""
    game, events = look.table.game, look.entry.events
    deals = len(events) if game is None else len(game.edition.deals)
    setup = setup_length(events, len(look.table.seats), deals)
    later = _seen(look, events[setup:], at_start=False)
    return (*_seen(look, events[:setup], at_start=True), *later)


def _counting(look: _Look) -> tuple[int, ...]:
    """Return which cards turned up for a tunnel cost one more; everybody sees that."""
    tunnels = (event for event in look.entry.events if isinstance(event, Tunnel))
    return tuple(place for tunnel in tunnels for place in counting_places(tunnel))


def seat_or_none(number: int) -> int | None:
    """Return the seat of a number in the log; None for the host and the server."""
    return None if number == HOST else number


def _author(look: _Look) -> int | None:
    return seat_or_none(look.entry.by)


def _seat(look: _Look) -> int | None:
    return seat_or_none(look.entry.seat)


_MADE: Mapping[type[AnyEntry], Mapping[str, Callable[[_Look], Any]]] = {
    entries.Decided: {
        "events": lambda look: _seen(look, look.entry.events, at_start=look.entry.start),
        "clock": lambda look: look.entry.clock > 0,
        "counting": _counting,
    },
    entries.Started: {
        "commitment": lambda look: look.entry.header.commitment,
        "first": lambda look: look.entry.header.first,
        "events": _seen_when_started,
        "shuffle": lambda look: shuffle_info(look.table),
    },
    entries.Said: {
        "text": lambda look: None if look.number in look.table.talk.withheld else look.entry.text
    },
    entries.Paused: {"seat": _author},
    entries.Resumed: {"seat": _author},
    entries.UndoRefused: {"seat": _seat},
    entries.EntryAsked: {"seat": _seat},
    entries.EntryGranted: {"seat": _seat},
    entries.EntryRefused: {"seat": _seat},
}
_ASIDE = (
    entries.Renewed,
    entries.Reported,
    entries.Muted,
    entries.HookSet,
    entries.Subscribed,
    entries.EntryAgreed,
)
"""Nobody is shown what these say, only that there is something."""

_SHOWN_BY_TAG = {kind.__struct_config__.tag: kind for kind in get_args(AnyShown)}
_OF_ALL = Shown.__struct_fields__


class _Public(NamedTuple):
    """As what entries of a kind are shown: the fields that are copied, and those that are made."""

    kind: type[Shown]
    copied: tuple[str, ...] = ()
    made: tuple[tuple[str, Callable[[_Look], Any]], ...] = ()


def _public(kind: type[AnyEntry]) -> _Public:
    if kind in _ASIDE:
        return _Public(ShownAside)
    shown_as = _SHOWN_BY_TAG.get(kind.__struct_config__.tag)
    if shown_as is None:
        raise TypeError(
            f"nothing says what is public of the entry {kind.__name__}: give it a type with its "
            "tag in server/protocol/shown.py, or name it in _ASIDE in server/table/viewers/shown.py"
        )
    made = _MADE.get(kind, {})
    copied = (name for name in shown_as.__struct_fields__ if name not in (*_OF_ALL, *made))
    return _Public(shown_as, tuple(copied), tuple(made.items()))


_PUBLIC = {kind: _public(kind) for kind in get_args(AnyEntry)}


def shown(table: Table, number: int, entry: AnyEntry, seat: int | None) -> AnyShown:
    """Return an entry of the log as a seat or the public (None) may see it."""
    at = int(entry.at)
    if isinstance(entry, entries.Said) and _is_advice(table, entry, seat):
        return ShownAside(number=number, at=at)
    public = _PUBLIC[type(entry)]
    fields = {name: getattr(entry, name) for name in public.copied}
    if public.made:
        look = _Look(table, number, entry, seat)
        fields |= {name: make(look) for name, make in public.made}
    return cast(AnyShown, public.kind(number=number, at=at, **fields))


def _is_advice(table: Table, entry: entries.Said, seat: int | None) -> bool:
    """Return whether a spectator speaks, and somebody hears it who still plays."""
    return entry.seat is None and seat is not None and table.status != "over"


def shown_log(
    table: Table, log: Iterable[bytes], since: int, seat: int | None
) -> list[msgspec.Raw]:
    """Return entries of the store, those after number `since`, as a seat may see them, encoded."""
    return [
        msgspec.Raw(_ENCODE(shown(table, number, entries.read_entry(data), seat)))
        for number, data in enumerate(log, start=since + 1)
    ]


def shuffle_info(table: Table) -> ShuffleInfo | None:
    """Return who has a part in the shuffle, as everybody may see it; None if nobody can have one.

    The parts themselves are shown once the game has begun. That of the server stays secret to the
    end, since the seed follows from it.
    """
    given = bool(table.setup.seed)
    if table.shuffle.commitment is None and not given:
        return None
    begun = table.status != "waiting"
    return ShuffleInfo(
        server=table.shuffle.commitment,
        seats=tuple(
            PartInfo(
                commitment=seat.commitment,
                revealed=bool(seat.part),
                part=(seat.part or None) if begun else None,
            )
            if seat.commitment
            else None
            for seat in table.seats
        ),
        given=given,
        reveal_by=table.shuffle.reveal_by,
    )
