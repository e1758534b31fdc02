"""`ferrovia store` and `ferrovia tables`: what the people who run a server type."""

import json
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ferrovia.cli import main
from ferrovia.server.store import Append, TableSummary
from ferrovia.server.store.address import open_archive, open_store
from tests.server.conftest import Cluster, cluster, serving  # noqa: F401
from tests.server.store.test_old_stores import NAMES, RECORD, STORES, THEN
from tests.server.support.people import PERSON, Person, api, bot, create
from tests.server.support.processes import Server

YEAR = 365 * 86400.0


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def answer(*words: object, status: int = 0) -> Any:
    done = run(*words, "--json")
    assert done.exit_code == status, done.output
    return json.loads(done.stdout)


def refusal(*words: object) -> str:
    done = run(*words)
    assert done.exit_code == 2, done.output
    assert done.output.count("\n") == 1
    return done.output.strip()


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A store with tables in every state."""
    path = tmp_path / "games.sqlite"
    shutil.copy(STORES / "version-4.sqlite", path)
    open_store(str(path)).close()
    return path


def logs(address: object) -> dict[str, list[bytes]]:
    store = open_archive(str(address), "read")
    found = {stored.table: store.entries(stored.table) for stored in store.tables()}
    store.close()
    return found


def id_of(name: str) -> str:
    id: str = THEN["tables"][name]["id"]
    return id


# check


def test_check_reads_everything_and_changes_nothing(games: Path) -> None:
    before = games.read_bytes()
    report = answer("store", "check", "--store", games)
    assert (report["ok"], report["tables"]) == (True, len(NAMES))
    assert report["entries"] == sum(map(len, logs(games).values()))
    assert "whole" in run("store", "check", "--store", games).output
    assert games.read_bytes() == before


def test_check_names_what_is_damaged(games: Path) -> None:
    table = id_of("finished")
    with sqlite3.connect(games) as db:
        db.execute("UPDATE log SET entry = '{}' WHERE game = ? AND number = 3", (table,))
    db.close()
    report = answer("store", "check", "--store", games, status=1)
    assert [damage["table"] for damage in report["damages"]] == [table]
    done = run("store", "check", "--store", games)
    assert (done.exit_code, done.output.count("DAMAGED")) == (1, 1)
    assert table in done.output


def test_check_plays_the_games_again(games: Path) -> None:
    """An entry that is not what the rules say, with hashes as they should be."""
    assert answer("store", "check", "--store", games, "--replay")["unproved"] == []
    store = open_archive(str(games), "write")
    table = id_of("own_board")
    log = store.entries(table)
    entry = json.loads(log[-1])
    entry["seat"] = 1 - entry["seat"]
    forged = Append(table, len(log) + 1, (json.dumps(entry).encode(),), None)
    assert store.append([forged]) == [True]
    store.close()
    report = answer("store", "check", "--store", games, "--replay", status=1)
    assert [one["table"] for one in report["unproved"]] == [table]
    assert report["damages"] == []


def test_the_store_of_the_settings_is_meant_without_an_option(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FERROVIA_STORE", str(games))
    assert answer("store", "check")["store"] == str(games)
    assert len(answer("tables", "list")) == len(NAMES)


# backup, restore, move


def test_a_backup_is_whole_and_can_be_restored(games: Path, tmp_path: Path) -> None:
    copy, again = tmp_path / "copy.sqlite", tmp_path / "again.sqlite"
    made = answer("store", "backup", copy, "--store", games)
    assert made["digest"] == answer("store", "check", "--store", games)["digest"]
    assert sorted(file.name for file in tmp_path.glob("copy*")) == ["copy.sqlite"]
    assert answer("store", "restore", copy, "--store", again)["tables"] == len(NAMES)
    assert logs(again) == logs(games)
    store = open_store(str(again))
    assert store.report is not None
    assert store.report.ok
    store.close()


def test_nothing_is_overwritten(games: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    copy.write_text("a letter")
    for words in (("backup", copy, "--store", games), ("move", copy, "--store", games)):
        assert "exists already" in refusal("store", *words)
    answer("store", "backup", tmp_path / "good.sqlite", "--store", games)
    assert "exists already" in refusal(
        "store", "restore", tmp_path / "good.sqlite", "--store", games
    )
    assert copy.read_text() == "a letter"
    # What lies beside a store that was moved away would be taken for the new one's.
    (tmp_path / "new.sqlite-wal").write_bytes(b"left over")
    assert "new.sqlite-wal exists already" in refusal(
        "store", "restore", tmp_path / "good.sqlite", "--store", tmp_path / "new.sqlite"
    )


def test_a_damaged_backup_is_not_restored(games: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    answer("store", "backup", copy, "--store", games)
    with sqlite3.connect(copy) as db:
        db.execute("UPDATE log SET entry = '{}' WHERE number = 2")
    db.close()
    new = tmp_path / "new.sqlite"
    assert "is damaged" in refusal("store", "restore", copy, "--store", new)
    assert list(tmp_path.glob("new*")) == []


def test_a_damaged_store_is_moved_only_to_save_what_is_whole(games: Path, tmp_path: Path) -> None:
    """The finished game is damaged in the middle, another table at its first entry."""
    store = open_archive(str(games), "write")
    cut, lost = id_of("paused"), id_of("waiting")
    number = len(store.entries(cut))
    entry = store.entries(cut)[-1]
    store.append([Append(cut, number + 1, (entry,), None), Append(cut, number + 2, (entry,), None)])
    store.close()
    with sqlite3.connect(games) as db:
        db.execute("UPDATE log SET entry = 'x' WHERE game = ? AND number > ?", (cut, number))
        db.execute("UPDATE log SET entry = 'x' WHERE game = ?", (lost,))
    db.close()
    new = tmp_path / "new.sqlite"
    assert "is damaged" in refusal("store", "move", new, "--store", games)
    moved = answer("store", "move", new, "--store", games, "--salvage")
    assert [damage["table"] for damage in moved["cut"]] == [cut]
    assert [damage["table"] for damage in moved["dropped"]] == [lost]
    kept, before = logs(new), logs(STORES / "version-4.sqlite")
    assert kept == {table: log for table, log in before.items() if table != lost}
    assert answer("store", "check", "--store", new, "--replay")["ok"]


def test_a_store_with_a_broken_page_gives_what_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    shutil.copy(STORES / "version-4.sqlite", path)
    open_store(str(path)).close()
    data = bytearray(path.read_bytes())
    data[4096 * 12 : 4096 * 12 + 8] = b"\xff" * 8
    path.write_bytes(data)
    assert run("store", "check", "--store", path).exit_code == 1
    moved = answer("store", "move", tmp_path / "new.sqlite", "--store", path, "--salvage")
    assert 0 < moved["tables"] < len(NAMES) or moved["cut"]
    assert answer("store", "check", "--store", tmp_path / "new.sqlite")["ok"]


def test_a_store_in_use_is_backed_up_and_not_moved(games: Path, tmp_path: Path) -> None:
    server = open_store(str(games))
    assert "uses the store" in refusal("store", "move", tmp_path / "new.sqlite", "--store", games)
    answer("store", "backup", tmp_path / "copy.sqlite", "--store", games)
    server.close()
    answer("store", "move", tmp_path / "new.sqlite", "--store", games)
    assert logs(tmp_path / "new.sqlite") == logs(games)


@pytest.mark.xdist_group("postgresql")
def test_from_sqlite_to_postgresql_and_back(
    games: Path,
    tmp_path: Path,
    cluster: Cluster,  # noqa: F811
) -> None:
    url, other = cluster.database(), cluster.database()
    there = answer("store", "move", url, "--store", games)
    assert logs(url) == logs(games)
    assert "has tables already" in refusal("store", "move", url, "--store", games)
    back = answer("store", "move", tmp_path / "back.sqlite", "--store", url)
    assert logs(tmp_path / "back.sqlite") == logs(games)
    answer("store", "backup", tmp_path / "copy.sqlite", "--store", url)
    third = answer("store", "restore", tmp_path / "copy.sqlite", "--store", other)
    check = answer("store", "check", "--store", url)
    assert there["digest"] == back["digest"] == third["digest"] == check["digest"]
    server = open_store(url)
    server.due(0.0, 1)
    assert "is in use" in refusal("store", "move", tmp_path / "new.sqlite", "--store", url)
    server.close()
    assert "has no Ferrovia store" in refusal("store", "check", "--store", cluster.database())


@pytest.mark.skipif(sys.platform != "linux", reason="files can be limited so only on Linux")
def test_a_full_disk_leaves_no_half_backup(games: Path, tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, resource.RLIM_INFINITY))

    for words in (["backup", "copy.sqlite", "--store", games], ["move", "copy.sqlite"]):
        done = subprocess.run(
            [sys.executable, "-m", "ferrovia", "store", *words, "--store", games],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            preexec_fn=limit,
        )
        assert done.returncode == 2, done
        assert "Traceback" not in done.stderr
        assert "no room" in done.stderr or "cannot be written" in done.stderr
        assert list(tmp_path.glob("copy*")) == []


@pytest.mark.parametrize(
    ("store", "message"),
    [
        ("nowhere.sqlite", "there is no store"),
        (".", "is not a file"),
        ("letter.txt", "is not a Ferrovia store"),
        ("empty.sqlite", "is empty"),
        ("new.sqlite", "has version 99"),
        ("nowhere://x", "there is no kind of store"),
        ("postgresql://nobody@127.0.0.1:1/none", "cannot be used"),
    ],
)
@pytest.mark.parametrize("words", ["store check", "store prune --older-than 1d", "tables list"])
def test_what_is_no_store_gets_one_clear_line(
    games: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    store: str,
    message: str,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("letter.txt").write_text("Dear Ada, " * 1000)
    Path("empty.sqlite").touch()
    shutil.copy(games, "new.sqlite")
    with sqlite3.connect("new.sqlite") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    assert message in refusal(*words.split(), "--store", store)
    assert json.loads(run(*words.split(), "--store", store, "--json").stdout)["status"] == 2


# nightly


def test_a_night_backs_up_and_deletes_what_the_settings_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, backups, file = tmp_path / "a.sqlite", tmp_path / "kept" / "here", tmp_path / "s.toml"
    stored(store)
    lines = ["backups_kept = 2", "keep_finished = '30d'", f"store = '{store}'"]
    file.write_text("\n".join(lines))
    first = answer("store", "nightly", "--config", file)
    assert (first["backup"], first["tables_deleted"]) == (None, 2)
    file.write_text("\n".join([*lines, "keep_left = '1y'", f"backups = '{backups}'"]))
    made = []
    began = time.time()
    for night in range(4):
        monkeypatch.setattr("time.time", partial(float, began + 90_000 * night))
        made.append(answer("store", "nightly", "--config", file))
    assert [night["backups_deleted"] for night in made] == [0, 0, 1, 1]
    assert [Path(night["backup"]).exists() for night in made] == [False, False, True, True]
    assert [night["tables_deleted"] for night in made] == [2, 0, 0, 0]
    kept = answer("store", "check", "--store", made[3]["backup"])
    assert kept["ok"]
    assert kept["tables"] == len(logs(store)) == 5


def test_nothing_is_deleted_in_a_night_whose_backup_fails(tmp_path: Path) -> None:
    store, file = tmp_path / "a.sqlite", tmp_path / "s.toml"
    stored(store)
    file.write_text(f"store = '{store}'\nkeep_finished = '1d'\nbackups = '{file}'")
    before = answer("store", "check", "--store", store)
    assert "cannot be made" in refusal("store", "nightly", "--config", file)
    assert answer("store", "check", "--store", store) == before


# prune


def stored(path: Path) -> None:
    """One table of every state, a year, a month and a day old; those unlisted look older."""
    now = time.time()
    store = open_store(str(path))
    for state in ("waiting", "running", "over"):
        for name, age in (("year", YEAR), ("month", YEAR / 12), ("day", 86400.0)):
            summary = TableSummary(state, False, now - 2 * YEAR, None, b"")
            entry = json.dumps({"entry": "paused", "at": now - age - 60}).encode()
            store.append([Append(f"{state}-{name}", 1, (b"{}", entry), summary)])
    store.close()


def test_prune_deletes_by_age_and_state_after_a_dry_run(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    stored(path)
    prune = ("store", "prune", "--store", path)
    dry = answer(*prune, "--older-than", "30d", "--dry-run")
    assert (sorted(dry["tables"]), dry["removed"]) == (["over-month", "over-year"], 0)
    assert "2 tables would be deleted" in run(*prune, "--older-than", "30d", "--dry-run").output
    assert "nothing is deleted" in run(*prune, "--older-than", "99y", "--dry-run").output
    assert len(logs(path)) == 9
    assert answer(*prune, "--older-than", "30d")["removed"] == 2
    assert answer(*prune, "--older-than", "1y", "--state", "waiting", "--state", "running")[
        "tables"
    ] == ["running-year", "waiting-year"]
    assert sorted(logs(path)) == [
        "over-day",
        "running-day",
        "running-month",
        "waiting-day",
        "waiting-month",
    ]
    assert answer("store", "check", "--store", path)["ok"]
    open_store(str(path)).close()
    for age in ("soon", "5", "-1d", "1.5d", ""):
        assert "is not an age" in refusal(*prune, "--older-than", age)


# tables


def test_tables_are_listed_newest_first(games: Path) -> None:
    found = answer("tables", "list", "--store", games)
    assert {one["table"] for one in found} == {id_of(name) for name in NAMES}
    assert found == sorted(found, key=lambda one: -one["changed"])
    over = answer("tables", "list", "--state", "over", "--store", games)
    assert [one["table"] for one in over] == [id_of("finished")]
    assert len(answer("tables", "list", "--limit", 2, "--store", games)) == 2
    name = over[0]["players"][0]
    named = answer("tables", "list", "--name", name.upper(), "--store", games)
    assert id_of("finished") in [one["table"] for one in named]
    assert name in run("tables", "list", "--store", games).output


def test_a_table_is_shown_without_what_is_hidden(games: Path) -> None:
    table = id_of("running")
    shown = answer("tables", "show", table[:8], "--store", games)
    assert shown["id"] == table
    assert [one["entry"] for one in shown["history"]][:1] == ["created"]
    text = run("tables", "show", table, "--store", games).output + json.dumps(shown)
    for secret in ("token", "seed", "hand", "events"):
        assert f'"{secret}"' not in text
    assert "there is no table 'zzzz'" in refusal("tables", "show", "zzzz", "--store", games)
    assert "tables begin with" in refusal("tables", "show", "", "--store", games) or "no table" in (
        refusal("tables", "show", "", "--store", games)
    )


def test_records_are_exported_as_anybody_may_have_them(games: Path, tmp_path: Path) -> None:
    done = run("tables", "export", id_of("finished"), "--store", games)
    assert done.output == RECORD
    running = run("tables", "export", id_of("running"), "--store", games)
    header = json.loads(running.stdout.splitlines()[0])
    assert header["seed"] is None
    out = tmp_path / "game.jsonl"
    assert run("tables", "export", id_of("finished"), "-o", out, "--store", games).exit_code == 0
    assert out.read_text() == RECORD
    assert "exists already" in refusal(
        "tables", "export", id_of("finished"), "-o", out, "--store", games
    )
    assert "has not begun" in refusal("tables", "export", id_of("waiting"), "--store", games)
    folder = tmp_path / "records"
    assert run("tables", "export", "--all", "-o", folder, "--store", games).exit_code == 0
    assert [file.read_text() for file in folder.iterdir()] == [RECORD]
    assert "name a table" in refusal("tables", "export", "--store", games)


def test_a_table_is_closed_for_good(games: Path) -> None:
    for name in ("waiting", "running"):
        closed = answer("tables", "close", id_of(name), "--why", "spam", "--store", games)
        assert closed["closed"]
        assert not answer("tables", "close", id_of(name), "--store", games)["closed"]
        shown = answer("tables", "show", id_of(name), "--store", games)
        assert (shown["status"], shown["history"][-1]["entry"]) == ("over", "closed")
    store = open_store(str(games))
    assert store.listing(0.0, 100) == []
    store.close()
    assert answer("store", "check", "--store", games, "--replay")["ok"]
    # What was hidden when the table was closed stays hidden.
    record = run("tables", "export", id_of("running"), "--store", games).stdout
    assert json.loads(record.splitlines()[0])["seed"] is None


def test_a_table_is_closed_while_its_server_runs(
    tmp_path: Path,
    serving: Callable[..., Server],  # noqa: F811
) -> None:
    path = str(tmp_path / "games.sqlite")
    server = serving(path)
    made = create(server.address, PERSON, bot(), edition="usa", listed=True)
    ada = Person(server.address, made["table"], made["held"][0]["token"]).come()
    answer("tables", "close", made["table"], "--store", path)
    assert ada.decide()["code"] == "game_over"
    ada.go()
    ada.come()
    assert ada.state["table"]["status"] == "over"
    assert ada.state["own"]["moves"] is None
    assert ada.state["final"] is None
    hidden = [e for entry in ada.entries for e in entry.get("events", ())]
    assert "null" in json.dumps(hidden)  # the other's cards are as hidden as before
    assert api(server.address).get("/api/tables").json()["tables"] == []
    answer("store", "backup", tmp_path / "copy.sqlite", "--store", path)
    assert answer("store", "check", "--store", path)["ok"]
