"""The functions of batch_game.py on an NVIDIA GPU: one thread a game.

An observation is made by several programs: the plan, the columns, planner's decision, and what is
on offer. Games are listed by what their decision is about, and by how many tickets the seat had to
plan for the last time, so that neighbouring threads do the same thing at the same time.

Records stay in global memory: with the plan and the state of a thread in local memory, `step` ran
into an illegal address on an H200 (numba-cuda 0.30), and the cause was not found.
"""

import os
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from ferrovia.bots.kernel.scripts import source
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
from ferrovia.rules.chapters.scoring import score
from ferrovia.rules.compiler import cache_folder
from ferrovia.rules.gpu import cuda_module
from ferrovia.rules.playout import next_seat
from ferrovia.rules.state.bits import popcount
from ferrovia.rules.state.layout import NONE, OVER, PAY, SEATS, TICKET_WORDS, TURN
from ferrovia.rules.state.log import Log

# The lists of games. Turns and cards to draw have one for each number of open tickets, the most
# first: what takes longest begins first. The plan for a payment is that of the turn before it.
BY_TICKETS = 8
TURNING, DRAWING, OFFERING, PAYING = 0, BY_TICKETS, 2 * BY_TICKETS, 2 * BY_TICKETS + 1
LISTS = PAYING + 1


class Programs(NamedTuple):
    reset: Any
    collect: Any
    see: Any
    draw: Any
    weigh: Any
    plan: Any
    columns: Any
    decision: Any
    offer: Any
    step: Any
    gain: Any
    finish: Any
    result: Any
    stand: Any
    advantage: Any


@cache
def script_program(name: str) -> Any:
    """Return the GPU program that decides by a script, compiled at its first use."""
    cuda = cuda_module()
    decide = cuda.jit(device=True)(source(name))

    @cuda.jit(cache=_keep_compiled())
    def k_script(
        books: Any,
        book_of: Any,
        states: Any,
        seeds: Any,
        rngs: Any,
        wanted: Any,
        number: int,
        plans: Any,
        actions: Any,
        t: int,
    ) -> None:
        g = cuda.grid(1)
        if g < states.shape[0] and wanted[g] == number:
            seat = next_seat(states[g])
            if seat != NONE:
                ready_for_script(seeds[g], rngs[g], plans[g])
                actions[t, g] = decide(books[book_of[g]], states[g], seat, plans[g], rngs[g])

    return k_script


def _keep_compiled() -> bool:
    """Have compiled programs kept in the folder of this package; return whether they are."""
    folder = cache_folder("env")
    if folder is None:
        return False
    for name in ("numba.core.config", "numba.cuda.core.config"):
        try:
            setattr(import_module(name), "CACHE_DIR", str(folder / "gpu"))  # noqa: B010
        except ImportError:
            continue  # the second is that of newer numba-cuda
    return True


