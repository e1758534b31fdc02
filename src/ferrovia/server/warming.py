"""Loading the rules before anybody comes; on a new machine they are compiled, once."""

import time

from ferrovia import Game
from ferrovia.game.views import own_state, public_state
from ferrovia.server.logs import note

_LONG = 5.0


def warm() -> None:
    """Use every part of the rules that the server uses, so that nobody has to wait for one."""
    started = time.perf_counter()
    game = Game("europe", 2, seed=0)
    for seat in (0, 1):
        game.play(seat, "keep 1 2 3")
    seat = game.awaited[0]
    game.why_not(seat, "claim paris-zurich red red red")
    view = game.view(seat)
    for action in ("draw", next(str(a) for a in view.legal_actions() if str(a) != "draw")):
        if game.why_not(seat, action) is None:
            game.play(seat, action)
    for viewer in (None, 0, 1):
        public_state(game.view(viewer))
        if viewer is not None:
            own_state(game.view(viewer))
    game.result()
    Game.from_record(game.record().text())
    seconds = time.perf_counter() - started
    if seconds > _LONG:
        note("rules_compiled", seconds=round(seconds, 1))
