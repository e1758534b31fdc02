"""A store that fails while people play: a clear refusal, and nothing is lost."""

import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.server.conftest import Cluster
from tests.server.support.disk import WITHOUT_DISK
from tests.server.support.people import PERSON, Person, api, bot, together
from tests.server.support.processes import Server
from tests.server.test_whole_games import check_record, seated

needs_prlimit = pytest.mark.skipif(
    sys.platform != "linux", reason="the size of files can be limited from outside only on Linux"
)


def play_until_refused(*people: Person) -> str:
    """One after the other, everybody knowing everything, until a decision is refused."""
    while True:
        person = next(person for person in people if person.moves)
        answer = person.decide()
        if answer["type"] == "refused":
            return str(answer["code"])
        for other in people:
            while other.state["number"] < answer["number"]:
                other.hear("state")


@needs_prlimit
def test_a_full_disk_refuses_clearly_and_the_game_goes_on_when_there_is_room(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    store = tmp_path / "games.sqlite"
    server = serving(str(store))
    ada, bob = seated(server, edition="short")
    while ada.state["number"] < bob.state["number"]:
        ada.hear("state")
    assert server.process is not None
    size = max(path.stat().st_size for path in tmp_path.iterdir())
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    assert play_until_refused(ada, bob) == "store_full"
    ready = api(server.address).get("/readyz")
    while ready.status_code == 200:  # as long as the last write is fresh
        ready = api(server.address).get("/readyz")
    assert (ready.status_code, ready.json()["code"]) == (503, "store_full")
    assert api(server.address).get("/healthz").json() == {"status": "ok"}
    number = ada.state["number"]
    refused = api(server.address).post(
        "/api/tables", json={"edition": "usa", "seats": [PERSON, bot()]}
    )
    assert (refused.status_code, refused.json()["code"]) == (507, "store_full")
    ada.go()
    ada.come()  # looking is still possible, and nothing was lost
    assert ada.state["number"] == number
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)
    together(ada, bob)
    check_record(server, ada, bob)


@pytest.mark.xdist_group("postgresql")
def test_a_full_disk_of_the_database_refuses_clearly_and_the_game_goes_on_when_there_is_room(
    cluster: Cluster, serving: Callable[..., Server]
) -> None:
    with cluster.small_disk() as disk:
        if disk is None:
            pytest.skip(WITHOUT_DISK)
        server = serving(cluster.database(disk))
        ada, bob = seated(server, edition="usa")
        while ada.state["number"] < bob.state["number"]:
            ada.hear("state")
        disk.fill()
        ready = api(server.address).get("/readyz")
        end = time.monotonic() + 30
        while ready.status_code == 200:  # as long as the last write is fresh; nobody writes now
            assert time.monotonic() < end
            ready = api(server.address).get("/readyz")
        assert (ready.status_code, ready.json()["code"]) == (503, "store_full")
        assert api(server.address).get("/healthz").json() == {"status": "ok"}
        assert play_until_refused(ada, bob) == "store_full"
        number = ada.state["number"]
        ada.go()
        ada.come()  # looking is still possible, and nothing was lost
        assert ada.state["number"] == number
        disk.free()
        together(ada, bob, events=30)
        server.kill()


