"""A table is what its log says: verbs change nothing, and `Table.apply` leads everybody alike."""

import asyncio
import itertools
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ferrovia.game import Game, RecordError
from ferrovia.game.chance.seeds import seed_bytes
from ferrovia.game.chance.shuffle import commitment_to
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol import from_client
from ferrovia.server.protocol.clock import Clock
from ferrovia.server.protocol.from_client import BotSeat, OpenSeat, PersonSeat
from ferrovia.server.refusals import Refusal
from ferrovia.server.settings import Settings
from ferrovia.server.store import Append, StoreLocked
from ferrovia.server.store.journal import ThreadJournal
from ferrovia.server.store.sqlite.store import SqliteStore
from ferrovia.server.table import entries, played
from ferrovia.server.table.authority import Authority, Services
from ferrovia.server.table.commands import handle
from ferrovia.server.table.context import Terms
from ferrovia.server.table.entries import AnyEntry, read_entry, write_entry
from ferrovia.server.table.played import Diverged
from ferrovia.server.table.resume import resume
from ferrovia.server.table.seat import Actor
from ferrovia.server.table.summary import new_table
from ferrovia.server.table.table import Table
from ferrovia.server.table.tokens import new_token
from ferrovia.server.table.verbs import room, seats, start
from ferrovia.server.table.verbs.create import create
from ferrovia.server.table.verbs.decide import decide_for_bot
from ferrovia.server.table.verbs.rematch import created_again
from ferrovia.server.table.verbs.undo import undoable
from ferrovia.server.table.viewers.presence import Presences
from tests.server.support.tabletop import CATALOG, Tabletop, facts, kept_facts

COMMANDS = (
    from_client.Leave,
    from_client.Return,
    from_client.Replace,
    from_client.Pause,
    from_client.Resume,
    from_client.Fill,
    from_client.Rematch,
    from_client.Reveal,
    from_client.Say,
    from_client.Report,
    from_client.Notify,
    from_client.Subscribe,
    from_client.Choose,
    from_client.Begin,
)
ROOM_COMMANDS = (from_client.Begin, from_client.Lock, from_client.Remove)


PART = "5a" * 32
COMMITMENT = commitment_to(PART)


def rebuilt(table: Table, log: Sequence[AnyEntry]) -> Table | None:
    return resume(table.id, [write_entry(entry) for entry in log])