@cache
def programs() -> Programs:
    """Return the GPU programs, compiled at their first use."""
    cuda = cuda_module()
    kept = _keep_compiled()
    most = int(os.environ.get("FERROVIA_GPU_REGISTERS", "0")) or None

    @cuda.jit(cache=kept)
    def k_reset(
        books: Any,
        book_of: Any,
        players: Any,
        states: Any,
        whole: Any,
        held: Any,
        seeds: Any,
        rows: Any,
        tape: Any,
    ) -> None:
        g = cuda.grid(1)
        if g < states.shape[0]:
            log = Log(rows, tape)
            reset_one(books[book_of[g]], states[g], whole[g], players[g], seeds[g], held[g], log)

    @cuda.jit(cache=kept)
    def k_collect(
        states: Any, open_tickets: Any, counted: Any, listed: Any, seats: Any, t: int
    ) -> None:
        """List the games that are not over."""
        g = cuda.grid(1)
        if g < states.shape[0]:
            seat = next_seat(states[g])
            seats[t, g] = seat
            if seat != NONE:
                phase = states[g].phase
                fewer = BY_TICKETS - 1 - open_tickets[seat, g]
                where = DRAWING + fewer
                if phase == TURN:
                    where = TURNING + fewer
                elif phase == PAY:
                    where = PAYING
                elif offers(states[g]):
                    where = OFFERING
                listed[where, cuda.atomic.add(counted, where, 1)] = g

    @cuda.jit(cache=kept)
    def k_see(
        books: Any,
        book_of: Any,
        states: Any,
        plans: Any,
        roles: Any,
        patterns: Any,
        slots: int,
        others: int,
        obs: Any,
        seats: Any,
        pilots: Any,
        t: int,
    ) -> None:
        """What is seen without planner's advice."""
        g = cuda.grid(1)
        if g < states.shape[0]:
            seat = next_seat(states[g])
            seats[t, g] = seat
            if seat != NONE:
                book = books[book_of[g]]
                write_facts(book, states[g], seat, slots, others, plans[g], obs[t], g)
                pilots[t, g] = pilot_of(roles[g], patterns[g], seat)

    @cuda.jit(cache=kept)
    def k_draw(
        books: Any, book_of: Any, states: Any, seeds: Any, rngs: Any, actions: Any, t: int
    ) -> None:
        g = cuda.grid(1)
        if g < states.shape[0]:
            actions[t, g] = draw_one(books[book_of[g]], states[g], seeds[g], rngs[g])

    @cuda.jit(device=True)
    def nth_game(counted: Any, listed: Any, number: int, end: int) -> int:
        """Return a game by its number in the lists before `end`; NONE if they are shorter."""
        for where in range(end):
            if number < counted[where]:
                return int(listed[where, number])
            number -= counted[where]
        return NONE

    @cuda.jit(cache=kept, max_registers=most)
    def k_weigh(
        books: Any,
        book_of: Any,
        states: Any,
        counted: Any,
        listed: Any,
        plans: Any,
        worths: Any,
        subsets: int,
    ) -> None:
        """One thread for every subset of every open offer; neighbours have the same subset."""
        thread = cuda.grid(1)
        games = counted[OFFERING]
        if thread < plans.shape[0]:
            while thread < games * subsets:
                g = listed[OFFERING, thread % games]
                subset = thread // games
                worths[g, subset] = worth_of_subset(
                    books[book_of[g]],
                    states[g],
                    next_seat(states[g]),
                    subset,
                    plans[cuda.grid(1)],
                )
                thread += plans.shape[0]

    @cuda.jit(cache=kept, max_registers=most)
    def k_plan(
        books: Any,
        book_of: Any,
        states: Any,
        plans: Any,
        outlooks: Any,
        open_tickets: Any,
        counted: Any,
        listed: Any,
        seats: Any,
        t: int,
    ) -> None:
        """Planner's plan, one thread for every game that has no plan yet."""
        g = nth_game(counted, listed, cuda.grid(1), PAYING)
        if g != NONE:
            seat = int(seats[t, g])
            outlook = make_plan(books[book_of[g]], states[g], seat, plans[g], PLANNER)
            for i in range(3):
                outlooks[i, g] = outlook[i]
            count = 0
            for word in range(TICKET_WORDS):
                mine = states[g].tickets[seat, word]
                count += popcount(mine & ~plans[g].score.completed[seat, word])
            open_tickets[seat, g] = min(count, BY_TICKETS - 1)

    @cuda.jit(cache=kept, max_registers=most)
    def k_columns(
        books: Any,
        book_of: Any,
        states: Any,
        plans: Any,
        outlooks: Any,
        roles: Any,
        patterns: Any,
        slots: int,
        others: int,
        obs: Any,
        seats: Any,
        pilots: Any,
        t: int,
    ) -> None:
        g = cuda.grid(1)
        if g < states.shape[0]:
            seat = int(seats[t, g])
            if seat != NONE:
                outlook = outlooks[0, g], outlooks[1, g], outlooks[2, g]
                book = books[book_of[g]]
                write_columns(book, states[g], seat, slots, others, plans[g], outlook, obs[t], g)
                pilots[t, g] = pilot_of(roles[g], patterns[g], seat)

    @cuda.jit(cache=kept, max_registers=most)
    def k_decision(
        books: Any,
        book_of: Any,
        states: Any,
        plans: Any,
        outlooks: Any,
        counted: Any,
        listed: Any,
        slots: int,
        obs: Any,
        seats: Any,
        scripted: Any,
        t: int,
    ) -> None:
        """Planner's decision, one thread for every game without an open offer."""
        g, before = nth_game(counted, listed, cuda.grid(1), OFFERING), 0
        if g == NONE:
            for where in range(OFFERING):
                before += counted[where]
            if cuda.grid(1) - before < counted[PAYING]:
                g = int(listed[PAYING, cuda.grid(1) - before])
        if g != NONE:
            seat = int(seats[t, g])
            outlook = outlooks[0, g], outlooks[1, g], outlooks[2, g]
            book = books[book_of[g]]
            scripted[t, g] = write_decision(
                book, states[g], seat, slots, plans[g], outlook, obs[t], g
            )

    @cuda.jit(cache=kept, max_registers=most)
    def k_offer(
        books: Any,
        book_of: Any,
        states: Any,
        plans: Any,
        counted: Any,
        listed: Any,
        worths: Any,
        slots: int,
        others: int,
        obs: Any,
        seats: Any,
        scripted: Any,
        t: int,
    ) -> None:
        """What is on offer, one thread for every game with an open offer."""
        number = cuda.grid(1)
        if number < counted[OFFERING]:
            g = listed[OFFERING, number]
            seat = int(seats[t, g])
            book = books[book_of[g]]
            scripted[t, g] = write_offer(
                book, states[g], seat, slots, others, plans[g], worths[g], obs[t], g
            )

    @cuda.jit(cache=kept, max_registers=most)
    def k_step(
        books: Any,
        book_of: Any,
        states: Any,
        changed: Any,
        movers: Any,
        actions: Any,
        rewards: Any,
        dones: Any,
        t: int,
        rows: Any,
        tape: Any,
    ) -> None:
        """Carry out the actions, and list the seats whose standing may have changed."""
        g = cuda.grid(1)
        if g < states.shape[0]:
            seat = next_seat(states[g])
            dones[t, g] = 0
            rewards[t, g] = 0.0
            if seat != NONE:
                log = Log(rows, tape)
                if play_one(books[book_of[g]], states[g], seat, actions[t, g], log):
                    movers[cuda.atomic.add(changed, 0, 1)] = SEATS * g + seat

    @cuda.jit(cache=kept, max_registers=most)
    def k_gain(
        books: Any,
        book_of: Any,
        states: Any,
        plans: Any,
        held: Any,
        distances: Any,
        changed: Any,
        movers: Any,
        rewards: Any,
        t: int,
        point: float,
        partial: float,
    ) -> None:
        """What the listed seats have gained, one thread each: they are one of eight or so."""
        number = cuda.grid(1)
        if number < changed[0]:
            g, seat = movers[number] // SEATS, movers[number] % SEATS
            ways = distances[book_of[g]]
            gain = gain_of(books[book_of[g]], states[g], seat, plans[g], held[g], ways, partial)
            rewards[t, g] = point * gain

    @cuda.jit(cache=kept)
    def k_finish(
        books: Any,
        book_of: Any,
        players: Any,
        states: Any,
        whole: Any,
        plans: Any,
        held: Any,
        seeds: Any,
        episodes: Any,
        patterns: Any,
        counts: Any,
        lasts: Any,
        dones: Any,
        t: int,
        point: float,
        win: float,
        rows: Any,
        tape: Any,
    ) -> None:
        g = cuda.grid(1)
        if g < states.shape[0]:
            if states[g].phase == OVER:
                book = books[book_of[g]]
                finish_one(book, states[g], plans[g], held[g], point, win, lasts[t, g])
                dones[t, g] = 1
                count_one(states[g], plans[g], counts[g])
                episodes[g] += 1
                patterns[g] ^= 63
                renumber(seeds[g], episodes[g])
                log = Log(rows, tape)
                reset_one(book, states[g], whole[g], players[g], seeds[g], held[g], log)

    @cuda.jit(cache=kept)
    def k_result(books: Any, book_of: Any, states: Any, plans: Any, result: Any) -> None:
        g = cuda.grid(1)
        if g < states.shape[0]:
            result[g, 0] = NONE
            if states[g].phase == OVER:
                score(books[book_of[g]], states[g], plans[g].score, plans[g].work)
                result[g, 0] = plans[g].score.winners
                for seat in range(SEATS):
                    result[g, 1 + seat] = plans[g].score.total[seat]

    @cuda.jit(cache=kept)
    def k_stand(
        books: Any,
        book_of: Any,
        states: Any,
        plans: Any,
        distances: Any,
        listed: Any,
        partial: float,
        out: Any,
    ) -> None:
        """How the listed games stand, one thread each."""
        place = cuda.grid(1)
        if place < listed.shape[0]:
            g = listed[place]
            ways = distances[book_of[g]]
            stand_one(books[book_of[g]], states[g], plans[g], ways, partial, out[place])

    @cuda.jit(cache=kept)
    def k_advantage(
        players: Any,
        trace: Any,
        seats: Any,
        rewards: Any,
        lasts: Any,
        dones: Any,
        learns: Any,
        values: Any,
        advantages: Any,
        targets: Any,
        valid: Any,
        decay: float,
    ) -> None:
        g = cuda.grid(1)
        if g < players.shape[0]:
            advantages_of(
                g,
                seats,
                players[g],
                rewards,
                lasts,
                dones,
                learns,
                values,
                trace[g],
                advantages,
                targets,
                valid,
                decay,
            )

    return Programs(
        k_reset,
        k_collect,
        k_see,
        k_draw,
        k_weigh,
        k_plan,
        k_columns,
        k_decision,
        k_offer,
        k_step,
        k_gain,
        k_finish,
        k_result,
        k_stand,
        k_advantage,
    )
