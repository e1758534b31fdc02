"""Load: many seats in many games, commands at a steady rate, and how long until all viewers know.

`python -m tests.server.load --games 250 --seats 4 --rate 500 --seconds 20`; with `--servers 4` so
many servers share a PostgreSQL database, and the seats of a game are spread over them, or, with
`--together`, all at one of them, as behind a proxy that chooses by the table.

The rate is kept whatever the server does: a command is due at its time, and the time until all
viewers of its table know begins then, also when the games or this program were not ready for it.
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tests.server.conftest import WITHOUT_POSTGRESQL, Cluster, binaries
from tests.server.support.people import PERSON, create
from tests.server.support.processes import Server
from tests.server.support.wire import Wire


class _Moves(msgspec.Struct):
    actions: list[str]


class _Own(msgspec.Struct):
    moves: _Moves | None


class _Frame(msgspec.Struct):
    """What the load needs to know of a frame."""

    type: str
    number: int = 0
    own: _Own | None = None
    final: msgspec.Raw | None = None


_READ = msgspec.json.Decoder(_Frame)


class _Seat:
    def __init__(self, game: "_Game") -> None:
        self.game = game
        self.number = 0
        self.moves: list[str] = []
        self.wire: Wire | None = None

    def hear(self, data: bytes) -> None:
        frame = _READ.decode(data)
        assert frame.type != "refused", data
        if frame.type != "state":
            return
        self.number = frame.number
        moves = frame.own.moves if frame.own is not None else None
        self.moves = moves.actions if moves is not None else []
        self.game.heard(over=frame.final is not None)


class _Game:
    """A game whose players decide when `decide` is called."""

    def __init__(self, number: int, late: list[float]) -> None:
        self.seats: list[_Seat] = []
        self.chance = random.Random(number)
        self.late = late
        self.waiting: tuple[float, int] | None = None  # since when, for the event of this number
        self.over = False

    async def join(self, addresses: Sequence[str], seats: int) -> None:
        made = await asyncio.to_thread(create, addresses[0], *[PERSON] * seats)
        for number, held in enumerate(made["held"]):
            seat = _Seat(self)
            self.seats.append(seat)
            seat.wire = await Wire.open(addresses[number % len(addresses)], seat.hear)
            hello = {"type": "hello", "table": made["table"], "token": held["token"]}
            seat.wire.say(msgspec.json.encode(hello))

    def heard(self, over: bool) -> None:
        self.over = over
        if self.waiting is not None and all(s.number >= self.waiting[1] for s in self.seats):
            self.late.append(time.perf_counter() - self.waiting[0])
            self.waiting = None

    @property
    def ready(self) -> bool:
        if self.over or self.waiting is not None:
            return False
        return any(seat.moves for seat in self.seats)

    def decide(self, due: float) -> None:
        """Draw a card or keep tickets: games that do not end while they are measured."""
        seat = self.chance.choice([seat for seat in self.seats if seat.moves])
        cards = [move for move in seat.moves if move.startswith(("draw", "take", "keep"))]
        action = self.chance.choice(cards or seat.moves)
        self.waiting = (due, max(seat.number for seat in self.seats) + 1)
        id = f"l{self.chance.getrandbits(60)}"
        message = {"type": "decide", "id": id, "known": seat.number, "action": action}
        seat.moves = []
        assert seat.wire is not None
        seat.wire.say(msgspec.json.encode(message))


@dataclass(frozen=True)
class Load:
    """What was measured: commands a second, seconds until all viewers knew, and CPU seconds a
    command of the server and of this program.
    """

    rate: float
    median: float
    p99: float
    worst: float
    server_cpu: float
    own_cpu: float

    def __str__(self) -> str:
        times = (f"{1000 * seconds:.1f} ms" for seconds in (self.median, self.p99, self.worst))
        return (
            f"{self.rate:.0f} commands/s; until all viewers knew: {', '.join(times)} "
            f"(median, p99, worst); CPU per command: server {1000 * self.server_cpu:.2f} ms, "
            f"load {1000 * self.own_cpu:.2f} ms"
        )


def _ready(playing: list[_Game], first: int) -> int | None:
    """The next game, from one on, in which somebody can decide."""
    places = (place % len(playing) for place in range(first, first + len(playing)))
    return next((place for place in places if playing[place].ready), None)


async def load(
    servers: Server | Sequence[Server],
    games: int,
    seats: int,
    rate: float,
    seconds: float,
    settle: float = 1.0,
    *,
    together: bool = False,
) -> Load:
    servers = [servers] if isinstance(servers, Server) else list(servers)
    addresses = [server.address for server in servers]
    late: list[float] = []
    playing = [_Game(number, late) for number in range(games)]
    for number, game in enumerate(playing):
        first = number % len(addresses)
        spread = [*addresses[first:], *addresses[:first]]
        await game.join(spread[:1] if together else spread, seats)
    await asyncio.sleep(settle)
    used, own = sum(map(cpu_seconds, servers)), time.process_time()
    started = time.perf_counter()
    commands = round(rate * seconds)
    turn = 0
    for number in range(commands):
        due = started + number / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        while (chosen := _ready(playing, turn)) is None:
            await asyncio.sleep(0.002)
        turn = chosen + 1
        playing[chosen].decide(due)
    while len(late) < commands:
        await asyncio.sleep(0.01)
    took = time.perf_counter() - started
    used, own = sum(map(cpu_seconds, servers)) - used, time.process_time() - own
    for game in playing:
        for seat in game.seats:
            assert seat.wire is not None
            seat.wire.close()
    late.sort()
    return Load(
        commands / took,
        late[commands // 2],
        late[commands * 99 // 100],
        late[-1],
        used / commands,
        own / commands,
    )


def cpu_seconds(server: Server) -> float:
    assert server.process is not None
    stat = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def measure(
    games: int, seats: int, rate: float, seconds: float, servers: int = 0, *, together: bool = True
) -> Load:
    """Measure one server on SQLite (0), or so many on a PostgreSQL of their own."""
    with tempfile.TemporaryDirectory(prefix="ferrovia-load-") as folder, ExitStack() as ending:
        store = f"{folder}/games.sqlite"
        if servers:
            os.chmod(folder, 0o755)
            found = binaries()
            assert found is not None, WITHOUT_POSTGRESQL
            cluster = Cluster(found, Path(folder))
            ending.callback(cluster.stop)
            store = cluster.database()
        all = [Server(store, sleep_after=300.0) for _ in range(servers or 1)]
        for server in all:
            ending.enter_context(server)
        return asyncio.run(load(all, games, seats, rate, seconds, together=together))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=250)
    options.add_argument("--seats", type=int, default=4)
    options.add_argument("--rate", type=float, default=500.0)
    options.add_argument("--seconds", type=float, default=20.0)
    options.add_argument("--servers", type=int, default=0, help="on PostgreSQL; 0: one, on SQLite")
    options.add_argument("--together", action="store_true", help="a game's seats at one server")
    chosen = options.parse_args()
    size = (chosen.games, chosen.seats, chosen.rate, chosen.seconds, chosen.servers)
    print(measure(*size, together=chosen.together))


if __name__ == "__main__":
    main()
