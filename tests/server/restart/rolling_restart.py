"""A rolling restart: every server of a database is replaced in turn, while people play.

`python -m tests.server.restart.rolling_restart --servers 4 --games 100` prints how long a player
was cut off, and what became of the commands. A player whose server ends connects to another one at
once, as a proxy lets a browser do, and repeats the command that has no answer yet, under the same
id.
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
from typing import Any

import msgspec

from tests.server.conftest import WITHOUT_POSTGRESQL, Cluster, binaries
from tests.server.support.people import PERSON, create
from tests.server.support.processes import Server
from tests.server.support.wire import Wire


class _Player:
    """Somebody at a table who decides whenever it is their turn."""

    def __init__(self, addresses: Sequence[str], home: int, hello: dict[str, Any]) -> None:
        self.gaps: list[float] = []
        self.accepted: dict[str, int] = {}
        self.number = 0
        self.wrong: list[str] = []
        self._addresses = addresses
        self._at = home
        self._hello = hello
        self._chance = random.Random(hello["token"])
        self._wire: Wire | None = None
        self._waiting: dict[str, Any] | None = None
        self._lost_at: float | None = None
        self._coming: asyncio.Task[None] | None = None
        self.leaving = False

    async def come(self) -> None:
        """Connect to the first server that answers, from the one of last time on."""
        while True:
            address = self._addresses[self._at % len(self._addresses)]
            try:
                self._wire = await Wire.open(address, self._hear, self._lose)
                break
            except (OSError, EOFError, AssertionError):
                self._at += 1
                await asyncio.sleep(0.01)
        self._wire.say(msgspec.json.encode(self._hello | {"known": self.number or None}))

    def leave(self) -> None:
        self.leaving = True
        if self._wire is not None:
            self._wire.close()

    def _lose(self) -> None:
        if self.leaving:
            return
        self._lost_at = self._lost_at or time.perf_counter()
        self._at += 1
        self._coming = asyncio.get_running_loop().create_task(self.come())

    def _hear(self, data: bytes) -> None:
        frame = msgspec.json.decode(data)
        if frame["type"] == "accepted":
            before = self.accepted.setdefault(frame["id"], frame["number"])
            if before != frame["number"]:
                self.wrong.append(f"{frame['id']} has two numbers")
            if self._waiting is not None and self._waiting["id"] == frame["id"]:
                self._waiting = None
        elif frame["type"] == "refused":
            self._waiting = None
            if frame["code"] != "behind":
                self.wrong.append(frame["code"])
        elif frame["type"] == "state":
            self._see(frame)

    def _see(self, frame: dict[str, Any]) -> None:
        if frame["number"] < self.number:
            self.wrong.append("the table went back")
        self.number = frame["number"]
        if self._lost_at is not None:
            self.gaps.append(time.perf_counter() - self._lost_at)
            self._lost_at = None
            if self._waiting is not None:
                self._say(self._waiting)
                return
        moves = frame["own"]["moves"] if frame["own"] is not None else None
        if moves is not None and self._waiting is None:
            cards = [it for it in moves["actions"] if it.startswith(("draw", "take", "keep"))]
            action = self._chance.choice(cards or moves["actions"])
            id = f"r{self._chance.getrandbits(60)}"
            self._waiting = {"type": "decide", "id": id, "action": action}
            pause = self._chance.uniform(0.2, 1.0)
            asyncio.get_running_loop().call_later(pause, self._say, self._waiting)

    def _say(self, command: dict[str, Any]) -> None:
        if self._wire is not None and self._waiting is command:
            self._wire.say(msgspec.json.encode(command | {"known": self.number}))


@dataclass(frozen=True)
class Restarted:
    """What was seen: connections that were cut, the longest cut, and what was accepted."""

    cuts: int
    median: float
    longest: float
    accepted: int
    wrong: list[str]

    def __str__(self) -> str:
        return (
            f"{self.cuts} connections cut, for {self.median:.2f} s in the median and "
            f"{self.longest:.2f} s at most; {self.accepted} commands accepted, "
            f"{len(self.wrong)} faults {sorted(set(self.wrong))}"
        )


async def restart_all(servers: Sequence[Server], games: int, seats: int, rest: float) -> Restarted:
    """Play at all servers, replace one after the other, and check every log at the end."""
    addresses = [server.address for server in servers]
    players: list[_Player] = []
    for number in range(games):
        made = await asyncio.to_thread(create, addresses[0], *[PERSON] * seats)
        for seat, held in enumerate(made["held"]):
            hello = {"type": "hello", "table": made["table"], "token": held["token"]}
            players.append(_Player(addresses, number + seat, hello))
    for player in players:
        await player.come()
    for server in servers:
        await asyncio.sleep(rest)
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
    await asyncio.sleep(rest)
    while any(player._lost_at is not None for player in players):
        await asyncio.sleep(0.01)
    for player in players:
        player.leave()
    gaps = sorted(gap for player in players for gap in player.gaps)
    wrong = [problem for player in players for problem in player.wrong]
    for first in range(0, len(players), seats):
        numbers = [n for it in players[first : first + seats] for n in it.accepted.values()]
        if len(numbers) != len(set(numbers)):
            wrong.append("two commands with one number")
    accepted = sum(len(player.accepted) for player in players)
    return Restarted(len(gaps), gaps[len(gaps) // 2], gaps[-1], accepted, wrong)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--servers", type=int, default=4)
    options.add_argument("--games", type=int, default=100)
    options.add_argument("--seats", type=int, default=4)
    options.add_argument("--rest", type=float, default=3.0, help="seconds between two restarts")
    chosen = options.parse_args()
    found = binaries()
    assert found is not None, WITHOUT_POSTGRESQL
    with tempfile.TemporaryDirectory(prefix="ferrovia-restart-") as folder, ExitStack() as ending:
        os.chmod(folder, 0o755)
        cluster = Cluster(found, Path(folder))
        ending.callback(cluster.stop)
        url = cluster.database()
        servers = [Server(url, sleep_after=300.0) for _ in range(chosen.servers)]
        for server in servers:
            ending.enter_context(server)
        print(asyncio.run(restart_all(servers, chosen.games, chosen.seats, chosen.rest)))


if __name__ == "__main__":
    main()
