"""The functions of batch_game.py over a range of games, for the CPU."""

from typing import Any, NamedTuple

from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.kernel.scripts import Script
from ferrovia.bots.net.observation import observe, weigh_subsets, write_columns
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
from ferrovia.env.rows import NETWORK, SEEN, Places, refresh, refresh_tickets
from ferrovia.rules.chapters.scoring import score
from ferrovia.rules.chapters.turn import play
from ferrovia.rules.compiler import kernel
from ferrovia.rules.playout import next_seat
from ferrovia.rules.state.layout import BOOK, NONE, OVER, SEATS, STATE
from ferrovia.rules.state.log import NOBODY, Log

Numbers = Any

TILE = 64  # games whose rows are turned into columns together
TILE_COLUMNS = 16


class Games(NamedTuple):
    """The arrays of a batch, by game where nothing else is said."""

    books: Numbers  # by edition
    book_of: Numbers
    players: Numbers
    whole: Numbers  # the bytes of `states`
    states: Numbers
    plans: Numbers
    held: Numbers
    seeds: Numbers
    rngs: Numbers
    episodes: Numbers
    worths: Numbers
    roles: Numbers
    patterns: Numbers
    counts: Numbers
    trace: Numbers
    rows_seen: Numbers  # what each seat sees, by seats: see rows.py
    seen: Numbers  # what each row was written for
    networks: Numbers  # of each seat
    first_row: Numbers  # of a game in these three
    distances: Numbers  # of the tickets of each book
    rows: Numbers  # of a log that nobody reads
    tape: Numbers


@kernel
def reset_games(begin: int, end: int, a: Games) -> None:
    log = Log(a.rows, a.tape)
    for g in range(begin, end):
        book, players = a.books[a.book_of[g]], a.players[g]
        reset_one(book, a.states[g], a.whole[g], players, a.seeds[g], a.held[g], log)


@kernel
def observe_games(
    begin: int,
    end: int,
    a: Games,
    slots: int,
    others: int,
    obs: Numbers,
    seats: Numbers,
    pilots: Numbers,
    scripted: Numbers,
    t: int,
) -> None:
    for g in range(begin, end):
        book, s, plan = a.books[a.book_of[g]], a.states[g], a.plans[g]
        seat = next_seat(s)
        seats[t, g] = seat
        if seat != NONE:
            pilots[t, g] = pilot_of(a.roles[g], a.patterns[g], seat)
            weigh_subsets(book, s, seat, plan, a.worths[g])
            scripted[t, g] = observe(book, s, seat, slots, others, plan, a.worths[g], obs[t], g)


@kernel
def see_games(
    begin: int, end: int, a: Games, p: Places, obs: Numbers, seats: Numbers, pilots: Numbers, t: int
) -> None:
    """As `observe_games`, without planner's advice. Here `obs` has the game before the column."""
    by_game = obs.strides[2] == 1
    for block in range(begin, end, TILE):
        last = min(block + TILE, end)
        for g in range(block, last):
            s = a.states[g]
            seat = next_seat(s)
            seats[t, g] = seat
            if seat != NONE:
                pilots[t, g] = pilot_of(a.roles[g], a.patterns[g], seat)
                book, first = a.books[a.book_of[g]], a.first_row[g]
                plan = a.plans[begin]  # any will do, and this one is in the cache
                refresh(book, s, seat, p, plan, a.rows_seen, a.seen, a.networks, first)
                if by_game:
                    row = a.rows_seen[first + seat]
                    for column in range(row.shape[0]):
                        obs[t, g, column] = row[column]
        if not by_game:
            _turn_tile(block, last, a, obs[t], seats[t])


@kernel
def _turn_tile(begin: int, end: int, a: Games, obs: Numbers, seats: Numbers) -> None:
    """Copy the rows of some games to where columns lie side by side, some columns at a time: what
    is written stays in the cache until its neighbours are written too."""
    columns = obs.shape[1]
    for left in range(0, columns, TILE_COLUMNS):
        right = min(left + TILE_COLUMNS, columns)
        for g in range(begin, end):
            if seats[g] != NONE:
                row = a.rows_seen[a.first_row[g] + seats[g]]
                for column in range(left, right):
                    obs[g, column] = row[column]


@kernel
def draw_games(begin: int, end: int, a: Games, actions: Numbers, t: int) -> None:
    for g in range(begin, end):
        actions[t, g] = draw_one(a.books[a.book_of[g]], a.states[g], a.seeds[g], a.rngs[g])


@kernel
def script_games(
    begin: int,
    end: int,
    a: Games,
    script: Script,
    wanted: Numbers,
    number: int,
    plans: Numbers,
    actions: Numbers,
    t: int,
) -> None:
    for g in range(begin, end):
        seat = next_seat(a.states[g])
        if wanted[g] == number and seat != NONE:
            ready_for_script(a.seeds[g], a.rngs[g], plans[g])
            actions[t, g] = script(a.books[a.book_of[g]], a.states[g], seat, plans[g], a.rngs[g])


