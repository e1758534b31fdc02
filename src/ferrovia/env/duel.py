"""Whole games between the net and a script inside compiled code, to measure how strong it is."""

from typing import Any

import numpy as np

from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.kernel.scripts import Script
from ferrovia.bots.net.inference import Room, Weights, decide
from ferrovia.rules.chapters import scoring, turn
from ferrovia.rules.compiler import kernel
from ferrovia.rules.playout import next_seat
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import BOOK, NONE, RNG_WORDS, SCORE, SEATS, STATE, WORK
from ferrovia.rules.state.log import Log
from ferrovia.rules.state.visibility import copy_visible, finish_view

Buffer = Any

_STATE_BYTES = STATE.itemsize
_SCORE_BYTES = SCORE.itemsize


@kernel
def play_duels(
    book: Buffer,
    seeds: Buffer,
    players: int,
    patterns: Any,
    script: Script,
    slots: int,
    others: int,
    weights: Weights,
    room: Room,
    results: Any,
) -> int:
    """Play a game for each seed: seats in the set `patterns[game]` are the script, all others
    the net. Write the winners as bits and each seat's total; return the net's decisions."""
    rules = book.view(BOOK)[0]
    work = np.empty(1, WORK)  # kept as arrays: a record does not keep its memory alive
    plans = np.zeros(2, PLAN)
    rngs = np.empty((SEATS, RNG_WORDS), np.uint32)
    states = np.empty((2, _STATE_BYTES), np.uint8)
    scores = np.empty(_SCORE_BYTES, np.uint8)
    nobody = Log(np.empty((0, 0), np.int16), np.empty(0, np.int32))
    s, seen = states[0].view(STATE)[0], states[1].view(STATE)[0]
    decisions = 0
    for game in range(seeds.shape[0]):
        states[0, :] = 0
        turn.start(rules, s, seeds[game], players, NONE, nobody)
        for seat in range(players):
            seed_generator(rngs[seat], seeds[game], 1 + seat)
        seat = next_seat(s)
        while seat != NONE:
            copy_visible(states[0], s.phase, seat, states[1])
            finish_view(seen, seat)
            if (patterns[game] >> seat) & 1:
                action = script(rules, seen, seat, plans[0], rngs[seat])
            else:
                action = decide(rules, seen, seat, slots, others, plans[1], weights, room)
                decisions += 1
            turn.play(rules, s, seat, action, nobody)
            seat = next_seat(s)
        scoring.score(rules, s, scores.view(SCORE)[0], work[0])
        results[game, 0] = scores.view(SCORE)[0].winners
        for each in range(SEATS):
            results[game, 1 + each] = scores.view(SCORE)[0].total[each]
    return decisions
