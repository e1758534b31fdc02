"""A game split into its set-up and its turns: from its events, or from rows of the kernel's log.

The set-up ends with the last ticket choice of the start (R2.3). A turn ends where another player
acts: nobody has two turns in a row. A shuffle belongs to the draw that it is made for, so it can
be the first event of a turn. Refills and flushes belong to the turn that led to them.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from ferrovia.game import events
from ferrovia.rules.state import log

Ints = npt.NDArray[np.int64]


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


def turn_of_rows(rows: npt.NDArray[np.int16], counts: Ints, players: int, deals: int) -> Ints:
    """Return the turn of each row, from 1; 0 in the set-up.

    `rows` are the logs of several games, one after the other; `counts` says how many rows each has.
    """
    kind, seat = rows[:, log.EVENT], rows[:, log.PLAYER]
    game = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    kept = (kind == log.KEPT).astype(np.int64)
    playing = _since_start(kept, counts) - kept >= players * deals
    acting = np.flatnonzero(playing & (seat >= 0))
    begun = np.zeros(len(rows), np.int64)
    begun[acting[1:]] = (np.diff(seat[acting]) != 0) | (np.diff(game[acting]) != 0)
    begun[acting[:1]] = 1
    turn: Ints = _since_start(begun, counts) * playing
    shuffles = np.flatnonzero(kind == log.SHUFFLE)
    others = np.flatnonzero(kind != log.SHUFFLE)
    after = np.searchsorted(others, shuffles)
    shuffles, after = shuffles[after < len(others)], after[after < len(others)]
    same = game[shuffles] == game[others[after]]
    turn[shuffles[same]] = turn[others[after[same]]]
    return turn


def _since_start(numbers: Ints, counts: Ints) -> Ints:
    """Return the sums of `numbers` from the start of each row's game to the row."""
    before = np.concatenate([[0], np.cumsum(numbers)])
    firsts = np.cumsum(counts) - counts
    since: Ints = before[1:] - np.repeat(before[firsts], counts)
    return since
