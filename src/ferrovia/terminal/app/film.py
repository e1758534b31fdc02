"""A recorded game, decision by decision, from a seat's eyes or with everything shown."""

import msgspec

from ferrovia.game import Game
from ferrovia.game.records.decisions import decisions_of, start_state
from ferrovia.game.records.turns import setup_length
from ferrovia.game.views import OwnState, PublicView, View, own_state, public_state, view_of
from ferrovia.kernel import Buffer
from ferrovia.terminal.app.scene import Scene
from ferrovia.terminal.final_scores import score_lines
from ferrovia.terminal.sentences import Narrator


class RecordedGame:
    """Every position of a game; `eyes` is a seat, or None for the public."""

    def __init__(self, game: Game, eyes: int | None = None) -> None:
        self.game = game
        self.eyes = eyes
        decisions = list(decisions_of(game))
        dealt = decisions[0].begin if decisions else len(game.events)
        self._states: list[Buffer] = [start_state(game), *(it.after for it in decisions)]
        self._events = [dealt, *(it.end for it in decisions)]
        self._turns = [0, *(it.turn for it in decisions)]
        self._setup = setup_length(game.events, game.players, len(game.edition.deals))
        self.at = 0

    def __len__(self) -> int:
        return len(self._states)

    def go(self, to: int) -> None:
        """Go to a position; the first or the last if there is none of that number."""
        self.at = min(max(to, 0), len(self) - 1)

    def go_by_turns(self, turns: int) -> None:
        """Go to the end of a turn that is `turns` later, or earlier if negative."""
        wanted = self._turns[self.at] + turns
        within = [at for at, turn in enumerate(self._turns) if turn == wanted]
        self.go(within[-1] if within else 0 if turns < 0 else len(self) - 1)

    def scene(self) -> Scene:
        """Return what these eyes saw at this position."""
        game, over = self.game, self.at == len(self) - 1 and self.game.over
        view = view_of(game.lexicon, self._states[self.at], self.eyes)
        narrator = Narrator(game.edition, game.names)
        seen = [
            event if over else event.seen_by(self.eyes, at_start=number < self._setup)
            for number, event in enumerate(game.events[: self._events[self.at]])
        ]
        turn = self._turns[self.at]
        whose = "everybody" if self.eyes is None else narrator.names[self.eyes]
        return Scene(
            game.edition,
            narrator.names,
            public_state(view),
            _without_moves(view),
            narrator.narrate(seen),
            f"turn {turn}, step {self.at} of {len(self) - 1}, as {whose} saw it",
            score_lines(game) if over else (),
        )


def _without_moves(view: PublicView) -> OwnState | None:
    """Return what the seat knew, without what it could have done: a film is watched."""
    if not isinstance(view, View):
        return None
    return msgspec.structs.replace(own_state(view), moves=None)
