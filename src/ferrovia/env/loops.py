"""The functions of batch_game.py over a range of games, for the CPU."""

from typing import Any, NamedTuple

from ferrovia.bots.kernel import scripts
from ferrovia.bots.kernel.scratch import PLAN, Plan
from ferrovia.bots.net.observation import SUBSETS, observe, weigh_subsets, write_columns
from ferrovia.bots.planner.planner import make_plan
from ferrovia.bots.planner.weights import PLANNER
from ferrovia.env.batch_game import (
    COUNTS,
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
from ferrovia.env.rows import NETWORK, SEEN, Places, refresh, refresh_tickets
from ferrovia.kernel import FLOAT, INT, Array, Bundle, Grid, One, entry, kernel
from ferrovia.rules.calls import GAME, ROWS, RULES, TAPE
from ferrovia.rules.chapters.scoring import score
from ferrovia.rules.chapters.turn import play
from ferrovia.rules.playout import next_seat
from ferrovia.rules.state.layout import (
    BOOK,
    NONE,
    OVER,
    RNG_WORDS,
    SEATS,
    STATE,
    TICKETS,
    Book,
    State,
)
from ferrovia.rules.state.log import NO_LOG, Log

Numbers = Any

TILE = 64  # games whose rows are turned into columns together
TILE_COLUMNS = 16


class Arrays(NamedTuple):
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


ARRAYS = Bundle(
    Arrays,
    (
        Array(BOOK),
        Array("i8"),
        Array("i8"),
        Array("u1", (STATE.size,)),
        Array(STATE),
        Array(PLAN),
        Array("f4", (SEATS,)),
        Array("u1", (32,)),
        Array("u4", (RNG_WORDS,)),
        Array("i8"),
        Array("i4", (SUBSETS,)),
        Array("u1"),
        Array("u1"),
        Array("f4", (COUNTS,)),
        Array("f4", (SEATS, 4)),
        Grid("u1", 2),
        Array(SEEN),
        Array(NETWORK),
        Array("i8"),
        Array("i2", (TICKETS,)),
        ROWS,
        TAPE,
    ),
)
PLACES = Bundle(Places, (INT,) * len(Places._fields))

# By step and game; an observation by step, column and game.
_SEEN, _SEATS, _FLAGS = Grid("u1", 3, strided=True), Grid("i4", 2), Grid("u1", 2)
_DECISIONS, _NUMBERS, _BY_SEAT = Grid("i8", 2), Grid("f4", 2), Grid("f4", 3)
EXPERIENCE = Bundle(
    Experience,
    (_SEATS, _NUMBERS, _BY_SEAT, _FLAGS, _FLAGS, _NUMBERS, _NUMBERS, _NUMBERS, _NUMBERS),
)


@entry(INT, INT, ARRAYS, long=True)
def reset_games(begin: int, end: int, a: Arrays) -> None:
    log = Log(a.rows, a.tape)
    for g in range(begin, end):
        book, players = a.books[a.book_of[g]], a.players[g]
        reset_one(book, a.states[g], a.whole[g], players, a.seeds[g], a.held[g], log)


@entry(INT, INT, ARRAYS, INT, INT, _SEEN, _SEATS, _FLAGS, _DECISIONS, INT, long=True)
def observe_games(
    begin: int,
    end: int,
    a: Arrays,
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
def _look(g: int, a: Arrays, p: Places, plan: Plan, seats: Numbers, pilots: Numbers, t: int) -> int:
    """Bring what the seat to act sees up to date; return its row, or NONE when the game is over."""
    s = a.states[g]
    seat = next_seat(s)
    seats[t, g] = seat
    if seat == NONE:
        return NONE
    pilots[t, g] = pilot_of(a.roles[g], a.patterns[g], seat)
    first = a.first_row[g]
    refresh(a.books[a.book_of[g]], s, seat, p, plan, a.rows_seen, a.seen, a.networks, first)
    return int(first) + seat


@entry(INT, INT, ARRAYS, PLACES, Grid("u1", 3), _SEATS, _FLAGS, INT, long=True)
def see_games(
    begin: int,
    end: int,
    a: Arrays,
    p: Places,
    obs: Numbers,
    seats: Numbers,
    pilots: Numbers,
    t: int,
) -> None:
    """As `observe_games`, without planner's advice. Here `obs` has the game before the column."""
    for g in range(begin, end):
        # Any plan will do, and that of the first game is in the cache.
        row = _look(g, a, p, a.plans[begin], seats, pilots, t)
        if row != NONE:
            seen = a.rows_seen[row]
            for column in range(seen.shape[0]):
                obs[t, g, column] = seen[column]


@entry(INT, INT, ARRAYS, PLACES, _SEEN, _SEATS, _FLAGS, INT, long=True)
def see_by_column(
    begin: int,
    end: int,
    a: Arrays,
    p: Places,
    obs: Numbers,
    seats: Numbers,
    pilots: Numbers,
    t: int,
) -> None:
    """The same where the games of a column are contiguous; `obs` has the column first."""
    for block in range(begin, end, TILE):
        last = min(block + TILE, end)
        for g in range(block, last):
            _look(g, a, p, a.plans[begin], seats, pilots, t)
        _turn_tile(block, last, a, obs[t], seats[t])


@kernel
def _turn_tile(begin: int, end: int, a: Arrays, obs: Numbers, seats: Numbers) -> None:
    """Copy the rows of some games to where columns lie side by side, some columns at a time: what
    is written stays in the cache until its neighbours are written too."""
    columns = obs.shape[0]
    for left in range(0, columns, TILE_COLUMNS):
        right = min(left + TILE_COLUMNS, columns)
        for g in range(begin, end):
            if seats[g] != NONE:
                row = a.rows_seen[a.first_row[g] + seats[g]]
                for column in range(left, right):
                    obs[column, g] = row[column]


@entry(INT, INT, ARRAYS, _DECISIONS, INT, long=True)
def draw_games(begin: int, end: int, a: Arrays, actions: Numbers, t: int) -> None:
    for g in range(begin, end):
        actions[t, g] = draw_one(a.books[a.book_of[g]], a.states[g], a.seeds[g], a.rngs[g])


@entry(INT, INT, ARRAYS, INT, Array("u1"), INT, Array(PLAN), _DECISIONS, INT, long=True)
def script_games(
    begin: int,
    end: int,
    a: Arrays,
    kind: int,
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
            actions[t, g] = scripts.decide(
                kind, a.books[a.book_of[g]], a.states[g], seat, plans[g], a.rngs[g]
            )


@entry(ARRAYS, INT, INT, INT, INT, Grid("u1", 2))
def look_at(a: Arrays, g: int, seat: int, slots: int, others: int, obs: Numbers) -> None:
    """Write what a seat sees, even if it is not to act, without what planner would do."""
    book, s, plan = a.books[a.book_of[g]], a.states[g], a.plans[g]
    outlook = make_plan(book, s, seat, plan, PLANNER)
    write_columns(book, s, seat, slots, others, plan, outlook, obs, 0)


@entry(ARRAYS, INT, INT, PLACES, Grid("u1", 2))
def see_from(a: Arrays, g: int, seat: int, p: Places, obs: Numbers) -> None:
    """As `look_at`, without planner's advice."""
    book, s, first = a.books[a.book_of[g]], a.states[g], a.first_row[g]
    refresh(book, s, seat, p, a.plans[g], a.rows_seen, a.seen, a.networks, first)
    row = a.rows_seen[first + seat]
    for column in range(row.shape[0]):
        obs[column, 0] = row[column]


@entry(RULES, GAME, One(PLAN), Grid("u1", 2), Array(SEEN), Array(NETWORK), PLACES, INT)
def play_and_see(
    book: Book,
    s: State,
    plan: Plan,
    rows: Numbers,
    seen: Numbers,
    networks: Numbers,
    places: Places,
    action: int,
) -> int:
    """Carry out an action in the only game of a batch, and write what the next seat sees.

    Return that seat.
    """
    if action != NONE:
        play(book, s, next_seat(s), action, NO_LOG)
    seat = next_seat(s)
    if seat != NONE:
        refresh(book, s, seat, places, plan, rows, seen, networks, 0)
    return seat


@entry(
    *(RULES, GAME, One(PLAN), Array("i4", (), SUBSETS), INT, INT, Grid("u1", 2)),
    *(Array("i8", (), 1), INT),
)
def play_and_advise(
    book: Book,
    s: State,
    plan: Plan,
    worths: Numbers,
    slots: int,
    others: int,
    obs: Numbers,
    scripted: Numbers,
    action: int,
) -> int:
    """As `play_and_see`, with planner's advice: writes `obs` (columns, 1) and its decision."""
    if action != NONE:
        play(book, s, next_seat(s), action, NO_LOG)
    seat = next_seat(s)
    if seat != NONE:
        weigh_subsets(book, s, seat, plan, worths)
        scripted[0] = observe(book, s, seat, slots, others, plan, worths, obs, 0)
    return seat


@entry(INT, INT, ARRAYS, _DECISIONS, _NUMBERS, _FLAGS, INT, FLOAT, FLOAT, long=True)
def step_games(
    begin: int,
    end: int,
    a: Arrays,
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


@entry(INT, INT, ARRAYS, _BY_SEAT, _FLAGS, INT, FLOAT, FLOAT, long=True)
def finish_games(
    begin: int,
    end: int,
    a: Arrays,
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


@entry(INT, INT, ARRAYS, Grid("i4", 2), long=True)
def result_games(begin: int, end: int, a: Arrays, result: Numbers) -> None:
    for g in range(begin, end):
        s, plan = a.states[g], a.plans[g]
        result[g, 0] = NONE
        if s.phase == OVER:
            score(a.books[a.book_of[g]], s, plan.score, plan.work)
            result[g, 0] = plan.score.winners
            for seat in range(SEATS):
                result[g, 1 + seat] = plan.score.total[seat]


@entry(INT, INT, ARRAYS, Array("i8"), FLOAT, Grid("f8", 2), long=True)
def stand_games(
    begin: int, end: int, a: Arrays, listed: Numbers, partial: float, out: Numbers
) -> None:
    for place in range(begin, min(end, listed.shape[0])):
        g = listed[place]
        book, ways = a.books[a.book_of[g]], a.distances[a.book_of[g]]
        stand_one(book, a.states[g], a.plans[g], ways, partial, out[place])


@entry(INT, INT, ARRAYS, EXPERIENCE, FLOAT, long=True)
def advantage_games(begin: int, end: int, a: Arrays, x: Experience, decay: float) -> None:
    for g in range(begin, end):
        advantages_of(g, a.players[g], x, a.trace[g], decay)
