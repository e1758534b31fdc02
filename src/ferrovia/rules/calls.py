"""The kernel as the rest of Ferrovia calls it: over plain byte buffers.

Crossing from Python into compiled code with a record costs several times more than with a buffer
that is viewed as the record inside. `book`, `state`, `view` and `score` are `uint8` arrays of the
sizes of BOOK, STATE, STATE and SCORE; `rows` and `tape` make up the log (see log.py).
"""

from typing import Any

import numpy as np

from ferrovia.rules import playout, replay
from ferrovia.rules.chapters import actions, claims, menu, scoring, tickets, turn
from ferrovia.rules.chapters.breaches import FINE, why_not
from ferrovia.rules.compiler import (
    BYTES,
    BYTES_BY_GAME,
    INT,
    INTS,
    RNG,
    ROWS,
    SHORTS,
    TAPE,
    Need,
    entry,
)
from ferrovia.rules.state import chance, sampling, visibility
from ferrovia.rules.state.bits import EMPTY, has, has_member, insert, single
from ferrovia.rules.state.layout import BOOK, NONE, RNG_WORDS, SCORE, STATE, WORK
from ferrovia.rules.state.log import NOBODY, Log

Buffer = Any


# A game, from its start to its score.


@entry(BYTES, BYTES, BYTES, INT, INT, ROWS, TAPE, needed_for=Need.PLAY | Need.REPLAY)
def start(
    book: Buffer, state: Buffer, seed: Buffer, players: int, first: int, rows: Any, tape: Any
) -> None:
    """Set up a game of so many players from 32 bytes of seed."""
    state[:] = 0
    turn.start(book.view(BOOK)[0], state.view(STATE)[0], seed, players, first, Log(rows, tape))


@entry(BYTES, BYTES, INT, SHORTS, needed_for=Need.PLAY)
def legal(book: Buffer, state: Buffer, seat: int, out: Any) -> int:
    """Write the legal actions of a seat to `out`, ascending, and return their number.

    A seat whose decision is awaited has at least one; any other seat has none.
    """
    rules = book.view(BOOK)[0]
    return menu.list_menu(rules, menu.menu(rules, state.view(STATE)[0], seat), out)


@entry(BYTES, BYTES, INT, INT, SHORTS, needed_for=Need.PLAY)
def payments(book: Buffer, state: Buffer, seat: int, target: int, out: Any) -> int:
    """Write all ways to pay for a route, or for ROUTES + a city, as actions; return their number.

    Only for a route or city that the seat may choose now: nothing but the cards is checked here.
    """
    rules, s = book.view(BOOK)[0], state.view(STATE)[0]
    basic, ways = menu.ways_to_pay_for(rules, s, seat, target)
    return menu.list_menu(rules, (basic, ways, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY), out)


@entry(BYTES, BYTES, INT, INT, needed_for=Need.PLAY)
def price(book: Buffer, state: Buffer, seat: int, target: int) -> int:
    """Return how many cards a route, or a station in ROUTES + a city, costs the seat."""
    return menu.price_of(book.view(BOOK)[0], state.view(STATE)[0], seat, target)[1]


@entry(BYTES, BYTES, INT, needed_for=Need.PLAY)
def keep_bounds(book: Buffer, state: Buffer, seat: int) -> Any:
    """Return the fewest and the most tickets that the seat may keep of its open offer."""
    return tickets.keep_bounds(book.view(BOOK)[0], state.view(STATE)[0], seat)


@entry(BYTES, INT, INT, needed_for=Need.PLAY)
def keep_action(book: Buffer, subset: int, order: int) -> int:
    """Return the action that keeps a subset of the offer (see chapters/actions.py)."""
    return actions.keep_action(book.view(BOOK)[0], subset, order)


@entry(BYTES, BYTES, INT, INT, needed_for=Need.PLAY)
def explain(book: Buffer, state: Buffer, seat: int, action: int) -> int:
    """Return FINE, or the reason why the seat may not do this (see breaches.py)."""
    return why_not(book.view(BOOK)[0], state.view(STATE)[0], seat, action)


@entry(BYTES, BYTES, INT, INTS, INTS, needed_for=Need.PLAY)
def explain_all(book: Buffer, state: Buffer, seat: int, decisions: Any, out: Any) -> None:
    """Write to `out` what `explain` returns for each of many decisions."""
    rules, s = book.view(BOOK)[0], state.view(STATE)[0]
    for i in range(decisions.shape[0]):
        out[i] = why_not(rules, s, seat, decisions[i])


@entry(BYTES, BYTES, INT, INT, ROWS, TAPE, needed_for=Need.PLAY)
def apply(book: Buffer, state: Buffer, seat: int, action: int, rows: Any, tape: Any) -> int:
    """Carry out an action of a seat and return FINE; or return the reason and change nothing."""
    rules, s = book.view(BOOK)[0], state.view(STATE)[0]
    breach = why_not(rules, s, seat, action)
    if breach == FINE:
        turn.play(rules, s, seat, action, Log(rows, tape))
    return breach


