"""The store: the same promises for both kinds."""

import asyncio
import io
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from ferrovia.server.store import (
    Append,
    Notification,
    Store,
    StoreError,
    StoreFull,
    StoreGone,
    StoreInUse,
    StoreLocked,
    StoreNewer,
    TableSummary,
    migrations,
)
from ferrovia.server.store.address import open_store
from ferrovia.server.store.journal import ThreadJournal
from ferrovia.server.store.log_file import LogFileStore
from ferrovia.server.store.memory import MemoryStore
from ferrovia.server.store.sqlite.store import SqliteStore
from tests.server.conftest import BOTH_STORES, Cluster


@pytest.fixture(params=["memory", "file", *BOTH_STORES])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "memory":
        yield MemoryStore()
        return
    if request.param == "file":
        yield LogFileStore(io.BytesIO())
        return
    sqlite = request.param == "sqlite"
    url = str(tmp_path / "s") if sqlite else request.getfixturevalue("cluster").database()
    with closing(open_store(url)) as opened:
        yield opened


def append(table: str, number: int, *entries: bytes, **summary: object) -> Append:
    fields = {"status": "running", "listed": False, "changed": 1.0, "due": None, "card": b"{}"}
    return Append(table, number, entries, TableSummary(**{**fields, **summary}))  # type: ignore[arg-type]


def test_entries_come_back_in_order_and_from_a_number_on(any_store: Store) -> None:
    assert any_store.append([append("a", 1, b"one", b"two"), append("b", 1, b"other")]) == [
        True,
        True,
    ]
    assert any_store.append([append("a", 3, b"three")]) == [True]
    assert any_store.entries("a") == [b"one", b"two", b"three"]
    assert any_store.entries("a", after=2) == [b"three"]
    assert any_store.entries("b") == [b"other"]
    assert any_store.entries("nobody") == []


def test_a_number_is_written_once(any_store: Store) -> None:
    assert any_store.append([append("a", 1, b"first")]) == [True]
    answers = any_store.append(
        [append("a", 1, b"second"), append("b", 1, b"b"), append("a", 2, b"n")]
    )
    assert answers == [False, True, True]
    assert any_store.entries("a") == [b"first", b"n"]


def test_no_number_is_left_out(any_store: Store) -> None:
    assert any_store.append([append("a", 2, b"too early")]) == [False]
    assert any_store.append([append("a", 1, b"one"), append("a", 3, b"too early")]) == [True, False]
    assert any_store.entries("a") == [b"one"]


def test_many_writers_never_write_a_number_twice(address: str) -> None:
    stores = [open_store(address)]
    if stores[0].shared:
        stores += [open_store(address) for _ in range(3)]
    won: list[tuple[int, int]] = []

    def write(writer: int) -> None:
        store = stores[writer % len(stores)]
        for number in range(1, 31):
            if store.append([append("a", number, b"%d" % writer)]) == [True]:
                won.append((number, writer))

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    numbers = [number for number, _ in won]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert [int(entry) for entry in stores[0].entries("a")] == [who for _, who in sorted(won)]
    for store in stores:
        store.close()


def test_everything_is_there_after_reopening(address: str) -> None:
    first = open_store(address)
    first.append([append("a", 1, b"one")])
    first.close()
    second = open_store(address)
    assert second.entries("a") == [b"one"]
    assert second.append([append("a", 2, b"two")]) == [True]
    second.close()


def test_the_list_has_listed_tables_that_are_not_over_newest_first(any_store: Store) -> None:
    any_store.append(
        [
            append("old", 1, b"-", listed=True, changed=10.0, card=b"old"),
            append("new", 1, b"-", listed=True, changed=20.0, status="waiting", card=b"new"),
            append("private", 1, b"-", changed=30.0, card=b"private"),
            append("over", 1, b"-", listed=True, changed=40.0, status="over", card=b"over"),
        ]
    )
    assert any_store.listing(0.0, 10) == [b"new", b"old"]
    assert any_store.listing(15.0, 10) == [b"new"]
    assert any_store.listing(0.0, 1) == [b"new"]


def test_what_is_due_comes_earliest_first(any_store: Store) -> None:
    any_store.append([append("a", 1, b"-", due=20.0), append("b", 1, b"-", due=10.0)])
    any_store.append([append("c", 1, b"-"), append("d", 1, b"-", due=99.0)])
    assert any_store.due(50.0, 10) == [("b", 10.0), ("a", 20.0)]
    any_store.append([append("b", 2, b"-", due=None)])
    assert any_store.due(50.0, 10) == [("a", 20.0)]


