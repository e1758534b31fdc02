"""Stores of both kinds, and servers on them."""

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ferrovia.server.store import Store
from ferrovia.server.store.address import open_store
from tests.server.support.disk import SmallDisk, small_disk
from tests.server.support.processes import Server

WITHOUT_POSTGRESQL = (
    "PostgreSQL is not installed here: install Debian's package `postgresql` to run these tests"
)


def binaries() -> Path | None:
    """Return the folder of the programs of PostgreSQL, if they are installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    initdb = shutil.which("initdb")
    return None if initdb is None else Path(initdb).parent


class Cluster:
    """A PostgreSQL of our own on a free port, in a folder of its own."""

    def __init__(self, binaries: Path, folder: Path, *settings: str) -> None:
        self.binaries, self.folder, self._settings = binaries, folder, settings
        # PostgreSQL does not run as root: Debian's package comes with a user for it.
        self.user: dict[str, Any] = {"user": "postgres"} if os.geteuid() == 0 else {}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        if self.user:
            shutil.chown(folder, "postgres")
        self._run("initdb", "-D", "data", "-U", "ferrovia", "-A", "trust", "-N", "-E", "UTF8")
        self.start()

    def _run(self, program: str, *options: str) -> None:
        done = subprocess.run(
            [str(self.binaries / program), *options],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            **self.user,
        )
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        settings = ("listen_addresses=127.0.0.1", "fsync=off", *self._settings)
        options = " ".join([f"-p {self.port} -k {self.folder}", *(f"-c {s}" for s in settings)])
        self._run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", "data", "-w", "-m", "immediate", "stop")

    @property
    def running(self) -> bool:
        done = subprocess.run(
            [str(self.binaries / "pg_ctl"), "-D", "data", "status"],
            cwd=self.folder,
            capture_output=True,
            **self.user,
        )
        return done.returncode == 0

    def processes(self) -> list[int]:
        """The ids of all its processes."""
        first = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        found = [first]
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(stat.read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue  # it has ended meanwhile
            if parent == first:
                found.append(int(stat.parent.name))
        return found

    def database(self, disk: SmallDisk | None = None) -> str:
        """The URL of a new, empty database; its files may be on a disk of their own."""
        name = f"test_{secrets.token_hex(8)}"
        url = f"postgresql://ferrovia@127.0.0.1:{self.port}"
        import psycopg

        with psycopg.connect(f"{url}/postgres", autocommit=True) as db:
            where = ""
            if disk is not None:
                files = disk.folder / name
                files.mkdir(mode=0o700)
                if self.user:
                    shutil.chown(files, "postgres")
                db.execute(f"CREATE TABLESPACE {name} LOCATION '{files}'".encode())
                where = f" TABLESPACE {name}"
            db.execute(f"CREATE DATABASE {name}{where}".encode())
        return f"{url}/{name}"

    @contextmanager
    def small_disk(self) -> Iterator[SmallDisk | None]:
        """Mount a disk for databases, which are removed with it; None: that is not possible."""
        with tempfile.TemporaryDirectory(prefix="ferrovia-disk-") as folder:
            os.chmod(folder, 0o755)
            with small_disk(Path(folder), 64) as disk:
                try:
                    yield disk
                finally:
                    if disk is not None:
                        self._remove_databases(disk)

    def _remove_databases(self, disk: SmallDisk) -> None:
        import psycopg

        disk.free()
        url = f"postgresql://ferrovia@127.0.0.1:{self.port}/postgres"
        with psycopg.connect(url, autocommit=True) as db:
            for files in disk.folder.iterdir():
                db.execute(f"DROP DATABASE {files.name} (FORCE)".encode())
                db.execute(f"DROP TABLESPACE {files.name}".encode())


CLUSTER = pytest.StashKey[Cluster]()


@pytest.fixture(scope="session")
def cluster(pytestconfig: pytest.Config) -> Cluster:
    """One for all tests of this process, also for those outside this folder."""
    found = binaries()
    if found is None:
        pytest.skip(WITHOUT_POSTGRESQL)
    pytest.importorskip("psycopg", reason="the extra `postgresql` is not installed")
    if CLUSTER not in pytestconfig.stash:
        # Not pytest's folder: others may not enter that.
        folder = tempfile.TemporaryDirectory(prefix="ferrovia-postgresql-")
        os.chmod(folder.name, 0o755)
        pytestconfig.add_cleanup(folder.cleanup)
        # Databases that live for a second need no care.
        made = Cluster(found, Path(folder.name), "autovacuum=off", "full_page_writes=off")
        pytestconfig.add_cleanup(made.stop)
        pytestconfig.stash[CLUSTER] = made
    return pytestconfig.stash[CLUSTER]


BOTH_STORES = [
    "sqlite",
    pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql")),
]


@pytest.fixture(params=BOTH_STORES)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store, once for each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "games.sqlite")
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.database()


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    opened = open_store(address)
    yield opened
    opened.close()


@pytest.fixture
def serving() -> Iterator[Callable[..., Server]]:
    """Start servers; what is left of them at the end is ended."""
    started: list[Server] = []

    def start(store: str, **settings: Any) -> Server:
        server = Server(store, **settings)
        started.append(server)
        return server.start()

    yield start
    for server in started:
        if server.process is not None and server.process.poll() is None:
            server.kill()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests that share a server run in one process: it is started once."""
    for item in items:
        of_a_server = item.path.is_relative_to(Path(__file__).parent)
        if of_a_server and "house" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("house"))


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that need nothing special."""
    folder = tmp_path_factory.mktemp("house")
    with Server(str(folder / "games.sqlite"), measured=True) as server:
        yield server
        server.stop()
