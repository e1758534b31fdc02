"""The functions of batch_game.py on an NVIDIA GPU: one thread a game.

An observation is made by several programs: the plan, the columns, planner's decision, and what is
on offer. Arrays are listed by what their decision is about, and by how many tickets the seat had to
plan for the last time, so that neighbouring threads do the same thing at the same time.

Records stay in global memory: with the plan and the state of a thread in local memory, `step` ran
into an illegal address on an H200 (numba-cuda 0.30), and the cause was not found.
"""

import os
from functools import cache
from typing import Any, NamedTuple

from ferrovia.bots.kernel.scripts import script
from ferrovia.bots.net.observation import (
    offers,
    worth_of_subset,
    write_columns,
    write_decision,
    write_facts,
    write_offer,
)
from ferrovia.bots.planner.planner import make_plan
from ferrovia.bots.planner.weights import PLANNER
from ferrovia.env.batch_game import (
    Experience,
    advantages_of,
    count_one,
    draw_one,
    finish_one,
    gain_of,
    pilot_of,
    play_one,
    ready_for_script,
    renumber,
    reset_one,
    stand_one,
)
from ferrovia.env.loops import Arrays
from ferrovia.kernel.gpu import cuda, helper, program
from ferrovia.rules.chapters.scoring import score
from ferrovia.rules.playout import next_seat
from ferrovia.rules.state.bits import popcount
from ferrovia.rules.state.layout import NONE, OVER, PAY, SEATS, TICKET_WORDS, TURN
from ferrovia.rules.state.log import Log

# The lists of games. Turns and cards to draw have one for each number of open tickets, the most
# first: what takes longest begins first. The plan for a payment is that of the turn before it.
BY_TICKETS = 8
TURNING, DRAWING, OFFERING, PAYING = 0, BY_TICKETS, 2 * BY_TICKETS, 2 * BY_TICKETS + 1
LISTS = PAYING + 1

Numbers = Any


class Lists(NamedTuple):
    """What the programs of a batch note for each other."""

    counted: Numbers  # games in each list
    listed: Numbers  # (list, place)
    changed: Numbers  # seats whose standing may have changed: their number
    movers: Numbers  # and who they are, game and seat in one number
    open_tickets: Numbers  # (seat, game): how many there were the last time
    outlooks: Numbers  # (3, game): of planner
    weighers: Numbers  # plans of the threads that weigh subsets


def reset(a: Arrays) -> None:
    g = cuda.grid(1)
    if g < a.states.shape[0]:
        log = Log(a.rows, a.tape)
        book, players = a.books[a.book_of[g]], a.players[g]
        reset_one(book, a.states[g], a.whole[g], players, a.seeds[g], a.held[g], log)


def collect(a: Arrays, notes: Lists, seats: Numbers, t: int) -> None:
    """List the games that are not over."""
    g = cuda.grid(1)
    if g < a.states.shape[0]:
        seat = next_seat(a.states[g])
        seats[t, g] = seat
        if seat != NONE:
            phase = a.states[g].phase
            fewer = BY_TICKETS - 1 - notes.open_tickets[seat, g]
            where = DRAWING + fewer
            if phase == TURN:
                where = TURNING + fewer
            elif phase == PAY:
                where = PAYING
            elif offers(a.states[g]):
                where = OFFERING
            notes.listed[where, cuda.atomic.add(notes.counted, where, 1)] = g


def see(
    a: Arrays, slots: int, others: int, obs: Numbers, seats: Numbers, pilots: Numbers, t: int
) -> None:
    """What is seen without planner's advice."""
    g = cuda.grid(1)
    if g < a.states.shape[0]:
        seat = next_seat(a.states[g])
        seats[t, g] = seat
        if seat != NONE:
            book = a.books[a.book_of[g]]
            write_facts(book, a.states[g], seat, slots, others, a.plans[g], obs[t], g)
            pilots[t, g] = pilot_of(a.roles[g], a.patterns[g], seat)


