"""One seat of a game as an environment of Gymnasium, opponents included: `SeatEnv("usa-classic")`.

Needs the extra `gymnasium`. `action_masks()` is what masked algorithms of other libraries ask for.
Importing this registers it: `gymnasium.make("ferrovia/Seat-v0", edition="usa-classic")`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ferrovia.boards import Edition
from ferrovia.bots import make
from ferrovia.bots.kernel.kernel_bot import KernelBot
from ferrovia.bots.registry import AtLevel
from ferrovia.env.single import Mask, Observation, SingleGame
from ferrovia.errors import MissingExtra
from ferrovia.game.codec.lexicon import lexicon_of
from ferrovia.rules import calls
from ferrovia.rules.state.layout import NONE

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as problem:
    raise MissingExtra("gymnasium", problem) from None

Info = dict[str, Any]


def kernel_bot(name: str, seed: int) -> KernelBot:
    """Return a bot by its name, for games by small numbers; ValueError if it is a program."""
    bot = make(name, seed)
    if isinstance(bot, AtLevel):
        bot = bot.bot
    if not isinstance(bot, KernelBot):
        raise ValueError(f"{name} does not decide inside compiled code")
    return bot


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """A seat against bots by name. With fewer opponents than seats, the last one takes the rest.

    The seat moves on by one with every game, unless `seat` fixes it. Without `advice` the columns
    of planner's plan and decision are zeros.

    A game that is won is worth `win` at its end (see `ferrovia.env.single.rewards_of`). With
    `point` the seat is also given that for every point that it gains on the mean of the others, as
    soon as it gains it, `partial` being the part of the credit for ways that are half built: the
    options of `BatchEnv`. With both 0, as by default, all of the reward comes at the end.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  # as the base class declares it

    def __init__(
        self,
        edition: str | Edition,
        players: int = 2,
        opponents: Sequence[str] = ("planner",),
        seat: int | None = None,
        render_mode: str | None = None,
        *,
        advice: bool = True,
        point: float = 0.0,
        partial: float = 0.0,
        win: float = 1.0,
    ) -> None:
        self.game = SingleGame(edition, players, advice=advice)
        if not opponents:
            raise ValueError("name at least one opponent")
        others = players - 1
        self.opponents = [*opponents, *[opponents[-1]] * others][:others]
        self.fixed_seat, self.seat = seat, NONE
        self.render_mode = render_mode
        self.point, self.partial, self.win = point, partial, win
        self._given = 0.0  # points that the seat was rewarded for so far
        columns = self.game.columns
        most = np.array([column.most for column in columns.all], np.uint8)
        self.observation_space = spaces.Box(np.zeros_like(most), most, dtype=np.uint8)
        self.action_space = spaces.Discrete(columns.actions)
        self._lexicon = lexicon_of(self.game.edition)
        self._bots: dict[int, KernelBot] = {}
        self._view: npt.NDArray[np.uint8] = np.zeros_like(self.game.state)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin a game and play on to the first decision of the seat."""
        super().reset(seed=seed)
        if seed is not None:
            self.seat = NONE
        number = int(self.np_random.integers(1 << 62))
        self.seat = (self.seat + 1) % self.game.players
        if self.fixed_seat is not None:
            self.seat = self.fixed_seat
        others = [seat for seat in range(self.game.players) if seat != self.seat]
        chance = int(self.np_random.integers(1 << 62))
        self._bots = {
            seat: kernel_bot(name, chance)
            for seat, name in zip(others, self.opponents, strict=True)
        }
        self.game.reset(number)
        self._given = 0.0
        self._let_others_play()
        return self._seen()

    def _let_others_play(self) -> None:
        while self.game.seat not in (NONE, self.seat):
            seat = self.game.seat
            calls.view(self.game.state, seat, self._view)
            decision = self._bots[seat].small_decision(self._lexicon, self._view.copy(), seat)
            self.game.play(decision)

    def _seen(self) -> tuple[Observation, Info]:
        return self.game.observe(self.seat), {"action_mask": self.action_masks()}

    def action_masks(self) -> Mask:
        """Return 1 for every legal action, 0 for all others."""
        return self.game.mask(self.seat)

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, Info]:
        """Carry out an action and let the others play. One that is not legal loses the game."""
        if not self.action_masks()[action]:
            seen, info = self._seen()
            return seen, -1.0, True, False, {**info, "illegal": True}
        self.game.play(int(action))
        self._let_others_play()
        seen, info = self._seen()
        over = self.game.seat == NONE
        reward = self._gain(over)
        if over:
            info["totals"] = self.game.totals()
        return seen, reward, over, False, info

    def _gain(self, over: bool) -> float:
        """Return what the seat is given for what happened since it was given something last."""
        reward = self.win * self.game.rewards()[self.seat] if over else 0.0
        if self.point != 0.0:
            points = self.game.totals() if over else self.game.standings(self.partial)
            mean = (sum(points) - points[self.seat]) / (len(points) - 1)
            margin = points[self.seat] - mean
            reward += self.point * (margin - self._given)
            self._given = margin
        return reward

    def render(self) -> str | None:
        """Return the points of every seat, if `render_mode` is ansi."""
        if self.render_mode != "ansi":
            return None
        return ", ".join(str(points) for points in self.game.totals())


gymnasium.register("ferrovia/Seat-v0", entry_point=f"{__name__}:{SeatEnv.__name__}")
