"""Ferrovia: the railway board games, complete and exact.

>>> from ferrovia import Game
>>> game = Game("europe", players=3, seed=7)
>>> game.awaited
(0, 1, 2)
>>> game
<Game europe: start, tickets to be chosen by Player 1, Player 2, Player 3; points 0, 0, 0>
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ferrovia.boards import BoardError as BoardError
    from ferrovia.boards import Edition as Edition
    from ferrovia.boards import editions as editions
    from ferrovia.boards import load_edition as load_edition
    from ferrovia.errors import FerroviaError as FerroviaError
    from ferrovia.errors import MissingExtra as MissingExtra
    from ferrovia.errors import NoKernel as NoKernel
    from ferrovia.game import Game as Game
    from ferrovia.game import IllegalAction as IllegalAction
    from ferrovia.game import InvalidAction as InvalidAction
    from ferrovia.game import PositionError as PositionError
    from ferrovia.game import RecordError as RecordError
    from ferrovia.game import read_action as read_action
    from ferrovia.game import read_position as read_position
    from ferrovia.game import read_record as read_record
    from ferrovia.game import write_position as write_position

__version__ = "0.1.0"

# Loaded at first use, so that `ferrovia --help` need not wait for it.
_HOMES = {
    "BoardError": "ferrovia.boards",
    "Edition": "ferrovia.boards",
    "editions": "ferrovia.boards",
    "load_edition": "ferrovia.boards",
    "FerroviaError": "ferrovia.errors",
    "MissingExtra": "ferrovia.errors",
    "NoKernel": "ferrovia.errors",
    "Game": "ferrovia.game",
    "IllegalAction": "ferrovia.game",
    "InvalidAction": "ferrovia.game",
    "PositionError": "ferrovia.game",
    "RecordError": "ferrovia.game",
    "read_action": "ferrovia.game",
    "read_position": "ferrovia.game",
    "read_record": "ferrovia.game",
    "write_position": "ferrovia.game",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ferrovia' has no attribute '{name}'")


def __dir__() -> list[str]:
    own = (name for name in globals() if name not in ("Any", "TYPE_CHECKING", "import_module"))
    return sorted({*own, *_HOMES})
