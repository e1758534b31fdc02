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
    """The most bits behind the point with which no sum can overflow and no weight its 16 bits.

    `weights` are (outputs, inputs), `inputs` the largest value of each, `unit` what stands for 1
    in them.
    """
    worst = float((np.abs(weights) @ inputs + np.abs(bias) * unit).max())
    largest = float(np.abs(weights).max())
    bits = 0
    while bits < 16 and worst * 2 ** (bits + 1) < _LIMIT and largest * 2 ** (bits + 1) < _LARGEST:
        bits += 1
    return bits


def quantise(arrays: Mapping[str, npt.NDArray[np.float32]], reach: Any) -> Weights:
    """The whole-number weights of a net; `reach` is the largest value of each column."""
    unit = 1 << ACTIVATION_BITS
    layers: list[Any] = []
    shifts: list[int] = []
    inputs, incoming = np.asarray(reach, np.float64), 1
    for name in ("first", "second", "third"):
        weights = arrays[f"{name}.weight"].astype(np.float64)
        bias = arrays[f"{name}.bias"].astype(np.float64)
        bits = _scale(weights, bias, inputs, incoming)
        layers.append(np.rint(weights.T * 2**bits).astype(np.int16))
        layers.append(np.rint(bias * 2**bits * incoming).astype(np.int32))
        shifts.append(bits + incoming.bit_length() - 1 - ACTIVATION_BITS)
        inputs, incoming = np.full(len(bias), float(MOST)), unit
    policy, trust = (arrays[f"{name}.weight"].astype(np.float64) for name in ("policy", "trust"))
    policy_bias, trust_bias = (
        arrays[f"{name}.bias"].astype(np.float64) for name in ("policy", "trust")
    )
    both = np.concatenate([policy, trust])
    bits = _scale(both, np.concatenate([policy_bias, trust_bias]), inputs, unit)
    last = [
        np.rint(policy * 2**bits).astype(np.int16),
        np.rint(policy_bias * 2**bits * unit).astype(np.int32),
        np.rint(trust[0] * 2**bits).astype(np.int16),
        np.rint(trust_bias * 2**bits * unit).astype(np.int32),
        np.array(shifts, np.int32),
    ]
    return Weights._make(np.ascontiguousarray(each) for each in (*layers, *last))
