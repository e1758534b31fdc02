"""Watching together: one leads, the others are sent what is shown, through whatever server."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from ferrovia.server.protocol import from_client
from ferrovia.server.settings import Limits
from ferrovia.server.store import Notification
from ferrovia.server.table.table import Table
from ferrovia.server.table.viewers.audience import Audience, Viewer
from ferrovia.server.table.viewers.presence import Presences, Present
from ferrovia.server.table.viewers.together import Together
from tests.server.conftest import Cluster
from tests.server.support.people import (
    OPEN,
    PERSON,
    Person,
    bot,
    create,
    join,
    together,
)
from tests.server.support.processes import Server


@pytest.fixture(scope="module")
def over(house: Server) -> Person:
    made = create(house.address, PERSON, bot(), edition="usa")
    ada = Person(house.address, made["table"], made["held"][0]["token"], seed=5).come()
    ada.play()
    return ada


def test_one_leads_and_the_others_follow(house: Server, over: Person) -> None:
    first, second = (Person(house.address, over.table).come() for _ in range(2))
    over.say(type="film", at="12.1", eyes="1", pointer="boston-montreal")
    for watcher in (first, second):
        shown = watcher.hear("film")
        assert (shown["leader"], shown["name"]) == (0, "Ada")
        assert (shown["at"], shown["eyes"], shown["pointer"]) == ("12.1", "1", "boston-montreal")
    late = Person(house.address, over.table).come()
    assert late.hear("film")["at"] == "12.1"
    over.say(type="film", lead=False)
    for watcher in (first, second, late):
        assert watcher.hear("film")["leader"] is None
    over.say(type="film", at="3")
    assert first.hear("film")["at"] == "3"
    over.go()
    assert first.hear("film")["leader"] is None
    over.come()
    for watcher in (first, second, late):
        watcher.go()


def test_spectators_lead_only_where_nobody_played(house: Server, over: Person) -> None:
    watcher = Person(house.address, over.table).come()
    watcher.say(type="film", at="1")
    assert watcher.hear("refused")["code"] == "not_seated"
    watcher.say(type="film", at="1" * 17)
    assert watcher.hear("refused")["code"] == "bad_message"
    watcher.go()


def test_a_running_game_is_not_watched_as_a_film(house: Server) -> None:
    made = create(house.address, PERSON, bot(), edition="usa")
    ada = Person(house.address, made["table"], made["held"][0]["token"], seed=5).come()
    ada.say(type="film", at="1")
    assert ada.hear("refused")["code"] == "not_over"
    ada.go()


@pytest.mark.xdist_group("postgresql")
def test_the_lead_reaches_viewers_of_another_server(
    cluster: Cluster, serving: Callable[..., Server]
) -> None:
    store = cluster.database()
    one, other = serving(store, alive_seconds=0.5), serving(store, alive_seconds=0.5)
    made = create(one.address, PERSON, OPEN, edition="usa")
    joined = join(one.address, made["table"], "Bob")
    ada = Person(one.address, made["table"], made["held"][0]["token"], seed=5).come()
    bob = Person(other.address, made["table"], joined["token"], seed=6).come()
    together(ada, bob)
    watcher = Person(other.address, made["table"]).come()
    ada.say(type="film", at="7", eyes="0", pointer="boston-montreal")
    for viewer in (bob, watcher):
        shown = viewer.hear("film")
        assert (shown["leader"], shown["name"], shown["at"]) == (0, "Ada", "7")
        assert (shown["eyes"], shown["pointer"]) == ("0", "boston-montreal")
    late = Person(other.address, made["table"]).come()
    assert late.hear("film")["at"] == "7"
    bob.say(type="film", at="3")  # takes the lead, through the other server
    assert ada.hear("film")["name"] == "Bob"
    bob.say(type="film", at="4")
    assert ada.hear("film")["at"] == "4"
    other.kill()  # and whoever led through it is gone
    assert ada.hear("film")["leader"] is None
    ada.go()


class _Server:
    """A server of two in one process: its audience, and what it has published."""

    def __init__(self) -> None:
        self.presences = Presences(shared=True)
        self.audience = Audience()
        self.together = Together(self.audience, self.publish)

    def viewer(self, seat: int) -> Viewer:
        viewer = Viewer(None, Limits())
        viewer.seat = seat
        self.audience.viewers.add(viewer)
        return viewer

    def publish(self) -> None:
        here = self.audience.present
        self.presences.publish("t", Present(here.seats, here.spectators, film=self.together.lead))


def test_of_two_who_take_the_lead_at_once_one_has_it_everywhere() -> None:
    async def run() -> None:
        one, other = _Server(), _Server()
        ada, bob = one.viewer(0), other.viewer(1)
        table = _over("Ada", "Bob")
        one.together.show(ada, from_client.ShowFilm(at="1"), table)
        other.together.show(bob, from_client.ShowFilm(at="2"), table)
        first, second = one.together.lead, other.together.lead
        assert first is not None
        assert second is not None
        for _ in range(3):
            crossing = (one.presences.outgoing, other.presences.outgoing)
            one.presences.outgoing, other.presences.outgoing = asyncio.Queue(), asyncio.Queue()
            _deliver(crossing[1], one, "other")
            _deliver(crossing[0], other, "one")
        leads = [one.together.lead, other.together.lead]
        assert sum(lead is not None for lead in leads) == 1
        assert next(lead for lead in leads if lead) == max(first, second, key=lambda it: it.order())

    asyncio.run(run())


def _deliver(queue: "asyncio.Queue[tuple[str, str]]", to: _Server, sender: str) -> None:
    while not queue.empty():
        table, message = queue.get_nowait()
        to.presences.receive(Notification(sender, table, message), 1.0)
        to.together.follow(to.presences.elsewhere(table))


def _over(*names: str) -> Table:
    """A finished table, as far as who leads depends on it."""

    class Seat:
        kind = "person"

        def __init__(self, name: str) -> None:
            self.name = name

    class Over:
        result = object()

        def __init__(self) -> None:
            self.seats = [Seat(name) for name in names]

    return cast(Table, cast(Any, Over()))
