"""A game split into its set-up and its turns.

The set-up ends with the last ticket choice of the start (R2.3). A turn ends where another player
acts: nobody has two turns in a row. A shuffle belongs to the draw that it is made for, so it can
be the first event of a turn. Refills and flushes belong to the turn that led to them.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from ferrovia.game import events


def setup_length(happened: Sequence[events.Event], players: int, deals: int) -> int:
    """Return how many of the first events are the set-up: all, as long as a choice is missing.

    `deals` is the number of stages in which tickets are dealt at the start (`Edition.deals`).
    """
    missing = players * deals
    for number, event in enumerate(happened):
        if missing == 0:
            return number
        missing -= isinstance(event, events.Keep)
    return len(happened)


def split_turns(
    happened: Sequence[events.Event], players: int, deals: int
) -> tuple[list[events.Event], list[list[events.Event]]]:
    """Return the events of the set-up, and those of each turn."""
    setup = setup_length(happened, players, deals)
    acting = groupby(_acting(happened[setup:]), lambda it: it[0])
    return list(happened[:setup]), [[event for _, event in turn] for _, turn in acting]


def _acting(happened: Sequence[events.Event]) -> Iterator[tuple[int, events.Event]]:
    """Yield events with the player whose turn they belong to."""
    shuffles: list[events.Event] = []
    seat = -1
    for event in happened:
        if isinstance(event, events.Shuffle):
            shuffles.append(event)
            continue
        seat = getattr(event, "player", seat)
        yield from ((seat, one) for one in (*shuffles, event))
        shuffles = []
    yield from ((seat, one) for one in shuffles)
