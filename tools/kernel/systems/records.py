"""`python -m tools.kernel.systems.records`: what this system computes, as lines.

A line is the digest of something that must not differ by one bit on any system: whole games in
compiled code, and the records of games that bots of all kinds play. `--check` compares the lines
with those in records.txt, of Linux on x86-64.
"""

import hashlib
import platform
import struct
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path

from ferrovia import Game
from ferrovia.boards import load_edition
from ferrovia.bots import make
from ferrovia.bots.kernel.arena import play_games
from ferrovia.bots.kernel.results import RESULT
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.kernel.library import FOUND, memory_digest
from ferrovia.rules.state.book import make_book
from ferrovia.rules.state.layout import SCORE, STATE
from ferrovia.rules.state.log import COLUMNS

EXPECTED = Path(__file__).with_name("records.txt")
GAMES = 400
TABLES = (
    ("europe", ("greedy", "planner")),
    ("usa", ("planner", "stoker", "passenger")),
    ("usa-classic", ("collector", "racer", "wary", "random")),
    ("mega-europe", ("planner", "passenger", "stoker", "wary", "greedy")),
    ("europe-1912", ("net", "planner")),
    ("usa", ("net", "net", "net")),
    ("europe", ("net:200", "greedy")),
    ("usa", ("net:100", "planner")),
    ("big-cities", ("search:100", "greedy")),
)


def main() -> int:
    print(
        platform.system(), platform.machine(), sys.version.split()[0], *FOUND[1:], file=sys.stderr
    )
    wanted = EXPECTED.read_text().splitlines() if "--check" in sys.argv else []
    found = []
    for line in lines():
        print(line, "" if not wanted or line in wanted else "DIFFERS", flush=True)
        found.append(line)
    return int(bool(wanted) and found != wanted)


def lines() -> Iterator[str]:
    for edition, bots in TABLES[:4]:
        yield f"{GAMES} games of {','.join(bots)} on {edition}: {games(edition, bots)}"
    for edition, bots in TABLES:
        for seed in (1, 2):
            yield f"{edition} {','.join(bots)} {seed}: {record(edition, bots, seed)}"


def games(edition: str, bots: tuple[str, ...]) -> str:
    """Return the digest of games in compiled code: states, scores, results, and what happened."""
    memory = [
        memoryview(bytearray(size * GAMES))
        for size in (STATE.size, SCORE.size, RESULT.size, 2 * COLUMNS * 1500)
    ]
    states, scores, results, rows = memory
    seeds = b"".join(hashlib.sha256(struct.pack("<q", game)).digest() for game in range(GAMES))
    kinds = array("q", map(SCRIPTS.index, bots))
    log = rows.cast("h", (GAMES, 1500, COLUMNS))
    play_games(make_book(load_edition(edition)), states, scores, seeds, kinds, results, log)
    return memory_digest(memory)[:16]


def record(edition: str, bots: tuple[str, ...], seed: int) -> str:
    """Return the digest of the record of a game, without its first line, which names software."""
    game = Game(edition, len(bots), seed=seed)
    players = [make(bot, seed=seed) for bot in bots]
    while not game.over:
        for seat in game.awaited:
            game.play(seat, players[seat].decide(game.view(seat)))
    return hashlib.sha256("\n".join(game.record().text().splitlines()[1:]).encode()).hexdigest()[
        :16
    ]


if __name__ == "__main__":
    sys.exit(main())
