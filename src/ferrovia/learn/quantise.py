"""Make a trained net into whole numbers, so that every machine plays it alike."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ferrovia.bots.net.inference import MOST, Weights

ACTIVATION_BITS = 8  # behind the point: MOST stands for 32
_LIMIT = 1 << 30  # of every sum
_LARGEST = 32767


def _scale(weights: Any, bias: Any, inputs: Any, unit: int) -> int:
    """Return the most bits behind the point that overflow no sum, and no weight of 16 bits.

    `weights` are (outputs, inputs), `inputs` the largest value of each, `unit` what stands for 1
    in them.
    """
    worst = float((np.abs(weights) @ inputs + np.abs(bias) * unit).max())
    largest = float(np.abs(weights).max())
    bits = 0
    while bits < 16 and worst * 2 ** (bits + 1) < _LIMIT and largest * 2 ** (bits + 1) < _LARGEST:
        bits += 1
    return bits


def quantise(
    arrays: Mapping[str, npt.NDArray[np.float32]],
    reach: Any,
    rewards: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> Weights:
    """Return the whole-number weights of a net; `reach` is the largest value of each column.

    `rewards` is what a point, a win and a half-built way were worth when it learned. `shifts` are
    the bits that each of the three layers drops, those that the value drops, and the bits behind
    the point of logits and of the value.
    """
    unit = 1 << ACTIVATION_BITS
    layers: list[Any] = []
    shifts: list[int] = []

    def layer(name: str, inputs: Any, incoming: int) -> None:
        weights = arrays[f"{name}.weight"].astype(np.float64)
        bias = arrays[f"{name}.bias"].astype(np.float64)
        bits = _scale(weights, bias, inputs, incoming)
        layers.append(np.rint(weights * 2**bits).astype(np.int16))
        layers.append(np.rint(bias * 2**bits * incoming).astype(np.int32))
        shifts.append(bits + incoming.bit_length() - 1 - ACTIVATION_BITS)

    def full(name: str) -> Any:
        return np.full(arrays[f"{name}.weight"].shape[1], float(MOST))

    layer("first", np.asarray(reach, np.float64), 1)
    layers[0] = layers[0].T
    for name in ("second", "third", "value_1"):
        layer(name, full(name), unit)
    value = layers[6:]
    del layers[6:]
    policy, trust, worth = (
        arrays[f"{name}.weight"].astype(np.float64) for name in ("policy", "trust", "value_2")
    )
    policy_bias, trust_bias, worth_bias = (
        arrays[f"{name}.bias"].astype(np.float64) for name in ("policy", "trust", "value_2")
    )
    both = np.concatenate([policy, trust])
    bits = _scale(both, np.concatenate([policy_bias, trust_bias]), full("policy"), unit)
    worth_bits = _scale(worth, worth_bias, full("value_2"), unit)
    shifts += [bits + ACTIVATION_BITS, worth_bits + ACTIVATION_BITS]
    last = [
        np.rint(policy * 2**bits).astype(np.int16),
        np.rint(policy_bias * 2**bits * unit).astype(np.int32),
        np.rint(trust[0] * 2**bits).astype(np.int16),
        np.rint(trust_bias * 2**bits * unit).astype(np.int32),
        *value,
        np.rint(worth[0] * 2**worth_bits).astype(np.int16),
        np.rint(worth_bias * 2**worth_bits * unit).astype(np.int32),
        np.array(shifts, np.int32),
        np.rint(1e6 * np.array(rewards)).astype(np.int32),
    ]
    return Weights._make(np.ascontiguousarray(each) for each in (*layers, *last))
