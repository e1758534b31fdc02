"""The net in whole numbers over a batch: the sums of ferrovia.bots.net.inference, many at once."""

from typing import Any

import numpy as np
import torch

from ferrovia.bots.net.inference import MOST, Weights

_DIGIT = 256  # two digits make a weight of 16 bits
_MULTIPLE = 8  # what products of bytes ask of their sizes


class WholeNet:
    """The decisions and expectations of a net for columns (columns, games) of uint8.

    Sums are exact: floating-point numbers of 64 bits hold them all, and the first layer, which is
    most of the work, is added up from products of bytes.
    """

    def __init__(self, weights: Weights, device: str) -> None:
        def tensor(array: Any, kind: torch.dtype = torch.float64) -> torch.Tensor:
            return torch.as_tensor(np.ascontiguousarray(array)).to(kind).to(device)

        w = Weights(*map(np.asarray, weights))
        self.actions = w.policy.shape[0]
        self._shifts = [int(shift) for shift in w.shifts]
        self._layers = [
            (tensor(weights.T), tensor(bias))
            for weights, bias in (
                (w.second, w.second_bias),
                (w.third, w.third_bias),
                (w.policy, w.policy_bias),
                (w.value, w.value_bias),
            )
        ]
        self._trust, self._trust_bias = tensor(w.trust), float(w.trust_bias[0])
        self._worth, self._worth_bias = tensor(w.worth), float(w.worth_bias[0])
        first = w.first.astype(np.int64)
        columns, self._wide = first.shape
        self._pad = -columns % _MULTIPLE
        first = np.pad(first, ((0, self._pad), (0, -self._wide % _MULTIPLE)))
        bias = np.pad(w.first_bias, (0, -self._wide % _MULTIPLE))
        # A column counts as its value less 128, which fits a byte with a sign; half of what is
        # dropped is added before it is dropped.
        more = first.sum(axis=0) * (_DIGIT // 2) + (1 << (self._shifts[0] - 1))
        self._first_bias = tensor(bias + more, torch.int32)
        low = (first + _DIGIT // 2) % _DIGIT - _DIGIT // 2
        high = (first - low) // _DIGIT
        if high.max() > 127:
            raise ValueError("a weight of the first layer is too large for two digits")
        self._digits = [tensor(each.T, torch.int8).t() for each in (low, high)]

    def _first(self, obs: torch.Tensor) -> torch.Tensor:
        """Return what the first layer makes of the columns."""
        seen = (obs ^ (_DIGIT // 2)).t().contiguous().view(torch.int8)
        if self._pad:
            seen = torch.nn.functional.pad(seen, (0, self._pad))
        low, high = (torch._int_mm(seen, digit) for digit in self._digits)
        sums = high.mul_(_DIGIT).add_(low).add_(self._first_bias)
        return (sums >> self._shifts[0]).clamp_(0, MOST)[:, : self._wide].double()

    def _rectified(self, sums: torch.Tensor, shift: int) -> torch.Tensor:
        unit = float(1 << shift)
        return torch.floor((sums + unit / 2) / unit).clamp(0.0, float(MOST))

    @torch.no_grad()
    def __call__(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the decisions, and what the seats still expect, in whole numbers (see `unit`)."""
        (second, second_bias), (third, third_bias), (policy, policy_bias), (value, value_bias) = (
            self._layers
        )
        h = self._first(obs)
        narrow = self._rectified(h @ second + second_bias, self._shifts[1])
        last = self._rectified(narrow @ third + third_bias, self._shifts[2])
        last = (last + narrow).clamp(max=float(MOST))
        trust = last @ self._trust + self._trust_bias
        logits = last @ policy + policy_bias
        planner = obs[self.actions : 2 * self.actions].t()
        logits += trust[:, None] * planner
        logits.masked_fill_(obs[: self.actions].t() == 0, -torch.inf)
        small = self._rectified(last @ value + value_bias, self._shifts[3])
        return logits.argmax(-1), small @ self._worth + self._worth_bias

    @property
    def unit(self) -> float:
        """What an expectation of 1 is in whole numbers."""
        return float(1 << self._shifts[5])