def test_the_journal_answers_each_in_order(store: Store) -> None:
    async def write() -> list[list[bool]]:
        journal = ThreadJournal(store)
        jobs = [journal.append(append("a", number, b"%d" % number)) for number in range(1, 101)]
        answers = await asyncio.gather(*jobs)
        await journal.close()
        return answers

    assert asyncio.run(write()) == [[True]] * 100
    assert store.entries("a") == [b"%d" % number for number in range(1, 101)]


def test_a_journal_that_is_closed_has_written_everything(store: Store) -> None:
    async def write() -> None:
        journal = ThreadJournal(store)
        jobs = [asyncio.create_task(journal.append(append("a", n, b"-"))) for n in range(1, 21)]
        await asyncio.sleep(0)
        await journal.close()
        await asyncio.gather(*jobs)
        with pytest.raises(StoreGone):
            await journal.append(append("a", 21, b"-"))

    asyncio.run(write())
    assert len(store.entries("a")) == 20


def test_a_store_that_fails_tells_everybody_who_waits(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite")
    store.path.unlink()

    async def write() -> None:
        journal = ThreadJournal(store)
        jobs = [journal.append(append("a", n, b"-")) for n in range(1, 4)]
        answers = await asyncio.gather(*jobs, return_exceptions=True)
        assert [type(answer) for answer in answers] == [StoreGone] * 3
        await journal.close()

    asyncio.run(write())
    store.close()


def test_a_batch_of_many_tables_takes_few_statements(tmp_path: Path) -> None:
    """The writer gives up the interpreter at every statement, and a busy server makes it wait."""
    store = SqliteStore(tmp_path / "games.sqlite")
    tables = [f"table-{number}" for number in range(100)]
    new = [append(table, 1, b"one", b"two", listed=True) for table in tables]
    later = [Append(table, 3, (b"three",), None) for table in tables]
    ran = _statements_of(store)
    assert all(store.append(new))
    assert all(store.append(later))
    assert len(ran) < 40, len(ran)
    store._writer.set_trace_callback(None)
    assert [store.entries(table) for table in tables] == [[b"one", b"two", b"three"]] * 100
    assert {(one.number, one.summary.listed) for one in store.tables()} == {(3, True)}
    store.close()


def _statements_of(store: SqliteStore) -> list[str]:
    """Return what the store runs from now on, without what triggers run within a statement."""
    ran: list[str] = []

    def note(statement: str) -> None:
        # It is reported again for each statement that a trigger runs within it.
        if ran[-1:] != [statement]:
            ran.append(statement)

    store._writer.set_trace_callback(note)
    return ran


def test_a_batch_of_moves_is_one_statement(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite")
    tables = [f"table-{number}" for number in range(8)]
    store.append([append(table, 1, b"one") for table in tables])
    ran = _statements_of(store)
    assert all(store.append([Append(table, 2, (b"two", b"three"), None) for table in tables]))
    assert len(ran) == 1, ran
    store._writer.set_trace_callback(None)
    store.close()
    store = SqliteStore(tmp_path / "games.sqlite")
    assert [store.entries(table) for table in tables] == [[b"one", b"two", b"three"]] * 8
    assert {one.number for one in store.tables()} == {3}
    store.close()


def test_what_another_program_does_to_a_table_is_noticed(tmp_path: Path) -> None:
    """The store remembers where the logs end that it wrote; tools write beside it."""
    store = SqliteStore(tmp_path / "games.sqlite")
    store.append([append("a", 1, b"one"), append("b", 1, b"one"), append("c", 1, b"one")])
    tool = SqliteStore(tmp_path / "games.sqlite", mode="write")
    assert tool.append([Append("a", 2, (b"closed",), None)]) == [True]
    assert tool.remove([("b", 1)]) == ["b"]
    moves = [Append(table, 2, (b"two",), None) for table in ("c", "a", "b")]
    assert store.append(moves) == [True, False, False]
    assert store.append([Append("a", 3, (b"three",), None)]) == [True]
    assert [store.entries(table) for table in "abc"] == [
        [b"one", b"closed", b"three"],
        [],
        [b"one", b"two"],
    ]
    tool.close()
    store.close()


def test_another_log_of_the_same_length_is_noticed(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite")
    store.append([append("a", 1, b"one")])
    tool = SqliteStore(tmp_path / "games.sqlite", mode="write")
    tool.remove([("a", 1)])
    tool.append([append("a", 1, b"another")])
    tool.close()
    assert store.append([Append("a", 2, (b"two",), None)]) == [True]
    assert store.entries("a") == [b"another", b"two"]  # the chain is whole
    store.close()


def test_one_table_more_than_once_in_a_batch(any_store: Store) -> None:
    unchanged = Append("a", 2, (b"two",), None)
    late = append("a", 2, b"late", status="over")
    summed = append("b", 2, b"two", status="over")
    batch = [append("a", 1, b"one", listed=True), unchanged, late, append("b", 1, b"one"), summed]
    assert (
        any_store.append([*batch, Append("b", 3, (b"three",), None)])
        == [True] * 2 + [False] + [True] * 3
    )
    assert any_store.entries("a") == [b"one", b"two"]
    assert any_store.entries("b") == [b"one", b"two", b"three"]
    assert any_store.listing(0.0, 10) == [b"{}"]


def test_a_store_that_does_not_answer_is_given_up_and_may_answer_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ferrovia.server.store.journal._LONGEST_SECONDS", 0.05)
    store = SqliteStore(tmp_path / "games.sqlite")
    written, answering = store.append, threading.Event()

    def slow(batch: Sequence[Append]) -> list[bool]:
        answering.wait(30)
        return written(batch)

    monkeypatch.setattr(store, "append", slow)

    async def write() -> None:
        journal = ThreadJournal(store)
        jobs = [asyncio.create_task(journal.append(append("a", n, b"-"))) for n in (1, 2)]
        cancelled = asyncio.create_task(journal.append(append("a", 3, b"-")))
        await asyncio.sleep(0)
        cancelled.cancel()
        answers = await asyncio.gather(*jobs, return_exceptions=True)
        assert [type(answer) for answer in answers] == [StoreGone] * 2
        answering.set()
        monkeypatch.setattr("ferrovia.server.store.journal._LONGEST_SECONDS", 30.0)
        assert await journal.append(append("a", 4, b"-")) == [True]
        await journal.close()

    asyncio.run(write())
    assert len(store.entries("a")) == 4  # what was handed over was written
    store.close()


# Versions


def test_a_newer_store_is_refused_and_left_alone(address: str) -> None:
    open_store(address).close()
    if address.startswith("postgresql"):
        import psycopg

        with psycopg.connect(address, autocommit=True) as db:
            db.execute("INSERT INTO ferrovia_schema VALUES (99)")
    else:
        db = sqlite3.connect(address)
        db.execute("PRAGMA user_version = 99")
        db.close()
    with pytest.raises(StoreNewer, match=r"version 99.*knows versions up to 5"):
        open_store(address)


def test_the_code_of_a_room_is_found_without_looking_at_every_table(tmp_path: Path) -> None:
    """Whoever guesses codes must not make the store read all of its tables."""
    path = tmp_path / "games.sqlite"
    store = SqliteStore(path)
    store.append([append("room", 1, b"one", card=b"BCDFGH", listed=False)])
    store.append([append("other", 1, b"one", card=b"", listed=False)])
    asked: list[str] = []
    store._reader.set_trace_callback(asked.append)
    assert store.rooms(b"BCDFGH") == ["room"]
    assert store.rooms(b"") == []
    store._reader.set_trace_callback(None)
    [plan, *_] = store._reader.execute(f"EXPLAIN QUERY PLAN {asked[0]}").fetchall()
    store.close()
    assert "tables_rooms" in plan[-1]


def test_what_was_found_out_about_a_game_goes_with_it(store: Store) -> None:
    store.append([append(table, 1, b"one") for table in ("old", "new")])
    for table in ("old", "new"):
        store.keep_analysis(table, b"found", 8)
        store.share_analysis(table, 0, True)
    assert store.remove([("old", 1)]) == ["old"]
    assert [(store.analyses(it), store.shared_analyses(it)) for it in ("old", "new")] == [
        ([], []),
        ([b"found"], [0]),
    ]


def test_an_older_store_is_brought_up_to_date_with_its_games(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    first = SqliteStore(path)
    first.append([append("a", 1, b"one")])
    first.close()
    later = (*migrations.SQLITE, ("ALTER TABLE tables ADD COLUMN note TEXT",))
    second = SqliteStore(path, later)
    assert second.entries("a") == [b"one"]
    second.close()
    with pytest.raises(StoreNewer):
        SqliteStore(path)


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    SqliteStore(path).close()
    broken = (*migrations.SQLITE, ("CREATE TABLE more (x)", "THIS IS NOT SQL"))
    with pytest.raises(StoreGone):
        SqliteStore(path, broken)
    good = (*migrations.SQLITE, ("CREATE TABLE more (x)",))
    SqliteStore(path, good).close()


@pytest.mark.xdist_group("postgresql")
def test_postgresql_is_migrated_by_one_server_at_a_time(cluster: Cluster) -> None:
    url = cluster.database()
    opened: list[Store] = []
    threads = [threading.Thread(target=lambda: opened.append(open_store(url))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 4
    for store in opened:
        store.close()


# What can go wrong with SQLite


def test_a_second_server_is_refused_with_the_way_out(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path / "games.sqlite")
    with pytest.raises(StoreInUse, match=f"process {os.getpid()}.*--store.*PostgreSQL"):
        SqliteStore(tmp_path / "games.sqlite")
    first.close()
    SqliteStore(tmp_path / "games.sqlite").close()


def test_a_full_store_refuses_and_loses_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite")
    store.append([append("a", 1, b"one")])
    (pages,) = store._writer.execute("PRAGMA page_count").fetchone()
    store._writer.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFull, match="no room"):
        store.append([append("a", 2, b"x" * 100_000)])
    assert store.entries("a") == [b"one"]
    store._writer.execute("PRAGMA max_page_count = 1000000")
    assert store.append([append("a", 2, b"two")]) == [True]
    store.close()


def test_a_locked_store_refuses_and_goes_on_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ferrovia.server.store.sqlite.file._BUSY_SECONDS", 0.01)
    store = SqliteStore(tmp_path / "games.sqlite")
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreLocked, match="locked"):
        store.append([append("a", 1, b"one")])
    other.execute("ROLLBACK")
    other.close()
    assert store.append([append("a", 1, b"one")]) == [True]
    store.close()


def test_a_store_that_was_deleted_is_not_written_into_the_void(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite")
    store.path.rename(tmp_path / "elsewhere.sqlite")
    with pytest.raises(StoreGone):
        store.append([append("a", 1, b"one")])
    store.close()


@pytest.mark.parametrize("name", ["nowhere://x", "postgresql://nobody@127.0.0.1:1/none"])
def test_an_address_that_leads_nowhere_gets_a_message(name: str) -> None:
    with pytest.raises(StoreError):
        open_store(name)


def test_a_file_that_is_no_store_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ada, " * 1000)
    with pytest.raises(StoreGone):
        SqliteStore(path)
    assert path.read_text() == "Dear Ada, " * 1000


# What can go wrong with PostgreSQL, and what servers hear of each other


@pytest.mark.xdist_group("postgresql")
def test_servers_hear_what_others_wrote_and_not_what_they_wrote(cluster: Cluster) -> None:
    url = cluster.database()
    one, two = open_store(url), open_store(url)
    assert one.heard(0.01) is None  # it has just begun to listen: anything may have happened
    assert two.heard(0.01) is None
    one.append([append("a", 1, b"one")])
    (written,) = two.heard(10.0) or ()
    assert (written.table, written.message) == ("a", "")
    one.announce("b", "two words")
    (said,) = two.heard(10.0) or ()
    assert said == Notification(written.sender, "b", "two words")
    one.announce("", "")
    assert two.heard(10.0) == [Notification(written.sender, "")]
    assert one.heard(0.1) == []
    for table in ("c", "d"):
        one.append([append(table, 1, b"one")])
    one.announce("c", "words")
    watched = frozenset("d").__contains__
    heard: list[tuple[str, str]] = []
    while len(heard) < 2:  # together, or one after the other
        heard += [(news.table, news.message) for news in two.heard(2.0, watched) or ()]
    assert heard == [("d", ""), ("c", "words")]
    assert two.heard(0.1, watched) == []
    one.close()
    two.close()


def listen_ten_times(store: Store) -> None:
    for _ in range(10):  # the first of them may still have read the farewell
        assert store.heard(0.1) == []


@pytest.mark.xdist_group("postgresql")
def test_a_lost_connection_is_opened_anew(cluster: Cluster) -> None:
    import psycopg

    url = cluster.database()
    store = open_store(url)
    store.heard(0.01)
    store.append([append("a", 1, b"one")])
    assert store.entries("a") == [b"one"]
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with pytest.raises(StoreGone):
        store.append([append("a", 2, b"two")])
    with pytest.raises(StoreGone):
        store.entries("a")
    with pytest.raises(StoreGone):
        listen_ten_times(store)
    assert store.append([append("a", 2, b"two")]) == [True]
    assert store.entries("a") == [b"one", b"two"]
    assert store.heard(0.01) is None  # it may have missed something
    store.close()
