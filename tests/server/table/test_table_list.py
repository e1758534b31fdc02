"""The list of tables: who sets up many pushes nobody out."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec

from ferrovia.server.lobby.table_list import arrange
from ferrovia.server.protocol.from_client import CreateTable, OpenSeat, PersonSeat
from ferrovia.server.settings import Limits, Settings
from ferrovia.server.store.sqlite.store import SqliteStore
from ferrovia.server.table.tokens import new_token
from ferrovia.server.table.viewers.audience import Viewer
from tests.server.support.people import OPEN, PERSON, Person, api, create
from tests.server.support.processes import FREE, Server
from tests.server.support.tables import tables_of


def card(table: str) -> bytes:
    return msgspec.json.encode({"table": table, "status": "waiting"})


def order(tables: dict[str, str | None], attended: set[str], of_address: int = 5) -> list[str]:
    cards = arrange(map(card, tables), tables.get, attended.__contains__, of_address, 100)
    return [msgspec.json.decode(line)["table"] for line in cards]


def test_120_tables_of_four_addresses_push_nobody_out() -> None:
    spam: dict[str, str | None] = {f"s{number}": f"spam{number % 4}" for number in range(120)}
    found = order({**spam, "club": "ada"}, set())
    assert found.index("club") <= 4
    assert len(found) == 4 * 5 + 1


def test_tables_at_which_somebody_is_come_first() -> None:
    spam: dict[str, str | None] = {f"s{number}": f"address {number}" for number in range(500)}
    assert order({**spam, "club": "ada"}, {"club"})[0] == "club"


def test_the_newest_of_an_address_are_shown_and_the_unknown_count_apart() -> None:
    tables: dict[str, str | None] = {"a": "x", "b": "x", "c": "x", "old": None, "older": None}
    assert order(tables, set(), of_address=2) == ["a", "old", "older", "b"]


def test_the_list_of_a_server(tmp_path: Path, serving: Callable[..., Server]) -> None:
    limits = {**FREE, "listed_of_address": 2}
    server = serving(str(tmp_path / "games.sqlite"), limits=limits)
    club = create(server.address, PERSON, OPEN, listed=True)
    spam = [create(server.address, PERSON, OPEN, listed=True)["table"] for _ in range(3)]
    found = [line["table"] for line in api(server.address).get("/api/tables").json()["tables"]]
    assert found == [spam[2], spam[1]]
    forwarded = {"x-forwarded-for": "203.0.113.7"}
    request = {"edition": "europe", "seats": [PERSON, OPEN], "listed": True}
    made = api(server.address).post("/api/tables", json=request, headers=forwarded).json()
    Person(server.address, made["table"], made["held"][0]["token"]).come()
    create(server.address, PERSON, OPEN, listed=True)
    found = [line["table"] for line in api(server.address).get("/api/tables").json()["tables"]]
    assert found[0] == made["table"]
    assert len(found) == 3
    assert club["table"] not in found


def test_a_thousand_newer_tables_push_no_attended_one_out(tmp_path: Path) -> None:
    """The list was chosen from the newest thousand."""

    async def act() -> None:
        store = SqliteStore(tmp_path / "games.sqlite")
        tables = tables_of(Settings(), store)
        seats, token = (PersonSeat("Ada"), OpenSeat()), new_token()
        wanted = CreateTable(edition="usa", seats=seats, listed=True)
        club = await tables.create(wanted, token, "192.0.2.1")
        viewer = Viewer(token, Limits())
        await tables.authority(club.table).connect(viewer, None)
        spam = [tables.create(wanted, None, f"2001:db8:0:{n:x}::/64") for n in range(1010)]
        await asyncio.gather(*spam)
        found = [msgspec.json.decode(line)["table"] for line in await tables.listing()]
        assert found[0] == club.table
        assert len(found) == 1 + 5  # all networks of one house count as one
        await tables.close()

    asyncio.run(act())


def test_a_network_fills_no_list(tmp_path: Path, serving: Callable[..., Server]) -> None:
    limits = {**FREE, "listings": {"burst": 2, "per_second": 0}}
    server = serving(str(tmp_path / "games.sqlite"), limits=limits)
    request = {"edition": "usa", "seats": [PERSON, OPEN]}

    def status(listed: bool, source: str) -> int:
        headers = {"x-forwarded-for": source}
        body = {**request, "listed": listed}
        return api(server.address).post("/api/tables", json=body, headers=headers).status_code

    found = [status(True, f"2001:db8:0:{n}::1") for n in range(3)]
    assert found == [201, 201, 429]
    assert status(False, "2001:db8:0:9::1") == 201
    assert status(True, "2001:db8:1::1") == 201