def draw(a: Arrays, actions: Numbers, t: int) -> None:
    g = cuda.grid(1)
    if g < a.states.shape[0]:
        actions[t, g] = draw_one(a.books[a.book_of[g]], a.states[g], a.seeds[g], a.rngs[g])


@helper
def nth_game(notes: Lists, number: int, end: int) -> int:
    """Return a game by its number in the lists before `end`; NONE if they are shorter."""
    for where in range(end):
        if number < notes.counted[where]:
            return int(notes.listed[where, number])
        number -= notes.counted[where]
    return NONE


def weigh(a: Arrays, notes: Lists, subsets: int) -> None:
    """One thread for every subset of every open offer; neighbours have the same subset."""
    thread = cuda.grid(1)
    games = notes.counted[OFFERING]
    if thread < notes.weighers.shape[0]:
        while thread < games * subsets:
            g = notes.listed[OFFERING, thread % games]
            subset = thread // games
            a.worths[g, subset] = worth_of_subset(
                a.books[a.book_of[g]],
                a.states[g],
                next_seat(a.states[g]),
                subset,
                notes.weighers[cuda.grid(1)],
            )
            thread += notes.weighers.shape[0]


def make_plans(a: Arrays, notes: Lists, seats: Numbers, t: int) -> None:
    """Planner's plan, one thread for every game that has no plan yet."""
    g = nth_game(notes, cuda.grid(1), PAYING)
    if g != NONE:
        s, seat = a.states[g], int(seats[t, g])
        outlook = make_plan(a.books[a.book_of[g]], s, seat, a.plans[g], PLANNER)
        for i in range(3):
            notes.outlooks[i, g] = outlook[i]
        count = 0
        for word in range(TICKET_WORDS):
            count += popcount(s.tickets[seat, word] & ~a.plans[g].score.completed[seat, word])
        notes.open_tickets[seat, g] = min(count, BY_TICKETS - 1)


def columns(
    a: Arrays,
    notes: Lists,
    slots: int,
    others: int,
    obs: Numbers,
    seats: Numbers,
    pilots: Numbers,
    t: int,
) -> None:
    g = cuda.grid(1)
    if g < a.states.shape[0]:
        seat = int(seats[t, g])
        if seat != NONE:
            outlook = notes.outlooks[0, g], notes.outlooks[1, g], notes.outlooks[2, g]
            book = a.books[a.book_of[g]]
            write_columns(book, a.states[g], seat, slots, others, a.plans[g], outlook, obs[t], g)
            pilots[t, g] = pilot_of(a.roles[g], a.patterns[g], seat)


def decision(
    a: Arrays, notes: Lists, slots: int, obs: Numbers, seats: Numbers, scripted: Numbers, t: int
) -> None:
    """Planner's decision, one thread for every game without an open offer."""
    g, before = nth_game(notes, cuda.grid(1), OFFERING), 0
    if g == NONE:
        for where in range(OFFERING):
            before += notes.counted[where]
        if cuda.grid(1) - before < notes.counted[PAYING]:
            g = int(notes.listed[PAYING, cuda.grid(1) - before])
    if g != NONE:
        seat = int(seats[t, g])
        outlook = notes.outlooks[0, g], notes.outlooks[1, g], notes.outlooks[2, g]
        book = a.books[a.book_of[g]]
        scripted[t, g] = write_decision(
            book, a.states[g], seat, slots, a.plans[g], outlook, obs[t], g
        )


def offer(
    a: Arrays,
    notes: Lists,
    slots: int,
    others: int,
    obs: Numbers,
    seats: Numbers,
    scripted: Numbers,
    t: int,
) -> None:
    """What is on offer, one thread for every game with an open offer."""
    number = cuda.grid(1)
    if number < notes.counted[OFFERING]:
        g = notes.listed[OFFERING, number]
        seat = int(seats[t, g])
        book = a.books[a.book_of[g]]
        scripted[t, g] = write_offer(
            book, a.states[g], seat, slots, others, a.plans[g], a.worths[g], obs[t], g
        )


