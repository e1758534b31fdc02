"""A table for the room: a screen without a seat, a door, and people who lost their secret."""

import asyncio
import json
import random
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from ferrovia.server import Settings
from ferrovia.server.http.lan import is_loopback, reachable
from ferrovia.server.lobby.tables import Tables
from ferrovia.server.protocol import from_client
from ferrovia.server.refusals import Refusal
from ferrovia.server.settings import Limits
from ferrovia.server.store.sqlite.store import SqliteStore
from ferrovia.server.table import entries
from ferrovia.server.table.authority import Authority
from ferrovia.server.table.commands import handle, time_out
from ferrovia.server.table.entries import HOST, write_entry
from ferrovia.server.table.resume import resume
from ferrovia.server.table.room_codes import LETTERS, is_room_code, room_code
from ferrovia.server.table.seat import SPECTATOR, Actor
from ferrovia.server.table.tokens import new_token
from ferrovia.server.table.verbs import room, seats
from ferrovia.server.table.viewers import view
from ferrovia.server.table.viewers.audience import Viewer
from tests.server.support.tables import tables_of
from tests.server.support.tabletop import SMALL_BOARD, Tabletop, facts

OPEN = from_client.OpenSeat()
SCREEN = Actor(None, host=True)


def a_room(*seats: Any, **setup: Any) -> Tabletop:
    return Tabletop(*(seats or (OPEN,) * 4), room=True, **setup)


def sit(top: Tabletop, name: str) -> int:
    token = new_token()
    entry = seats.join(top.table, from_client.JoinTable(name=name), token, top.now)
    top.write(entry)
    top.held[entry.seat] = token
    return entry.seat


def as_(top: Tabletop, actor: Actor, kind: Any, **more: Any) -> None:
    more = {"id": f"c{next(top.ids)}", "known": top.table.number, **more}
    top.write(*handle(top.context(actor), kind(**more)))


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as refused:
        act()
    return refused.value.code


def ask(top: Tabletop, seat: int | None) -> tuple[str, str]:
    """Ask to be let in; return the new token and the word."""
    token = new_token()
    entry = room.ask(top.table, from_client.AskEntry(seat=seat), token, top.now)
    top.write(entry)
    return token, entry.word


def test_the_screen_has_a_token_and_no_seat() -> None:
    top = a_room(spectators=False)
    assert list(top.held) == [None]
    actor = top.table.actor(top.held[None])
    assert actor == SCREEN
    for name in ("Ada", "Bea", "Cem"):
        sit(top, name)
    top.command(1, from_client.Begin)
    assert top.table.status == "running"
    assert top.table.admits(SCREEN)
    assert not top.table.admits(SPECTATOR)
    assert refusal(lambda: as_(top, SCREEN, from_client.Decide, action="draw")) == "not_seated"


def test_anybody_seated_begins_with_those_who_are_there() -> None:
    top = a_room(OPEN, OPEN, from_client.BotSeat("greedy"), OPEN, OPEN, first=4)
    sit(top, "Ada")
    assert refusal(lambda: as_(top, SPECTATOR, from_client.Begin)) == "not_seated"
    sit(top, "Bea")
    as_(top, Actor(0, host=False), from_client.Leave)
    sit(top, "Cem")
    sit(top, "Dan")
    as_(top, Actor(1, host=False), from_client.Leave)
    assert [seat.kind for seat in top.table.seats] == ["person", "open", "bot", "person", "open"]
    top.command(3, from_client.Begin)
    assert [seat.name or seat.bot for seat in top.table.seats] == ["Cem", "greedy", "Dan"]
    assert top.table.status == "running"
    assert top.table.setup.first is None
    assert top.table.actor(top.held[3]) == Actor(2, host=False)
    again = resume(top.table.id, [write_entry(entry) for entry in top.log])
    assert facts(again) == facts(top.table)


def test_too_few_do_not_begin() -> None:
    top = a_room()
    sit(top, "Ada")
    assert refusal(lambda: top.command(0, from_client.Begin)) == "invalid_setup"


