"""The kernel as the rest of Ferrovia calls it, over plain memory.

`book`, `state`, `view` and `score` are the bytes of a BOOK, a STATE (twice) and a SCORE; `rows` and
`tape` make up the log (see log.py).
"""

from typing import Any

from ferrovia.kernel import INT, Array, Buffer, One, Scratch, bytes_of, entry, record
from ferrovia.rules import playout, replay
from ferrovia.rules.chapters import actions, claims, menu, scoring, tickets, turn
from ferrovia.rules.chapters.breaches import FINE, why_not
from ferrovia.rules.state import chance, sampling, visibility
from ferrovia.rules.state.bits import EMPTY, has, has_member, insert, single
from ferrovia.rules.state.layout import (
    BOOK,
    NONE,
    RNG_WORDS,
    SCORE,
    STATE,
    WORK,
    Book,
    Score,
    State,
    Work,
)
from ferrovia.rules.state.log import COLUMNS, NO_LOG, Log

RULES = One(BOOK, constant=True)
GAME, SEEN = One(STATE), One(STATE, constant=True)
BYTES_OF_GAME, BYTES_SEEN = bytes_of(STATE.size), bytes_of(STATE.size, constant=True)
SEED = bytes_of(32, constant=True)
GENERATOR = Array("u4", (), RNG_WORDS)
ACTIONS = Array("i2")
DECISIONS, CHOICES = Array("i8"), Array("i8", constant=True)
ROWS = Array("i2", (COLUMNS,))
ROW = Array("i2", (), COLUMNS, constant=True)
TAPE = Array("i4")

# By game.
STATES = Array("u1", (STATE.size,))
SCORES = Array("u1", (SCORE.size,))
SEEDS = Array("u1", (32,), constant=True)

STATE_BYTES = STATE.size


# A game, from its start to its score.


@entry(RULES, BYTES_OF_GAME, SEED, INT, INT, ROWS, TAPE)
def start(
    book: Book, state: Buffer, seed: Buffer, players: int, first: int, rows: Any, tape: Any
) -> None:
    """Set up a game for a number of players from 32 bytes of seed."""
    for place in range(state.size):
        state[place] = 0
    turn.start(book, record(state, STATE), seed, players, first, Log(rows, tape))


@entry(RULES, SEEN, INT, ACTIONS)
def legal(book: Book, state: State, seat: int, out: Any) -> int:
    """Write the legal actions of a seat to `out`, ascending, and return their number.

    A seat whose decision is awaited has at least one; any other seat has none.
    """
    return menu.list_menu(book, menu.menu(book, state, seat), out)


@entry(RULES, SEEN, INT, INT, ACTIONS)
def payments(book: Book, state: State, seat: int, target: int, out: Any) -> int:
    """Write all ways to pay for a route, or for ROUTES + a city, as actions; return their number.

    Only for a route or city that the seat may choose now: nothing but the cards is checked here.
    """
    basic, ways = menu.ways_to_pay_for(book, state, seat, target)
    return menu.list_menu(book, (basic, ways, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY), out)


@entry(RULES, SEEN, INT, INT)
def price(book: Book, state: State, seat: int, target: int) -> int:
    """Return how many cards a route, or a station in ROUTES + a city, costs the seat."""
    return menu.price_of(book, state, seat, target)[1]


@entry(RULES, SEEN, INT)
def keep_bounds(book: Book, state: State, seat: int) -> Any:
    """Return the fewest and the most tickets that the seat may keep of its open offer."""
    return tickets.keep_bounds(book, state, seat)


@entry(RULES, INT, INT)
def keep_action(book: Book, subset: int, order: int) -> int:
    """Return the action that keeps a subset of the offer (see chapters/actions.py)."""
    return actions.keep_action(book, subset, order)


@entry(RULES, SEEN, INT, INT)
def explain(book: Book, state: State, seat: int, action: int) -> int:
    """Return FINE, or the reason why the seat may not do this (see breaches.py)."""
    return why_not(book, state, seat, action)


@entry(RULES, SEEN, INT, CHOICES, DECISIONS)
def explain_all(book: Book, state: State, seat: int, decisions: Any, out: Any) -> None:
    """Write to `out` what `explain` returns for each of many decisions."""
    for i in range(decisions.shape[0]):
        out[i] = why_not(book, state, seat, decisions[i])


