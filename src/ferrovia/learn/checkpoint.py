"""Files of a run, each written whole or not at all."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import torch


def save(path: Path, content: dict[str, Any]) -> None:
    """Write a checkpoint beside its place and move it there."""
    aside = path.with_suffix(".tmp")
    torch.save(content, aside)
    os.replace(aside, path)


def load(path: Path, device: str) -> dict[str, Any]:
    """Read a checkpoint: tensors and plain values only."""
    content: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    return content


def save_arrays(path: Path, arrays: dict[str, Any]) -> None:
    """Write plain arrays as .npz."""
    aside = path.with_name(path.name + ".tmp.npz")
    np.savez(aside, **arrays)
    os.replace(aside, path)
