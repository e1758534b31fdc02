"""Tickets that the owner of a box enters in a browser: checked, kept, offered to every table."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ferrovia.boards import load_pack
from tests.server.support.people import api, bot
from tests.server.support.processes import Server

NIGHT = {"a": "paris", "b": "wien", "points": 8, "long": False, "mark": True}
FAR = {"a": "brest", "b": "kyiv", "points": 17, "long": True, "mark": False}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of packs of the user who runs the server."""
    monkeypatch.setenv("FERROVIA_DATA", str(tmp_path / "data"))
    return tmp_path / "data" / "packs"


@pytest.fixture
def server(kept: Path, tmp_path: Path, serving: Callable[..., Server]) -> Server:
    return serving(f"{tmp_path}/games.sqlite")


def packs(offerings: Any) -> dict[str, Any]:
    return {pack["name"]: pack for pack in offerings["packs"]}


def test_what_is_missing_is_told_and_what_is_entered_is_offered(server: Server, kept: Path) -> None:
    with api(server.address) as client:
        offered = packs(client.get("/api/offerings").json())
        assert {name: pack["cards"] for name, pack in offered.items()} == {
            "max": 1,
            "orient-express": 6,
            "usa-2025-extra": 2,
        }
        assert offered["max"]["known"] == [["london", "kobenhavn"]]
        assert not any(pack["tickets"] for pack in offered.values())
        setup = {"edition": "europe", "extras": ["orient-express"], "seats": [bot(), bot()]}
        assert client.post("/api/tables", json=setup).json()["code"] == "no_such_pack"

        entered = client.post(
            "/api/packs", json={"pack": "orient-express", "tickets": [NIGHT, FAR]}
        )
        assert packs(entered.json())["orient-express"]["tickets"] == [NIGHT, FAR]
        assert len(load_pack("orient-express").tickets) == 2
        table = client.post("/api/tables", json=setup).json()["table"]
        deck = client.get(f"/api/tables/{table}/edition").json()["in_play"]
        assert {"orient-express:paris-wien", "orient-express:brest-kyiv"} < {
            it["id"] for it in deck
        }


def test_a_game_keeps_the_tickets_that_it_began_with(server: Server, kept: Path) -> None:
    with api(server.address) as client:
        client.post("/api/packs", json={"pack": "max", "tickets": [{**FAR, "points": 9}]})
        setup = {"edition": "europe", "extras": ["max"], "seats": [bot(), bot()]}
        table = client.post("/api/tables", json=setup).json()["table"]
        gone = client.post("/api/packs", json={"pack": "max", "tickets": []})
        assert packs(gone.json())["max"]["tickets"] == []
        assert list(kept.iterdir()) == []
        deck = client.get(f"/api/tables/{table}/edition").json()["in_play"]
        assert [it["points"] for it in deck if it["id"] == "max:brest-kyiv"] == [9]


@pytest.mark.parametrize(
    ("tickets", "said"),
    [
        ([{**NIGHT, "a": "atlantis"}], "atlantis"),
        ([{**NIGHT, "b": "paris"}], "paris"),
        ([NIGHT, NIGHT], "paris-wien"),
        ([NIGHT, FAR], "the box only 1"),
    ],
)
def test_tickets_that_cannot_be_are_refused_and_nothing_is_kept(
    server: Server, kept: Path, tickets: list[Any], said: str
) -> None:
    with api(server.address) as client:
        answer = client.post("/api/packs", json={"pack": "max", "tickets": tickets})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_setup")
    assert said in answer.json()["detail"]
    assert not kept.exists()


def test_a_file_written_by_hand_that_cannot_be_read_is_not_lost(server: Server, kept: Path) -> None:
    kept.mkdir(parents=True)
    (kept / "max.json").write_text("{oops")
    with api(server.address) as client:
        assert packs(client.get("/api/offerings").json())["max"]["tickets"] == []
        answer = client.post("/api/packs", json={"pack": "max", "tickets": [FAR]})
    assert answer.json()["code"] == "invalid_setup"
    assert (kept / "max.json").read_text() == "{oops"


def test_only_boxes_have_such_tickets_and_only_at_the_machine_of_the_server(server: Server) -> None:
    with api(server.address) as client:
        unknown = client.post("/api/packs", json={"pack": "night-trains", "tickets": [FAR]})
        assert unknown.json()["code"] == "no_such_pack"
        stranger = client.post(
            "/api/packs", json={"pack": "max", "tickets": [FAR]}, headers={"host": "games.example"}
        )
    assert stranger.json()["code"] in ("no_own_tickets", "foreign_host")
