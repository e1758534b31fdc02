"""Files of a run, each written whole or not at all."""

from pathlib import Path
from typing import Any

import numpy as np
import torch

from ferrovia.atomic_files import atomic


def save(path: Path, content: dict[str, Any]) -> None:
    """Write a checkpoint."""
    with atomic(path) as unfinished:
        torch.save(content, unfinished)


def load(path: Path, device: str) -> dict[str, Any]:
    """Read a checkpoint: tensors and plain values only."""
    content: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    return content


def save_arrays(path: Path, arrays: dict[str, Any]) -> None:
    """Write plain arrays as .npz."""
    with atomic(path) as unfinished, unfinished.open("wb") as file:
        np.savez(file, **arrays)
