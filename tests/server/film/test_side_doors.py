"""A running game gives nothing away: one test goes through every side door."""

import json
from typing import Any

import httpx
import pytest

from ferrovia import Game, RecordError
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


def test_no_side_door_shows_a_running_game(house: Server, running: tuple[Person, Person]) -> None:
    ada, bob = running
    address, table = house.address, ada.table
    mine, theirs = secrets_of(ada), secrets_of(bob)
    assert mine
    assert theirs
    stranger, of_ada = api(address), api(address, ada.token)
    said: list[httpx.Response] = []

    def refused(answer: httpx.Response, *codes: str) -> None:
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
        with pytest.raises(RecordError):  # so read the library, the terminal and the lab
            Game.from_record(record.text)

    # Forks: neither for strangers nor for players.
    for client in (stranger, of_ada, api(address, bob.token)):
        refused(_fork(client, table=table), "not_over", "wrong_token")

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


def _fork(client: httpx.Client, **wanted: Any) -> httpx.Response:
    request = {"at": "2", "seat": 0, "name": "Eve", "bot": "greedy", **wanted}
    return client.post("/api/forks", json=request)