def test_the_door() -> None:
    top = a_room()
    first, second = sit(top, "Ada"), sit(top, "Bea")
    info = view.table_info(top.table).room
    assert info is not None
    assert info.code == room_code(top.table.id)
    assert info.keeper == first
    assert refusal(lambda: top.command(second, from_client.Lock, locked=True)) == "not_host"
    as_(top, SCREEN, from_client.Lock, locked=True)
    assert refusal(lambda: sit(top, "Cem")) == "locked"
    info = view.table_info(top.table).room
    assert info is not None
    assert info.code is None
    assert refusal(lambda: top.command(first, from_client.Lock, locked=True)) == "stale"
    top.command(first, from_client.Lock, locked=False)
    sit(top, "Cem")
    assert refusal(lambda: top.command(second, from_client.Remove, seat=first)) == "not_host"
    top.command(first, from_client.Remove, seat=second)
    assert top.table.seats[second].kind == "open"
    assert top.table.actor(top.held[second]) is None
    top.command(first, from_client.Begin)
    assert top.table.door.locked
    assert refusal(lambda: top.command(0, from_client.Remove, seat=1)) == "already_started"
    top.command(1, from_client.Lock, locked=False)  # back on demand, by anybody who plays
    assert view.room_card(top.table) == room_code(top.table.id).encode()


def test_who_lost_the_secret_is_let_in_by_somebody_else() -> None:
    top = a_room()
    for name in ("Ada", "Bea", "Cem"):
        sit(top, name)
    top.command(0, from_client.Begin)
    old = top.held[1]
    token, word = ask(top, 1)
    info = view.table_info(top.table).room
    assert info is not None
    assert [(one.seat, one.word) for one in info.asking] == [(1, word)]

    def answer(seat: int | None, /, **more: Any) -> None:
        given = {"seat": 1, "word": word, "agree": True, **more}
        as_(top, Actor(seat, host=seat is None), from_client.LetIn, **given)

    assert refusal(lambda: answer(1)) == "not_host"
    assert refusal(lambda: answer(None)) == "not_seated"
    assert refusal(lambda: answer(2, word="BBBB")) == "not_asked"
    assert refusal(lambda: answer(2, seat=0)) == "not_asked"
    answer(2)
    assert top.table.actor(token) is None  # one person may have two devices
    assert refusal(lambda: answer(2)) == "stale"
    answer(0)
    assert top.table.actor(token) == Actor(1, host=False)
    assert top.table.actor(old) is None
    last = json.loads(view.Snapshot(top.table).state(0, [(9, top.log[-1])], 8))["entries"][0]
    assert (last["entry"], last["seat"], last["by"]) == ("let_in", 1, 0)
    again = resume(top.table.id, [write_entry(entry) for entry in top.log])
    assert facts(again) == facts(top.table)

    _, word = ask(top, 0)
    answer(0, seat=0, word=word, agree=False)  # whoever holds the seat refuses
    assert not top.table.door.asking


def test_one_person_alone_lets_in_after_a_time_in_which_the_owner_can_come() -> None:
    top = a_room()
    for name in ("Ada", "Bea"):
        sit(top, name)
    top.command(0, from_client.Begin)
    token, word = ask(top, 1)
    top.command(0, from_client.LetIn, seat=1, word=word, agree=True)
    assert top.table.door.due == top.now + top.terms.settings.entry_seconds
    assert top.table.due is not None
    assert top.table.due <= top.table.door.due
    top.write(*room.come_back(top.table, 1, top.now))  # the owner's phone is awake again
    assert not top.table.door.asking
    token, word = ask(top, 1)
    top.command(0, from_client.LetIn, seat=1, word=word, agree=True)
    top.now += top.terms.settings.entry_seconds
    top.write(*time_out(top.table, top.now, top.terms))
    assert top.table.actor(token) == Actor(1, host=False)
    assert top.table.actor(top.held[1]) is None


def test_a_screen_is_replaced_and_the_old_one_is_nobody() -> None:
    top = a_room()
    sit(top, "Ada")
    token, word = ask(top, None)
    top.command(0, from_client.LetIn, seat=None, word=word, agree=True)
    assert top.table.actor(token) == SCREEN
    assert top.table.actor(top.held[None]) is None


