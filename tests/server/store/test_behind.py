"""A server that has not heard what another one wrote refuses nobody for what is no longer so."""

import asyncio
from pathlib import Path

import pytest

from ferrovia.server import protocol
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol import OpenSeat, PersonSeat
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.store import Journal
from ferrovia.server.store.sqlite.store import SqliteStore
from ferrovia.server.table.authority import Authority, Services, new_table
from ferrovia.server.table.commands import Verbs
from ferrovia.server.table.presence import Presences
from ferrovia.server.table.tokens import new_token
from tests.server.support.tabletop import CATALOG


class Shared(SqliteStore):
    """A store of which servers hear nothing."""

    shared = True


def test_a_server_that_is_behind_reads_before_it_refuses(tmp_path: Path) -> None:
    async def run() -> None:
        store = Shared(tmp_path / "games.sqlite")
        journal, verbs = Journal(store), Verbs(CATALOG, 0.0)
        services = Services(
            store, journal, verbs, Metrics(), lambda: 1.0, lambda *_: None, Presences(shared=False)
        )
        ada, bob = new_token(), new_token()
        request = protocol.CreateTable(edition="compass", seats=(PersonSeat("Ada"), OpenSeat()))
        created, answer = verbs.create.create(request, ada, 1.0)
        store.append([new_table(answer.table, created, verbs, 1.0)[1]])
        one, two = (Authority(answer.table, services) for _ in range(2))
        await two.table()  # and from now on it hears nothing
        await one.join(protocol.JoinTable(name="Bob"), bob)
        table = await one.table()
        while table.status == "waiting":  # until everybody's part is there
            await asyncio.sleep(0)
            table = await one.act(lambda table, now: [verbs.start.start(table, now)])
        assert table.game is not None
        action = str(table.game.legal_actions(1)[0])
        decide = protocol.Decide(id="once", known=table.number, action=action)
        number = await one.execute(bob, decide)
        # The answer was lost, and Bob asks the other server, for which he has no seat yet.
        assert await two.execute(bob, decide) == number
        ahead = protocol.Decide(id="again", known=number + 1, action=action)
        with pytest.raises(Refusal, match="ahead"):
            await two.execute(bob, ahead)
        await journal.close()
        store.close()

    asyncio.run(run())
