"""PettingZoo with nothing behind it: what its own wrappers, dictionaries and loop cost."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ferrovia.env.pettingzoo import FerroviaAEC, wrapped


class _Still:
    """A game that is always the same: its observation is copied, and a step does nothing."""

    def __init__(self, like: Any, steps: int) -> None:
        self.columns, self.actions = like.columns, like.actions
        self._obs = like.observe(like.seat)
        self._mask = like.mask(like.seat)
        self._players, self._steps, self._left = like.players, steps, steps
        self.seat = 0

    def reset(self, seed: int) -> None:
        self._left, self.seat = self._steps, 0

    def observe(self, seat: int) -> Any:
        return self._obs.copy()

    def mask(self, seat: int) -> Any:
        return self._mask.copy()

    def play(self, action: int) -> None:
        self._left -= 1
        self.seat = (self.seat + 1) % self._players if self._left else -1

    def rewards(self) -> list[float]:
        return [0.0] * self._players


def floor_env(name: str, players: int, steps: int = 200) -> Any:
    """Return an environment like that of `aec_env`, whose games are a number of steps that do
    nothing.
    """
    env = FerroviaAEC(name, players, advice=False)
    env.game.reset(1)
    env.game = _Still(env.game, steps)  # type: ignore[assignment]
    return wrapped(env)


def steps_of(env: Any) -> Callable[[], float]:
    """Return work that plays a game with legal actions at random, and returns its steps."""
    rng = np.random.default_rng(1)

    def work() -> float:
        env.reset(seed=int(rng.integers(1 << 30)))
        steps = 0
        for _ in env.agent_iter():
            observation, _, over, _, _ = env.last()
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if over else int(legal[rng.integers(len(legal))]))
            steps += 1
        return float(steps)

    return work