def test_a_store_that_was_deleted_refuses_clearly(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    store = tmp_path / "games.sqlite"
    server = serving(str(store))
    ada, _ = seated(server)
    elsewhere = tmp_path / "elsewhere.sqlite"
    store.rename(elsewhere)
    assert ada.command("decide", action="keep 1 2 3")["code"] == "store_unavailable"
    elsewhere.rename(store)
    assert ada.command("decide", action="keep 1 2 3")["type"] == "accepted"


@pytest.mark.xdist_group("postgresql")
def test_a_database_that_is_restarted_costs_nothing(
    cluster: Cluster, serving: Callable[..., Server]
) -> None:
    server = serving(cluster.database())
    ada, bob = seated(server, bot(), edition="short")
    together(ada, bob, events=10)
    cluster.stop()
    try:
        ready = api(server.address).get("/readyz")
        while ready.status_code == 200:  # as long as the last write is fresh
            ready = api(server.address).get("/readyz")
        assert (ready.status_code, ready.json()["code"]) == (503, "store_unavailable")
        assert api(server.address).get("/healthz").json() == {"status": "ok"}
        codes = {ada.command("pause")["code"], ada.command("pause")["code"]}
        assert codes == {"store_unavailable"}
    finally:
        cluster.start()
    answer = ada.command("pause")
    while answer["type"] == "refused" and answer["code"] == "store_unavailable":
        answer = ada.command("pause")
    assert answer["type"] == "accepted"
    assert ada.command("resume")["type"] == "accepted"
    together(ada, bob)
    check_record(server, ada, bob)


@pytest.mark.xdist_group("postgresql")
def test_a_database_that_is_frozen_refuses_clearly(
    cluster: Cluster, serving: Callable[..., Server]
) -> None:
    """Its machine answers and its processes are stopped: no timeout of the database or of TCP
    notices that.
    """
    server = serving(cluster.database())
    ada, bob = seated(server)
    frozen = cluster.processes()
    began = time.monotonic()
    for process in frozen:
        os.kill(process, signal.SIGSTOP)
    try:
        with ThreadPoolExecutor() as others, api(server.address) as web:
            # Many at once: nobody waits for a queue of those who came before.
            reads = [others.submit(web.get, f"/api/tables/none{n}") for n in range(40)]
            ready = others.submit(web.get, "/readyz")
            assert ada.command("decide", action="keep 1 2 3")["code"] == "store_unavailable"
            assert {read.result().status_code for read in reads} == {503}
            assert ready.result().status_code == 503
            assert ready.result().json()["code"] == "store_unavailable"
            assert web.get("/healthz").json() == {"status": "ok"}
        assert time.monotonic() - began < 20  # 5 by itself; it was 45 for each
    finally:
        for process in frozen:
            os.kill(process, signal.SIGCONT)
    answer = ada.command("decide", action="keep 1 2 3")
    while answer["type"] == "refused" and answer["code"] == "store_unavailable":
        answer = ada.command("decide", action="keep 1 2 3")
    # Either it was not written, or it was while nobody could say so.
    assert answer["type"] == "accepted" or answer["code"] in ("stale", "illegal_action"), answer
    bob.say(type="ping")
    bob.hear("pong")


@pytest.mark.xdist_group("postgresql")
def test_two_servers_share_a_database(cluster: Cluster, serving: Callable[..., Server]) -> None:
    """Ada is at one server, Bob at the other; a bot plays; one of the servers dies."""
    url = cluster.database()
    one, two = serving(url), serving(url)
    ada, bob = seated(one, bot(), edition="short")
    bob.go()
    bob.address = two.address
    bob.come()
    together(ada, bob, events=12)
    one.kill()
    ada.address = two.address
    ada.come(known=ada.state["number"])
    together(ada, bob)
    check_record(two, ada, bob)
    assert [e["number"] for e in bob.entries] == list(range(1, bob.state["number"] + 1))


@pytest.mark.xdist_group("postgresql")
def test_people_see_who_is_present_at_another_server(
    cluster: Cluster, serving: Callable[..., Server]
) -> None:
    url = cluster.database()
    one, two = (serving(url, alive_seconds=0.5) for _ in range(2))
    ada, bob = seated(one)
    bob.go()
    presence(ada, [True, False], 0)
    bob.address = two.address
    bob.come()
    presence(ada, [True, True], 0)
    presence(bob, [True, True], 0)  # who came later hears of those who were there before
    watcher = Person(two.address, ada.table).come()
    presence(ada, [True, True], 1)
    watcher.go()
    presence(ada, [True, True], 0)
    two.kill()  # it says nothing any more
    presence(ada, [True, False], 0)
    assert ada.command("decide", action="keep 1 2 3")["type"] == "accepted"


def presence(person: Person, seats: list[bool], spectators: int) -> None:
    """Wait until a person is sent that just these are present."""
    while True:
        sent = person.hear("presence")
        if (sent["seats"], sent["spectators"]) == (seats, spectators):
            return
