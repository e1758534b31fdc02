"""A running game gives nothing away: one test goes through every side door."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner

from ferrovia import Game, RecordError
from ferrovia.cli import main
from ferrovia.puzzles.collection import all_puzzles
from ferrovia.terminal.app.remote import RemoteTable, TableLink
from ferrovia.terminal.app.scene import Scene
from tests.server.support.people import OPEN, PERSON, Person, api, bot, create, join, metrics
from tests.server.support.processes import Server


@pytest.fixture
def running(house: Server) -> tuple[Person, Person]:
    """Ada and Bob in the middle of a game with a bot."""
    made = create(house.address, PERSON, OPEN, bot(), edition="europe", listed=True)
    joined = join(house.address, made["table"], "Bob")
    ada = Person(house.address, made["table"], made["held"][0]["token"], seed=1).come()
    bob = Person(house.address, made["table"], joined["token"], seed=2).come()
    for _ in range(14):
        for person in (ada, bob):
            while person.state["number"] < max(ada.state["number"], bob.state["number"]):
                person.hear("state")
            if person.moves and person.state["table"]["status"] == "running":
                action = "draw" if "draw" in person.moves else person.choose()
                answer = person.command("decide", action=action)
                assert answer["type"] == "accepted"
                while person.state["number"] < answer["number"]:
                    person.hear("state")
    return ada, bob


def secrets_of(person: Person) -> list[str]:
    """What only this person knows: tickets, in the form in which they are sent."""
    own = person.state["own"]
    return [ticket["id"] for ticket in own["tickets"]] + list(own["offer"])


def test_no_side_door_shows_a_running_game(
    house: Server, running: tuple[Person, Person], tmp_path: Path
) -> None:
    ada, bob = running
    address, table = house.address, ada.table
    mine, theirs = secrets_of(ada), secrets_of(bob)
    assert mine
    assert theirs
    stranger, of_ada = api(address), api(address, ada.token)
    said: list[httpx2.Response] = []

    def refused(answer: httpx2.Response, *codes: str) -> None:
        said.append(answer)
        assert answer.status_code >= 400
        assert answer.json()["code"] in codes

    # Films and pictures: strangers get none, a seat its own past and no other eyes.
    for path in (f"/api/tables/{table}/film", f"/api/tables/{table}/picture"):
        for asked in (
            {},
            {"view": "all"},
            {"view": "0"},
            {"until": "1"},
            {"at": "1", "since": "0"},
        ):
            refused(stranger.get(path, params=asked), "not_over")
        refused(api(address, "z" * 43).get(path), "wrong_token")
    for view in ("all", "public", "1", "2"):
        refused(of_ada.get(f"/api/tables/{table}/film", params={"view": view}), "not_over")
    past = of_ada.get(f"/api/tables/{table}/film")
    said.append(past)
    film = past.json()["film"]
    assert (film["eyes"], film["seed"], film["result"], film["finale"]) == (0, None, None, None)
    assert film["first"]["hands"][1:] == [None, None]
    assert all(set(step["hands"]) <= {"0"} for step in film["steps"])
    said.append(of_ada.get(f"/api/tables/{table}/picture", params={"at": "3"}))

    # The record, also dropped on the film page: it is one seat's view, and proves nothing.
    for client in (stranger, of_ada):
        record = client.get(f"/api/tables/{table}/record")
        said.append(record)
        assert json.loads(record.text.splitlines()[0])["seed"] is None
        refused(stranger.post("/api/films", content=record.content), "invalid_record")
        refused(stranger.post("/api/films/picture", content=record.content), "invalid_record")
        refused(_fork(of_ada, record=record.text), "invalid_record")
        refused(stranger.post("/api/films/analysis", content=record.content), "invalid_record")
        with pytest.raises(RecordError):  # so read the library and what is built on it
            Game.from_record(record.text)
        # The commands: analysis, replay and its film, the terminal, pictures, the lab, boards.
        file = tmp_path / "running.jsonl"
        file.write_bytes(record.content)
        for command in (
            ["analyse"],
            ["replay"],
            ["replay", "--watch"],
            ["terminal"],
            ["show"],
            ["report"],
            ["boards", "check"],
        ):
            done = CliRunner().invoke(main, [*command, str(file)])
            assert done.exit_code != 0, command
            assert done.output.strip(), command  # the reason
            assert not [ticket for ticket in theirs if ticket in done.output], command
        assert not file.with_name("running.analysis.json").exists()

    # Forks: neither for strangers nor for players.
    for client in (stranger, of_ada, api(address, bob.token)):
        refused(_fork(client, table=table), "not_over", "wrong_token")

    # Analyses: for nobody, and none is begun or shared.
    path = f"/api/tables/{table}/analysis"
    for client in (stranger, of_ada):
        refused(client.get(path), "not_over")
        refused(client.post(path, json={"renew": True}), "not_over")
        refused(client.post(f"{path}/share", json={"share": True}), "not_over")
    refused(stranger.get("/api/films/analysis/" + "0" * 63), "not_found")
    unknown = stranger.get("/api/films/analysis/" + "0" * 64)
    said.append(unknown)
    assert unknown.json()["status"] == "none"

    # Puzzles: they come with the package, from games of bots, and nothing is made of other games.
    for number, puzzle in enumerate(all_puzzles()[:3]):
        posed = stranger.get(f"/api/puzzles/{number}")
        assert posed.json()["puzzle"]["id"] == puzzle.id
    assert stranger.post("/api/puzzles", content=record.content).status_code in (404, 405)
    assert stranger.post("/api/puzzles/0", content=record.content).status_code in (404, 405)

    # The terminal looks on by the link of the table, and sees what everybody sees.
    scene = asyncio.run(_looked_on(f"{address}table/{table}"))
    assert scene.own is None
    assert not [ticket for ticket in (*mine, *theirs) if ticket in repr(scene.log)]

    # What lists and describes tables, boards and the server.
    for path in (f"/api/tables/{table}", "/api/tables", "/api/editions/europe", "/api/offerings"):
        said.append(stranger.get(path))
    public = Person(address, table).come()
    assert public.state["own"] is public.state["final"] is None
    numbers = metrics(address)

    # Nothing of what was said names a ticket of Bob, and nothing but Ada's own past one of hers.
    edition = stranger.get("/api/editions/europe").text
    for answer in said:
        if answer.text == edition:
            continue  # all tickets there are
        for ticket in theirs:
            assert ticket not in answer.text
        if answer.request.headers.get("authorization") is None:
            assert not [ticket for ticket in mine if ticket in answer.text]
    for frame in public.frames:
        assert not [ticket for ticket in (*mine, *theirs) if ticket in frame]
    assert not [ticket for ticket in (*mine, *theirs) if ticket in numbers]
    assert table not in numbers


def _fork(client: httpx2.Client, **wanted: Any) -> httpx2.Response:
    request = {"at": "2", "seat": 0, "name": "Eve", "bot": "greedy", **wanted}
    return client.post("/api/forks", json=request)


async def _looked_on(link: str) -> Scene:
    """The first scene that somebody without a seat is shown."""
    found: asyncio.Future[Scene] = asyncio.get_running_loop().create_future()

    def changed(scene: Scene) -> None:
        if not found.done():
            found.set_result(scene)

    looking = asyncio.create_task(RemoteTable(TableLink(link), None).run(changed, lambda _: None))
    try:
        await asyncio.wait((found, looking), return_when=asyncio.FIRST_COMPLETED)
        if looking.done():
            looking.result()
        return await found
    finally:
        looking.cancel()
