"""Analyses over HTTP: of finished tables alone, each seat its own, made anew on request."""

import asyncio
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ferrovia import Game
from ferrovia.analysis.findings import Analysis, Budget
from ferrovia.server.analysis.analyses import Analyses, AnalysisStatus, Analyst
from ferrovia.server.analysis.process import in_process
from ferrovia.server.analysis.worker import AnalysisNews
from ferrovia.server.processes.messages import packed
from ferrovia.server.records.source import MAX_RECORD
from ferrovia.server.refusals import Refusal
from ferrovia.server.store import Store
from ferrovia.server.store.address import open_store
from tests.server.support.people import PERSON, WAIT, Person, api, create, together
from tests.server.support.processes import Server
from tests.server.support.tabletop import SMALL_BOARD

BOB = {"kind": "person", "name": "Bob"}


def until_ready(address: str, table: str, token: str) -> Any:
    ends = time.monotonic() + WAIT
    while time.monotonic() < ends:
        report = api(address, token).get(f"/api/tables/{table}/analysis").json()
        if report["status"] in ("ready", "failed"):
            return report
        time.sleep(0.2)
    raise AssertionError(report)


def test_a_table_is_analysed_after_its_end_and_each_seat_sees_its_own(tmp_path: Path) -> None:
    store = str(tmp_path / "games.sqlite")
    with Server(store, boards=[str(SMALL_BOARD)], analysis_worlds=10) as server:
        made = create(server.address, PERSON, BOB, edition="compass")
        table, tokens = made["table"], [held["token"] for held in made["held"]]
        path = f"/api/tables/{table}/analysis"
        people = [
            Person(server.address, table, token, seed=seat).come()
            for seat, token in enumerate(tokens)
        ]
        ada, bob = (api(server.address, token) for token in tokens)
        for client in (ada, api(server.address)):
            for answer in (client.get(path), client.post(path, json={})):
                assert answer.status_code == 409, answer.text
                assert answer.json()["code"] == "not_over"
        together(*people)

        assert ada.get(path).json()["status"] == "none"
        assert ada.post(path, json={}).json()["status"] in ("waiting", "running")
        report = until_ready(server.address, table, tokens[0])
        assert report["status"] == "ready"
        assert report["seats"] == [0]
        assert report["own"] == 0
        assert [sheet["seat"] for sheet in report["analysis"]["sheets"]] == [0]
        assert {remark["seat"] for remark in report["analysis"]["remarks"]} <= {0}
        sheet = report["analysis"]["sheets"][0]
        assert sum(sheet["whole"].values()) == sheet["result"]
        assert api(server.address).get(path).json()["seats"] == []

        assert bob.post(f"{path}/share", json={"share": True}).json()["shared"] == [1]
        assert ada.get(path).json()["seats"] == [0, 1]
        assert bob.post(f"{path}/share", json={"share": False}).json()["shared"] == []
        assert api(server.address).post(f"{path}/share", json={"share": True}).status_code == 422

        ada.post(path, json={"renew": True})
        again = until_ready(server.address, table, tokens[0])
        assert again["older"] == 1
        assert again["analysis"]["seed"] != report["analysis"]["seed"]
        _analyse_what_is_sent(server, ada.get(f"/api/tables/{table}/record").content)
        earlier = ada.get(path, params={"older": "1"}).json()
        assert earlier["analysis"] == report["analysis"]
        server.kill()
        server.start()
        assert api(server.address, tokens[0]).get(path).json()["analysis"] == again["analysis"]


def _analyse_what_is_sent(server: Server, record: bytes) -> None:
    """A record is analysed as a file, with all its seats; nothing broken or unfinished is."""
    stranger = api(server.address)
    path = "/api/films/analysis"
    asked = stranger.post(path, content=record)
    assert asked.status_code == 200, asked.text
    hash = asked.json()["record"]
    assert asked.json()["status"] in ("waiting", "running")
    ends = time.monotonic() + WAIT
    while (found := stranger.get(f"{path}/{hash}").json())["status"] != "ready":
        assert found["status"] in ("waiting", "running")
        assert time.monotonic() < ends
        time.sleep(0.2)
    assert found["seats"] == [0, 1]
    assert found["analysis"]["record"] == hash
    assert [sum(it["whole"].values()) - it["result"] for it in found["analysis"]["sheets"]] == [
        0,
        0,
    ]
    again = stranger.post(path, content=record).json()
    assert (again["status"], again["analysis"]) == ("ready", found["analysis"])

    unfinished = Game("usa", 2, seed=1)
    for seat in (0, 1):
        unfinished.play(seat, "keep 1 2")
    for sent, code in (
        (unfinished.record().text().encode(), "not_over"),
        (record.replace(b'"total"', b'"totel"'), "invalid_record"),
        (b"nonsense", "invalid_record"),
        (b"\xff" * 100, "invalid_record"),
        (b" " * (MAX_RECORD + 1), "too_large"),
    ):
        refused = stranger.post(path, content=sent)
        assert refused.status_code >= 400
        assert refused.json()["code"] == code, refused.text


def analyst(tmp_path: Path, text: str) -> Analyst:
    """Return one whose process runs a program."""
    file = tmp_path / "worker.py"
    file.write_text(text)
    return partial(in_process, program=[sys.executable, str(file)])


def news_of(**fields: Any) -> str:
    """Return a program that answers so when it is asked, as a worker does."""
    answer = packed(AnalysisNews(**fields))
    return f"import sys; sys.stdin.buffer.read(1); sys.stdout.buffer.write({answer!r})"


