"""The weights that come with Ferrovia: files of plain arrays.

`weights/BOARD.npz` holds the arrays of `Weights` for a board, and what they were made for;
`BOARD-SEATS.npz`, where there is one, goes before it at tables with so many seats. The card beside
each, `.json`, says how it was made, and how strong it is. A file that does not fit is an error, not
a weak bot.
"""

import hashlib
import json
import threading
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ferrovia.bots.net.columns import Columns, layout
from ferrovia.bots.net.inference import MEMORIES, Room, Weights
from ferrovia.bots.net.observation import SUBSETS

FOLDER = Path(__file__).parent / "weights"

_own = threading.local()

_KINDS = {
    "first": np.int16,
    "first_bias": np.int32,
    "second": np.int16,
    "second_bias": np.int32,
    "third": np.int16,
    "third_bias": np.int32,
    "policy": np.int16,
    "policy_bias": np.int32,
    "trust": np.int16,
    "trust_bias": np.int32,
    "value": np.int16,
    "value_bias": np.int32,
    "worth": np.int16,
    "worth_bias": np.int32,
    "shifts": np.int32,
    "rewards": np.int32,
}


_TURNED = ("second", "third", "value")  # in a file they have a row for each input


def turned(arrays: dict[str, Any]) -> dict[str, Any]:
    """Return the arrays of a file as those of `Weights`, and the other way round."""
    return {name: array.T if name in _TURNED else array for name, array in arrays.items()}


def nets() -> tuple[str, ...]:
    """Return the names of all files of weights: BOARD, or BOARD-SEATS."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.npz")))


def boards() -> tuple[str, ...]:
    """Return the boards that there are weights for."""
    return tuple(name for name in nets() if board_of(name) == name)


def board_of(name: str) -> str:
    """Return the board of a file of weights."""
    board, _, seats = name.rpartition("-")
    return board if seats.isdecimal() else name


@cache
def net_for(board: str, seats: int) -> str:
    """Return the file of weights for a board and a number of seats."""
    own = f"{board}-{seats}"
    return own if (FOLDER / f"{own}.npz").exists() else board


def fingerprint(columns: Columns) -> str:
    """Return a short name for a layout: weights fit no other."""
    text = "\n".join(f"{each.name} {each.scale}" for each in columns.all)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_weights(path: Path, columns: Columns) -> Weights:
    """Return the weights of a file for a layout; ValueError if they are not for it."""
    with np.load(path, allow_pickle=False) as stored:
        arrays: dict[str, Any] = {name: stored[name] for name in stored.files}
    if str(arrays.pop("layout", "")) != fingerprint(columns):
        raise ValueError(f"{path.name} was made for another layout of observations")
    for name, kind in _KINDS.items():
        if name not in arrays or arrays[name].dtype != kind:
            raise ValueError(f"{path.name} has no {name} of {np.dtype(kind).name}")
    arrays = turned(arrays)
    return Weights(*(np.ascontiguousarray(arrays[name]) for name in Weights._fields))


@cache
def weights_of(name: str) -> Weights:
    """Return the weights of a file; ValueError if there is none, or if it was damaged."""
    path = FOLDER / f"{name}.npz"
    if not path.exists():
        known = ", ".join(boards()) or "no board yet"
        raise ValueError(f"the bot net has not learned the board {name}; it knows {known}")
    card = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    if card["sha256"] != checksum(path):
        raise ValueError(f"{path.name} is not the file that its card describes")
    return read_weights(path, layout(board_of(name)))


def room_for(weights: Weights) -> Room:
    """Return room for decisions with these weights, one at a time, of any seat of any game."""
    columns, wide = weights.first.shape
    narrow, small = weights.second.shape[0], weights.value.shape[0]
    return Room(
        np.zeros((columns, 1), np.uint8),
        np.zeros(SUBSETS, np.int32),
        np.zeros((MEMORIES, columns), np.uint8),
        np.repeat(weights.first_bias[None], MEMORIES, axis=0),
        np.zeros(2 * columns, np.int32),
        np.zeros(wide, np.int16),
        np.zeros(narrow, np.int16),
        np.zeros(narrow, np.int16),
        np.zeros(small, np.int16),
    )


def shared_room(name: str) -> Room:
    """Return the room of this thread for the weights of a file; all its bots share it."""
    rooms: dict[str, Room] = vars(_own).setdefault("rooms", {})
    if name not in rooms:
        rooms[name] = room_for(weights_of(name))
    return rooms[name]