@entry(RULES, GAME, INT, INT, ROWS, TAPE)
def apply(book: Book, state: State, seat: int, action: int, rows: Any, tape: Any) -> int:
    """Carry out an action of a seat and return FINE; or return the reason and change nothing."""
    breach = why_not(book, state, seat, action)
    if breach == FINE:
        turn.play(book, state, seat, action, Log(rows, tape))
    return breach


@entry(BYTES_SEEN, INT, BYTES_OF_GAME)
def view(state: Buffer, viewer: int, out: Buffer) -> None:
    """Write what a seat, or SPECTATOR, may know to `out`, in the shape of a state (R11.3)."""
    visibility.copy_visible(state, record(state, STATE).phase, viewer, out)
    visibility.finish_view(record(out, STATE), viewer)


@entry(RULES, SEEN, One(SCORE), Scratch(WORK))
def score(book: Book, state: State, out: Score, work: Work = None) -> None:
    """Write the score of the position to `out`, as if the game ended here."""
    scoring.score(book, state, out, work)


# Records, and the chances of bots.


@entry(RULES, SEEN, INT, ROW)
def decision_of(book: Book, state: State, seat: int, recorded: Any) -> Any:
    """Return the action that leads to a recorded row, or NONE, and the payment in the row."""
    return (
        replay.recorded_action(book, state, seat, recorded),
        replay.recorded_payment(state, recorded),
    )


@entry(RULES, GAME, Array("i2", (COLUMNS,), constant=True), INT, ROWS, TAPE)
def follow(book: Book, state: State, recorded: Any, at: int, rows: Any, tape: Any) -> Any:
    """Replay recorded rows on a started game; return the row reached, and FINE or what is wrong."""
    return replay.follow(book, state, recorded, at, Log(rows, tape))


@entry(GENERATOR, SEED, INT)
def seed_generator(rng: Any, seed: Buffer, stream: int) -> None:
    """Start a stream of the generator keyed with 32 bytes (see chance.py)."""
    chance.seed_generator(rng, seed, stream)


# Positions set up by hand, sampled states, random games.


@entry(RULES, GAME, INT, INT)
def place_route(book: Book, state: State, seat: int, route: int) -> bool:
    """Make a route the seat's own without payment, and return True.

    If the route is closed to the seat or has more spaces than the seat has trains, return False and
    change nothing.
    """
    if not has_member(state.open[seat], route) or state.trains[seat] < book.length[route]:
        return False
    claims.own(book, state, seat, route, 0, 0, 0, NO_LOG)
    return True


@entry(GAME, INT, INT, INT)
def place_station(state: State, seat: int, place: int, city: int) -> bool:
    """Make a city the seat's station number `place`, and return True.

    If the city has a station, return False and change nothing.
    """
    if has(state.stationed, city):
        return False
    state.stations[seat, place] = city
    state.stationed |= single(city)
    return True


@entry(GAME, INT, INT)
def place_ticket(state: State, seat: int, ticket: int) -> bool:
    """Give the seat a ticket and return True; if a seat holds it, return False instead."""
    for other in range(state.players):
        if has_member(state.tickets[other], ticket):
            return False
    insert(state.tickets[seat], ticket)
    state.ticket_count[seat] += 1
    return True


@entry(RULES, BYTES_SEEN, BYTES_OF_GAME, GENERATOR)
def sample(book: Book, view: Buffer, state: Buffer, rng: Any) -> None:
    """Write a full state that agrees with a view to `state`; `rng` is a generator of chance.py."""
    visibility.copy_whole(view, state)
    sampling.sample_state(book, record(state, STATE), rng, NO_LOG)


@entry(
    RULES,
    STATES,
    SCORES,
    SEEDS,
    INT,
    Scratch("u4", RNG_WORDS),
    Scratch(WORK),
    long=True,
)
def play_random_games(
    book: Book,
    states: Buffer,
    scores: Buffer,
    seeds: Any,
    players: int,
    rng: Any = None,
    work: Work = None,
) -> int:
    """Play a batch of games at random to the end and score them; return the decisions made."""
    decisions = 0
    for game in range(states.shape[0]):
        for place in range(STATE_BYTES):
            states[game, place] = 0
        s = record(states[game], STATE)
        turn.start(book, s, seeds[game], players, NONE, NO_LOG)
        chance.seed_generator(rng, seeds[game], 1)
        decisions += playout.play_random(book, s, rng, NO_LOG)
        scoring.score(book, s, record(scores[game], SCORE), work)
    return decisions
