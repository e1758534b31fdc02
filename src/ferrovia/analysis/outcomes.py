"""How games go on from a position: played to the end by script, in many worlds.

World n has the same luck wherever it is met: every turn has random words of its own, whatever was
done before. So two options, or two positions of one game, are compared under the same luck.
"""

from ferrovia.bots.search import scout
from ferrovia.bots.search.rollout import play_on, roll_out
from ferrovia.bots.search.workspace import WORKSPACE, Numbers, Workspace
from ferrovia.bots.search.worlds import sample_world
from ferrovia.kernel import INT, Grid, entry, kernel, record, uint32, uint64
from ferrovia.rules.calls import BYTES_SEEN, CHOICES, RULES
from ferrovia.rules.chapters.scoring import score
from ferrovia.rules.chapters.turn import start
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
    KINDS,
    START,
    STATE,
    TICKETS,
    Book,
    State,
    Words,
)
from ferrovia.rules.state.log import NO_LOG
from ferrovia.rules.state.sampling import take_card
from ferrovia.rules.state.visibility import copy_whole

_BLOCKS = 64  # of random words for each turn, as in bots/search/rollout.py


_OUTCOMES = Grid("f8", 3)  # by world, option and seat


@kernel
def _write(book: Book, s: State, workspace: Workspace, points: Numbers, wins: Numbers) -> None:
    """Write what every seat scored, and its share of the victory."""
    result = workspace.score[0]
    score(book, s, result, workspace.work[0])
    winners = uint64(result.winners)
    for seat in range(s.players):
        points[seat] = float(result.total[seat])
        wins[seat] = 1.0 / popcount(winners) if has(winners, seat) else 0.0


@kernel
def _finish(book: Book, s: State, workspace: Workspace, points: Numbers, wins: Numbers) -> None:
    """Let the scripts play a game to its end, without plans from before."""
    for each in range(s.players):
        workspace.plans[each].seen_turns = 0
    roll_out(book, s, workspace)
    _write(book, s, workspace, points, wins)


@entry(RULES, BYTES_SEEN, INT, CHOICES, INT, INT, WORKSPACE, _OUTCOMES, _OUTCOMES, long=True)
def try_options(
    book: Book,
    view: Numbers,
    seat: int,
    options: Numbers,
    first: int,
    worlds: int,
    workspace: Workspace,
    points: Numbers,
    wins: Numbers,
) -> None:
    """Try decisions of a seat in worlds that agree with its view, all of them in each world.

    `points` and `wins` are written by world, option and seat. `plant` must have been called before.
    """
    for number in range(worlds):
        sample_world(book, view, first + number, workspace)
        world = record(workspace.world, STATE)
        for each in range(world.players):
            scout.plan_anew(book, world, each, workspace.first_plans[each])
        for i in range(options.shape[0]):
            copy_whole(workspace.world, workspace.state)
            s = record(workspace.state, STATE)
            for each in range(s.players):
                workspace.plans[each] = workspace.first_plans[each]
            play_on(book, s, seat, options[i], workspace)
            roll_out(book, s, workspace)
            _write(book, s, workspace, points[number, i], wins[number, i])


@kernel
def _reseed(s: State, rng: Words) -> None:
    """Give a state a future of its own, which depends on the generator and on the turn alone."""
    for i in range(KEY, COUNTER):
        s.rng[i] = next_word(rng)
    for i in range(COUNTER, BLOCK):
        s.rng[i] = 0
    s.rng[COUNTER] = uint32(_BLOCKS * s.turns)
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


@entry(RULES, BYTES_SEEN, INT, INT, INT, WORKSPACE, _OUTCOMES, _OUTCOMES, long=True)
def play_on_from(
    book: Book,
    state: Numbers,
    hands: int,
    first: int,
    worlds: int,
    workspace: Workspace,
    points: Numbers,
    wins: Numbers,
) -> None:
    """Play a full state to its end in a number of worlds, with the decks in any order.

    With `hands` 0, for a state right after the deal, the hands are dealt again in each world.
    """
    for number in range(worlds):
        copy_whole(state, workspace.state)
        s = record(workspace.state, STATE)
        seed_generator(workspace.rng, workspace.seed, first + number)
        _reseed(s, workspace.rng)
        if s.phase != START:
            _shuffle_tickets(s, workspace.rng)
        if hands == 0:
            _deal_again(s, workspace.rng)
        _finish(book, s, workspace, points[number, 0], wins[number, 0])


@entry(RULES, INT, INT, INT, INT, WORKSPACE, _OUTCOMES, _OUTCOMES, long=True)
def play_afresh(
    book: Book,
    players: int,
    begins: int,
    first: int,
    worlds: int,
    workspace: Workspace,
    points: Numbers,
    wins: Numbers,
) -> None:
    """Play a number of whole games, from the deal on."""
    for number in range(worlds):
        seed_generator(workspace.rng, workspace.seed, first + number)
        for i in range(32):
            workspace.world[i] = next_word(workspace.rng) & uint32(255)
        for place in range(workspace.state.size):
            workspace.state[place] = 0
        s = record(workspace.state, STATE)
        start(book, s, workspace.world, players, begins, NO_LOG)
        _finish(book, s, workspace, points[number, 0], wins[number, 0])
