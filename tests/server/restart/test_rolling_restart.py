"""Servers of one database are replaced one after the other, and nobody loses anything."""

import asyncio
from collections.abc import Callable

import pytest

from tests.server.conftest import Cluster
from tests.server.restart.rolling_restart import restart_all
from tests.server.support.processes import Server


@pytest.mark.xdist_group("postgresql")
def test_a_rolling_restart_costs_nothing(cluster: Cluster, serving: Callable[..., Server]) -> None:
    database = cluster.database()
    servers = [serving(database) for _ in range(2)]
    seen = asyncio.run(restart_all(servers, games=3, seats=2, rest=0.5))
    assert seen.wrong == []
    assert seen.cuts >= 6  # everybody was cut off at least once, and came back
    assert seen.accepted > 0
