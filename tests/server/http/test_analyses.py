"""Analyses over HTTP: of finished tables alone, each seat its own, made anew on request."""

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ferrovia.analysis.findings import Analysis, Budget
from ferrovia.server.analysis.desk import Desk
from ferrovia.server.analysis.worker import News, packed
from ferrovia.server.protocol.refusals import Refusal
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
        kept = server.settings["store"] + ".analyses"
    assert len(list(Path(kept).iterdir())) == 1


def program(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "worker.py"
    file.write_text(text)
    return [sys.executable, str(file)]


def news_of(**fields: Any) -> str:
    return f"import sys; sys.stdout.buffer.write({packed(News(**fields))!r})"


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


class TestTheDesk:
    @pytest.mark.parametrize("worker", ["", "import sys; sys.exit(3)", news_of(problem="no")])
    def test_survives_a_worker_that_fails(self, tmp_path: Path, worker: str) -> None:
        async def check() -> None:
            desk = Desk(tmp_path / "kept", program(tmp_path, worker))
            desk.ask("t", "record", "r", renew=False)
            while desk.status("t", "r")[0] in ("waiting", "running"):
                await asyncio.sleep(0.01)
            assert desk.status("t", "r")[0] == "failed"
            await desk.close()

        asyncio.run(check())

    def test_keeps_what_was_made_over_a_restart_and_makes_it_again_if_it_is_broken(
        self, tmp_path: Path
    ) -> None:
        async def check() -> None:
            made = program(tmp_path, news_of(analysis=ANALYSIS))
            desk = Desk(tmp_path / "kept", made)
            desk.share("t", 1, share=True)
            desk.ask("t", "record", "r", renew=False)
            while desk.status("t", "r")[0] != "ready":
                await asyncio.sleep(0.01)
            later = Desk(tmp_path / "kept", made)
            assert later.newest("t", "r") == ANALYSIS
            assert later.newest("t", "of another game") is None
            assert later.shared("t") == (1,)
            [file] = (tmp_path / "kept").iterdir()
            file.write_bytes(b"broken")
            assert Desk(tmp_path / "kept", made).status("t", "r")[0] == "none"
            await desk.close()

        asyncio.run(check())

    def test_lets_addresses_take_turns(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Who asks for many analyses neither fills the queue nor is before everybody else."""
        made: list[bytes] = []

        async def make(_: Desk, job: object, task: Any) -> Analysis:
            made.append(task.record)
            await asyncio.sleep(0)
            return ANALYSIS

        async def check() -> None:
            desk = Desk(None)
            for table in "abcd":
                desk.ask(table, table, "r", address="stranger")
            with pytest.raises(Refusal):
                desk.ask("e", "e", "r", address="stranger")
            desk.ask("mine", "mine", "r", address="me")
            while desk.status("d", "r")[0] != "ready":
                await asyncio.sleep(0)
            await desk.close()

        monkeypatch.setattr(Desk, "_in_process", make)
        asyncio.run(check())
        assert made == [b"a", b"mine", b"b", b"c", b"d"]

    def test_ends_its_worker_with_the_server(self, tmp_path: Path) -> None:
        async def check() -> None:
            desk = Desk(None, program(tmp_path, "import time; time.sleep(600)"))
            desk.ask("t", "record", "r", renew=False)
            await asyncio.sleep(0.2)
            await asyncio.wait_for(desk.close(), 30)

        asyncio.run(check())


def test_an_analysis_travels_whole() -> None:
    assert msgspec.json.decode(msgspec.json.encode(ANALYSIS), type=Analysis) == ANALYSIS
