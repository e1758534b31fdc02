"""Damage and edits of a store are found and named: when a table is read, and at the start."""

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ferrovia.server.store import (
    Append,
    Archive,
    StoreDamaged,
    StoreError,
    StoreGone,
    TableSummary,
)
from ferrovia.server.store.address import open_archive, open_store
from ferrovia.server.store.maintenance.check import check
from ferrovia.server.store.maintenance.transfer import backup, move, restore
from ferrovia.server.store.sqlite.mark import Mark
from ferrovia.server.store.sqlite.store import SqliteStore
from tests.server.conftest import Cluster
from tests.server.support.people import api
from tests.server.support.processes import Server

SUMMARY = TableSummary("running", True, 1.0, None, b'{"card":1}')


def fill(store: Archive, tables: int = 3, entries: int = 20) -> None:
    for table in range(tables):
        log = tuple(b'{"at":%d,"note":"entry %d of %d"}' % (n, n, table) for n in range(entries))
        store.append([Append(f"table-{table}", 1, log[:5], SUMMARY)])
        for number, entry in enumerate(log[5:], start=6):
            store.append([Append(f"table-{table}", number, (entry,), None)])


def edit(address: str, statement: str, *values: object) -> None:
    """Change a store behind its back."""
    if address.startswith("postgresql"):
        import psycopg

        with psycopg.connect(address, autocommit=True) as db:
            for name in ("log", "tables"):
                statement = statement.replace(f" {name} ", f" ferrovia_{name} ")
            db.execute(statement.replace("?", "%s").encode(), values)
        return
    with sqlite3.connect(address) as db:
        db.execute(statement, values)
    db.close()


@pytest.fixture
def filled(address: str) -> str:
    store = open_store(address)
    fill(store)
    assert check(store).ok
    store.close()
    return address


EDITS: dict[str, tuple[str, tuple[object, ...], int | None]] = {
    "an entry was changed": (
        "UPDATE log SET entry = ? WHERE game = 'table-1' AND number = 7",
        (b"{}",),
        7,
    ),
    "an entry is missing": ("DELETE FROM log WHERE game = 'table-1' AND number = 9", (), 9),
    "the end is missing": ("DELETE FROM log WHERE game = 'table-1' AND number > 15", (), 16),
    "a hash was changed": (
        "UPDATE log SET chain = ? WHERE game = 'table-1' AND number = 3",
        (bytes(16),),
        3,
    ),
    "the head was changed": (
        "UPDATE tables SET head = ? WHERE game = 'table-1'",
        (bytes(16),),
        None,
    ),
}


@pytest.mark.parametrize("case", EDITS)
def test_an_edit_is_found_when_the_table_is_read_and_at_the_start(filled: str, case: str) -> None:
    statement, values, number = EDITS[case]
    edit(filled, statement, *values)
    store = open_store(filled)
    with pytest.raises(StoreDamaged, match="table-") as damaged:
        store.entries("table-1")
    assert (damaged.value.table, damaged.value.number) == ("table-1", number)
    assert store.report is not None
    assert [(damage.table, damage.number) for damage in store.report.damages] == [
        ("table-1", number)
    ]
    assert len(store.entries("table-0")) == 20  # the others are as they were
    store.close()


def test_a_part_of_a_log_is_checked_as_well(filled: str) -> None:
    edit(filled, "UPDATE log SET entry = ? WHERE game = 'table-1' AND number = 7", b"{}")
    store = open_store(filled)
    assert len(store.entries("table-1", after=7)) == 13
    with pytest.raises(StoreDamaged, match="at entry 7"):
        store.entries("table-1", after=4)
    store.close()


def test_a_change_of_the_row_of_a_table_is_found(filled: str) -> None:
    edit(filled, "UPDATE tables SET card = ? WHERE game = 'table-2'", b"nonsense")
    edit(filled, "DELETE FROM tables WHERE game = 'table-0'")
    store = open_archive(filled, "read")
    assert [(damage.table, damage.problem) for damage in check(store).damages] == [
        ("table-0", "it has a log, and its own row is missing"),
        ("table-2", "its row in the list of tables was changed"),
    ]
    store.close()


def test_the_digest_is_that_of_the_contents(filled: str, tmp_path: Path) -> None:
    store = open_store(filled)
    other = open_store(str(tmp_path / "other.sqlite"))
    fill(other)
    assert check(store).digest == check(other).digest
    other.append([Append("table-0", 21, (b"more",), None)])
    assert check(store).digest != check(other).digest
    store.close()
    other.close()


# Damaged files


