"""Weights for the bot `net`, and the card that tells what they are."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from ferrovia.bots.net.columns import Columns
from ferrovia.bots.net.weight_file import checksum, fingerprint
from ferrovia.learn.quantise import quantise


def export(
    trained: Path,
    columns: Columns,
    folder: Path,
    rewards: tuple[float, float, float],
    card: dict[str, Any] | None = None,
) -> Path:
    """Write BOARD.npz and BOARD.json into a folder, from the `net.npz` of a run.

    `rewards` is what a point, a win and a half-built way were worth at the end of it.
    """
    with np.load(trained, allow_pickle=False) as told:
        arrays = {name: told[name] for name in told.files}
    if arrays["first.weight"].shape[1] != columns.count:
        raise ValueError(f"{trained} was trained on another layout than that of {columns.board}")
    reach = np.array([column.most for column in columns.all])
    weights = quantise(arrays, reach, rewards)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{columns.board}.npz"
    np.savez_compressed(path, layout=np.array(fingerprint(columns)), **weights._asdict())
    told_of = {"board": columns.board, "sha256": checksum(path), **(card or {})}
    text = json.dumps(told_of, indent=1, ensure_ascii=False) + "\n"
    path.with_suffix(".json").write_text(text, encoding="utf-8")
    return path
