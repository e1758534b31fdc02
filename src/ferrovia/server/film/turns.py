"""How requests call a moment of a game: by a turn (`12`), or by a part of it (`12.1`)."""

import re
from collections.abc import Sequence

from ferrovia.game.records.steps import Step, step_of_turn
from ferrovia.server.protocol.refusals import Refusal

_TURN = re.compile(r"[0-9]{1,5}(\.[1-9][0-9]{0,2})?")


def step_named(steps: Sequence[Step], name: str) -> int:
    """Return the step that is called by a turn and perhaps a part of it; raises `Refusal`."""
    if not _TURN.fullmatch(name):
        raise Refusal("bad_message", "a turn is a number, with a part of it as in 12.1")
    turn, _, part = name.partition(".")
    return step_of_turn(steps, int(turn), int(part) if part else None)
