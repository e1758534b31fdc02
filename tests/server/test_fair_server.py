"""One clock for all servers on a store, and viewers who may not look on."""

import asyncio
from pathlib import Path

import pytest

from ferrovia.server.protocol import from_client
from ferrovia.server.protocol.clock import Clock
from ferrovia.server.protocol.from_client import BotSeat, CreateTable, OpenSeat, PersonSeat
from ferrovia.server.rates import Rate
from ferrovia.server.refusals import Close, Refusal
from ferrovia.server.settings import Limits, Settings
from ferrovia.server.store import Store
from ferrovia.server.store.clock import StoreClock
from ferrovia.server.store.sqlite.store import SqliteStore
from ferrovia.server.table.tokens import new_token
from ferrovia.server.table.viewers.audience import Viewer
from tests.server.support.people import OPEN, PERSON, Closed, Person, api, create
from tests.server.support.processes import Server
from tests.server.support.tables import tables_of


class Timed(SqliteStore):
    """A store whose clock is a test's."""

    there = 5_000.0

    def time(self) -> float:
        return self.there


def test_the_time_is_that_of_the_store_and_passes_as_the_machine_counts(tmp_path: Path) -> None:
    store, here = Timed(tmp_path / "games.sqlite"), [100.0]
    clock = StoreClock(store, lambda: here[0])
    assert clock.now() == 5_000.0
    here[0] += 10
    assert clock.now() == 5_010.0
    store.there = 5_012.0  # the machine's clock is slow
    clock.check()
    assert clock.now() == 5_012.0
    store.there = 5_000.0  # the store's clock was set back
    clock.check()
    assert clock.now() == 5_012.0  # time stands still meanwhile
    here[0] += 20
    assert clock.now() == 5_020.0
    store.close()


def test_a_measurement_that_took_long_is_not_trusted(tmp_path: Path) -> None:
    store, here = Timed(tmp_path / "games.sqlite"), [100.0]

    def tick() -> float:
        here[0] += step
        return here[0]

    step = 0.5
    clock = StoreClock(store, tick)
    before = clock._offset
    step, store.there = 3.0, 9_000.0
    clock.check()
    assert clock._offset == before
    store.close()


def test_every_store_knows_the_time(store: Store) -> None:
    one, other = store.time(), store.time()
    assert 1_600_000_000 < one <= other


