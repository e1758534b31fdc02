"""What is made of records: nothing for who has gone, and a turn for everybody."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from ferrovia.game.records.record import record_of
from ferrovia.server.catalog import Catalog
from ferrovia.server.records.service import RecordService
from ferrovia.server.records.works import MakeFilm
from ferrovia.server.refusals import Refusal
from ferrovia.server.settings import Settings
from tests.server.film.test_films import OWN_BOARD, played

RECORD = record_of(played()).text().encode()
OWN = record_of(played(str(OWN_BOARD), 2, 2)).text().encode()


class Bench:
    """Works on nothing until it may; counts what was begun."""

    def __init__(self) -> None:
        self.begun: list[bool] = []
        self.may = asyncio.Event()

    async def ask(self, order: bytes, *, alone: bool) -> bytes:
        self.begun.append(alone)
        await self.may.wait()
        return msgspec.msgpack.encode({"made": b"film"})

    async def close(self) -> None:
        pass


def service(bench: Bench) -> RecordService:
    return RecordService(lambda: Catalog(), bench, Settings())


async def settle() -> None:
    for _ in range(50):
        await asyncio.sleep(0.001)


async def sent(at: RecordService, record: bytes, site: str) -> "asyncio.Task[bytes]":
    task = asyncio.create_task(at.do_for_sent(MakeFilm(), record, site))
    await settle()
    return task


def test_nothing_is_made_for_who_has_hung_up() -> None:
    async def act() -> None:
        bench = Bench()
        at = service(bench)
        mine = [await sent(at, RECORD, "me") for _ in range(2)]
        while len(bench.begun) < 2:
            await settle()
        gone = [asyncio.create_task(at.do_for_sent(MakeFilm(), RECORD, "eve")) for _ in range(9)]
        await settle()
        for task in gone:
            task.cancel()
        bench.may.set()
        assert await asyncio.gather(*mine) == [b"film"] * 2
        await asyncio.gather(*gone, return_exceptions=True)
        assert len(bench.begun) == 2

    asyncio.run(act())


def test_own_boards_of_a_site_are_few_and_keep_nobody_else_waiting() -> None:
    async def act() -> None:
        bench = Bench()
        at = service(bench)
        eves = [await sent(at, OWN, "eve") for _ in range(3)]
        while len(bench.begun) < 1:
            await settle()
        with pytest.raises(Refusal, match="too_fast"):
            await at.do_for_sent(MakeFilm(), OWN, "eve")
        assert bench.begun == [True]
        ada = await sent(at, RECORD, "ada")
        while len(bench.begun) < 2:
            await settle()
        assert bench.begun == [True, False]
        eves[0].cancel()  # it is ended, and the next one of its board begins
        while len(bench.begun) < 3:
            await settle()
        bench.may.set()
        assert await asyncio.gather(ada, *eves[1:]) == [b"film"] * 3

    asyncio.run(act())


def test_a_film_over_http_is_given_up_with_its_request(tmp_path: Path) -> None:
    """The app is asked as a web server asks it, and told that the client has gone."""

    async def act() -> None:
        from starlette.requests import ClientDisconnect, Request

        from ferrovia.server.http.answers import while_wanted

        events = [
            {"type": "http.request", "body": b"", "more_body": False},
            {"type": "http.disconnect"},
        ]

        async def receive() -> dict[str, object]:
            return events.pop(0)

        ended = asyncio.Event()

        async def work() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        with pytest.raises(ClientDisconnect):
            await while_wanted(Request({"type": "http"}, receive), work())
        assert ended.is_set()

    asyncio.run(act())
