"""One game of a batch: the functions that the CPU and the GPU run over all of them.

Rewards are for every seat against the mean of the others, so their sum is zero: see
ferrovia.bots.net.reward.
"""

from typing import Any, NamedTuple

from ferrovia.bots.kernel.scratch import Plan
from ferrovia.bots.net.reward import mean_of_others, share_of_win, standing
from ferrovia.kernel import kernel
from ferrovia.rules.chapters.scoring import score
from ferrovia.rules.chapters.stations import built
from ferrovia.rules.chapters.turn import play, start
from ferrovia.rules.playout import next_seat, random_action
from ferrovia.rules.state.chance import USED, seed_generator
from ferrovia.rules.state.layout import NONE, OVER, SEATS, Book, State
from ferrovia.rules.state.log import Log

Numbers = Any

# What is counted of finished games, for each kind of game.
GAMES, TURNS, POINTS, TICKET_POINTS, COMPLETED, KEPT, STATIONS_BUILT = range(7)
COUNTS = 7

LEARNER, PAST, SCRIPT = 0, 1, 2  # who decides for a seat


@kernel
def reset_one(
    book: Book, s: State, whole: Numbers, players: int, seed: Numbers, held: Numbers, log: Log
) -> None:
    """Begin a game; `whole` are the bytes of its state, `held` what its seats were given so far."""
    for i in range(whole.shape[0]):
        whole[i] = 0
    for seat in range(SEATS):
        held[seat] = 0
    start(book, s, seed, players, NONE, log)


@kernel
def draw_one(book: Book, s: State, seed: Numbers, rng: Numbers) -> int:
    """Return a legal action at random, each being equally likely; NONE when the game is over.

    The generator is seeded at its first use.
    """
    if rng[USED] == 0:
        seed_generator(rng, seed, 1)
    seat = next_seat(s)
    return NONE if seat == NONE else random_action(book, s, seat, rng)


@kernel
def ready_for_script(seed: Numbers, rng: Numbers, plan: Plan) -> None:
    """Make a generator and a plan ready for a decision by script: it remembers no plan."""
    if rng[USED] == 0:
        seed_generator(rng, seed, 1)
    plan.seen_turns = 0


@kernel
def pilot_of(role: int, pattern: int, seat: int) -> int:
    """Return who decides for a seat: the game's role for the seats of its pattern, else LEARNER."""
    return role if (pattern >> seat) & 1 else LEARNER


@kernel
def renumber(seed: Numbers, number: int) -> None:
    """Make a seed that of the game's next episode."""
    for i in range(4):
        seed[8 + i] = (number >> (8 * i)) & 255


@kernel
def play_one(book: Book, s: State, seat: int, action: int, log: Log) -> bool:
    """Carry out a legal action; return whether the seat's standing may have changed."""
    trains, tickets = s.trains[seat], s.ticket_count[seat]
    stations = s.stationed
    play(book, s, seat, action, log)
    same = trains == s.trains[seat] and tickets == s.ticket_count[seat]
    return not (same and stations == s.stationed)


@kernel
def gain_of(
    book: Book,
    s: State,
    seat: int,
    plan: Plan,
    held: Numbers,
    distances: Numbers,
    partial: float,
) -> float:
    """Return what a seat has gained since its last reward.

    `plan` has the present score of its tickets.
    """
    now = standing(book, s, seat, plan, distances, partial)
    gain = now - float(held[seat])
    held[seat] = now
    return gain


@kernel
def finish_one(
    book: Book, s: State, plan: Plan, held: Numbers, point: float, win: float, last: Numbers
) -> None:
    """Score a game that is over and write the last reward of every seat."""
    score(book, s, plan.score, plan.work)
    players = int(s.players)
    for seat in range(SEATS):
        last[seat] = 0.0
    for seat in range(players):
        margin = float(plan.score.total[seat]) - mean_of_others(plan.score.total, players, seat)
        given = float(held[seat]) - mean_of_others(held, players, seat)
        won = share_of_win(int(plan.score.winners), seat) - 1.0 / float(players)
        last[seat] = point * (margin - given) + 2.0 * win * won


@kernel
def stand_one(
    book: Book, s: State, plan: Plan, distances: Numbers, partial: float, out: Numbers
) -> None:
    """Write how a game stands: the winners as bits and every seat's total, if it is over; else NONE
    and every seat's standing (see ferrovia.bots.net.reward)."""
    out[0] = NONE
    if s.phase == OVER:
        score(book, s, plan.score, plan.work)
        out[0] = plan.score.winners
    for seat in range(s.players):
        if s.phase == OVER:
            out[1 + seat] = plan.score.total[seat]
        else:
            out[1 + seat] = standing(book, s, seat, plan, distances, partial)


class Experience(NamedTuple):
    """What some steps of a batch brought, by step and game, and what is worked out from that."""

    seats: Numbers
    rewards: Numbers
    lasts: Numbers  # of every seat
    dones: Numbers
    learns: Numbers  # whether the seat learns
    values: Numbers  # what was expected
    advantages: Numbers
    targets: Numbers
    valid: Numbers


@kernel
def advantages_of(game: int, players: int, x: Experience, trace: Numbers, decay: float) -> None:
    """Write the generalised advantages of one game, backwards, each seat by its own decisions.

    `trace` holds (value, advantage, reward, known) of every seat. A decision counts when its
    seat learns and a later one of the seat, or the end, is among the steps.
    """
    for seat in range(SEATS):
        for i in range(4):
            trace[seat, i] = 0.0
    steps = x.seats.shape[0]
    for back in range(steps):
        t = steps - 1 - back
        if x.dones[t, game] != 0:
            for seat in range(SEATS):
                trace[seat, 0] = 0.0
                trace[seat, 1] = 0.0
                trace[seat, 2] = x.lasts[t, game, seat]
                trace[seat, 3] = 1.0
        seat = int(x.seats[t, game])
        value = float(x.values[t, game])
        x.advantages[t, game] = 0.0
        x.targets[t, game] = value
        x.valid[t, game] = 0.0
        if seat == NONE:
            continue
        reward = float(x.rewards[t, game])
        for each in range(players):
            if each == seat:
                trace[each, 2] += reward
            else:
                trace[each, 2] -= reward / float(players - 1)
        if trace[seat, 3] != 0.0:
            advantage = trace[seat, 2] + trace[seat, 0] - value + decay * trace[seat, 1]
            x.advantages[t, game] = advantage
            x.targets[t, game] = value + advantage
            trace[seat, 1] = advantage
            if x.learns[t, game] != 0:
                x.valid[t, game] = 1.0
        trace[seat, 0] = value
        trace[seat, 2] = 0.0
        trace[seat, 3] = 1.0


@kernel
def count_one(s: State, plan: Plan, counts: Numbers) -> None:
    """Add a finished game, as it was scored, to the counts of its kind (CPU)."""
    seats = float(s.players)
    counts[GAMES] += 1.0
    counts[TURNS] += float(s.turns)
    for seat in range(s.players):
        counts[POINTS] += float(plan.score.total[seat]) / seats
        counts[TICKET_POINTS] += float(plan.score.tickets[seat]) / seats
        counts[COMPLETED] += float(plan.score.completed_count[seat]) / seats
        counts[KEPT] += float(s.ticket_count[seat]) / seats
        counts[STATIONS_BUILT] += float(built(s, seat)) / seats
