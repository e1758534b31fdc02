"""A whole game told turn by turn."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from ferrovia.game import Game, events
from ferrovia.terminal.screens import paragraph
from ferrovia.terminal.sentences import Teller


def split_turns(
    told: Sequence[events.Event], players: int, deals: int
) -> tuple[list[events.Event], list[list[events.Event]]]:
    """The events of the set-up, and those of each turn.

    A turn ends where another player acts: nobody has two turns in a row.
    """
    keeps = players * deals
    setup = 0
    for number, event in enumerate(told, start=1):
        if isinstance(event, events.Keep) and keeps > 0:
            keeps -= 1
            setup = number
    if keeps > 0:
        setup = len(told)
    return list(told[:setup]), [
        [event for _, event in turn] for _, turn in groupby(_acting(told[setup:]), lambda it: it[0])
    ]


def _acting(told: Sequence[events.Event]) -> Iterator[tuple[int, events.Event]]:
    """Events with the player whose turn they belong to; a shuffle belongs to what it is for."""
    waiting: list[events.Event] = []
    seat = -1
    for event in told:
        player = getattr(event, "player", None)
        if player is None and isinstance(event, events.Shuffle):
            waiting.append(event)
            continue
        seat = seat if player is None else player
        yield from ((seat, one) for one in (*waiting, event))
        waiting = []
    yield from ((seat, one) for one in waiting)


def turn_lines(game: Game) -> list[str]:
    """The game as lines to read: the set-up, then one numbered entry for each turn."""
    teller = Teller(game.edition, game.names)
    setup, turns = split_turns(game.events, game.players, len(game.edition.deals))
    lines = [line for sentence in teller.tell(setup) for line in paragraph(sentence, "    ")]
    for number, turn in enumerate(turns, start=1):
        lines += paragraph(f"{number:>3}. {' '.join(teller.tell(turn))}", "     ")
    return lines
