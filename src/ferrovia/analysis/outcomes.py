"""How games go on from a position: played to the end by script, in many worlds.

World n has the same luck wherever it is met: every turn has random words of its own, whatever was
done before. So two options, or two positions of one game, are compared under the same luck.
"""

from typing import Any

import numpy as np

from ferrovia.bots.search import scout
from ferrovia.bots.search.rollout import play_on, roll_out
from ferrovia.bots.search.workspace import Array, Workspace, workspace_type
from ferrovia.bots.search.worlds import sample_world
from ferrovia.rules.chapters.scoring import score
from ferrovia.rules.chapters.turn import start
from ferrovia.rules.compiler import BYTES, INT, INTS, Need, entry, kernel
from ferrovia.rules.state.bits import has, popcount
from ferrovia.rules.state.chance import (
    ALL_USED,
    BLOCK,
    COUNTER,
    KEY,
    USED,
    choose,
    next_word,
    seed_generator,
)
from ferrovia.rules.state.layout import (
    BOOK,
    KINDS,
    START,
    STATE,
    TICKETS,
    Book,
    State,
    Words,
)
from ferrovia.rules.state.log import NOBODY
from ferrovia.rules.state.sampling import take_card
from ferrovia.rules.state.visibility import copy_whole

_BLOCKS = 64  # of random words for each turn, as in bots/search/rollout.py


def _floats() -> Any:
    """Return the type of an array of outcomes."""
    import numba

    types: Any = numba.types
    return types.float64[:, :, ::1]


@kernel
def _write(book: Book, s: State, workspace: Workspace, points: Array, wins: Array) -> None:
    """Write what every seat scored, and its share of the victory."""
    result = workspace.score[0]
    score(book, s, result, workspace.work[0])
    winners = np.uint64(result.winners)
    for seat in range(s.players):
        points[seat] = float(result.total[seat])
        wins[seat] = 1.0 / popcount(winners) if has(winners, seat) else 0.0


@kernel
def _finish(book: Book, s: State, workspace: Workspace, points: Array, wins: Array) -> None:
    """Let the scripts play a game to its end, without plans from before."""
    for each in range(s.players):
        workspace.plans[each].seen_turns = 0
    roll_out(book, s, workspace)
    _write(book, s, workspace, points, wins)


@entry(BYTES, BYTES, INT, INTS, INT, INT, workspace_type, _floats, _floats, needed_for=Need(0))
def try_options(
    book: Array,
    view: Array,
    seat: int,
    options: Array,
    first: int,
    worlds: int,
    workspace: Workspace,
    points: Array,
    wins: Array,
) -> None:
    """Try decisions of a seat in so many worlds that agree with its view, all in each.

    `points` and `wins` are written by world, option and seat. `plant` must have been called before.
    """
    rules = book.view(BOOK)[0]
    for number in range(worlds):
        sample_world(rules, view, first + number, workspace)
        world = workspace.world.view(STATE)[0]
        for each in range(world.players):
            scout.plan_anew(rules, world, each, workspace.first_plans[each])
        for i in range(options.shape[0]):
            copy_whole(workspace.world, workspace.state)
            s = workspace.state.view(STATE)[0]
            for each in range(s.players):
                workspace.plans[each] = workspace.first_plans[each]
            play_on(rules, s, seat, options[i], workspace)
            roll_out(rules, s, workspace)
            _write(rules, s, workspace, points[number, i], wins[number, i])


@kernel
def _reseed(s: State, rng: Words) -> None:
    """Give a state a future of its own, which depends on the generator and on the turn alone."""
    for i in range(KEY, COUNTER):
        s.rng[i] = next_word(rng)
    for i in range(COUNTER, BLOCK):
        s.rng[i] = 0
    s.rng[COUNTER] = np.uint32(_BLOCKS * s.turns)
    s.rng[USED] = ALL_USED


@kernel
def _shuffle_tickets(s: State, rng: Words) -> None:
    """Shuffle the ticket deck, whose order nobody knows."""
    for i in range(s.ticket_left - 1, 0, -1):
        j = choose(rng, i + 1)
        here, there = (s.ticket_head + i) % TICKETS, (s.ticket_head + j) % TICKETS
        ticket = s.ticket_deck[here]
        s.ticket_deck[here] = s.ticket_deck[there]
        s.ticket_deck[there] = ticket


@kernel
def _deal_again(s: State, rng: Words) -> None:
    """Exchange all cards in hands for others of the deck."""
    total = 0
    for seat in range(s.players):
        for card in range(KINDS):
            s.deck[card] += s.hand[seat, card]
            s.hand[seat, card] = 0
    for card in range(KINDS):
        total += int(s.deck[card])
    for seat in range(s.players):
        for _ in range(s.hand_size[seat]):
            s.hand[seat, take_card(s, total, rng)] += 1
            total -= 1


@entry(BYTES, BYTES, INT, INT, INT, workspace_type, _floats, _floats, needed_for=Need(0))
def play_on_from(
    book: Array,
    state: Array,
    hands: int,
    first: int,
    worlds: int,
    workspace: Workspace,
    points: Array,
    wins: Array,
) -> None:
    """Play a full state to its end in so many worlds: what lies in the decks is as likely as not.

    With `hands` 0, for a state right after the deal, the hands are dealt again in each world.
    """
    rules = book.view(BOOK)[0]
    for number in range(worlds):
        copy_whole(state, workspace.state)
        s = workspace.state.view(STATE)[0]
        seed_generator(workspace.rng, workspace.seed, first + number)
        _reseed(s, workspace.rng)
        if s.phase != START:
            _shuffle_tickets(s, workspace.rng)
        if hands == 0:
            _deal_again(s, workspace.rng)
        _finish(rules, s, workspace, points[number, 0], wins[number, 0])


@entry(BYTES, INT, INT, INT, INT, workspace_type, _floats, _floats, needed_for=Need(0))
def play_afresh(
    book: Array,
    players: int,
    begins: int,
    first: int,
    worlds: int,
    workspace: Workspace,
    points: Array,
    wins: Array,
) -> None:
    """Play so many whole games, from the deal on."""
    rules = book.view(BOOK)[0]
    for number in range(worlds):
        seed_generator(workspace.rng, workspace.seed, first + number)
        for i in range(32):
            workspace.world[i] = next_word(workspace.rng) & np.uint32(255)
        workspace.state[:] = 0
        s = workspace.state.view(STATE)[0]
        start(rules, s, workspace.world, players, begins, NOBODY)
        _finish(rules, s, workspace, points[number, 0], wins[number, 0])
