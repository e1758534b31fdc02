"""A store that was written before opens after: every table stands where it stood.

`stores/version-4.sqlite` is a store of version 4 with tables in every state: waiting (with a ticket
pack), arranged, running, paused, with stand-ins, with a ticket pack, on a board of one's own, of
bots alone, finished, and the rematch of that. `version-4.json` says what viewers were sent then,
`version-4.jsonl` is the record of the finished game. They are never made again: a store of a later
version is another file.
"""

import asyncio
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ferrovia import Game
from ferrovia.server.protocol.from_client import Decide
from ferrovia.server.settings import Settings
from ferrovia.server.store import Store
from ferrovia.server.store.address import open_store
from ferrovia.server.table.resume import resume
from ferrovia.server.table.table import Table
from ferrovia.server.table.viewers import view
from tests.server.support.tables import tables_of

STORES = Path(__file__).parents[1] / "stores"
THEN: dict[str, Any] = json.loads((STORES / "version-4.json").read_text())
NAMES = tuple(THEN["tables"])
RECORD = (STORES / "version-4.jsonl").read_text()


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "games.sqlite"
    shutil.copy(STORES / "version-4.sqlite", path)
    store = open_store(str(path))
    yield store
    store.close()


def table_of(store: Store, name: str) -> Table:
    id = THEN["tables"][name]["id"]
    table = resume(id, store.entries(id))
    assert table is not None
    return table


def holds(now: Any, then: Any) -> bool:
    """Whether everything that was so then is so now; there may be more now."""
    if isinstance(then, dict) and isinstance(now, dict):
        return all(name in now and holds(now[name], then[name]) for name in then)
    if isinstance(then, list) and isinstance(now, list):
        return len(now) == len(then) and all(map(holds, now, then))
    return bool(now == then)


def test_the_store_has_tables_in_every_state() -> None:
    tables = {name: then["table"] for name, then in THEN["tables"].items()}
    assert {table["status"] for table in tables.values()} == {"waiting", "running", "over"}
    assert tables["paused"]["paused"]
    assert tables["packs"]["extras"]
    assert any(seat["away"] for seat in tables["stand_in"]["seats"])
    assert tables["finished"]["rematch"] == THEN["tables"]["rematch"]["id"]
    assert not all(seat["ready"] for seat in tables["rematch"]["seats"])


@pytest.mark.parametrize("name", NAMES)
def test_every_table_stands_where_it_stood(old: Store, name: str) -> None:
    then, table = THEN["tables"][name], table_of(old, name)
    assert (table.number, table.due) == (then["number"], then["due"])
    assert sorted([*who, number] for who, number in table.commands.items()) == then["commands"]
    snapshot = view.Snapshot(table)
    for seat in (None, *range(len(table.seats))):
        sent = json.loads(snapshot.state(seat, [], table.number))
        own = None if seat is None else then["own"][seat]
        for part, was in (("table", then["table"]), ("public", then["public"]), ("own", own)):
            assert holds(sent[part], was), (name, seat, part)
        assert holds(sent["final"], then["final"])


def test_reading_changes_nothing_in_the_store(old: Store) -> None:
    ids = [then["id"] for then in THEN["tables"].values()]
    before = [old.entries(id) for id in ids]
    for name in NAMES:
        table_of(old, name)
    assert [old.entries(id) for id in ids] == before
    cards = [json.loads(card)["table"] for card in old.listing(0.0, 100)]
    assert set(cards) == {THEN["tables"][name]["id"] for name in ("waiting", "running")}


def test_the_record_of_the_finished_game_is_the_same_and_replays(old: Store) -> None:
    table = table_of(old, "finished")
    assert view.record_text(table, None) == RECORD
    game = Game.from_record(RECORD)
    assert game.over
    assert game.result() == table.result
    assert game.seed.hex() == THEN["tables"]["finished"]["final"]["seed"]


@pytest.mark.parametrize("name", ["packs", "own_board"])
def test_a_running_game_goes_on(old: Store, name: str) -> None:
    id = THEN["tables"][name]["id"]

    async def run() -> None:
        tables = tables_of(Settings(), old)
        authority = tables.authority(id)
        table = await authority.table()
        (seat,) = table.awaited
        assert table.game is not None
        action = str(table.game.legal_actions(seat)[0])
        token = THEN["tokens"][table.seats[seat].name]
        number = table.number
        decide = Decide(id="goes-on", known=number, action=action)
        assert await authority.execute(token, decide) == number + 1
        assert len(old.entries(id)) == number + 1
        await tables.close()

    asyncio.run(run())