def test_strangers_do_not_fill_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_ASKED", 3)
    top = a_room()
    sit(top, "Ada")
    for _ in range(3):
        ask(top, 0)
    assert len(top.table.door.asking) == 1
    assert refusal(lambda: ask(top, 0)) == "too_many_events"
    assert refusal(lambda: ask(top, 2)) == "no_such_seat"


def test_other_tables_have_none_of_this() -> None:
    top = Tabletop()
    assert refusal(lambda: top.command(0, from_client.Begin)) == "not_a_room"
    assert refusal(lambda: top.command(0, from_client.Lock, locked=True)) == "not_a_room"
    assert refusal(lambda: ask(top, 1)) == "not_a_room"
    assert view.table_info(top.table).room is None
    with pytest.raises(Refusal):
        a_room(from_client.PersonSeat("Ada"), OPEN)
    with pytest.raises(Refusal):
        a_room(from_client.BotSeat("greedy"), from_client.BotSeat("greedy"))
    assert not a_room(listed=True).table.setup.listed


def test_codes_are_letters_that_nobody_mixes_up() -> None:
    chance = random.Random(1)
    codes = {room_code(f"{chance.getrandbits(128):x}") for _ in range(500)}
    assert len(codes) == 500
    assert all(is_room_code(code) for code in codes)
    assert not set("AEIOUY01") & set(LETTERS)
    assert not is_room_code("bcdfgh")


# With a store and viewers.


def at_tables(
    folder: Path, act: Callable[[Tables], Coroutine[Any, Any, None]], **settings: Any
) -> None:
    async def run() -> None:
        store = SqliteStore(folder / "games.sqlite")
        tables = tables_of(Settings(boards=(str(SMALL_BOARD),), **settings), store)
        await tables.open()
        try:
            await act(tables)
        finally:
            await tables.close()

    asyncio.run(run())


async def seated(tables: Tables, people: int = 2) -> tuple[Authority, str, list[str]]:
    request = from_client.CreateTable(edition="compass", seats=(OPEN,) * people, room=True)
    created = await tables.create(request, None)
    authority = tables.authority(created.table)
    tokens = [new_token() for _ in range(people)]
    for number, token in enumerate(tokens):
        await authority.join(from_client.JoinTable(name=f"P{number}"), token)
    return authority, created.held[0].token, tokens


def waiting(viewer: Viewer) -> list[bytes]:
    """The frames that have been sent to a viewer since the last time, presence apart."""
    frames = []
    while not viewer._frames.empty():
        frame = viewer._frames.get_nowait()
        if frame is not None and b'"type":"presence"' not in frame:
            frames.append(frame)
    return frames


def test_a_room_is_found_by_its_code_while_its_door_is_open(tmp_path: Path) -> None:
    async def act(tables: Tables) -> None:
        request = from_client.CreateTable(edition="compass", seats=(OPEN,) * 2, room=True)
        created = await tables.create(request, None)
        code = room_code(created.table)
        assert await tables.room(code) == created.table
        authority, screen = tables.authority(created.table), created.held[0].token
        lock = from_client.Lock(id="a", known=1, locked=True)
        await authority.execute(screen, lock)
        with pytest.raises(Refusal):
            await tables.room(code)
        await authority.execute(screen, from_client.Lock(id="b", known=2, locked=False))
        assert await tables.room(code) == created.table
        for name in "AB":
            await authority.join(from_client.JoinTable(name=name), new_token())
        with pytest.raises(Refusal):  # gone when play starts
            await tables.room(code)
        assert await tables.listing() == []

    at_tables(tmp_path, act)


def test_a_seat_that_is_connected_is_not_given_away(tmp_path: Path) -> None:
    async def act(tables: Tables) -> None:
        authority, _, tokens = await seated(tables)
        viewer = Viewer(tokens[1], Limits())
        await authority.connect(viewer, None)
        asked = from_client.AskEntry(seat=1)
        with pytest.raises(Refusal) as refused:
            await authority.ask_entry(asked, new_token())
        assert refused.value.code == "seat_present"
        authority.disconnect(viewer)
        word = await authority.ask_entry(asked, new_token())
        await authority.connect(viewer, None)  # the phone that slept is back at once
        assert not (await authority.table()).door.asking
        known = (await authority.table()).number
        let_in = from_client.LetIn(id="l", known=known, seat=1, word=word, agree=True)
        with pytest.raises(Refusal) as refused:
            await authority.execute(tokens[0], let_in)
        assert refused.value.code == "not_asked"

    at_tables(tmp_path, act)