@kernel
def look_at(a: Games, g: int, seat: int, slots: int, others: int, obs: Numbers) -> None:
    """Write what a seat sees that need not be to act, without what planner would do."""
    book, s, plan = a.books[a.book_of[g]], a.states[g], a.plans[g]
    outlook = make_plan(book, s, seat, plan, PLANNER)
    write_columns(book, s, seat, slots, others, plan, outlook, obs, 0)


@kernel
def see_from(a: Games, g: int, seat: int, p: Places, obs: Numbers) -> None:
    """As `look_at`, without planner's advice."""
    book, s, first = a.books[a.book_of[g]], a.states[g], a.first_row[g]
    refresh(book, s, seat, p, a.plans[g], a.rows_seen, a.seen, a.networks, first)
    row = a.rows_seen[first + seat]
    for column in range(row.shape[0]):
        obs[column, 0] = row[column]


@kernel
def play_and_see(
    book_bytes: Numbers,
    state: Numbers,
    plan: Numbers,
    rows: Numbers,
    seen: Numbers,
    networks: Numbers,
    places: Numbers,
    action: int,
) -> int:
    """Carry out an action in the only game of a batch, and write what the next seat sees.

    Return that seat. Records come as bytes: Python passes these ten times as fast.
    """
    p = Places(
        places[0],
        places[1],
        places[2],
        places[3],
        places[4],
        places[5],
        places[6],
        places[7],
        places[8],
        places[9],
        places[10],
    )
    book, s = book_bytes.view(BOOK)[0], state.view(STATE)[0]
    if action != NONE:
        play(book, s, next_seat(s), action, NOBODY)
    seat = next_seat(s)
    if seat != NONE:
        every, joined = seen.view(SEEN), networks.view(NETWORK)
        refresh(book, s, seat, p, plan.view(PLAN)[0], rows, every, joined, 0)
    return seat


@kernel
def play_and_advise(
    book_bytes: Numbers,
    state: Numbers,
    plan_bytes: Numbers,
    worths: Numbers,
    slots: int,
    others: int,
    obs: Numbers,
    scripted: Numbers,
    action: int,
) -> int:
    """As `play_and_see`, with planner's advice: writes `obs` (columns, 1) and its decision."""
    book, s, plan = book_bytes.view(BOOK)[0], state.view(STATE)[0], plan_bytes.view(PLAN)[0]
    if action != NONE:
        play(book, s, next_seat(s), action, NOBODY)
    seat = next_seat(s)
    if seat != NONE:
        weigh_subsets(book, s, seat, plan, worths)
        scripted[0] = observe(book, s, seat, slots, others, plan, worths, obs, 0)
    return seat


@kernel
def step_games(
    begin: int,
    end: int,
    a: Games,
    actions: Numbers,
    rewards: Numbers,
    dones: Numbers,
    t: int,
    point: float,
    partial: float,
) -> None:
    log = Log(a.rows, a.tape)
    for g in range(begin, end):
        number, s = a.book_of[g], a.states[g]
        seat = next_seat(s)
        dones[t, g] = 0
        rewards[t, g] = 0.0
        if seat != NONE:
            book, plan = a.books[number], a.plans[begin]
            if play_one(book, s, seat, actions[t, g], log):
                gain = gain_of(book, s, seat, plan, a.held[g], a.distances[number], partial)
                rewards[t, g] = point * gain
                if a.seen.shape[0] > 0:
                    refresh_tickets(book, s, seat, a.seen[a.first_row[g] + seat], plan, True)


@kernel
def finish_games(
    begin: int,
    end: int,
    a: Games,
    lasts: Numbers,
    dones: Numbers,
    t: int,
    point: float,
    win: float,
) -> None:
    log = Log(a.rows, a.tape)
    for g in range(begin, end):
        s, plan = a.states[g], a.plans[g]
        if s.phase == OVER:
            book = a.books[a.book_of[g]]
            finish_one(book, s, plan, a.held[g], point, win, lasts[t, g])
            dones[t, g] = 1
            count_one(s, plan, a.counts[g])
            a.episodes[g] += 1
            a.patterns[g] ^= 63
            renumber(a.seeds[g], a.episodes[g])
            reset_one(book, s, a.whole[g], a.players[g], a.seeds[g], a.held[g], log)


@kernel
def result_games(begin: int, end: int, a: Games, result: Numbers) -> None:
    for g in range(begin, end):
        s, plan = a.states[g], a.plans[g]
        result[g, 0] = NONE
        if s.phase == OVER:
            score(a.books[a.book_of[g]], s, plan.score, plan.work)
            result[g, 0] = plan.score.winners
            for seat in range(SEATS):
                result[g, 1 + seat] = plan.score.total[seat]


@kernel
def stand_games(
    begin: int, end: int, a: Games, listed: Numbers, partial: float, out: Numbers
) -> None:
    for place in range(begin, min(end, listed.shape[0])):
        g = listed[place]
        book, ways = a.books[a.book_of[g]], a.distances[a.book_of[g]]
        stand_one(book, a.states[g], a.plans[g], ways, partial, out[place])


@kernel
def advantage_games(
    begin: int,
    end: int,
    a: Games,
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
    for g in range(begin, end):
        advantages_of(
            g,
            seats,
            a.players[g],
            rewards,
            lasts,
            dones,
            learns,
            values,
            a.trace[g],
            advantages,
            targets,
            valid,
            decay,
        )
