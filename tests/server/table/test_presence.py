"""Who is present, as servers tell each other."""

import asyncio
import json
from pathlib import Path

from ferrovia.server import Settings
from ferrovia.server.protocol.from_client import CreateTable, OpenSeat, PersonSeat
from ferrovia.server.store import Notification
from ferrovia.server.store.sqlite.store import SqliteStore
from ferrovia.server.table.viewers.audience import Viewer
from ferrovia.server.table.viewers.presence import Presences, Present
from tests.server.support.tables import tables_of

ADA = '{"seats":[0],"spectators":0,"asks":true}'
WATCHERS = '{"seats":[],"spectators":2}'
NOBODY = '{"seats":[],"spectators":0}'


def test_what_others_say_counts_until_they_say_otherwise_or_nothing_any_more() -> None:
    async def run() -> None:
        known = Presences(shared=True)
        assert not known.knows("one")
        assert known.receive(Notification("one", "a", ADA), 1.0) == Present((0,), 0, asks=True)
        known.receive(Notification("two", "a", WATCHERS), 1.0)
        known.receive(Notification("two", "b", WATCHERS), 1.0)
        assert set(known.elsewhere("a")) == {Present((0,), 0, asks=True), Present((), 2)}
        known.receive(Notification("one", "a", NOBODY), 2.0)
        assert list(known.elsewhere("a")) == [Present((), 2)]
        assert known.receive(Notification("one", ""), 3.0) is None
        assert known.forget(before=1.0) == set()
        assert known.forget(before=2.0) == {"a", "b"}
        assert list(known.elsewhere("a")) == []
        assert known.knows("one")
        assert not known.knows("two")
        assert known.forget(before=2.0) == set()

    asyncio.run(run())


def test_a_server_alone_tells_nobody() -> None:
    async def run() -> None:
        for shared in (False, True):
            known = Presences(shared)
            known.publish("a", Present((1,), 0))
            assert known.outgoing.empty() is not shared

    asyncio.run(run())


def test_a_server_that_leaves_is_gone_at_once() -> None:
    async def run() -> None:
        one, other = Presences(shared=True), Presences(shared=True)
        one.publish("a", Present((0,), 1))
        one.publish_leaving()
        while not one.outgoing.empty():
            table, message = one.outgoing.get_nowait()
            present = other.receive(Notification("one", table, message), 10.0)
        assert present is not None
        assert present.leaving
        assert other.silent(before=0.0) == {"one"}
        assert other.forget(before=0.0) == {"a"}
        assert other.silent(before=0.0) == set()
        alone = Presences(shared=False)
        alone.publish_leaving()
        assert alone.outgoing.empty()

    asyncio.run(run())


def test_when_many_come_and_go_it_is_said_once_for_all(tmp_path: Path) -> None:
    """Two hundred viewers who go at once would be 20,000 messages to those who are left."""

    async def spectators(viewer: Viewer, until: int) -> list[int]:
        """Return how many are said to look on, up to a number."""
        said: list[int] = []
        while not said or said[-1] != until:
            message = json.loads(await viewer.next_frame() or b"{}")
            said += [message["spectators"]] if message["type"] == "presence" else []
        return said

    async def run() -> None:
        settings = Settings()
        store = SqliteStore(tmp_path / "games.sqlite")
        tables = tables_of(settings, store)
        seats = (PersonSeat("Ada"), OpenSeat())
        made = await tables.create(CreateTable(edition="usa", seats=seats), None)
        authority = tables.authority(made.table)
        last, *others = (Viewer(None, settings.limits, str(n)) for n in range(50))
        for viewer in (last, *others):
            await authority.connect(viewer, None)
        await spectators(last, 50)
        for viewer in others:
            authority.disconnect(viewer)
        said = await spectators(last, 1)
        assert len(said) <= 3  # of before, at once, and of all the others
        await tables.close()

    asyncio.run(run())