def test_strangers_at_one_address_do_not_end_it_for_others(tmp_path: Path) -> None:
    async def act(tables: Tables) -> None:
        authority, _, _ = await seated(tables)
        asked = from_client.AskEntry(seat=1)
        for _ in range(room.MOST_ASKED_OF_SITE):
            await authority.ask_entry(asked, new_token(), "far away")
        with pytest.raises(Refusal, match="too_many_events"):
            await authority.ask_entry(asked, new_token(), "far away")
        assert await authority.ask_entry(asked, new_token(), "here")

    at_tables(tmp_path, act)


def test_the_screen_changes_by_committed_moves_alone(tmp_path: Path) -> None:
    """Whatever phones look at, ask for or try, the screen is sent nothing; and for every move one
    frame, which is the one that the public gets, whatever was drawn in secret.
    """

    async def act(tables: Tables) -> None:
        authority, token, tokens = await seated(tables)
        screen, stranger = Viewer(token, Limits()), Viewer(None, Limits())
        phones = [Viewer(one, Limits()) for one in tokens]
        for viewer in (screen, stranger, *phones):
            await authority.connect(viewer, None)
        waiting(screen), waiting(stranger)
        chance = random.Random(2)
        ids = iter(range(10_000))
        table = await authority.table()
        while table.status == "running":
            seat = chance.choice(table.awaited)
            game = table.game
            assert game is not None
            # On the phones: hints, pages of the log, a move that is illegal, one that is stale.
            for phone in phones:
                await authority.history(phone, from_client.AskHistory(id="h", before=3))
            for bad in ("claim no-such red", "keep 99", "pass"):
                if bad not in map(str, game.legal_actions(seat)):
                    with pytest.raises(Refusal):
                        await authority.execute(tokens[seat], decide(bad, table.number, ids))
            with pytest.raises(Refusal):
                await authority.execute(tokens[1 - seat], decide("draw", 0, ids))
            assert waiting(screen) == []
            action = str(chance.choice(game.legal_actions(seat)))
            before = table.number
            await authority.execute(tokens[seat], decide(action, before, ids))
            table = await authority.table()
            frames = waiting(screen)
            assert len(frames) == table.number - before == 1
            assert frames == waiting(stranger)
            sent = json.loads(frames[0])
            assert sent["own"] is None
            if table.status == "running":
                names = {f'"{name}"'.encode() for name in game.lexicon.tickets}
                assert not any(name in frames[0] for name in names)

    def decide(action: str, known: int, ids: Any) -> from_client.Decide:
        return from_client.Decide(id=f"d{next(ids)}", known=known, action=action)

    at_tables(tmp_path, act)


def test_where_other_devices_reach_the_server() -> None:
    assert reachable(Settings(host="127.0.0.1"), 8765) == ()
    assert reachable(Settings(host="localhost"), 8765) == ()
    assert reachable(Settings(host="192.168.1.5"), 80) == ("http://192.168.1.5:80/",)
    assert reachable(Settings(host="fe80::1"), 80) == ("http://[fe80::1]:80/",)
    named = Settings(public_url="https://club.example/trains/")
    assert reachable(named, 80) == ("https://club.example/trains/",)
    assert all("127.0.0.1" not in one for one in reachable(Settings(host="0.0.0.0"), 80))
    assert is_loopback("::1")
    assert not is_loopback("example.org")


def test_entries_of_a_room_belong_to_the_host_or_a_seat() -> None:
    top = a_room()
    sit(top, "Ada")
    as_(top, SCREEN, from_client.Lock, locked=True)
    locked = top.log[-1]
    assert isinstance(locked, entries.Locked)
    assert locked.by == HOST
