"""Games at several tables while everything that they need fails, one thing after the other."""

import json
import os
import random
import resource
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from ferrovia.server.store.address import open_archive
from ferrovia.server.store.maintenance.check import check as check_store
from ferrovia.server.table.resume import resume
from tests.faults.history import History, Verdict, check
from tests.faults.people import BROKEN, Player
from tests.faults.proxy import Proxy
from tests.server.conftest import Cluster
from tests.server.support.disk import SmallDisk
from tests.server.support.people import OPEN, PERSON, bot, create, join
from tests.server.support.processes import Server

TABLES = 3


class SkewedServer(Server):
    """A server behind a proxy, with a clock that can be put forward and back."""

    def __init__(self, store: str, folder: Path) -> None:
        super().__init__(store, bot_pace=0.05)
        self._skew = folder / f"skew-{id(self)}"
        self._skew.write_text("0")
        self.start()
        at = urlsplit(self.address)
        assert at.hostname is not None
        assert at.port is not None
        self.proxy = Proxy(at.hostname, at.port)
        self.reached = f"http://127.0.0.1:{self.proxy.port}/"

    def command(self) -> list[str]:
        return ["-m", "tests.faults.run_server", json.dumps(self.settings), str(self._skew)]

    def skew(self, seconds: float) -> None:
        self._skew.write_text(str(seconds))
        self.signal(signal.SIGUSR1)

    def signal(self, number: int) -> None:
        assert self.process is not None
        self.process.send_signal(number)


@dataclass
class Report:
    """What came of an attack."""

    seconds: float
    faults: Counter[str]
    verdict: Verdict
    games: int = 0
    connections: int = 0
    put_off: int = 0
    damages: list[str] = field(default_factory=list)
    unproved: list[str] = field(default_factory=list)

    @property
    def problems(self) -> list[str]:
        return [*self.verdict.problems, *self.damages, *self.unproved]

    def __str__(self) -> str:
        v = self.verdict
        faults = ", ".join(f"{name} {count}" for name, count in sorted(self.faults.items()))
        return (
            f"{self.seconds:.0f} s; faults: {faults}; {v.answered:,} commands answered, "
            f"{v.refused} refused, {self.put_off:,} put off, {v.unanswered} without an answer; "
            f"{self.connections:,} "
            f"connections; {v.viewed:,} entries seen; {self.games} games over; "
            f"{len(v.lost)} lost, {len(v.twice)} twice, {len(v.refused_and_done)} refused and "
            f"done, {len(v.out_of_order)} out of order, {len(v.differently_seen)} seen "
            f"differently, {len(self.damages)} damaged, {len(self.unproved)} unproved"
        )