@pytest.fixture
def seeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are shuffled alike in every run, so that what is reached does not depend on luck."""
    seeds = itertools.count()
    monkeypatch.setattr(start, "shuffled", lambda _: (seed_bytes(next(seeds)), None))


class Crowd:
    """People and bots who do at a table whatever comes to their mind, allowed or not."""

    def __init__(self, seed: int, top: Tabletop) -> None:
        self.chance = random.Random(seed)
        self.top = top
        self.accepted: Counter[type] = Counter()
        self.refused: Counter[str] = Counter()

    def act(self) -> None:
        """Try one thing, and compare the table before, after, and as its log has it."""
        top, table = self.top, self.top.table
        top.now += self.chance.choice((0.0, 1.0, 20.0))
        before = kept_facts(table)
        try:
            drafted = self._attempt()()
        except Refusal as refusal:
            self.refused[refusal.code] += 1
            drafted = []
        assert facts(table) == before
        if not drafted:
            return
        known = len(top.log)
        top.write(*drafted)
        self.accepted.update(type(entry) for entry in top.log[known:])
        assert facts(table) == facts(rebuilt(table, top.log))
        if isinstance(drafted[0], entries.Rematched):
            self._move_on(drafted[0])

    def _move_on(self, entry: entries.Rematched) -> None:
        """Go to the rematch."""
        top, created = self.top, created_again(self.top.table, entry)
        top.table, append = new_table(entry.table, created, top.now, top.terms)
        top.log = [read_entry(data) for data in append.entries]
        assert facts(top.table) == facts(rebuilt(top.table, top.log))

    def _attempt(self) -> Callable[[], list[AnyEntry]]:
        top, table, chance = self.top, self.top.table, self.chance
        seat = chance.randrange(len(table.seats))
        waiting = table.status == "waiting"
        if waiting and chance.random() < 0.3:
            chosen = chance.choice((None, seat, 5))
            join = from_client.JoinTable(
                name=chance.choice(("Bob", "Cleo", " ")),
                seat=chosen,
                commitment=chance.choice((None, COMMITMENT)),
            )
            return lambda: [seats.join(table, join, new_token(), top.now)]
        if waiting and chance.random() < 0.3:
            commitment = chance.choice((None, COMMITMENT))
            return lambda: _some(seats.come(table, seat, top.now, commitment))
        if waiting and chance.random() < 0.2:
            return lambda: [seats.decline(table, Actor(seat, host=False), top.now)]
        if table.setup.room and chance.random() < 0.15:
            request = from_client.AskEntry(seat=chance.choice((None, seat)))
            return lambda: [room.ask(table, request, new_token(), top.now)]
        if table.awaited_bot is not None and chance.random() < 0.9:
            bot = table.awaited_bot
            action = self._action(bot)
            return lambda: [decide_for_bot(table, bot, action, top.now)]
        if chance.random() < 0.1:
            return top.time_out
        if not waiting and chance.random() < 0.02:
            return lambda: [seats.renew(table, Actor(seat, host=False), new_token(), top.now)]
        command = self._command(seat)
        actor = chance.choice((Actor(seat, host=seat == 0), Actor(None, host=False)))
        if isinstance(command, from_client.Fill) and chance.random() < 0.7:
            actor = Actor(0, host=True)
        if isinstance(command, ROOM_COMMANDS) and chance.random() < 0.5:
            actor = Actor(None, host=True)  # the screen
        return lambda: handle(top.context(actor), command)

    def _command(self, seat: int) -> from_client.AnyCommand:
        table, chance = self.top.table, self.chance
        known = table.number if chance.random() < 0.9 else chance.randrange(table.number + 2)
        common: dict[str, Any] = {"id": f"c{chance.getrandbits(60)}", "known": known}
        if table.pause.asked and chance.random() < 0.3:
            return from_client.Resume(**common)
        if table.door.asking and chance.random() < 0.3:
            number, asked = chance.choice(list(table.door.asking.items()))
            word = asked.word if chance.random() < 0.9 else "otter"
            whose = None if number == entries.HOST else number
            return from_client.LetIn(**common, seat=whose, word=word, agree=chance.random() < 0.5)
        if table.undo.request is not None and chance.random() < 0.3:
            return from_client.AnswerUndo(**common, agree=chance.random() < 0.8)
        if table.status == "running" and not table.pause.on and chance.random() < 0.8:
            return from_client.Decide(**common, action=self._action(seat))
        if undoable(table) and chance.random() < 0.7:
            return from_client.Undo(**common)
        kind: Any = chance.choice(COMMANDS)
        if table.setup.room and chance.random() < 0.4:
            kind = chance.choice(ROOM_COMMANDS)
        if table.status == "waiting" and chance.random() < 0.3:
            kind = from_client.Reveal if table.shuffle.sealed else from_client.Fill
        if kind is from_client.Fill:
            common["bot"] = chance.choice(("greedy", "nobody"))
        if kind is from_client.Reveal:
            common["part"] = chance.choice((PART, "00" * 32))
        if kind is from_client.Say:
            common |= {"text": chance.choice(("Hello!", "\u200b")), "name": "Eve"}
        if kind is from_client.Choose:
            common |= chance.choice(({"portrait": "lantern"}, {"color": "red"}, {"color": "pink"}))
        if kind is from_client.Begin and chance.random() < 0.7:
            there = [n for n, one in enumerate(table.seats) if one.filled]
            chance.shuffle(there)
            common |= {"order": tuple(there), "first": chance.choice((None, 0, 5))}
        if kind is from_client.Report:
            common |= chance.choice(({"line": known}, {"seat": seat}, {}))
        if kind is from_client.Subscribe:
            host = chance.choice(("fcm.googleapis.com", "example.org"))
            common |= {"endpoint": f"https://{host}/1", "p256dh": "A" * 87, "auth": "A" * 22}
        if kind is from_client.Notify:
            common["url"] = chance.choice(("https://example.com/turn", "http://localhost/", None))
        if kind is from_client.Lock:
            common["locked"] = chance.random() < 0.5
        if kind in (from_client.Fill, from_client.Replace, from_client.Remove):
            common["seat"] = chance.randrange(len(table.seats) + 1)
        command: from_client.AnyCommand = kind(**common)
        return command

    def _action(self, seat: int) -> str:
        game = self.top.table.game
        assert game is not None
        actions = [str(action) for action in game.legal_actions(seat)]
        if not actions or self.chance.random() < 0.05:
            return self.chance.choice(("draw", "tickets", "pass", "keep 1", "dance"))
        claims = [action for action in actions if action.startswith("claim")]
        return self.chance.choice(claims or actions)


def _some(entry: AnyEntry | None) -> list[AnyEntry]:
    return [] if entry is None else [entry]


SETUPS: tuple[dict[str, Any], ...] = (
    {"edition": "compass", "stand_in": "greedy"},
    {"edition": "compass", "clock": Clock("live", 10), "listed": True},
    {"edition": "compass", "seats": (PersonSeat("Ada"), BotSeat("greedy")), "first": 1},
    {"edition": "usa", "seats": (PersonSeat("Ada"), OpenSeat(), OpenSeat()), "stand_in": "random"},
    {"edition": "europe", "seats": (PersonSeat("Ada"), OpenSeat(), BotSeat("random"))},
    {"edition": "compass", "seats": (PersonSeat("Ada"), BotSeat("greedy")), "practice": True},
    {"edition": "usa", "room": True, "seats": (OpenSeat(), OpenSeat(), OpenSeat())},
    {"edition": "compass", "clock": Clock("slow", 3)},
    {"edition": "usa", "begin": "host", "seats": (PersonSeat("Ada"), OpenSeat(), OpenSeat())},
)
# What those who run the server write: no verb.
OF_OPERATORS = {entries.Closed, entries.Muted, entries.Withheld}


@pytest.mark.usefixtures("seeded")
def test_whatever_is_tried_verbs_change_nothing_and_memory_is_what_the_log_says() -> None:
    accepted: Counter[type] = Counter({entries.Created: 1})
    refused: Counter[str] = Counter()
    for seed, setup in enumerate(SETUPS * 6):
        seats = setup.get("seats", (PersonSeat("Ada"), OpenSeat()))
        notices = {"webhooks": True, "public_url": "https://club.example/"}
        top = Tabletop(**{**setup, "seats": seats, **notices}, patience=10.0)
        crowd = Crowd(seed, top)
        for _ in range(200):
            crowd.act()
        accepted += crowd.accepted
        refused += crowd.refused
    everything = set(entries.AnyEntry.__args__)  # type: ignore[attr-defined]
    assert set(accepted) == everything - OF_OPERATORS
    assert {"illegal_action", "invalid_action", "stale", "ahead", "paused"} <= set(refused)


def test_a_start_that_is_worked_out_does_not_begin_the_game() -> None:
    top = Tabletop(PersonSeat("Ada"), OpenSeat())
    token = new_token()
    top.table.apply(seats.join(top.table, from_client.JoinTable(name="Bob"), token, top.now))
    before = kept_facts(top.table)
    one, other = (start.start(top.table, top.now, top.terms) for _ in range(2))
    assert one == other  # the server was committed to its part before
    assert facts(top.table) == before
    top.table.apply(other)
    assert top.table.game is not None
    assert top.table.game.seed.hex() == other.header.seed


def test_a_log_is_the_same_whether_followed_at_once_or_entry_by_entry() -> None:
    top = Tabletop(PersonSeat("Ada"), PersonSeat("Bob"), edition="compass", first=0)
    list(top.play(random.Random(3)))
    assert top.table.status == "over"
    at_once, one_by_one = Table(top.table.id), Table(top.table.id)
    at_once.apply(*top.log)
    for entry in top.log:
        one_by_one.apply(entry)
    assert facts(at_once) == facts(one_by_one) == facts(top.table)


def changed(entry: AnyEntry, **fields: Any) -> AnyEntry:
    return msgspec.structs.replace(entry, **fields)


def test_a_log_that_the_rules_do_not_lead_to_is_not_followed() -> None:
    top = Tabletop(PersonSeat("Ada"), PersonSeat("Bob"), edition="compass", first=0)
    created, started, *decided = top.log + [top.log[-1] for _ in top.play(random.Random(3))]
    last = decided[-1]
    assert isinstance(started, entries.Started)
    assert isinstance(last, entries.Decided)
    assert last.result is not None
    header = msgspec.structs.replace(started.header, seed="00" * 32)
    wrong: list[list[AnyEntry]] = [
        [created, decided[0]],
        [created, changed(started, header=header)],
        [created, changed(started, events=started.events[:-1])],
        [created, started, decided[0], decided[0]],
        [created, started, *decided[:-1], changed(last, result=None)],
        [created, started, changed(decided[0], result=last.result)],
    ]
    for log in wrong:
        with pytest.raises(Diverged):
            Table("wrong").apply(*log)


def test_what_events_do_not_prove_decisions_may_lead_to(monkeypatch: pytest.MonkeyPatch) -> None:
    top = Tabletop(PersonSeat("Ada"), PersonSeat("Bob"), edition="compass")

    def refuse(game: Game, *_: object) -> None:
        raise RecordError("not now")

    monkeypatch.setattr(played, "follow", refuse)
    list(top.play(random.Random(3)))
    assert top.table.status == "over"
    assert facts(top.table) == facts(rebuilt(top.table, top.log))
    monkeypatch.undo()
    assert facts(top.table) == facts(rebuilt(top.table, top.log))


class Unsteady(SqliteStore):
    """A store that fails now and then, before or after it has written."""

    chance = random.Random(0)

    def append(self, batch: Sequence[Append]) -> list[bool]:
        if self.chance.random() < 0.1:
            raise StoreLocked("not now")
        written = super().append(batch)
        if self.chance.random() < 0.1:
            raise StoreLocked("nobody knows")
        return written


@pytest.mark.usefixtures("seeded")
def test_authorities_never_differ_from_the_log(tmp_path: Path) -> None:
    """Two servers at one table, and a store that fails: each of them is where the log is."""

    async def run() -> None:
        store = Unsteady(tmp_path / "games.sqlite")
        journal, terms = ThreadJournal(store), Terms(CATALOG, Settings(patience=0.0))
        chance, now = random.Random(6), [1_000_000.0]

        def authority(id: str) -> Authority:
            presences = Presences(shared=False)
            services = Services(
                store, journal, terms, Metrics(), lambda: now[0], lambda *_: None, presences
            )
            return Authority(id, services)

        tokens = [new_token() for _ in range(2)]
        seats = (PersonSeat("Ada"), OpenSeat())
        request = from_client.CreateTable(edition="compass", seats=seats, stand_in="greedy")
        created, answer = create(request, tokens[0], now[0], terms)
        _, append = new_table(answer.table, created, now[0], terms)
        SqliteStore.append(store, [append])
        servers = [authority(answer.table) for _ in range(2)]
        codes: Counter[str] = Counter()
        while True:
            now[0] += 1
            server, seat = chance.choice(servers), chance.randrange(2)
            try:
                await _act(server, seat, tokens, chance)
            except Refusal as refusal:
                codes[refusal.code] += 1
            if chance.random() < 0.7:
                await chance.choice(servers).catch_up()
            log = resume(answer.table, store.entries(answer.table))
            held = [server._table for server in servers if server._table is not None]
            assert all(facts(t) == facts(log) for t in held if t.number == log.number)  # type: ignore[union-attr]
            if log is not None and log.rematch is not None:
                break
        for server in servers:
            await server.catch_up()
            assert facts(await server.table()) == facts(log)
        assert codes["store_locked"]
        await journal.close()
        store.close()

    asyncio.run(run())


async def _act(server: Authority, seat: int, tokens: list[str], chance: random.Random) -> None:
    table = await server.table()
    common = {"id": f"c{chance.getrandbits(60)}", "known": table.number}
    if table.status == "waiting":
        await server.join(from_client.JoinTable(name="Bob"), tokens[1])
    elif table.status == "over":
        await server.execute(tokens[seat], from_client.Rematch(**common))  # type: ignore[arg-type]
    elif table.pause.on or chance.random() < 0.1:
        kind: Any = from_client.Resume if table.pause.on else from_client.Pause
        await server.execute(tokens[seat], kind(**common))
    else:
        assert table.game is not None
        seat = chance.choice(table.awaited)
        actions = [str(action) for action in table.game.legal_actions(seat)]
        claims = [action for action in actions if action.startswith("claim")]
        action = chance.choice(claims or actions)
        await server.execute(tokens[seat], from_client.Decide(**common, action=action))  # type: ignore[arg-type]
