"""Load: many seats in many games, commands at a steady rate, and how long until all viewers know.

`python -m tests.server.load --games 250 --seats 4 --rate 500 --seconds 20`
`python -m tests.server.load --stored 10000` measures a restart with stored games.
`python -m tests.server.load --idle 1000` measures memory per idle game.
"""

import argparse
import asyncio
import os
import random
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import connect

from tests.server.people import PERSON, Person, api, bot, create
from tests.server.processes import Server


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


class Seat:
    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.number = 0
        self.moves: list[str] = []


class LoadedGame:
    """A game whose players decide when they are told to."""

    def __init__(self, number: int, late: list[float]) -> None:
        self.seats: list[Seat] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.chance = random.Random(number)
        self.late = late
        self.sent: tuple[float, int] | None = None  # when, and the number that will tell of it
        self.over = False
        self.number = 0

    async def join(self, address: str, seats: int) -> None:
        made = await asyncio.to_thread(create, address, *[PERSON] * seats)
        url = address.replace("http", "ws", 1) + "socket"
        for held in made["held"]:
            socket = await connect(url, compression=None, max_queue=None)
            hello = {"type": "hello", "table": made["table"], "token": held["token"]}
            await socket.send(msgspec.json.encode(hello).decode())
            seat = Seat(socket)
            self.seats.append(seat)
            self.tasks.append(asyncio.create_task(self._listen(seat)))

    async def _listen(self, seat: Seat) -> None:
        async for data in seat.socket:
            frame = _READ.decode(data)
            assert frame.type != "refused", data
            if frame.type != "state":
                continue
            seat.number = frame.number
            self.number = max(self.number, frame.number)
            self.over = frame.final is not None
            moves = frame.own.moves if frame.own is not None else None
            seat.moves = moves.actions if moves is not None else []
            if self.sent is not None and all(s.number >= self.sent[1] for s in self.seats):
                self.late.append(time.perf_counter() - self.sent[0])
                self.sent = None

    @property
    def ready(self) -> bool:
        if self.over or self.sent is not None:
            return False
        return any(seat.moves for seat in self.seats)

    async def decide(self) -> None:
        seat = self.chance.choice([seat for seat in self.seats if seat.moves])
        cards = [move for move in seat.moves if move.startswith(("draw", "take", "keep"))]
        action = self.chance.choice(cards or seat.moves)
        self.sent = (time.perf_counter(), self.number + 1)
        id = f"l{self.chance.getrandbits(60)}"
        message = {"type": "decide", "id": id, "known": seat.number, "action": action}
        seat.moves = []
        await seat.socket.send(msgspec.json.encode(message).decode())


async def load(server: Server, games: int, seats: int, rate: float, seconds: float) -> None:
    late: list[float] = []
    playing = [LoadedGame(number, late) for number in range(games)]
    for game in playing:
        await game.join(server.address, seats)
    print(f"{games * seats} seats in {games} games are connected", flush=True)
    used = cpu_seconds(server)
    started = time.perf_counter()
    due, sent, turn, full = started, 0, 0, 0
    while time.perf_counter() - started < seconds:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        due += 1 / rate
        for _ in range(games):
            turn = (turn + 1) % games
            if playing[turn].ready:
                await playing[turn].decide()
                sent += 1
                break
        else:
            full += 1
    took = time.perf_counter() - started
    await asyncio.sleep(1.0)
    used = (cpu_seconds(server) - used) / sent
    late.sort()
    print(
        f"{sent / took:.0f} commands/s to {seats} viewers each; until all of them knew: "
        f"p50 {1000 * late[len(late) // 2]:.1f} ms, "
        f"p99 {1000 * late[len(late) * 99 // 100]:.1f} ms, max {1000 * late[-1]:.1f} ms; "
        f"{full} times no game was ready; {1000 * used:.2f} ms of the server's CPU per command"
    )


def cpu_seconds(server: Server) -> float:
    assert server.process is not None
    stat = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def memory(server: Server) -> float:
    """MiB that the server holds."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def measure_idle(server: Server, games: int) -> None:
    for _ in range(20):
        create(server.address, PERSON, PERSON)
    before = memory(server)
    for _ in range(games):
        made = create(server.address, PERSON, PERSON)
        person = Person(server.address, made["table"], made["held"][0]["token"]).come()
        person.go()
    awake = memory(server)
    text = ""
    while "ferrovia_tables_awake 0" not in text:
        time.sleep(0.5)
        text = api(server.address).get("/metrics").text
    asleep = memory(server)
    print(
        f"{games} games: {1024 * (awake - before) / games:.1f} KiB each while awake, "
        f"{1024 * (asleep - before) / games:.1f} KiB each when idle (base {before:.0f} MiB)"
    )


def measure_restart(folder: str, games: int) -> None:
    store = f"{folder}/many.sqlite"
    with Server(store) as server:
        made = create(server.address, bot("random"), bot("random"), bot("random"))
        watcher = Person(server.address, made["table"]).come()
        while watcher.state["number"] < 250:
            watcher.hear("state")
        server.stop()
    db = sqlite3.connect(store)
    rows = db.execute("SELECT number, entry FROM log WHERE game = ?", (made["table"],)).fetchall()
    table = db.execute("SELECT * FROM tables WHERE game = ?", (made["table"],)).fetchone()
    for number in range(games):
        name = f"copy-{number}"
        db.executemany("INSERT INTO log VALUES (?, ?, ?)", ((name, n, e) for n, e in rows))
        # People are awaited in the copies: nothing is due.
        db.execute("INSERT INTO tables VALUES (?, ?, ?, ?, NULL, ?)", (name, *table[1:4], table[5]))
    db.execute("DELETE FROM tables WHERE game = ?", (made["table"],))
    db.commit()
    db.close()
    size = Path(store).stat().st_size / 2**20
    started = time.perf_counter()
    with Server(store) as server:
        ready = time.perf_counter() - started
        times = []
        for number in range(50):
            person = Person(server.address, f"copy-{number}")
            before = time.perf_counter()
            person.come(known=None)
            times.append(time.perf_counter() - before)
            person.go()
        text = api(server.address).get("/metrics").text
        total = float(text.split("ferrovia_resume_seconds_sum ")[1].split()[0])
        times.sort()
        print(
            f"{games} stored games of {len(rows)} events ({size:.0f} MiB): ready in {ready:.2f} s; "
            f"a game resumes in {1000 * total / 50:.1f} ms on average, connected and shown in "
            f"{1000 * times[25]:.1f} ms (median), {1000 * times[-1]:.1f} ms (slowest of 50)"
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=250)
    options.add_argument("--seats", type=int, default=4)
    options.add_argument("--rate", type=float, default=500.0)
    options.add_argument("--seconds", type=float, default=20.0)
    options.add_argument("--stored", type=int, default=0)
    options.add_argument("--idle", type=int, default=0)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if chosen.stored:
            measure_restart(folder, chosen.stored)
            return
        with Server(f"{folder}/games.sqlite", sleep_after=3.0 if chosen.idle else 300.0) as server:
            if chosen.idle:
                measure_idle(server, chosen.idle)
            else:
                asyncio.run(load(server, chosen.games, chosen.seats, chosen.rate, chosen.seconds))


if __name__ == "__main__":
    main()
