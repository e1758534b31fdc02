"""The workshop over HTTP: a board made, checked, drawn, given tickets, and played at once."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import httpx2
import pytest

from ferrovia.boards import load_edition
from ferrovia.game import Game
from ferrovia.server.catalog import Catalog
from ferrovia.server.protocol.workshop import CheckBoard, MakeBoard
from ferrovia.server.refusals import Refusal
from ferrovia.server.workshop.process import in_process
from tests.server.support.people import PERSON, Person, api, bot, create
from tests.server.support.processes import Server


def ask(house: Server, path: str, **body: Any) -> httpx2.Response:
    with api(house.address) as client:
        return client.post(f"/api/workshop/{path}", json=body)


def work(house: Server, **body: Any) -> Any:
    answer = ask(house, "works", **body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_from_a_region_to_a_game(house: Server) -> None:
    board = work(house, work="make", region="portugal", size="small", seed=3)["board"]
    checked = work(house, work="check", board=board)
    assert checked["problems"] == []
    assert checked["network"]["cities"] == 16
    assert checked["printed"]["usa"]["pairs"] == 78
    picture = work(house, work="draw", board=board)
    assert len(picture["cities"]) == 16
    deck = work(house, work="tickets", board=board, seed=5, style="short")["tickets"]
    changed = json.dumps({**json.loads(board), "tickets": deck})
    trial = work(house, work="playtest", board=changed, players=3, games=20)
    assert trial["games"] == 20
    assert set(trial["finished"]) == {ticket["id"] for ticket in deck}
    edition = ask(house, "boards", board=changed).json()["edition"]
    assert edition == ask(house, "boards", board=changed).json()["edition"]
    with api(house.address) as client:
        made = client.post("/api/tables", json={"edition": edition, "seats": [bot(), bot()]})
        assert made.status_code == 201, made.text
        assert client.get(f"/api/editions/{edition}").json()["edition"]["name"] == "Portugal"
        assert client.get(f"/api/editions/{edition}/picture").status_code == 200


def test_what_is_wrong_has_its_line(house: Server) -> None:
    board = work(house, work="make", region="romania", size="small")["board"]
    broken = board.replace('"length": ', '"length": 9', 1)
    problems = work(house, work="check", board=broken)["problems"]
    assert len(problems) >= 1
    assert problems[0]["line"] == board[: board.index('"length": ')].count("\n") + 1
    assert problems[0]["path"] == "routes[0].length"
    assert work(house, work="check", board="{")["problems"][0]["line"] == 1
    assert ask(house, "works", work="draw", board="[]").json()["code"] == "invalid_board"
    assert ask(house, "works", work="make", region="atlantis").json()["code"] == "invalid_board"
    assert ask(house, "boards", board=broken).json()["code"] == "invalid_board"
    assert ask(house, "works", work="nothing").json()["code"] == "bad_message"


def test_a_board_that_was_opened_outlives_the_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FERROVIA_DATA", str(tmp_path))
    edition = load_edition("europe")
    id = Catalog().open(edition)
    again = Catalog().find(id, ())
    assert again.board == edition.board
    assert Catalog().open(again) == id
    game = Game(again, 2, seed=1)
    assert Game.from_record(game.record().text()).edition == again
    for strange in ("own-../../x", "own-0000000000000000", "../x"):
        with pytest.raises(Refusal):
            Catalog().find(strange, ())


def test_strangers_boards_are_worked_on_elsewhere() -> None:
    async def go() -> None:
        made = json.loads(await in_process(MakeBoard(region="portugal", size="small")))
        assert json.loads(await in_process(CheckBoard(board=made["board"])))["problems"] == []
        with pytest.raises(Refusal, match="atlantis"):
            await in_process(MakeBoard(region="atlantis"))

    asyncio.run(go())


def test_no_server_but_that_of_edit_gives_a_file(house: Server) -> None:
    with api(house.address) as client:
        assert client.get("/api/workshop/file").json()["code"] == "not_found"
    assert ask(house, "file", board="{}", after="").json()["code"] == "not_found"


def test_a_table_with_a_new_board_every_game(house: Server) -> None:
    made = {"edition": "made-small-5-portugal", "seats": [bot(), bot()]}
    with api(house.address) as client:
        assert client.get("/api/editions/made-large-1-portugal").json()["code"] == "no_such_edition"
        table = client.post("/api/tables", json=made)
        assert table.status_code == 201, table.text
        board = client.get("/api/editions/made-small-5-portugal").json()["board"]
        assert client.get("/api/editions/made-small-5-portugal/picture").status_code == 200
        for wrong in ("made-small-5-atlantis", "made-tiny-5-portugal", "made-small-x-portugal"):
            refused = client.post("/api/tables", json={**made, "edition": wrong}).json()
            assert refused["code"] in ("invalid_setup", "no_such_edition")
    assert (
        board
        == json.loads(work(house, work="make", region="portugal", size="small", seed=5)["board"])[
            "board"
        ]
    )


def test_the_rematch_has_another_board(house: Server) -> None:
    edition = "made-small-6-portugal"
    made = create(house.address, PERSON, bot("random"), edition=edition)
    ada = Person(house.address, made["table"], made["held"][0]["token"]).come()
    ada.play()
    assert ada.command("rematch")["type"] == "accepted"
    while ada.state["table"]["rematch"] is None:
        ada.hear("state")
    again = Person(house.address, ada.state["table"]["rematch"], ada.token).come()
    other = again.state["table"]["edition"]
    assert re.fullmatch(r"made-small-\d+-portugal", other)
    with api(house.address) as client:
        first, second = (client.get(f"/api/editions/{one}").json() for one in (edition, other))
    assert first["board"] != second["board"]
    assert first["tickets"] != second["tickets"]
