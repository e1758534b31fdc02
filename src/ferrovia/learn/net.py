"""The net in PyTorch: a wide first layer over the columns, two small ones, policy and value."""

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from ferrovia.bots.net.columns import Columns

ACTIVE = 150  # columns that are not zero, about


class Net(nn.Module):
    """Policy and value of what seats see.

    `trust`, one number from the trunk, is added to the action that planner would choose: at the
    start the net plays almost as planner does, and it learns where to differ.
    """

    scales: torch.Tensor

    def __init__(self, columns: Columns, wide: int, narrow: int, trust: float) -> None:
        super().__init__()
        self.actions = columns.actions
        self.wide, self.narrow = wide, narrow
        self.register_buffer("scales", torch.as_tensor(columns.scales()), persistent=False)
        self.first = nn.Linear(columns.count, wide)
        self.second = nn.Linear(wide, narrow)
        self.third = nn.Linear(narrow, narrow)
        self.policy = nn.Linear(narrow, self.actions)
        self.trust = nn.Linear(narrow, 1)
        self.value_1 = nn.Linear(narrow, 64)
        self.value_2 = nn.Linear(64, 1)
        with torch.no_grad():
            nn.init.normal_(self.first.weight, std=(2.0 / ACTIVE) ** 0.5)
            nn.init.normal_(self.second.weight, std=(2.0 / wide) ** 0.5)
            nn.init.normal_(self.third.weight, std=(1.0 / narrow) ** 0.5)
            nn.init.normal_(self.policy.weight, std=0.01 / narrow**0.5)
            nn.init.normal_(self.trust.weight, std=0.01 / narrow**0.5)
            nn.init.normal_(self.value_2.weight, std=0.1 / 64**0.5)
            layers = (self.first, self.second, self.third, self.policy)
            for layer in (*layers, self.trust, self.value_1, self.value_2):
                nn.init.zeros_(layer.bias)
            nn.init.constant_(self.trust.bias, trust)

    def forward(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return masked logits and values, float32, of columns (..., columns, games) of uint8."""
        low = torch.bfloat16 if obs.is_cuda else torch.float32

        def linear(layer: nn.Linear, x: torch.Tensor) -> torch.Tensor:
            return nn.functional.linear(x, layer.weight.to(low), layer.bias.to(low))

        weight = (self.first.weight * self.scales).to(low).t()
        seen = obs.to(low)
        h = torch.relu(seen.transpose(-1, -2) @ weight + self.first.bias.to(low))
        h = torch.relu(linear(self.second, h))
        h = h + torch.relu(linear(self.third, h))
        value = linear(self.value_2, torch.relu(linear(self.value_1, h)))
        planner = seen[..., self.actions : 2 * self.actions, :].transpose(-1, -2)
        logits = linear(self.policy, h).float() + linear(self.trust, h).float() * planner.float()
        legal = obs[..., : self.actions, :].transpose(-1, -2)
        logits = logits.masked_fill(legal == 0, -1e9)
        return logits, value.float().squeeze(-1)


def plain_arrays(state: dict[str, Any], scales: torch.Tensor) -> dict[str, npt.NDArray[np.float32]]:
    """Return the weights as float32 arrays (out, in), the scales of the columns multiplied in."""
    out = {name: value.detach().float().cpu().numpy() for name, value in state.items()}
    out["first.weight"] = out["first.weight"] * scales.float().cpu().numpy()
    return out