class Attack:
    """Tables, people and servers on one store; `cluster`: the store is a database of it, and
    `disk` is the one that its files are on.
    """

    def __init__(
        self,
        folder: Path,
        cluster: Cluster | None = None,
        seed: int = 0,
        disk: SmallDisk | None = None,
    ) -> None:
        self.chance = random.Random(seed)
        self.history = History()
        self.faults: Counter[str] = Counter()
        self._cluster, self._disk = cluster, disk
        self._enough = threading.Event()
        self._people: list[Player] = []
        self._folder = folder
        if cluster is None:
            self.store = str(folder / "games.sqlite")
            self._to_store: Proxy | None = None
            through = self.store
        else:
            on_its_own = disk is not None and disk.folder != cluster.folder
            self.store = cluster.database(disk if on_its_own else None)
            at = urlsplit(self.store)
            self._to_store = Proxy("127.0.0.1", cluster.port)
            where = f"{at.username}@127.0.0.1:{self._to_store.port}"
            through = urlunsplit((at.scheme, where, at.path, "", ""))
        count = 1 if cluster is None else 2
        self.servers = [SkewedServer(through, folder) for _ in range(count)]
        addresses = [server.reached for server in self.servers]
        self._games = [
            threading.Thread(target=self._keep_playing, args=(number, addresses))
            for number in range(TABLES)
        ]
        for game in self._games:
            game.start()

    def _keep_playing(self, number: int, addresses: list[str]) -> None:
        games = 0
        while not self._enough.is_set():
            try:
                bots = [bot("random")] if number == 0 else []
                clock = {"kind": "live", "turn": 60} if number == 1 else {"kind": "none"}
                address = self.chance.choice(addresses)
                made = create(address, PERSON, OPEN, *bots, edition="usa", clock=clock)
                joined = join(address, made["table"], "Bob")
            except (*BROKEN, AssertionError):
                time.sleep(0.02)
                continue
            tokens = (made["held"][0]["token"], joined["token"], None)
            some = [
                Player(
                    self.history, addresses, made["table"], token, 1000 * number + 10 * games + w
                )
                for w, token in enumerate(tokens)
            ]
            self._people += some
            games += 1
            threads = [
                threading.Thread(target=one.play_until, args=(self._enough,)) for one in some
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    def answered(self) -> int:
        return sum(one.number is not None for one in list(self.history.operations))

    def wait_for(self, more: int, most: float = 60.0) -> None:
        """Wait until a number of further commands were answered: life goes on after a fault."""
        target, end = self.answered() + more, time.monotonic() + most
        while self.answered() < target:
            assert time.monotonic() < end, f"nothing is answered any more: {self.faults}"
            time.sleep(0.005)

    # The faults

    def kinds(self) -> dict[str, Callable[[], None]]:
        """Return the faults that this store and this system can have."""
        faults = {
            "kill": self.kill,
            "freeze": self.freeze,
            "cut": self.cut,
            "slow": self.slow,
            "hold": self.hold,
            "skew": self.skew,
        }
        if self._cluster is None:
            if hasattr(resource, "prlimit"):
                faults["full disk"] = self.fill_disk
        else:
            faults["database crash"] = self.crash_database
            faults["database freeze"] = self.freeze_database
            faults["database cut"] = self.cut_database
            if self._disk is not None:
                faults["full disk"] = self.fill_database_disk
        return faults

    def strike(self, name: str) -> None:
        """Let something fail, mend it, and wait until people play again."""
        self.faults[name] += 1
        self.kinds()[name]()
        self.wait_for(3)

    def _one(self) -> SkewedServer:
        return self.chance.choice(self.servers)

    def _moment(self) -> None:
        time.sleep(self.chance.uniform(0.05, 0.6))

    def kill(self) -> None:
        server = self._one()
        server.kill()
        server.start()

    def freeze(self) -> None:
        server = self._one()
        server.signal(signal.SIGSTOP)
        self._moment()
        server.signal(signal.SIGCONT)

    def cut(self) -> None:
        self._one().proxy.cut()

    def slow(self) -> None:
        proxy = self._one().proxy
        proxy.delay = self.chance.uniform(0.01, 0.1)
        self._moment()
        proxy.heal()

    def hold(self) -> None:
        proxy = self._one().proxy
        proxy.held = True
        self._moment()
        if self.chance.random() < 0.5:
            proxy.cut()  # what was on its way never arrives
        proxy.heal()

    def skew(self) -> None:
        server = self._one()
        server.skew(self.chance.choice((-86400.0, -120.0, 120.0, 86400.0)))
        self._moment()
        server.skew(0.0)

    def fill_disk(self) -> None:
        [server] = self.servers
        assert server.process is not None
        folder = Path(self.store).parent
        size = max(path.stat().st_size for path in folder.iterdir())
        limit = (size, resource.RLIM_INFINITY)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limit)
        self._moment()
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)

    def fill_database_disk(self) -> None:
        """Fill the disk until somebody is refused because of it, and give the room back."""
        assert self._cluster is not None
        assert self._disk is not None
        before, end = self.history.put_off["store_full"], time.monotonic() + 60.0
        self._disk.fill()
        while self.history.put_off["store_full"] == before and self._cluster.running:
            assert time.monotonic() < end, "nobody noticed that the disk is full"
            self._moment()
        self._disk.free()
        if not self._cluster.running:  # it ends itself if there is no room for its own log
            self._cluster.start()

    def crash_database(self) -> None:
        assert self._cluster is not None
        self._cluster.stop()
        self._cluster.start()

    def freeze_database(self) -> None:
        assert self._cluster is not None
        pids = self._cluster.processes()
        for pid in pids:
            _signal(pid, signal.SIGSTOP)
        self._moment()
        for pid in pids:
            _signal(pid, signal.SIGCONT)

    def cut_database(self) -> None:
        assert self._to_store is not None
        if self.chance.random() < 0.5:
            self._to_store.held = True
            self._moment()
        self._to_store.cut()
        self._to_store.heal()

    # The end

    def close(self) -> None:
        """Send everybody home, and stop the servers."""
        self._enough.set()
        for server in self.servers:
            server.signal(signal.SIGCONT)
            server.kill()
            server.proxy.close()
        for game in self._games:
            game.join()
        if self._to_store is not None:
            self._to_store.close()

    def examine(self, seconds: float) -> Report:
        """Compare what people did and saw with what is stored."""
        store = open_archive(self.store, "read")
        tables = dict.fromkeys(one.table for one in self._people)
        logs = {table: store.entries(table) for table in tables}
        found = check_store(store)
        report = Report(seconds, self.faults, check(self.history, logs))
        report.damages = [f"damaged: {damage}" for damage in found.damages]
        report.put_off = self.history.put_off.total()
        report.connections = sum(one.connections for one in self._people)
        for table, log in logs.items():
            resumed = resume(table, log)  # every line is proved by the rules and the seed
            if resumed is None:
                report.unproved.append(table)
            else:
                report.games += resumed.status == "over"
        store.close()
        return report


def _signal(pid: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def attack(
    cluster: Cluster | None,
    *,
    seconds: float = 0.0,
    seed: int = 0,
    each: int = 1,
    disk: SmallDisk | None = None,
) -> Report:
    """Let every kind of fault happen a few times, and then more until the time is over."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="ferrovia-faults-") as folder:
        running = Attack(Path(folder), cluster, seed, disk)
        try:
            running.wait_for(5)
            names = sorted(running.kinds())
            plan = names * each
            if cluster is not None:
                plan.append("kill")  # one of two servers: the other has to go on
            running.chance.shuffle(plan)
            while plan or time.monotonic() < began + seconds:
                running.strike(plan.pop() if plan else running.chance.choice(names))
        finally:
            running.close()
        return running.examine(time.monotonic() - began)
