"""What a library has to do before it is used: some games, as plain Python plays them."""

import base64
import zlib
from array import array
from typing import Any

from ferrovia.boards import load_edition
from ferrovia.bots.kernel.arena import play_games
from ferrovia.bots.kernel.results import RESULT
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.kernel import Buffer
from ferrovia.kernel.library import memory_digest
from ferrovia.rules.state.book import make_book
from ferrovia.rules.state.layout import SCORE, STATE
from ferrovia.rules.state.log import COLUMNS

_GAMES = (("europe", ("planner", "passenger")), ("usa", ("greedy", "random", "racer")))


def proof() -> list[dict[str, Any]]:
    """Return calls of entries, their memory packed, and the digest of it afterwards."""
    return [_played(name, bots) for name, bots in _GAMES]


def _played(name: str, bots: tuple[str, ...]) -> dict[str, Any]:
    kinds = array("q", (SCRIPTS.index(bot) for bot in bots)).tobytes()
    memory = [
        _memory(make_book(load_edition(name))),
        _memory(STATE.new()),
        _memory(SCORE.new()),
        _memory(bytes(range(32))),
        _memory(kinds, "q", len(bots)),
        _memory(RESULT.new()),
        _memory(bytes(2 * COLUMNS), "h", 1, COLUMNS),
    ]
    given = [
        (base64.b64encode(zlib.compress(it.tobytes(), 9)).decode(), it.format, it.shape)
        for it in memory
    ]
    play_games(*memory)
    return {"entry": play_games.__name__, "given": given, "digest": memory_digest(memory)}


def _memory(data: Buffer, kind: str = "B", *shape: int) -> memoryview:
    return memoryview(bytearray(data)).cast(kind, shape or (len(data),))
