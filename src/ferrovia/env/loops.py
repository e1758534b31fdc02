"""The functions of game.py over a range of games, for the CPU."""

from typing import Any

from ferrovia.bots.net.observation import observe, weigh_subsets
from ferrovia.env.game import (
    advantages_of,
    count_one,
    finish_one,
    renumber,
    reset_one,
    step_one,
)
from ferrovia.rules.chapters.scoring import score
from ferrovia.rules.compiler import kernel
from ferrovia.rules.playout import next_seat
from ferrovia.rules.state.layout import NONE, OVER, SEATS
from ferrovia.rules.state.log import Log

Numbers = Any


@kernel
def reset_games(begin: int, end: int, room: Any) -> None:
    books, book_of, players, states, whole, plans, held, seeds = room[:8]
    log = Log(room[13], room[14])
    for g in range(begin, end):
        reset_one(books[book_of[g]], states[g], whole[g], players[g], seeds[g], held[g], log)


@kernel
def observe_games(
    begin: int,
    end: int,
    room: Any,
    slots: int,
    others: int,
    obs: Numbers,
    seats: Numbers,
    pilots: Numbers,
    scripted: Numbers,
    t: int,
) -> None:
    books, book_of, players, states, whole, plans = room[:6]
    worths, roles, patterns = room[9], room[10], room[11]
    for g in range(begin, end):
        book, s = books[book_of[g]], states[g]
        seat = next_seat(s)
        seats[t, g] = seat
        if seat != NONE:
            weigh_subsets(book, s, seat, plans[g], worths[g])
            scripted[t, g] = observe(
                book, s, seat, slots, others, plans[g], worths[g], obs[t], g
            )
            pilots[t, g] = roles[g] if (patterns[g] >> seat) & 1 else 0


@kernel
def step_games(
    begin: int,
    end: int,
    room: Any,
    actions: Numbers,
    rewards: Numbers,
    dones: Numbers,
    t: int,
    point: float,
    partial: float,
) -> None:
    books, book_of, players, states, whole, plans, held = room[:7]
    distances = room[12]
    log = Log(room[13], room[14])
    for g in range(begin, end):
        seat = next_seat(states[g])
        dones[t, g] = 0
        rewards[t, g] = 0.0
        if seat != NONE:
            gain = step_one(
                books[book_of[g]],
                states[g],
                seat,
                actions[t, g],
                plans[g],
                held[g],
                distances[book_of[g]],
                partial,
                log,
            )
            rewards[t, g] = point * gain


@kernel
def finish_games(
    begin: int,
    end: int,
    room: Any,
    lasts: Numbers,
    dones: Numbers,
    t: int,
    point: float,
    win: float,
) -> None:
    books, book_of, players, states, whole, plans, held, seeds, episodes = room[:9]
    patterns, counts = room[11], room[15]
    log = Log(room[13], room[14])
    for g in range(begin, end):
        if states[g].phase == OVER:
            book = books[book_of[g]]
            finish_one(book, states[g], plans[g], held[g], point, win, lasts[t, g])
            dones[t, g] = 1
            count_one(states[g], plans[g], counts[g])
            episodes[g] += 1
            patterns[g] ^= 63
            renumber(seeds[g], episodes[g])
            reset_one(book, states[g], whole[g], players[g], seeds[g], held[g], log)


@kernel
def result_games(begin: int, end: int, room: Any, result: Numbers) -> None:
    books, book_of, players, states, whole, plans = room[:6]
    for g in range(begin, end):
        result[g, 0] = NONE
        if states[g].phase == OVER:
            score(books[book_of[g]], states[g], plans[g].score, plans[g].work)
            result[g, 0] = plans[g].score.winners
            for seat in range(SEATS):
                result[g, 1 + seat] = plans[g].score.total[seat]


@kernel
def advantage_games(
    begin: int,
    end: int,
    room: Any,
    seats: Numbers,
    rewards: Numbers,
    lasts: Numbers,
    dones: Numbers,
    learns: Numbers,
    values: Numbers,
    advantages: Numbers,
    targets: Numbers,
    valid: Numbers,
    decay: float,
) -> None:
    players, trace = room[2], room[16]
    for g in range(begin, end):
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