ANALYSIS = Analysis(
    record="r",
    judge="planner",
    version="1",
    method=1,
    seed="00",
    budget=Budget(10, 1.0),
    complete=True,
    plays=1,
    seconds=1.0,
    choices=0,
    sheets=(),
    course=(),
    remarks=(),
    facts=(),
)


async def until_done(analyses: Analyses, table: str | None = "t") -> AnalysisStatus:
    while (found := await analyses.find(table, "r")).status in ("waiting", "running"):
        await asyncio.sleep(0.01)
    return found


class TestTheDesk:
    @pytest.mark.parametrize("worker", ["", "import sys; sys.exit(3)", news_of(problem="no")])
    def test_survives_a_worker_that_fails(self, tmp_path: Path, store: Store, worker: str) -> None:
        async def check() -> None:
            analyses = Analyses(store, analyst(tmp_path, worker))
            await analyses.ask("t", "record", "r", renew=False)
            assert (await until_done(analyses)).status == "failed"
            await analyses.close()

        asyncio.run(check())

    def test_keeps_what_was_made_in_the_store_with_the_older_ones(
        self, tmp_path: Path, store: Store
    ) -> None:
        async def check() -> None:
            analyses = Analyses(store, analyst(tmp_path, news_of(analysis=ANALYSIS)))
            await analyses.share("t", 1, share=True)
            await analyses.share("t", 0, share=True)
            await analyses.share("t", 0, share=False)
            await analyses.ask("t", "record", "r", renew=False)
            assert (await until_done(analyses)).kept == (ANALYSIS,)
            await analyses.ask("t", "record", "r", renew=False)  # it is there
            assert len((await analyses.find("t", "r")).kept) == 1
            newer = msgspec.structs.replace(ANALYSIS, seed="01")
            analyses = Analyses(store, analyst(tmp_path, news_of(analysis=newer)))  # another server
            await analyses.ask("t", "record", "r", renew=True)
            assert (await until_done(analyses)).kept == (newer, ANALYSIS)
            assert (await analyses.find("t", "of another game")).status == "none"
            assert await analyses.shared("t") == (1,)
            for number in range(9):
                store.keep_analysis("t", f"of another version {number}".encode(), 8)
            assert (
                await analyses.find("t", "r")
            ).status == "none"  # made again, if it is asked for
            assert len(store.analyses("t")) == 8
            await analyses.close()

        asyncio.run(check())

    def test_finds_what_was_made_while_the_store_was_read(
        self, tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def check() -> None:
            analyses = Analyses(store, analyst(tmp_path, news_of(analysis=ANALYSIS)))
            read = analyses._read

            async def read_slowly(table: str | None, record: str) -> Any:
                found = await read(table, record)
                await asyncio.gather(*analyses._tasks)
                return found

            await analyses.ask("t", "record", "r", renew=False)
            monkeypatch.setattr(analyses, "_read", read_slowly)
            assert (await analyses.find("t", "r")).kept == (ANALYSIS,)
            await analyses.close()

        asyncio.run(check())

    def test_lets_addresses_take_turns(self, store: Store) -> None:
        """Who asks for many analyses is not before everybody else."""
        made: list[bytes] = []
        asked = asyncio.Event()

        async def make(task: Any, _: object) -> Analysis:
            made.append(task.record)
            await asked.wait()
            return ANALYSIS

        async def check() -> None:
            analyses = Analyses(store, make)
            for table in "abc":
                await analyses.ask(table, table, "r", renew=False, site="stranger")
            await analyses.ask("mine", "mine", "r", renew=False, site="me")
            asked.set()
            await until_done(analyses, "c")
            await analyses.close()

        asyncio.run(check())
        assert made == [b"a", b"mine", b"b", b"c"]

    def test_stores_nothing_of_a_record_that_was_sent(self, tmp_path: Path, store: Store) -> None:
        async def check() -> None:
            analyses = Analyses(store, analyst(tmp_path, news_of(analysis=ANALYSIS)))
            await analyses.ask(None, "record", "r", renew=False)
            assert (await until_done(analyses, None)).kept == (ANALYSIS,)
            assert (await analyses.find("t", "r")).status == "none"
            assert (await Analyses(store, in_process).find(None, "r")).status == "none"
            await analyses.close()

        asyncio.run(check())

    def test_has_room_for_a_few_of_one_address_and_ends_its_worker(self, tmp_path: Path) -> None:
        async def check() -> None:
            store = open_store(str(tmp_path / "games.sqlite"))
            analyses = Analyses(store, analyst(tmp_path, "import time; time.sleep(600)"))
            for record in "abcd":  # one is made, three wait
                await analyses.ask(None, "record", record, renew=False, site="1.2.3.4")
            with pytest.raises(Refusal, match="wait"):
                await analyses.ask(None, "record", "e", renew=False, site="1.2.3.4")
            await analyses.ask(None, "record", "e", renew=False, site="1.2.3.5")
            for site in range(2, 9):  # seven more sites fill it, and somebody gives way
                for record in range(3):
                    with suppress(Refusal):
                        name = f"{site} {record}"
                        await analyses.ask(None, "record", name, renew=False, site=str(site))
            await analyses.ask("mine", "record", "m", renew=False, site="me")
            assert (await analyses.find("mine", "m")).status == "waiting"
            await asyncio.sleep(0.2)
            await asyncio.wait_for(analyses.close(), 30)
            store.close()

        asyncio.run(check())


def test_an_analysis_travels_whole() -> None:
    assert msgspec.json.decode(msgspec.json.encode(ANALYSIS), type=Analysis) == ANALYSIS
