"""A server notices what the tools of those who run it write, also on the default store."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from ferrovia.server import Settings
from ferrovia.server.lobby import moderation, upkeep
from ferrovia.server.lobby.tables import Tables
from ferrovia.server.protocol import from_client
from ferrovia.server.protocol.from_client import PersonSeat
from ferrovia.server.refusals import Close, Refusal
from ferrovia.server.settings import Limits
from ferrovia.server.store.address import open_archive, open_store
from ferrovia.server.store.sqlite.store import SqliteStore
from ferrovia.server.table.tokens import new_token
from ferrovia.server.table.viewers.audience import Viewer
from tests.server.support.tables import tables_of


async def until(viewer: Viewer, kind: str) -> Any:
    """Return the next entry of a kind that a viewer is sent."""
    while True:
        frame = await viewer.next_frame()
        assert frame is not None
        for entry in json.loads(frame).get("entries", ()):
            if entry["entry"] == kind:
                return entry


async def talking(tables: Tables) -> tuple[str, list[str], int]:
    """Set up a table at which something was said; return it, its tokens and the number."""
    token = new_token()
    seats = (PersonSeat("Ada"), PersonSeat("Bob"))
    made = await tables.create(from_client.CreateTable(edition="usa", seats=seats), token)
    say = from_client.Say(id="s", known=0, text="something nasty")
    tokens = [held.token for held in made.held]
    return made.table, tokens, await tables.authority(made.table).execute(token, say)


def test_what_is_withheld_leaves_open_pages_and_newcomers_never_see_it(tmp_path: Path) -> None:
    async def act() -> None:
        path = tmp_path / "games.sqlite"
        tables = tables_of(Settings(), SqliteStore(path))
        await tables.open()
        table, [ada, bob], line = await talking(tables)
        authority = tables.authority(table)
        viewer = Viewer(ada, Limits())
        await authority.connect(viewer, None)
        tool = SqliteStore(path, mode="write")
        assert moderation.withhold(tool, table, line, 1.0)
        async with asyncio.timeout(30):
            assert (await until(viewer, "withheld"))["line"] == line
        late = Viewer(bob, Limits())
        await authority.connect(late, 0)
        assert (await until(late, "said"))["text"] is None
        assert upkeep.close(tool, table, "enough", 2.0)
        async with asyncio.timeout(30):
            await until(viewer, "closed")
        tool.close()
        await tables.close()

    asyncio.run(act())


def test_a_deleted_table_is_gone_from_open_pages_and_from_memory(address: str) -> None:
    """It could be read for two minutes more, and for as long as somebody asked for it."""

    async def act() -> None:
        tables = tables_of(Settings(), open_store(address))
        await tables.open()
        table, [ada, _], _ = await talking(tables)
        authority, viewer = tables.authority(table), Viewer(ada, Limits())
        await authority.connect(viewer, 0)
        tool = open_archive(address, "write")
        assert upkeep.delete(tool, upkeep.find(tool, table))
        async with asyncio.timeout(30):
            while (frame := await viewer.next_frame()) is not None:
                said = frame
        assert json.loads(said)["code"] == "no_such_table"
        assert viewer.closed == Close.NO_TABLE
        with pytest.raises(Refusal, match="no_such_table"):
            await authority.record(ada)
        tool.close()
        await tables.close()

    asyncio.run(act())


def test_a_store_tells_what_another_connection_has_written_once(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite")
    store.heard(0)
    store.probe()
    assert store.heard(0) == []
    tool = SqliteStore(tmp_path / "games.sqlite", mode="write")
    tool.probe()
    assert store.heard(0) is None
    assert store.heard(0) == []
    tool.close()
    store.close()
