"""The weights of `net`: files of plain arrays.

Those of the folder that the environment variable FERROVIA_NETS names, as a run of `ferrovia learn`
writes them, go before those that come with Ferrovia. `BOARD.npz` holds the arrays of `Weights` for
a board, and what they were made for; `BOARD-SEATS.npz`, where there is one, goes before it at
tables of that size. The card beside each, `.json`, says how it was made, and how strong it is. A
file that does not fit is an error, not a weak bot.
"""

import ast
import hashlib
import json
import os
import re
import threading
import zipfile
from array import array
from functools import cache
from pathlib import Path
from typing import Any

from ferrovia.bots.net.columns import Columns, layout
from ferrovia.bots.net.inference import ACTIVATIONS, MEMORIES, WEIGHTS, Activations, Weights
from ferrovia.bots.net.observation import SUBSETS
from ferrovia.kernel import Array, Buffer, Grid, Pack
from ferrovia.kernel.record import LETTERS

FOLDER = Path(__file__).parent / "weights"
SETTING = "FERROVIA_NETS"

_own = threading.local()

TURNED = ("second", "third", "value")  # in a file they have a row for each input


def _folders() -> tuple[Path, ...]:
    """Return the folders of weights, those that go before others first."""
    chosen = os.environ.get(SETTING)
    if chosen is None:
        return (FOLDER,)
    if not any(Path(chosen).glob("*.npz")):
        raise ValueError(f"{SETTING}: there are no weights in {chosen}")
    return Path(chosen), FOLDER


def nets() -> tuple[str, ...]:
    """Return the names of all files of weights: BOARD, or BOARD-SEATS."""
    return tuple(sorted({path.stem for folder in _folders() for path in folder.glob("*.npz")}))


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
    found = (
        name
        for folder in _folders()
        for name in (f"{board}-{seats}", board)
        if (folder / f"{name}.npz").exists()
    )
    return next(found, board)


def fingerprint(columns: Columns) -> str:
    """Return a short name for a layout: weights fit no other."""
    text = "\n".join(f"{each.name} {each.scale}" for each in columns.all)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_weights(path: Path, columns: Columns) -> Weights:
    """Return the weights of a file for a layout; ValueError if they are not for it."""
    with zipfile.ZipFile(path) as stored:
        arrays = {Path(name).stem: _Array(stored.read(name)) for name in stored.namelist()}
    made_for = arrays.pop("layout", None)
    if made_for is None or made_for.text() != fingerprint(columns):
        raise ValueError(
            f"{path.name} was made for another layout of observations: whoever changes a column "
            "in bots/net/columns.py trains the nets of both boards anew (ferrovia learn)"
        )
    found = []
    for name, kind in zip(Weights._fields, WEIGHTS.kinds, strict=True):
        assert isinstance(kind, Array | Grid)
        item, dimensions = kind.item, 2 if isinstance(kind, Grid) else 1
        if name not in arrays or arrays[name].item != item or len(arrays[name].shape) != dimensions:
            raise ValueError(f"{path.name} has no {name} of {item} in {dimensions} dimensions")
        found.append(arrays[name].memory(turned=name in TURNED))
    return Weights(*found)


class _Array:
    """An array as NumPy stores it."""

    def __init__(self, stored: bytes) -> None:
        length = int.from_bytes(stored[8:10], "little")
        if stored[:7] != b"\x93NUMPY\x01" or len(stored) < 10 + length:
            raise ValueError("this is no array")
        head = ast.literal_eval(stored[10 : 10 + length].decode("latin-1").strip())
        self.item = re.sub("^[<|]", "", head["descr"])
        self.shape: tuple[int, ...] = head["shape"]
        self._data, self._by_column = stored[10 + length :], head["fortran_order"]

    def text(self) -> str:
        """Return an array of one text."""
        return self._data.decode("utf-32-le").rstrip("\0")

    def memory(self, *, turned: bool) -> Buffer:
        """Return its numbers in memory, the first two dimensions exchanged if `turned`."""
        shape = self.shape[::-1] if turned else self.shape
        numbers = array(LETTERS[self.item], self._data)
        if turned != self._by_column:
            width = self.shape[0] if self._by_column else self.shape[-1]
            rows = (numbers[column::width] for column in range(width))
            numbers = array(numbers.typecode, (number for row in rows for number in row))
        data: Any = memoryview(numbers.tobytes())
        return data.cast(numbers.typecode, shape)


@cache
def weights_of(name: str) -> Pack[Weights]:
    """Return the weights of a file; ValueError if there is none, or if it was damaged."""
    paths = [folder / f"{name}.npz" for folder in _folders()]
    path = next((path for path in paths if path.exists()), None)
    if path is None:
        known = ", ".join(boards()) or "no board yet"
        raise ValueError(f"the bot net has not learned the board {name}; it knows {known}")
    card = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    if card["sha256"] != checksum(path):
        raise ValueError(f"{path.name} is not the file that its card describes")
    return Pack(WEIGHTS, read_weights(path, layout(board_of(name))))


def activations_for(weights: Weights) -> Activations:
    """Return memory for the decisions of a net, one at a time, of any seat of any game."""
    columns, wide = weights.first.shape
    narrow, small = weights.second.shape[0], weights.value.shape[0]
    seen = memoryview(bytearray(columns))
    first = memoryview(bytearray(weights.first_bias.tobytes() * MEMORIES))
    return Activations(
        seen.cast("B", (columns, 1)),
        seen,
        array("i", [0] * SUBSETS),
        memoryview(bytearray(MEMORIES * columns)).cast("B", (MEMORIES, columns)),
        first.cast("i", (MEMORIES, wide)),
        array("i", [0] * (2 * columns)),
        array("h", [0] * wide),
        array("h", [0] * narrow),
        array("h", [0] * narrow),
        array("h", [0] * small),
    )


def shared_activations(name: str) -> Pack[Activations]:
    """Return the memory of this thread for the weights of a file; all its bots share it."""
    activations: dict[str, Pack[Activations]] = vars(_own).setdefault("activations", {})
    if name not in activations:
        activations[name] = Pack(ACTIVATIONS, activations_for(weights_of(name).of))
    return activations[name]
