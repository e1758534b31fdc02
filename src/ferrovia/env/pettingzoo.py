"""A game as an environment of PettingZoo: `aec_env("europe", 4)`. Needs the extra `pettingzoo`.

Agents are `seat_0` and so on. An observation is a dict: `observation`, the columns of
`ferrovia.bots.net.columns`, and `action_mask`, which is in the info too. The reward comes at the
end: see `ferrovia.env.single.rewards_of`.
"""

from typing import Any, ClassVar

import numpy as np

from ferrovia.boards import Edition
from ferrovia.env.single import SingleGame
from ferrovia.errors import MissingExtra
from ferrovia.rules.state.layout import NONE

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as problem:
    raise MissingExtra("pettingzoo", problem) from None

VERSION = 0


class FerroviaAEC(AECEnv):
    """Seats that decide one after the other, each from what it sees. An illegal action is an error:
    `aec_env` wraps it in PettingZoo's usual way."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": f"ferrovia_v{VERSION}",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        edition: str | Edition,
        players: int = 2,
        render_mode: str | None = None,
        *,
        advice: bool = True,
    ) -> None:
        super().__init__()
        self.game = SingleGame(edition, players, advice=advice)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{i}" for i in range(players)]
        columns = self.game.columns
        most = np.array([column.most for column in columns.all], np.uint8)
        seen = spaces.Dict(
            {
                "observation": spaces.Box(np.zeros_like(most), most, dtype=np.uint8),
                "action_mask": spaces.Box(0, 1, (columns.actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {a: spaces.Discrete(columns.actions) for a in self.possible_agents}
        self._random, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees, and which actions are legal for it now."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.game.observe(seat), "action_mask": self.game.mask(seat)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: that of the seed, or one drawn from the last seed."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.game.reset(int(self._random.integers(1 << 62)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turn_to(self.game.seat)

    def _turn_to(self, seat: int) -> None:
        self.agent_selection = self.possible_agents[seat]
        self.infos[self.agent_selection] = {"action_mask": self.game.mask(seat)}

    def step(self, action: int | None) -> None:
        """Carry out the action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.game.play(int(action))
        self._cumulative_rewards[agent] = 0.0
        if self.game.seat == NONE:
            ends = zip(self.possible_agents, self.game.rewards(), strict=True)
            self.rewards = dict(ends)
            self.terminations = dict.fromkeys(self.agents, True)
            self._turn_to((self.possible_agents.index(agent) + 1) % len(self.possible_agents))
            self._accumulate_rewards()
        else:
            self._turn_to(self.game.seat)

    def render(self) -> str | None:
        if self.render_mode != "ansi":
            return None
        totals = ", ".join(str(points) for points in self.game.totals())
        return f"{self.game.edition.id}: {totals} points"

    def close(self) -> None:
        """Nothing is open."""


def aec_env(
    edition: str | Edition,
    players: int = 2,
    render_mode: str | None = None,
    *,
    advice: bool = True,
) -> "AECEnv[str, dict[str, Any], int]":
    """Return a game as PettingZoo's suites expect it: an illegal action ends it with a loss.

    Without `advice` the columns of planner's plan and decision are zeros, and a step costs little
    more than PettingZoo itself.
    """
    return wrapped(FerroviaAEC(edition, players, render_mode, advice=advice))


def wrapped(env: FerroviaAEC) -> "AECEnv[str, dict[str, Any], int]":
    """Return an environment that ends the game after an illegal action, and checks the order of
    calls.
    """
    ending = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(ending)
