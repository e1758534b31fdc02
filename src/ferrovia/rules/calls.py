"""The kernel as the rest of Ferrovia calls it: over plain byte buffers.

Crossing from Python into compiled code with a record costs several times more than with a buffer
that is viewed as the record inside. `book`, `state`, `view` and `score` are `uint8` arrays of the
sizes of BOOK, STATE, STATE and SCORE; `rows` and `tape` make up the log (see log.py).
"""

from typing import Any

import numpy as np

from ferrovia.rules import playout, replay
from ferrovia.rules.chapters import menu, scoring, turn
from ferrovia.rules.chapters.breaches import FINE, why_not
from ferrovia.rules.chapters.menu import price_of
from ferrovia.rules.compiler import kernel
from ferrovia.rules.state import sampling, visibility
from ferrovia.rules.state.bits import EMPTY
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import BOOK, NONE, RNG_WORDS, SCORE, STATE, WORK
from ferrovia.rules.state.log import Log

Buffer = Any


@kernel
def start(
    book: Buffer, state: Buffer, seed: Buffer, players: int, first: int, rows: Any, tape: Any
) -> None:
    """Set up a game of so many players from 32 bytes of seed."""
    state[:] = 0
    turn.start(book.view(BOOK)[0], state.view(STATE)[0], seed, players, first, Log(rows, tape))


@kernel
def legal(book: Buffer, state: Buffer, seat: int, out: Any) -> int:
    """Write the legal actions of a seat to `out`, ascending; gives their number.

    A seat whose decision is awaited has at least one; any other seat has none.
    """
    rules = book.view(BOOK)[0]
    return menu.list_menu(rules, menu.menu(rules, state.view(STATE)[0], seat), out)


@kernel
def payments(book: Buffer, state: Buffer, seat: int, target: int, out: Any) -> int:
    """Write all ways to pay for a route, or for ROUTES + a city, as actions; gives their number.

    Only for a route or city that the seat may choose now: the cards alone are looked at here.
    """
    rules, s = book.view(BOOK)[0], state.view(STATE)[0]
    basic, ways = menu.ways_to_pay_for(rules, s, seat, target)
    return menu.list_menu(rules, (basic, ways, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY), out)


@kernel
def explain(book: Buffer, state: Buffer, seat: int, action: int) -> int:
    """FINE, or the reason why the seat may not do this (see breaches.py)."""
    return why_not(book.view(BOOK)[0], state.view(STATE)[0], seat, action)


@kernel
def apply(book: Buffer, state: Buffer, seat: int, action: int, rows: Any, tape: Any) -> int:
    """Carry out an action of a seat and give FINE; or give the reason and change nothing."""
    rules, s = book.view(BOOK)[0], state.view(STATE)[0]
    breach = why_not(rules, s, seat, action)
    if breach == FINE:
        turn.play(rules, s, seat, action, Log(rows, tape))
    return breach


@kernel
def view(state: Buffer, viewer: int, out: Buffer) -> None:
    """What a seat, or SPECTATOR, may know, in the shape of a state (R11.3)."""
    visibility.copy_visible(state, state.view(STATE)[0].phase, viewer, out)
    visibility.finish_view(out.view(STATE)[0], viewer)


@kernel
def sample(book: Buffer, view: Buffer, state: Buffer, rng: Any) -> None:
    """A full state that agrees with a view; `rng` is a generator of chance.py."""
    state[:] = view
    nobody = Log(np.empty((0, 0), np.int16), np.empty(0, np.int16))
    sampling.imagine(book.view(BOOK)[0], state.view(STATE)[0], rng, nobody)


@kernel
def score(book: Buffer, state: Buffer, out: Buffer) -> None:
    """The score of the position as it stands."""
    rules, s, result = book.view(BOOK)[0], state.view(STATE)[0], out.view(SCORE)[0]
    works = np.empty(1, WORK)
    for i in range(1):  # a record does not keep its array alive, a loop over the array does
        scoring.score(rules, s, result, works[i])


@kernel
def follow(book: Buffer, state: Buffer, told: Any, at: int, rows: Any, tape: Any) -> Any:
    """Replay recorded rows on a started game: the row reached, and FINE or what is wrong."""
    return replay.follow(book.view(BOOK)[0], state.view(STATE)[0], told, at, Log(rows, tape))


@kernel
def play_random_games(
    book: Buffer, states: Buffer, scores: Buffer, seeds: Any, players: int
) -> int:
    """Play a batch of games at random to the end and score them; gives the decisions made."""
    rules = book.view(BOOK)[0]
    works = np.empty(1, WORK)
    rng = np.empty(RNG_WORDS, np.uint32)
    nobody = Log(np.empty((0, 0), np.int16), np.empty(0, np.int16))
    decisions = 0
    for game in range(states.shape[0]):
        states[game, :] = 0
        s = states[game].view(STATE)[0]
        turn.start(rules, s, seeds[game], players, NONE, nobody)
        seed_generator(rng, seeds[game], 1)
        decisions += playout.play_random(rules, s, rng, nobody)
        scoring.score(rules, s, scores[game].view(SCORE)[0], works[0])
    return decisions


@kernel
def explain_all(book: Any, state: Any, seat: int, decisions: Any, out: Any) -> None:
    """`explain` for many decisions at once."""
    rules, s = book.view(BOOK)[0], state.view(STATE)[0]
    for i in range(decisions.shape[0]):
        out[i] = why_not(rules, s, seat, decisions[i])


@kernel
def price(book: Any, state: Any, seat: int, target: int) -> int:
    """How many cards a route, or a station in ROUTES + a city, costs the seat."""
    return price_of(book.view(BOOK)[0], state.view(STATE)[0], seat, target)[1]
