"""Two servers on one database: what one leaves undone, the other does."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from ferrovia.server.settings import Settings
from ferrovia.server.store import Notification
from ferrovia.server.store.sqlite.store import SqliteStore
from ferrovia.server.table.viewers.presence import Presences
from tests.server.conftest import Cluster
from tests.server.restart.takeover import take_over
from tests.server.support.tables import tables_of


@pytest.mark.xdist_group("postgresql")
def test_a_bots_decision_is_made_when_its_server_dies(cluster: Cluster) -> None:
    """Only that it is made is tested; `python -m tests.server.restart.takeover` measures when."""
    take_over(cluster.database(), "greedy", warm=False)


class Shared(SqliteStore):
    """A store that says it is shared, and is asked what is due from when on."""

    shared = True

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.asked: asyncio.Queue[float] = asyncio.Queue()
        self.loop = asyncio.get_running_loop()
        self.news: list[Notification] = []

    def due(self, before: float, limit: int) -> list[tuple[str, float]]:
        self.loop.call_soon_threadsafe(self.asked.put_nowait, before)
        return super().due(before, limit)

    def time(self) -> float:
        return 1_000_000.0

    def heard(
        self, timeout: float, wanted: Callable[[str], bool] = lambda _: True
    ) -> list[Notification] | None:
        news, self.news = self.news, []
        return news


def test_what_another_server_left_undone_is_looked_for_as_soon_as_it_has_gone(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        store = Shared(tmp_path / "games.sqlite")
        tables = tables_of(Settings(), store, now=lambda: 1_000_000.0)
        await tables.open()
        assert await store.asked.get() < 1_000_000.0  # it gives others time to do their own work
        other = Presences(shared=True)
        other.publish_leaving()
        store.news = [
            Notification("other", "", ""),
            Notification("other", *other.outgoing.get_nowait()),
        ]
        while await store.asked.get() < 1_000_000.0:
            pass
        await tables.close()

    asyncio.run(asyncio.wait_for(run(), 300))