def test_a_server_whose_own_clock_is_wrong_times_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was 120 s ahead, and timed out both players."""
    import time

    right = time.time

    class Wall(SqliteStore):
        def time(self) -> float:
            return right()

    monkeypatch.setattr(time, "time", lambda: right() + 120)

    async def run() -> None:
        store = Wall(tmp_path / "games.sqlite")
        tables = tables_of(Settings(), store)
        seats = (PersonSeat("Ada"), PersonSeat("Bob"))
        request = from_client.CreateTable(edition="europe", seats=seats, clock=Clock("live", 60))
        made = await tables.create(request, new_token())
        table = await tables.authority(made.table).table()
        assert table.turn.deadline is not None
        assert table.turn.deadline - right() <= 60
        assert tables.now() < table.turn.deadline
        await tables.close()

    asyncio.run(run())


def frames_of(viewer: Viewer) -> list[bytes | None]:
    return [viewer._frames.get_nowait() for _ in range(viewer._frames.qsize())]


@pytest.mark.parametrize("spectators", [True, False])
def test_who_leaves_the_seat_looks_on_only_where_that_is_allowed(
    tmp_path: Path, spectators: bool
) -> None:
    async def run() -> None:
        store = SqliteStore(tmp_path / "games.sqlite")
        tables = tables_of(Settings(), store)
        seats = (PersonSeat("Ada"), OpenSeat(), OpenSeat())
        request = from_client.CreateTable(edition="europe", seats=seats, spectators=spectators)
        host = new_token()
        made = await tables.create(request, host)
        authority, eve = tables.authority(made.table), new_token()
        await authority.join(from_client.JoinTable(name="Eve"), eve)
        watcher = Viewer(eve, Limits())
        await authority.connect(watcher, None)
        known = (await authority.table()).number
        await authority.execute(eve, from_client.Leave(id="go", known=known))
        sent = frames_of(watcher)
        await authority.execute(
            host, from_client.Fill(id="f", known=known + 1, seat=1, bot="greedy")
        )
        after = frames_of(watcher)
        if spectators:
            assert after
            assert watcher in authority.audience.viewers
        else:
            assert len(sent) == 2
            assert b'"no_spectators"' in (sent[0] or b"")
            assert sent[1] is None
            assert after == []
            assert watcher.closed == Close.WRONG_TOKEN
            assert watcher not in authority.audience.viewers
        await tables.close()

    asyncio.run(run())


def test_the_host_looks_on_without_a_seat_before_the_game_only(tmp_path: Path) -> None:
    async def run() -> None:
        store = SqliteStore(tmp_path / "games.sqlite")
        tables = tables_of(Settings(), store)
        seats = (PersonSeat("Ada"), OpenSeat(), OpenSeat())
        request = from_client.CreateTable(edition="europe", seats=seats, spectators=False)
        host = new_token()
        made = await tables.create(request, host)
        authority = tables.authority(made.table)
        watcher = Viewer(host, Limits())
        await authority.connect(watcher, None)
        await authority.execute(host, from_client.Leave(id="go", known=1))
        assert watcher in authority.audience.viewers
        for seat in (1, 2):
            fill = from_client.Fill(id=f"f{seat}", known=seat + 1, seat=seat, bot="greedy")
            await authority.execute(host, fill)
        await authority.join(from_client.JoinTable(name="Bob"), new_token())
        assert (await authority.table()).status == "running"
        assert watcher.closed == Close.WRONG_TOKEN
        with pytest.raises(Refusal, match="no_spectators"):
            await authority.connect(Viewer(host, Limits()), None)
        with pytest.raises(Refusal, match="no_spectators"):
            await authority.record(host)
        await tables.close()

    asyncio.run(run())


def test_over_a_socket_who_left_is_sent_away(house: Server) -> None:
    made = create(house.address, PERSON, OPEN, OPEN, spectators=False)
    body = {"name": "Eve"}
    joined = api(house.address).post(f"/api/tables/{made['table']}/join", json=body).json()
    eve = Person(house.address, made["table"], joined["token"]).come()
    eve.say(type="leave", id="go", known=eve.state["number"])
    with pytest.raises(Closed, match="4403"):
        eve.hear("nothing")
    assert not any('"seat":1,"entry":"unseated"' in frame for frame in eve.frames)


def test_a_creation_sent_twice_is_answered_alike(tmp_path: Path) -> None:
    async def run() -> None:
        tables = tables_of(Settings(), SqliteStore(tmp_path / "games.sqlite"))
        seats = (PersonSeat("Ada"), PersonSeat("Bob"), OpenSeat())
        request = from_client.CreateTable(edition="europe", seats=seats, id="once")
        token = new_token()
        first, again = [await tables.create(request, token) for _ in range(2)]
        assert first == again
        table = await tables.authority(first.table).table()
        for held in again.held:
            actor = table.actor(held.token)
            assert actor is not None
            assert actor.seat == held.seat
        await tables.close()

    asyncio.run(run())


def test_a_kept_seat_is_declined_by_its_token_alone(house: Server) -> None:
    made = create(house.address, PERSON, OPEN)
    token = made["held"][0]["token"]
    path = f"/api/tables/{made['table']}/decline"
    assert api(house.address).post(path).json()["code"] == "wrong_token"
    assert api(house.address, new_token()).post(path).json()["code"] == "wrong_token"
    assert api(house.address, token).post(path).status_code == 204
    info = api(house.address).get(f"/api/tables/{made['table']}").json()
    assert info["seats"][0]["kind"] == "open"


def test_hints_are_no_public_matter(house: Server) -> None:
    made = create(house.address, PERSON, PERSON, hints=False)
    ada = Person(house.address, made["table"], made["held"][0]["token"]).come()
    before = api(house.address).get("/metrics").text
    ada.say(type="hint", id="h")
    assert ada.hear("refused", "hint", id="h")["code"] == "hints_off"
    text = api(house.address).get("/metrics").text
    assert "hint" not in text
    assert _counts(text) == _counts(before)


def _counts(text: str) -> list[str]:
    return [line for line in text.splitlines() if "_total" in line]


def test_the_time_of_the_server_comes_with_every_pong(house: Server) -> None:
    made = create(house.address, PERSON, OPEN)
    ada = Person(house.address, made["table"], made["held"][0]["token"]).come()
    ada.say(type="ping")
    assert ada.hear("pong")["now"] > 1_600_000_000


def test_whoever_comes_wakes_the_bots_and_bots_alone_play_for_nobody(tmp_path: Path) -> None:
    """After a restart, when the store has more tables of bots than are ever looked at."""

    async def act() -> None:
        path, token = tmp_path / "games.sqlite", new_token()
        bot = BotSeat("random")
        tables = tables_of(Settings(bot_pace=0.0), SqliteStore(path))
        alone = await tables.create(CreateTable(edition="usa", seats=(bot, bot)), token)
        seats = (PersonSeat("Ada"), bot)
        made = await tables.create(CreateTable(edition="usa", seats=seats, first=1), token)
        await tables.close()

        store = SqliteStore(path)
        store.due = lambda *_: []  # type: ignore[method-assign]  # it never comes to be our turn
        tables = tables_of(Settings(bot_pace=0.0), store)
        await tables.open()
        ada = Viewer(token, Limits())
        await tables.authority(made.table).connect(ada, None)
        async with asyncio.timeout(60):
            while (
                b'"bot":"random"' not in ((await ada.next_frame()) or b"").partition(b'"table"')[0]
            ):
                pass
        assert (await tables.authority(alone.table).table()).undo.decisions == []
        watcher = Viewer(None, Limits())
        await tables.authority(alone.table).connect(watcher, None)
        async with asyncio.timeout(60):
            while b'"decided"' not in ((await watcher.next_frame()) or b""):
                pass
        await tables.close()

    asyncio.run(act())


def test_tables_of_bots_alone_are_never_due_in_the_store(tmp_path: Path) -> None:
    async def act() -> None:
        store = SqliteStore(tmp_path / "games.sqlite")
        tables = tables_of(Settings(), store)
        bot = BotSeat("random")
        await tables.create(CreateTable(edition="usa", seats=(bot, bot)), new_token())
        assert store.due(1e12, 10) == []
        token = new_token()
        seats = (PersonSeat("A"), bot)
        made = await tables.create(
            CreateTable(edition="usa", seats=seats, first=1, stand_in="random"), token
        )
        assert len(store.due(1e12, 10)) == 1
        await tables.authority(made.table).execute(token, from_client.Leave(id="go", known=2))
        assert store.due(1e12, 10) == []  # the bots would play on for nobody
        await tables.close()

    asyncio.run(act())


def test_whoever_made_a_link_does_not_see_the_hand_of_who_came_by_it(house: Server) -> None:
    made = create(house.address, PERSON, PERSON)
    old, new = made["held"][1]["token"], new_token()
    path = f"/api/tables/{made['table']}"
    host = Person(house.address, made["table"], old).come()
    for _ in range(2):  # the second time the answer was lost
        assert api(house.address, old).post(f"{path}/token", json={"token": new}).status_code == 204
    assert "own" not in host.hear("state") or host.state["own"] is None
    assert api(house.address, old).get(f"{path}/record").json()["code"] == "wrong_token"
    assert api(house.address, new).get(f"{path}/record").status_code == 200
    assert Person(house.address, made["table"], new).come().state["own"] is not None
    stranger = api(house.address, new_token()).post(f"{path}/token", json={"token": new_token()})
    assert stranger.json()["code"] == "wrong_token"


def test_tables_in_memory_are_counted_in_bytes(tmp_path: Path) -> None:
    """Each request that woke a long fork cost 1.4 MB, for two minutes."""

    async def act() -> None:
        limits = Limits(awake_bytes=20_000)
        tables = tables_of(Settings(limits=limits), SqliteStore(tmp_path / "games.sqlite"))
        seats = (PersonSeat("Ada"), BotSeat("random"))
        wanted = CreateTable(edition="usa", seats=seats, first=0)
        made = [(await tables.create(wanted, None)).table for _ in range(40)]
        watched = Viewer(None, Limits())
        await tables.authority(made[0]).connect(watched, None)
        for table in made:
            await tables.authority(table).table()
            assert tables._awake <= 20_000
        awake = [table for table in made if tables.authority(table).loaded]
        assert made[0] in awake  # somebody looks on
        assert made[-1] in awake
        assert 2 < len(awake) < 30
        await tables.close()

    asyncio.run(act())


def test_a_network_stores_so_many_bytes_a_day(tmp_path: Path) -> None:
    async def act() -> None:
        limits = Limits(stored_bytes=Rate(burst=5_000, per_second=0))
        tables = tables_of(Settings(limits=limits), SqliteStore(tmp_path / "games.sqlite"))
        wanted = CreateTable(edition="usa", seats=(PersonSeat("Ada"), BotSeat("random")))
        await tables.create(wanted, None, "2001:db8:0:1::/64")

        async def fill() -> None:
            for number in range(2, 20):
                await tables.create(wanted, None, f"2001:db8:0:{number}::/64")

        with pytest.raises(Refusal, match="too_fast"):
            await fill()
        await tables.create(wanted, None, "192.0.2.1")
        await tables.close()

    asyncio.run(act())


def test_what_is_played_counts_for_the_network_that_set_the_table_up(tmp_path: Path) -> None:
    """Tables of 1 KB each were filled with chat and moves taken back, a gigabyte a day."""

    async def act() -> None:
        limits = Limits(stored_bytes=Rate(burst=6_000, per_second=0))
        tables = tables_of(Settings(limits=limits), SqliteStore(tmp_path / "games.sqlite"))
        seats = (PersonSeat("Ada"), PersonSeat("Bob"))
        wanted, token = CreateTable(edition="usa", seats=seats), new_token()
        made = await tables.create(wanted, token, "192.0.2.1")
        await tables.create(wanted, None, "192.0.2.1")
        authority = tables.authority(made.table)
        for number in range(5):  # nobody is refused one for it
            said = from_client.Say(id=f"s{number}", known=0, text="x" * 300)
            await authority.execute(token, said)
        with pytest.raises(Refusal, match="too_fast"):
            await tables.create(wanted, None, "192.0.2.1")
        await tables.create(wanted, None, "192.0.2.2")
        await tables.close()

    asyncio.run(act())


def test_no_board_is_made_for_a_table_that_is_not_set_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was made and kept before the bytes of the network were counted."""
    monkeypatch.setenv("FERROVIA_DATA", str(tmp_path))

    async def act() -> None:
        limits = Limits(stored_bytes=Rate(burst=25_000, per_second=0))
        tables = tables_of(Settings(limits=limits), SqliteStore(tmp_path / "games.sqlite"))
        seats = (PersonSeat("Ada"), BotSeat("random"))

        async def fill() -> None:
            for number in range(8):
                wanted = CreateTable(edition=f"made-small-{number}-portugal", seats=seats)
                await tables.create(wanted, None, "192.0.2.1")

        with pytest.raises(Refusal, match="too_fast"):
            await fill()
        before = list((tmp_path / "boards").iterdir())
        for number in range(10, 14):
            wanted = CreateTable(edition=f"made-small-{number}-portugal", seats=seats)
            with pytest.raises(Refusal, match="too_fast"):
                await tables.create(wanted, None, "192.0.2.1")
        assert len(list((tmp_path / "boards").iterdir())) <= len(before) + 1
        await tables.close()

    asyncio.run(act())
