"""Rollouts: to the end of the game by script, and the value of the end to every seat."""

from ferrovia.bots.search import scout
from ferrovia.bots.search.workspace import Workspace
from ferrovia.kernel import kernel, uint32, uint64
from ferrovia.rules.chapters.scoring import score
from ferrovia.rules.chapters.turn import play
from ferrovia.rules.playout import next_seat
from ferrovia.rules.state.bits import has, popcount
from ferrovia.rules.state.chance import ALL_USED, COUNTER, USED
from ferrovia.rules.state.layout import NONE, Book, State
from ferrovia.rules.state.log import NO_LOG

# The value, in points. Of the weights tried, half of the rival's score predicted best what an
# option does to lead and victory: all of it adds more noise than information. A victory is worth
# some points more; how many was chosen by short matches.
RIVAL = 0.5
WIN = 30.0
POINTS = 100.0  # points that a value of 1 stands for

BLOCKS = 64  # of random words that a turn can use without reaching those of the next


@kernel
def play_on(book: Book, s: State, seat: int, action: int, workspace: Workspace) -> None:
    """Carry out a decision. Every turn has randomness of its own, whatever was drawn before.

    So two lines of play from one world meet the same luck, and differ by what was chosen.
    """
    turns = s.turns
    play(book, s, seat, action, NO_LOG)
    if s.turns != turns:
        s.rng[COUNTER] = uint32(BLOCKS * s.turns)
        s.rng[USED] = ALL_USED


@kernel
def roll_out(book: Book, s: State, workspace: Workspace) -> None:
    """Let the scripts play to the end."""
    seat = next_seat(s)
    while seat != NONE:
        action = scout.decide(book, s, seat, workspace.plans[seat])
        play_on(book, s, seat, action, workspace)
        seat = next_seat(s)


@kernel
def evaluate(book: Book, s: State, workspace: Workspace) -> None:
    """Write the value of a finished game to every seat to `workspace.values`."""
    result = workspace.score[0]
    score(book, s, result, workspace.work[0])
    winners = uint64(result.winners)
    for seat in range(s.players):
        rival = -(1 << 15)
        for other in range(s.players):
            if other != seat:
                rival = max(rival, int(result.total[other]))
        points = float(result.total[seat]) - RIVAL * rival
        if has(winners, seat):
            points += WIN / popcount(winners)
        workspace.values[seat] = points / POINTS
