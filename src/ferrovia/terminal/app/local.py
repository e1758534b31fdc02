"""A game in this process: one person against bots."""

from collections.abc import Mapping, Sequence

from ferrovia.bots import Bot
from ferrovia.game import Game
from ferrovia.game.views import own_state, public_state
from ferrovia.terminal.app.scene import Scene
from ferrovia.terminal.final_scores import score_lines
from ferrovia.terminal.sentences import Narrator


class LocalGame:
    """Plays a game with a person at one seat; every other seat has a bot."""

    def __init__(
        self, game: Game, seat: int, bots: Mapping[int, Bot], names: Sequence[str]
    ) -> None:
        self.game = game
        self.seat = seat
        self._bots = bots
        self._narrator = Narrator(game.edition, names, seat)

    def scene(self) -> Scene:
        """Return what the person may see now."""
        view = self.game.view(self.seat)
        ended = score_lines(self.game, self._narrator.names, self.seat) if self.game.over else ()
        return Scene(
            self.game.edition,
            self._narrator.names,
            public_state(view),
            own_state(view),
            self._narrator.narrate(self.game.events_for(self.seat)),
            ended=ended,
        )

    def act(self, action: str) -> None:
        """Carry out an action of the person; raises as `Game.play` does."""
        self.game.play(self.seat, action)

    @property
    def waits_for_bots(self) -> bool:
        """Whether a bot decides next."""
        return not self.game.over and self.seat not in self.game.awaited

    def let_bot_decide(self) -> None:
        """Let the bot whose turn it is decide once."""
        seat = self.game.awaited[0]
        self.game.play(seat, self._bots[seat].decide(self.game.view(seat)))
