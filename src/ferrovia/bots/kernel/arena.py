"""Whole games between scripted bots, inside compiled code."""

from typing import Any

from ferrovia.bots.kernel import scripts
from ferrovia.bots.kernel.results import RESULT, write_result
from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.kernel.scripts import RANDOM
from ferrovia.kernel import Array, Buffer, Scratch, entry, kernel, record
from ferrovia.rules.calls import ROWS, RULES, SCORES, SEEDS, STATES
from ferrovia.rules.chapters import scoring, turn
from ferrovia.rules.playout import next_seat, random_action
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import (
    NONE,
    RNG_WORDS,
    SCORE,
    SEATS,
    STATE,
    WORK,
    Book,
    Words,
    Work,
)
from ferrovia.rules.state.log import NO_LOG, Log
from ferrovia.rules.state.visibility import copy_visible, finish_view

_PLAN_BYTES, _STATE_BYTES = PLAN.size, STATE.size


@kernel
def play_game(
    book: Book,
    state: Buffer,
    view: Buffer,
    plans: Buffer,
    rngs: Words,
    kinds: Any,
    at_random: bool,
    log: Log,
) -> int:
    """Play a game from its start to the end, and return the number of decisions.

    Every decision is made from what the seat may see, copied to `view`. Where all play at random,
    it is made from the state: what is legal for a seat depends on nothing that is hidden from it.
    """
    s, seen = record(state, STATE), record(view, STATE)
    decisions = 0
    seat = next_seat(s)
    while seat != NONE:
        if at_random:
            action = random_action(book, s, seat, rngs[seat])
        else:
            copy_visible(state, s.phase, seat, view)
            finish_view(seen, seat)
            plan = record(plans[seat], PLAN)
            action = scripts.decide(kinds[seat], book, seen, seat, plan, rngs[seat])
        turn.play(book, s, seat, action, log)
        decisions += 1
        seat = next_seat(s)
    return decisions


@entry(
    RULES,
    STATES,
    SCORES,
    SEEDS,
    Array("i8", constant=True),
    Array(RESULT),
    ROWS,
    Scratch("u1", STATE.size),
    Scratch("u1", SEATS, (PLAN.size,)),
    Scratch("u4", SEATS, (RNG_WORDS,)),
    Scratch(WORK),
    long=True,
)
def play_games(
    book: Book,
    states: Buffer,
    scores: Buffer,
    seeds: Buffer,
    kinds: Any,
    results: Any,
    rows: Any,
    view: Buffer = None,
    plans: Buffer = None,
    rngs: Any = None,
    work: Work = None,
) -> None:
    """Play and score a batch of games, each by its seed, with the `kinds` of bots in the seats.

    `states`, `scores`, `seeds` (32 bytes each) and `results` (rows of RESULT) are by game. Every
    game has as many of the `rows`, for its events as described in ferrovia.rules.state.log; there
    are none when nobody reads them. A game whose rows are too few is played all the same, and its
    first row holds how many events there were.

    Seat n draws on stream 1 + n of the game's seed, like a bot that `make` gives that seed.
    """
    players = kinds.shape[0]
    at_random = True
    for seat in range(players):
        if kinds[seat] != RANDOM:
            at_random = False
    games = states.shape[0]
    room = rows.shape[0] // games
    for game in range(games):
        log = Log(rows[game * room : (game + 1) * room], NO_LOG.tape)
        if log.rows.shape[0] > 0:
            log.rows[0, 0] = 0
        for place in range(_STATE_BYTES):
            states[game, place] = 0
        if not at_random:
            for seat in range(players):
                for place in range(_PLAN_BYTES):
                    plans[seat, place] = 0
        s = record(states[game], STATE)
        turn.start(book, s, seeds[game], players, NONE, log)
        for seat in range(players):
            seed_generator(rngs[seat], seeds[game], 1 + seat)
        decisions = play_game(book, states[game], view, plans, rngs, kinds, at_random, log)
        score = record(scores[game], SCORE)
        scoring.score(book, s, score, work)
        write_result(s, score, decisions, results[game])
