"""Why a seat may not do what it may not do: all reasons at once, from its own view."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ferrovia.boards import COLORS
from ferrovia.game.codec.lexicon import Lexicon
from ferrovia.game.errors import REASONS
from ferrovia.game.views import Phase, View
from ferrovia.rules.calls import explain_all
from ferrovia.rules.chapters import actions as codes
from ferrovia.rules.chapters.breaches import FINE


def barred(view: View) -> dict[str, str]:
    """The reasons by what they are about: `claim ROUTE`, `station CITY`, `take CARD`, `draw` and
    `tickets`. Empty when the seat has no turn to choose in.
    """
    if view.seat not in view.awaited or view.phase not in (Phase.TURN, Phase.SECOND_CARD):
        return {}
    subjects, decisions = _subjects(view.words, view.phase is Phase.TURN)
    found = np.empty(len(decisions), np.int64)
    explain_all(view.words.book, view.buffer, view.seat, decisions, found)
    return {
        subject: REASONS[breach][0]
        for subject, breach in zip(subjects, found.tolist(), strict=True)
        if breach != FINE
    }


@lru_cache(maxsize=128)
def _subjects(words: Lexicon, whole_turn: bool) -> tuple[tuple[str, ...], npt.NDArray[np.int64]]:
    """All that a seat could think of doing, and the decisions of the kernel for it."""
    subjects = {f"take {card}": codes.TAKE + n for n, card in enumerate(COLORS)}
    subjects["draw"] = codes.DRAW_BLIND
    if whole_turn:
        subjects["tickets"] = codes.DRAW_TICKETS
        subjects |= {f"claim {id}": codes.ROUTE + n for n, id in enumerate(words.routes)}
    if whole_turn and words.edition.stations:
        subjects |= {f"station {id}": words.first_city + n for n, id in enumerate(words.cities)}
    return tuple(subjects), np.array(list(subjects.values()), np.int64)
