"""Whole games between scripted bots, inside compiled code."""

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np

from ferrovia.bots.kernel.scratch import PLAN, Plan
from ferrovia.bots.kernel.scripts import RANDOM, SCRIPT_TYPE, Script, script
from ferrovia.rules.chapters import scoring, turn
from ferrovia.rules.compiler import BYTES, BYTES_BY_GAME, INT, Need, entry, kernel
from ferrovia.rules.playout import next_seat, random_action
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import (
    BOOK,
    NONE,
    RNG_WORDS,
    SCORE,
    SEATS,
    STATE,
    WORK,
    Book,
    Words,
)
from ferrovia.rules.state.log import NOBODY, Log
from ferrovia.rules.state.visibility import copy_visible, finish_view

Buffer = Any

_types: Any = numba.types

DECISIONS, TURNS, COUNTS = range(3)  # columns of the counters, and their number


@kernel
def play_game(
    book: Book,
    state: Buffer,
    view: Buffer,
    plans: Plan,
    rngs: Words,
    scripts: tuple[Script, ...],
    at_random: bool,
    log: Log,
) -> int:
    """Play a game from its start to the end, and return the number of decisions.

    Every decision is made from what the seat may see, copied to `view`. Where all play at random,
    it is made from the state: what is legal for a seat depends on nothing that is hidden from it.
    """
    s, seen = state.view(STATE)[0], view.view(STATE)[0]
    decisions = 0
    seat = next_seat(s)
    while seat != NONE:
        if at_random:
            action = random_action(book, s, seat, rngs[seat])
        else:
            copy_visible(state, s.phase, seat, view)
            finish_view(seen, seat)
            action = scripts[seat](book, seen, seat, plans[seat], rngs[seat])
        turn.play(book, s, seat, action, log)
        decisions += 1
        seat = next_seat(s)
    return decisions


@entry(
    BYTES,
    BYTES_BY_GAME,
    BYTES_BY_GAME,
    BYTES_BY_GAME,
    INT,
    _types.UniTuple(SCRIPT_TYPE, SEATS),
    INT,
    _types.int32[:, ::1],
    _types.int16[:, :, ::1],
    needed_for=Need.BATCH,
)
def play_all(
    book: Buffer,
    states: Buffer,
    scores: Buffer,
    seeds: Buffer,
    players: int,
    scripts: tuple[Script, ...],
    at_random: int,
    counts: Any,
    rows: Any,
) -> None:
    """Do the compiled part of `play_games`; there are SEATS scripts, also with fewer seats."""
    rules = book.view(BOOK)[0]
    work = np.empty(1, WORK)  # kept as an array: a record does not keep its memory alive
    plans = np.empty(SEATS, PLAN)
    plan_bytes = plans.view(np.uint8)
    rngs = np.empty((SEATS, RNG_WORDS), np.uint32)
    view = np.empty(states.shape[1], np.uint8)
    for game in range(states.shape[0]):
        log = Log(rows[game], NOBODY.tape)
        if log.rows.shape[0] > 0:
            log.rows[0, 0] = 0
        states[game, :] = 0
        if at_random == 0:
            plan_bytes[:] = 0
        s = states[game].view(STATE)[0]
        turn.start(rules, s, seeds[game], players, NONE, log)
        for seat in range(players):
            seed_generator(rngs[seat], seeds[game], 1 + seat)
        counts[game, DECISIONS] = play_game(
            rules, states[game], view, plans, rngs, scripts, at_random != 0, log
        )
        counts[game, TURNS] = s.turns
        scoring.score(rules, s, scores[game].view(SCORE)[0], work[0])


def play_games(
    book: Buffer,
    states: Buffer,
    scores: Buffer,
    seeds: Buffer,
    kinds: Sequence[int],
    counts: Any,
    rows: Any,
) -> None:
    """Play and score a batch of games, each by its seed, with the kinds of bots in these seats.

    The first index of every array is the game. `states` and `scores` (bytes) are written; `seeds`
    are 32 bytes each; `counts` (int32) receives DECISIONS and TURNS; `rows` (int16) receives the
    events as described in ferrovia.rules.state.log, and has no rows (shape: games, 0, COLUMNS) when
    nobody reads them. A game whose rows are too few is played all the same, and its first row holds
    how many events there were.

    Seat n draws on stream 1 + n of the game's seed, like a bot that `make` gives that seed.
    """
    scripts = [script(kind) for kind in kinds]
    scripts += scripts[:1] * (SEATS - len(kinds))
    at_random = int(all(kind == RANDOM for kind in kinds))
    play_all(book, states, scores, seeds, len(kinds), tuple(scripts), at_random, counts, rows)