def test_two_hundred_flipped_bytes_are_noticed_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    store = open_store(str(path))
    fill(store, tables=10, entries=100)
    store.close()
    sound = path.read_bytes()
    refused = 0
    for seed in range(12):
        chance = random.Random(seed)
        damaged = bytearray(sound)
        for _ in range(200):
            damaged[chance.randrange(len(damaged))] ^= chance.randrange(1, 256)
        path.write_bytes(damaged)
        try:
            opened = open_store(str(path))
        except StoreError:
            refused += 1
        else:
            assert opened.report is not None
            assert opened.report.damages
            opened.close()
    assert refused
    path.write_bytes(sound)
    open_store(str(path)).close()


def killed(store: SqliteStore, folder: Path) -> Path:
    """What is on the disk when the process is killed now."""
    folder.mkdir()
    for file in store.path.parent.glob(f"{store.path.name}*"):
        if not file.name.endswith((".server", "-shm")):
            shutil.copy(file, folder / file.name)
    return folder / store.path.name


def test_half_a_write_ahead_log_is_noticed_at_the_start(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite")
    fill(store)
    whole = killed(store, tmp_path / "whole")
    half = killed(store, tmp_path / "half")
    flipped = killed(store, tmp_path / "flipped")
    none = killed(store, tmp_path / "none")
    store.close()
    opened = open_store(str(whole))
    assert opened.report is not None
    assert (opened.report.ok, opened.report.entries) == (True, 60)
    opened.close()
    wal = half.with_name("games.sqlite-wal")
    size = wal.stat().st_size
    with wal.open("r+b") as file:
        file.truncate(size // 2)
    with flipped.with_name("games.sqlite-wal").open("r+b") as file:
        file.seek(size // 2)
        file.write(b"nonsense")
    none.with_name("games.sqlite-wal").unlink()
    for path in (half, flipped):
        [problem] = open_archive(str(path), "read").problems()
        assert "it has lost what it had confirmed: entry 20 of table" in problem
    for path in (half, flipped, none):
        with pytest.raises(StoreDamaged, match="has lost what it had confirmed: entry 20 of table"):
            open_store(str(path))


def test_an_older_copy_is_noticed_and_can_be_meant(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    store = open_store(str(path))
    fill(store, tables=1)
    store.close()
    older = path.read_bytes()
    store = open_store(str(path))
    fill(store, tables=2)
    store.close()
    path.write_bytes(older)
    with pytest.raises(StoreDamaged, match=r"delete .*games\.sqlite\.mark"):
        open_store(str(path))
    (tmp_path / "games.sqlite.mark").unlink()
    open_store(str(path)).close()


def test_a_mark_that_a_power_cut_left_behind_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    store = open_store(str(path))
    fill(store, tables=1)
    mark = (tmp_path / "games.sqlite.mark").read_bytes()
    fill(store, tables=3)
    store.close()
    for left in (mark, b"", mark[:40], bytes(256)):
        (tmp_path / "games.sqlite.mark").write_bytes(left)
        open_store(str(path)).close()
    path.unlink()  # somebody begins anew
    open_store(str(path)).close()


def test_a_table_that_was_removed_on_purpose_is_not_missed(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "games.sqlite"))
    fill(store, tables=1)
    assert store.remove([("table-0", 19)]) == []  # somebody has moved on
    assert store.remove([("table-0", 20)]) == ["table-0"]
    store.close()
    assert Mark(tmp_path / "games.sqlite").read() is None
    store = open_store(str(tmp_path / "games.sqlite"))
    assert store.entries("table-0") == []
    store.close()


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "cookies.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE cookies (x)")
    db.close()
    before = path.read_bytes()
    for mode in ("serve", "write", "read"):
        with pytest.raises(StoreGone, match="not a Ferrovia store"):
            open_archive(str(path), mode)  # type: ignore[arg-type]
    assert path.read_bytes() == before


# The server


def events(server: Server, name: str) -> list[Any]:
    lines = [json.loads(line) for line in server.log if line.startswith("{")]
    return [line for line in lines if line["event"] == name]


def wait_for(server: Server, name: str, count: int = 1) -> list[Any]:
    """Return the events of a name, as soon as there are enough."""
    while len(events(server, name)) < count:
        assert not events(server, "store_unchecked")
        api(server.address).get("/healthz")
    return events(server, name)


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
def test_a_server_raises_the_alarm_at_its_start(
    tmp_path: Path, serving: Callable[..., Server], large: bool
) -> None:
    path = str(tmp_path / "games.sqlite")
    store = open_store(path)
    fill(store)
    if large:
        store.append([Append("large", 1, (b"x" * (9 << 20),), SUMMARY)])
    store.close()
    edit(path, "UPDATE log SET entry = ? WHERE game = 'table-1' AND number = 7", b"{}")
    server = serving(path)
    [count, damage] = wait_for(server, "store_damaged", 2)[:2]
    assert (count["level"], count["damages"]) == ("error", 1)
    assert (damage["table"], damage["entry"]) == ("table-", 7)
    assert api(server.address).get("/readyz").status_code == 200  # the other tables go on
    answer = api(server.address).get("/api/tables/table-1")
    assert (answer.status_code, answer.json()["code"]) == (503, "unreadable_game")


def test_a_server_whose_files_turn_out_damaged_is_not_ready(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    path = tmp_path / "games.sqlite"
    store = open_store(str(path))
    fill(store, tables=50, entries=40)
    store.append([Append("large", 1, (b"x" * (9 << 20),), SUMMARY)])
    store.close()
    data = bytearray(path.read_bytes())
    place = data.index(b"entry 20 of 30") & ~4095
    data[place : place + 8] = b"\xff" * 8
    path.write_bytes(data)
    server = serving(str(path))
    wait_for(server, "store_damaged")
    answer = api(server.address).get("/readyz")
    assert (answer.status_code, answer.json()["code"]) == (503, "unreadable_game")


def test_what_a_stranger_adds_to_a_backup_is_found_and_stays_behind(tmp_path: Path) -> None:
    """A trigger passed check and restore with the same digest, and changed what was accepted."""
    path, copy, mended = (tmp_path / f"{name}.sqlite" for name in ("games", "copy", "mended"))
    store = open_store(str(path))
    fill(store)
    store.close()
    backup(str(path), copy)
    digest = restored(copy, tmp_path / "whole.sqlite")
    edit(
        str(copy),
        "CREATE TRIGGER evil AFTER INSERT ON log BEGIN DELETE FROM log WHERE number = 21; END",
    )
    archive = open_archive(str(copy), "read")
    [found] = check(archive).damages
    archive.close()
    assert "trigger evil" in found.problem
    with pytest.raises(StoreDamaged, match="trigger evil"):
        restore(copy, str(tmp_path / "new.sqlite"))
    with pytest.raises(StoreDamaged, match="trigger evil"):
        open_store(str(copy))
    move(str(copy), str(mended), lambda *_: None)
    assert restored(mended, tmp_path / "again.sqlite") == digest
    with sqlite3.connect(mended) as db:
        assert db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall() == []
    db.close()


@pytest.mark.parametrize(
    ("clause", "instead"),
    [
        ("PRIMARY KEY (game, number)", "PRIMARY KEY (game, number) ON CONFLICT IGNORE"),
        ("entry BLOB NOT NULL", "entry BLOB NOT NULL CHECK (number < 21)"),
    ],
)
def test_a_table_that_takes_other_rows_than_ours_is_found(
    tmp_path: Path, clause: str, instead: str
) -> None:
    """It has the columns of ours, and was served."""
    path = tmp_path / "games.sqlite"
    store = open_store(str(path))
    fill(store)
    store.close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA writable_schema = ON")
        changed = db.execute(
            "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'log'",
            (clause, instead),
        )
        assert changed.rowcount == 1
    db.close()
    with pytest.raises(StoreDamaged, match="log"):
        restore(path, str(tmp_path / "new.sqlite"))
    with pytest.raises(StoreDamaged, match="log"):
        open_store(str(path))


def test_a_view_without_an_end_is_no_log(tmp_path: Path) -> None:
    """The check read it for ever."""
    path = tmp_path / "games.sqlite"
    store = open_store(str(path))
    fill(store)
    store.close()
    with sqlite3.connect(path) as db:
        db.execute("ALTER TABLE log RENAME TO old")
        db.execute(
            "CREATE VIEW log AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
            "SELECT 'table-1' AS game, x AS number, x'' AS entry, x'' AS chain FROM n"
        )
    db.close()
    with pytest.raises(StoreGone, match="another program"):
        open_archive(str(path), "read")
    with pytest.raises(StoreGone, match="another program"):
        open_store(str(path))


def restored(file: Path, target: Path) -> str:
    return restore(file, str(target)).report.digest


@pytest.mark.xdist_group("postgresql")
def test_a_trigger_in_a_database_is_found(cluster: Cluster) -> None:
    address = cluster.database()
    store = open_store(address)
    fill(store)
    edit(address, "CREATE RULE evil AS ON INSERT TO ferrovia_log DO INSTEAD NOTHING")
    [found] = check(store).damages
    assert "rule evil" in found.problem
    store.close()