@entry(BYTES, INT, BYTES, needed_for=Need.PLAY | Need.REPLAY | Need.BATCH)
def view(state: Buffer, viewer: int, out: Buffer) -> None:
    """Write what a seat, or SPECTATOR, may know to `out`, in the shape of a state (R11.3)."""
    visibility.copy_visible(state, state.view(STATE)[0].phase, viewer, out)
    visibility.finish_view(out.view(STATE)[0], viewer)


@entry(BYTES, BYTES, BYTES, needed_for=Need.PLAY | Need.REPLAY | Need.BATCH)
def score(book: Buffer, state: Buffer, out: Buffer) -> None:
    """Write the score of the position to `out`, as if the game ended here."""
    rules, s, result = book.view(BOOK)[0], state.view(STATE)[0], out.view(SCORE)[0]
    works = np.empty(1, WORK)
    for i in range(1):  # a record does not keep its array alive, a loop over the array does
        scoring.score(rules, s, result, works[i])


# Records, and the chances of bots.


@entry(BYTES, BYTES, ROWS, INT, ROWS, TAPE, needed_for=Need.REPLAY)
def follow(book: Buffer, state: Buffer, recorded: Any, at: int, rows: Any, tape: Any) -> Any:
    """Replay recorded rows on a started game; return the row reached, and FINE or what is wrong."""
    return replay.follow(book.view(BOOK)[0], state.view(STATE)[0], recorded, at, Log(rows, tape))


@entry(RNG, BYTES, INT, needed_for=Need.PLAY | Need.REPLAY)
def seed_generator(rng: Any, seed: Buffer, stream: int) -> None:
    """Start a stream of the generator keyed with 32 bytes (see chance.py)."""
    chance.seed_generator(rng, seed, stream)


# Positions set up by hand, sampled states, random games.


@entry(BYTES, BYTES, INT, INT, needed_for=Need.RESEARCH)
def place_route(book: Buffer, state: Buffer, seat: int, route: int) -> bool:
    """Make a route the seat's own without payment, and return True.

    If the route is closed to the seat or has more spaces than the seat has trains, return False and
    change nothing.
    """
    rules, s = book.view(BOOK)[0], state.view(STATE)[0]
    if not has_member(s.open[seat], route) or s.trains[seat] < rules.length[route]:
        return False
    claims.own(rules, s, seat, route, 0, 0, 0, NOBODY)
    return True


@entry(BYTES, INT, INT, INT, needed_for=Need.RESEARCH)
def place_station(state: Buffer, seat: int, place: int, city: int) -> bool:
    """Make a city the seat's station number `place`, and return True.

    If the city has a station, return False and change nothing.
    """
    s = state.view(STATE)[0]
    if has(s.stationed, city):
        return False
    s.stations[seat, place] = city
    s.stationed |= single(city)
    return True


@entry(BYTES, INT, INT, needed_for=Need.RESEARCH)
def place_ticket(state: Buffer, seat: int, ticket: int) -> bool:
    """Give the seat a ticket and return True; if a seat holds it, return False instead."""
    s = state.view(STATE)[0]
    for other in range(s.players):
        if has_member(s.tickets[other], ticket):
            return False
    insert(s.tickets[seat], ticket)
    s.ticket_count[seat] += 1
    return True


@entry(BYTES, BYTES, BYTES, RNG, needed_for=Need.RESEARCH)
def sample(book: Buffer, view: Buffer, state: Buffer, rng: Any) -> None:
    """Write a full state that agrees with a view to `state`; `rng` is a generator of chance.py."""
    visibility.copy_whole(view, state)
    sampling.sample_state(book.view(BOOK)[0], state.view(STATE)[0], rng, NOBODY)


@entry(BYTES, BYTES_BY_GAME, BYTES_BY_GAME, BYTES_BY_GAME, INT, needed_for=Need.RESEARCH)
def play_random_games(
    book: Buffer, states: Buffer, scores: Buffer, seeds: Any, players: int
) -> int:
    """Play a batch of games at random to the end and score them; return the decisions made."""
    rules = book.view(BOOK)[0]
    works = np.empty(1, WORK)
    rng = np.empty(RNG_WORDS, np.uint32)
    decisions = 0
    for game in range(states.shape[0]):
        states[game, :] = 0
        s = states[game].view(STATE)[0]
        turn.start(rules, s, seeds[game], players, NONE, NOBODY)
        chance.seed_generator(rng, seeds[game], 1)
        decisions += playout.play_random(rules, s, rng, NOBODY)
        scoring.score(rules, s, scores[game].view(SCORE)[0], works[0])
    return decisions
