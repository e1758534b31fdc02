"""Compiling the rules before they are needed, so that a person can be told and shown."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numba

from ferrovia.bots.kernel import arena, scripts
from ferrovia.bots.net import inference
from ferrovia.bots.net.weights import ROOM_TYPE, WEIGHTS_TYPE
from ferrovia.bots.registry import bot_behind
from ferrovia.bots.search import nodes
from ferrovia.bots.search.workspace import make_desk
from ferrovia.rules import calls
from ferrovia.rules.compiler import COMPILED, cache_folder
from ferrovia.rules.state.layout import SEATS

_types: Any = numba.types
_typeof: Any = numba.typeof
_INT = _types.int64
_BYTES = _types.uint8[::1]
_BATCH = _types.uint8[:, ::1]
_ROWS = _types.int16[:, ::1]
_LIST = _types.int16[::1]
_RNG = _types.uint32[::1]
_DESK = _typeof(make_desk(bytes(32)))

# Functions that Python calls, with the types it calls them with.
_ENTRIES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "start": (calls.start, (_BYTES, _BYTES, _BYTES, _INT, _INT, _ROWS, _LIST)),
    "legal": (calls.legal, (_BYTES, _BYTES, _INT, _LIST)),
    "payments": (calls.payments, (_BYTES, _BYTES, _INT, _INT, _LIST)),
    "explain": (calls.explain, (_BYTES, _BYTES, _INT, _INT)),
    "apply": (calls.apply, (_BYTES, _BYTES, _INT, _INT, _ROWS, _LIST)),
    "view": (calls.view, (_BYTES, _INT, _BYTES)),
    "score": (calls.score, (_BYTES, _BYTES, _BYTES)),
    "follow": (calls.follow, (_BYTES, _BYTES, _ROWS, _INT, _ROWS, _LIST)),
    "decide_by": (
        scripts.decide_by,
        (scripts.SCRIPT_TYPE, _BYTES, _BYTES, _INT, _BYTES, _RNG),
    ),
    "arena": (
        arena.play_all,
        (
            _BYTES,
            _BATCH,
            _BATCH,
            _BATCH,
            _INT,
            _types.UniTuple(scripts.SCRIPT_TYPE, SEATS),
            _types.int32[:, ::1],
            _types.int16[:, :, ::1],
        ),
    ),
    "decide_by_net": (
        inference.decide_by_net,
        (_BYTES, _BYTES, _INT, _INT, _INT, _BYTES, WEIGHTS_TYPE, ROOM_TYPE),
    ),
    "plant": (nodes.plant, (_BYTES, _BYTES, _INT, _INT, _DESK)),
    "grow": (nodes.grow, (_BYTES, _BYTES, _INT, _types.int64[::1], _INT, _INT, _DESK)),
}

FOR_PLAY = ("start", "legal", "payments", "explain", "apply", "view", "score", "decide_by")
"""What a game in words needs, beside the bots."""

FOR_REPLAY = ("start", "view", "follow", "score")
"""What checking a record needs."""

FOR_BATCHES = ("arena", "view", "score")
"""What games inside compiled code need, and writing their records, beside the bots."""

FOR_SEARCH = ("plant", "grow")
"""What a bot that searches needs."""

FOR_NET = ("decide_by_net",)
"""What the bot that has learned needs."""

EVERYTHING = (*_ENTRIES, *scripts.SCRIPTS)


def for_bots(names: Iterable[str]) -> tuple[str, ...]:
    """What these bots need themselves."""
    bots = {bot_behind(name).partition(":")[0] for name in names}
    needed = tuple(name for name in scripts.SCRIPTS if name in bots)
    if "net" in bots:
        needed = (*needed, *FOR_NET, *(() if "planner" in bots else ("planner",)))
    return (*needed, *FOR_SEARCH) if "search" in bots else needed


def not_compiled(names: Iterable[str]) -> list[str]:
    """Those functions and scripts that are not in the cache on disk yet."""
    return [name for name in names if COMPILED and not _cached(name)]


def warm_up(names: Sequence[str], begin: Callable[[str], None]) -> None:
    """Compile functions and scripts one by one; `begin` hears the name of each before its turn."""
    for name in names:
        begin(name)
        if name in scripts.SCRIPTS:
            scripts.script(scripts.SCRIPTS.index(name))
        else:
            function, types = _ENTRIES[name]
            function.compile(types)


def _cached(name: str) -> bool:
    function = scripts.source(name) if name in scripts.SCRIPTS else _ENTRIES[name][0]
    package, *_, module = function.__module__.split(".")[1:]
    folder = cache_folder(package)
    if folder is None:
        return False
    return next(folder.glob(f"*/{module}.{function.__name__}-*.nbi"), None) is not None
