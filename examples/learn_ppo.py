"""PPO by self-play in forty lines, over a batch of games in lockstep; then the net meets greedy.

python learn_ppo.py         200 updates: three or four minutes of one core
python learn_ppo.py 5       fewer

It needs PyTorch: pip install '.[learn]'.
"""

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import nn

from ferrovia import load_edition
from ferrovia.env import BatchEnv, Kind

USA = [Kind(load_edition("usa-classic"), 2)]
GAMES, STEPS, SLICE = 256, 32, 4  # games at a time, steps between updates, steps in a minibatch
POINT, WIN = 1 / 50, 1.0  # what a point is worth at once, and a game that is won, at its end
SEATS, SCRIPT, OVER = 5, 2, -1  # seats that arrays have room for; who decides; nobody is to act


class Net(nn.Module):
    """Policy and value; `trust` is added to what planner would do, which every seat sees."""

    def __init__(self, env: BatchEnv) -> None:
        super().__init__()
        self.actions = env.columns.actions
        self.scales = torch.tensor(env.columns.scales())
        self.trunk = nn.Sequential(nn.Linear(env.columns.count, 128), nn.ReLU())
        self.policy, self.value = nn.Linear(128, self.actions), nn.Linear(128, 1)
        self.trust = nn.Parameter(torch.zeros(1))

    def forward(self, columns: Any) -> tuple[Any, Any]:
        obs = torch.from_numpy(columns).float()  # (..., games, columns)
        legal, planner = obs[..., : self.actions], obs[..., self.actions : 2 * self.actions]
        hidden = self.trunk(obs * self.scales)
        logits = 0.1 * self.policy(hidden) + 10 * self.trust * planner
        masked = logits.masked_fill(legal == 0, -1e9)
        return torch.distributions.Categorical(logits=masked), self.value(hidden).squeeze(-1)


def train(updates: int) -> Iterator[Net]:
    """Yield the net after every update, so many of them."""
    env = BatchEnv(USA, np.zeros(GAMES, int), key=1)
    net, obs = Net(env), env.observations(STEPS)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    seats, shape = np.zeros((STEPS, GAMES), np.int32), (STEPS, GAMES)
    actions, scripted = np.zeros((2, *shape), np.int64)
    pilots, dones, learns = np.zeros((3, *shape), np.uint8)
    rewards, chances, values, advantages, targets, valid = np.zeros((6, *shape), np.float32)
    lasts = np.zeros((*shape, SEATS), np.float32)
    learns[:] = 1
    env.reset()
    for update in range(1, updates + 1):
        for t in range(STEPS):
            env.observe(obs, seats, pilots, scripted, t)
            with torch.no_grad():
                policy, values[t] = net(obs[t].T)
                actions[t] = chosen = policy.sample()
                chances[t] = policy.log_prob(chosen)
            env.step(actions, rewards, dones, t, POINT, partial=0.6)
            env.finish(lasts, dones, t, POINT, WIN)  # games that are over begin again
        arrays = (seats, rewards, lasts, dones, learns, values, advantages, targets, valid)
        env.advantages(*arrays, decay=0.95)
        some = (actions, chances, targets, advantages / advantages.std(), valid / valid.mean())
        for slice in np.vstack([np.random.permutation(STEPS).reshape(-1, SLICE) for _ in "123"]):
            chosen, before, target, gain, weight = (torch.from_numpy(x[slice]) for x in some)
            policy, value = net(obs[slice].swapaxes(1, 2))
            ratio = (policy.log_prob(chosen) - before).exp()
            gained = torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain)
            error = 0.5 * (value - target) ** 2
            loss = (weight * (error - gained - 0.003 * policy.entropy())).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
        if update % 10 == 0:
            games, _, points, *_ = env.take_counts()[0]
            print(f"update {update}: {points / max(1, games):.0f} points a seat", flush=True)
        yield net


def share_against(script: str, net: Net, games: int = 200) -> float:
    """Return the share that the net wins: every deal is played twice, with the seats exchanged."""
    theirs = np.tile([0b01, 0b10], games // 2).astype(np.uint8)  # the seats of the script, as bits
    env = BatchEnv(
        USA,
        np.zeros(games, int),
        key=2,
        numbers=np.arange(games) // 2,
        roles=np.full(games, SCRIPT, np.uint8),
        patterns=theirs,
    )
    obs, seats = env.observations(), np.zeros((1, games), np.int32)
    actions, scripted = np.zeros((2, 1, games), np.int64)
    pilots, dones = np.zeros((2, 1, games), np.uint8)
    rewards = np.zeros((1, games), np.float32)
    env.reset()
    env.observe(obs, seats, pilots, scripted, 0)
    while (seats != OVER).any():
        env.decide_by(script, pilots[0], SCRIPT, scripted, 0)
        with torch.no_grad():
            mine = net(obs[0].T)[0].probs.argmax(-1).numpy()
        actions[0] = np.where(pilots[0] == SCRIPT, scripted[0], mine)
        env.step(actions, rewards, dones, 0, 0.0, 0.0, rewarded=False)
        env.observe(obs, seats, pilots, scripted, 0)
    winners = env.results()[:, 0]
    both = winners == 0b11
    return float(np.where(both, 0.5, winners & ~theirs.astype(int) != 0).mean())


def main() -> None:
    """Train, and say how the net does against greedy."""
    torch.manual_seed(1)
    np.random.seed(1)
    *_, net = train(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
    print(f"won against greedy: {share_against('greedy', net):.0%}")


if __name__ == "__main__":
    main()
