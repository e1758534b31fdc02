"""Weights for the bot `net`, and the card that describes them: what a run ends with."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from ferrovia.bots.net.columns import Columns
from ferrovia.bots.net.weight_file import TURNED, checksum, fingerprint
from ferrovia.learn.config import Recipe
from ferrovia.learn.quantise import quantise


def export_run(recipe: Recipe, columns: Columns, folder: Path) -> Path:
    """Write what `net` plays with into the folder `nets` of a run, from its `net.npz`."""
    players = {game.players for game in recipe.games}
    return export(
        folder / "net.npz",
        columns,
        folder / "nets",
        (recipe.point[1], recipe.win[1], recipe.partial),
        {"made": {"how": "ferrovia learn", "recipe": recipe.name}},
        seats=players.pop() if len(players) == 1 else None,
    )


def export(
    trained: Path,
    columns: Columns,
    folder: Path,
    rewards: tuple[float, float, float],
    card: dict[str, Any] | None = None,
    seats: int | None = None,
) -> Path:
    """Write BOARD.npz and BOARD.json into a folder, from the `net.npz` of a run.

    `rewards` is what a point, a win and a half-built way were worth at the end of it. With `seats`
    it is a net for that many alone, BOARD-SEATS.npz: columns of other seats weigh nothing in it.
    """
    with np.load(trained, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    if arrays["first.weight"].shape[1] != columns.count:
        raise ValueError(f"{trained} was trained on another layout than that of {columns.board}")
    if seats is not None:
        absent = [f"+{other}" for other in range(seats, columns.others + 1)]
        for place, column in enumerate(columns.all):
            if any(other in column.name.split() for other in absent):
                arrays["first.weight"][:, place] = 0
    reach = np.array([column.most for column in columns.all])
    weights = quantise(arrays, reach, rewards)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{columns.board if seats is None else f'{columns.board}-{seats}'}.npz"
    np.savez_compressed(path, layout=np.array(fingerprint(columns)), **_turned(weights._asdict()))
    card_of_net = {"board": columns.board, "sha256": checksum(path), **(card or {})}
    text = json.dumps(card_of_net, indent=1, ensure_ascii=False) + "\n"
    path.with_suffix(".json").write_text(text, encoding="utf-8")
    return path


def _turned(arrays: dict[str, Any]) -> dict[str, Any]:
    """Return arrays as a file has them: some with a row for each input."""
    return {name: array.T if name in TURNED else array for name, array in arrays.items()}