def step(
    a: Arrays, notes: Lists, actions: Numbers, rewards: Numbers, dones: Numbers, t: int
) -> None:
    """Carry out the actions, and list the seats whose standing may have changed."""
    g = cuda.grid(1)
    if g < a.states.shape[0]:
        seat = next_seat(a.states[g])
        dones[t, g] = 0
        rewards[t, g] = 0.0
        if seat != NONE:
            log = Log(a.rows, a.tape)
            if play_one(a.books[a.book_of[g]], a.states[g], seat, actions[t, g], log):
                notes.movers[cuda.atomic.add(notes.changed, 0, 1)] = SEATS * g + seat


def gain(a: Arrays, notes: Lists, rewards: Numbers, t: int, point: float, partial: float) -> None:
    """What the listed seats have gained, one thread each: they are one of eight or so."""
    number = cuda.grid(1)
    if number < notes.changed[0]:
        g, seat = notes.movers[number] // SEATS, notes.movers[number] % SEATS
        book, ways = a.books[a.book_of[g]], a.distances[a.book_of[g]]
        gained = gain_of(book, a.states[g], seat, a.plans[g], a.held[g], ways, partial)
        rewards[t, g] = point * gained


def finish(a: Arrays, lasts: Numbers, dones: Numbers, t: int, point: float, win: float) -> None:
    g = cuda.grid(1)
    if g < a.states.shape[0]:
        s, plan = a.states[g], a.plans[g]
        if s.phase == OVER:
            book = a.books[a.book_of[g]]
            finish_one(book, s, plan, a.held[g], point, win, lasts[t, g])
            dones[t, g] = 1
            count_one(s, plan, a.counts[g])
            a.episodes[g] += 1
            a.patterns[g] ^= 63
            renumber(a.seeds[g], a.episodes[g])
            log = Log(a.rows, a.tape)
            reset_one(book, s, a.whole[g], a.players[g], a.seeds[g], a.held[g], log)


def result(a: Arrays, out: Numbers) -> None:
    g = cuda.grid(1)
    if g < a.states.shape[0]:
        out[g, 0] = NONE
        if a.states[g].phase == OVER:
            plan = a.plans[g]
            score(a.books[a.book_of[g]], a.states[g], plan.score, plan.work)
            out[g, 0] = plan.score.winners
            for seat in range(SEATS):
                out[g, 1 + seat] = plan.score.total[seat]


def stand(a: Arrays, listed: Numbers, partial: float, out: Numbers) -> None:
    """How the listed games stand, one thread each."""
    place = cuda.grid(1)
    if place < listed.shape[0]:
        g = listed[place]
        book, ways = a.books[a.book_of[g]], a.distances[a.book_of[g]]
        stand_one(book, a.states[g], a.plans[g], ways, partial, out[place])


def advantage(a: Arrays, x: Experience, decay: float) -> None:
    g = cuda.grid(1)
    if g < a.players.shape[0]:
        advantages_of(g, a.players[g], x, a.trace[g], decay)


_HEAVY = frozenset((weigh, make_plans, columns, decision, offer, step, gain))


@cache
def compiled(function: Any) -> Any:
    """Return one of the programs above, compiled."""
    most = int(os.environ.get("FERROVIA_GPU_REGISTERS", "0")) or None
    return program(function, most if function in _HEAVY else None)


@cache
def script_program(name: str) -> Any:
    """Return the GPU program that decides by a script, compiled at its first use."""
    decide = script(name)

    def by_script(
        a: Arrays, wanted: Numbers, number: int, plans: Numbers, actions: Numbers, t: int
    ) -> None:
        g = cuda.grid(1)
        if g < a.states.shape[0] and wanted[g] == number:
            seat = next_seat(a.states[g])
            if seat != NONE:
                ready_for_script(a.seeds[g], a.rngs[g], plans[g])
                book = a.books[a.book_of[g]]
                actions[t, g] = decide(book, a.states[g], seat, plans[g], a.rngs[g])

    return program(by_script)
