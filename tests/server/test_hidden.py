"""Nobody is sent what their player may not know (R11.3), by any way."""

import asyncio
import copy
import json
import random
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from ferrovia.boards import COLORS
from ferrovia.game import Game, Phase, events
from ferrovia.game.chance.shuffle import ShuffleMethod, commitment_to
from ferrovia.rules import calls
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import RNG_WORDS, STATE
from ferrovia.rules.state.visibility import VISIBLE_TO
from ferrovia.server import Settings
from ferrovia.server.bots.question import hint_question, question_for
from ferrovia.server.lobby.tables import Tables
from ferrovia.server.processes.messages import packed
from ferrovia.server.protocol import from_client
from ferrovia.server.refusals import Refusal
from ferrovia.server.settings import Limits
from ferrovia.server.store.sqlite.store import SqliteStore
from ferrovia.server.table import entries
from ferrovia.server.table.entries import AnyEntry
from ferrovia.server.table.table import Table
from ferrovia.server.table.tokens import new_token
from ferrovia.server.table.verbs import decide
from ferrovia.server.table.verbs.decide import decide_for_bot
from ferrovia.server.table.viewers import view
from ferrovia.server.table.viewers.audience import Viewer
from tests.server.support.tables import tables_of
from tests.server.support.tabletop import SMALL_BOARD, Tabletop
from tests.server.table.test_room import waiting

VIEWERS = (None, 0, 1, 2)
PART = "5a" * 32
SEATS = (
    from_client.PersonSeat("Ada", commitment_to(PART)),
    from_client.PersonSeat("Bob"),
    from_client.BotSeat("greedy"),
)


def table_of_three(**setup: Any) -> Tabletop:
    """A game that has begun, in whose shuffle Ada had a part."""
    top = Tabletop(*SEATS, **setup)
    top.command(0, from_client.Reveal, part=PART)
    return top


def test_every_field_of_the_state_is_declared() -> None:
    assert set(STATE.fields) == set(VISIBLE_TO)


SHOWN_TO_ALL = {
    entries.Created: set(),
    entries.Seated: {"at", "seat", "name"},
    entries.Chosen: {"at", "seat"},
    entries.Committed: {"at", "seat"},
    entries.Sealed: {"at"},
    entries.Revealed: {"at", "seat"},
    entries.Renewed: {"at"},
    entries.Unseated: {"at", "seat"},
    entries.Filled: {"at", "seat", "bot"},
    entries.Started: {"at", "header", "events"},
    entries.Decided: {"at", "seat", "bot", "events", "clock"},
    entries.Left: {"at", "seat", "why"},
    entries.Returned: {"at", "seat"},
    entries.PauseAsked: {"at", "seat"},
    entries.PauseDeclined: {"at", "seat"},
    entries.Paused: {"at", "by"},
    entries.Resumed: {"at", "by"},
    entries.Rematched: {"at", "table"},
    entries.UndoAsked: {"at", "seat", "until"},
    entries.UndoAgreed: {"at", "seat"},
    entries.UndoRefused: {"at", "seat"},
    entries.Undone: {"at", "seat", "first"},
    entries.Closed: {"at"},
    entries.Said: {"at", "seat", "name", "text", "reaction"},
    entries.Reported: {"at"},
    entries.Muted: {"at"},
    entries.Withheld: {"at", "line"},
    entries.Locked: {"at", "locked"},
    entries.Trimmed: {"at", "seats"},
    entries.EntryAsked: {"at", "seat"},
    entries.EntryAgreed: {"at"},
    entries.EntryGranted: {"at", "by", "seat"},
    entries.EntryRefused: {"at", "seat"},
    entries.HookSet: {"at"},
    entries.Subscribed: {"at"},
}
"""What is sent of an entry. Whoever adds a field decides here."""

KEPT = {
    entries.Created: {"at", "by", "command", "version", "setup", "places", "host", "part"},
    entries.Seated: {"by", "command", "token", "commitment", "portrait"},
    entries.Chosen: {"by", "command", "portrait", "color"},
    entries.Committed: {"by", "command", "commitment"},
    entries.Sealed: {"by", "command", "deadline"},
    entries.Revealed: {"by", "command", "part"},
    entries.Renewed: {"by", "command", "seat", "token"},
    entries.Unseated: {"by", "command"},
    entries.Filled: {"by", "command"},
    entries.Started: {"by", "command", "deadline", "fork"},
    entries.Decided: {"by", "command", "action", "start", "deadline", "result"},
    entries.Left: {"by", "command"},
    entries.Returned: {"by", "command", "deadline"},
    entries.PauseAsked: {"by", "command"},
    entries.PauseDeclined: {"by", "command"},
    entries.Paused: {"command", "left"},
    entries.Resumed: {"command", "deadline"},
    entries.Rematched: {"by", "command"},
    entries.UndoAsked: {"by", "command", "first"},
    entries.UndoAgreed: {"by", "command"},
    entries.UndoRefused: {"by", "command"},
    entries.Undone: {"by", "command", "deadline"},
    entries.Closed: {"by", "command", "why"},
    entries.Said: {"by", "command"},
    entries.Reported: {"by", "command", "line", "seat"},
    entries.Muted: {"by", "command", "seat"},
    entries.Withheld: {"by", "command"},
    entries.Locked: {"by", "command"},
    entries.Trimmed: {"by", "command", "first"},
    entries.EntryAsked: {"by", "command", "token", "word"},
    entries.EntryAgreed: {"by", "command", "seat", "until"},
    entries.EntryGranted: {"command"},
    entries.EntryRefused: {"by", "command"},
    entries.HookSet: {"by", "command", "seat", "url"},
    entries.Subscribed: {"by", "command", "seat", "endpoint", "p256dh", "auth", "language"},
}
"""What is not sent, or in another way: `table` has the set-up, names, deadline and result."""


def test_every_field_of_the_log_is_declared() -> None:
    for kind in entries.AnyEntry.__args__:  # type: ignore[attr-defined]
        assert SHOWN_TO_ALL[kind] | KEPT[kind] == set(kind.__struct_fields__), kind


# Non-interference: what a viewer may not know is changed, and what they are sent stays the same.


class OtherWorld(Game):
    """A game with another seed under the same commitment: nobody can tell."""

    published: str

    @property
    def commitment(self) -> str:
        return self.published


def in_another_world(top: Tabletop, viewer: int | None, chance: random.Random) -> Tabletop:
    """The same table where everything that the viewer may not know is otherwise."""
    game = top.table.game
    assert game is not None
    rng = np.zeros(RNG_WORDS, np.uint32)
    seed_generator(rng, np.frombuffer(chance.randbytes(32), np.uint8).copy(), 0)
    state = STATE.new()
    calls.sample(game.lexicon.book, game.view(viewer).buffer, state, rng)
    twin = copy.copy(top)
    twin.table = _copy(top.table)
    other = OtherWorld.standing_at(game.lexicon, game.names, chance.randbytes(32), state, [])
    assert isinstance(other, OtherWorld)
    other.published = game.commitment
    other.shuffle = game.shuffle and _another_part(game.shuffle, chance)
    twin.table.shuffle.part = chance.randbytes(32).hex()
    other.events = [_disguised(event, viewer, game, chance) for event in game.events]
    other._start_events = game._start_events
    twin.table.game = other
    host = top.table.host_seat
    for number, seat in enumerate(twin.table.seats):
        seat.token = chance.randbytes(32).hex()
        if number == host:
            twin.table.host = seat.token
    twin.log = [_disguised_entry(entry, viewer, game, chance) for entry in top.log]
    return twin


def _another_part(shuffle: ShuffleMethod, chance: random.Random) -> ShuffleMethod:
    """The same shuffle with another part of the server under the same commitment."""
    assert shuffle.server is not None
    server = msgspec.structs.replace(shuffle.server, part=chance.randbytes(32).hex())
    return msgspec.structs.replace(shuffle, server=server)


def _copy(table: Table) -> Table:
    twin = copy.copy(table)
    twin.seats = [copy.copy(seat) for seat in table.seats]
    twin.commands = dict(table.commands)
    twin.last_of_seat = list(table.last_of_seat)
    return twin


def _disguised(
    event: events.Event, viewer: int | None, game: Game, chance: random.Random
) -> events.Event:
    """An event with other secrets."""
    if getattr(event, "player", None) == viewer:
        return event
    words = {
        "cards": COLORS,
        "card": COLORS,
        "tickets": game.lexicon.tickets,
        "kept": game.lexicon.tickets,
        "returned": game.lexicon.tickets,
    }
    changed: dict[str, Any] = {}
    for name in event.secret:
        value = getattr(event, name)
        if isinstance(value, tuple):
            changed[name] = tuple(chance.choice(words[name]) for _ in value)
        else:
            changed[name] = chance.choice(words[name])
    return msgspec.structs.replace(event, **changed)


def _disguised_entry(
    entry: AnyEntry, viewer: int | None, game: Game, chance: random.Random
) -> AnyEntry:
    match entry:
        case entries.Started():
            disguised = tuple(_disguised(event, viewer, game, chance) for event in entry.events)
            header = msgspec.structs.replace(
                entry.header, seed=chance.randbytes(32).hex(), shuffle=msgspec.UNSET
            )
            return msgspec.structs.replace(entry, events=disguised, header=header)
        case entries.Decided(seat=seat) if seat != viewer:
            disguised = tuple(_disguised(event, viewer, game, chance) for event in entry.events)
            return msgspec.structs.replace(
                entry, events=disguised, action="keep 1 2", command="other"
            )
        case entries.Seated():
            return msgspec.structs.replace(entry, token=chance.randbytes(32).hex())
    return entry


def sent(top: Tabletop, viewer: int | None, since: int = 0) -> bytes:
    """All that a viewer can get now: state, events from a number on, moves, and the record."""
    log = list(enumerate(top.log[since:], start=since + 1))
    frame = view.Snapshot(top.table).state(viewer, log, since)
    if since:
        return frame
    return frame + (view.record_text(top.table, viewer) or "").encode()


def refusal(top: Tabletop, seat: int, action: str) -> tuple[Any, ...]:
    try:
        decide._play(top.table, seat, action, top.now, seat, None)
    except Refusal as problem:
        return (problem.code, problem.detail, problem.reason, problem.rule)
    return ("accepted",)


TRIED = [
    "draw",
    "tickets",
    "pass",
    "withdraw",
    "take locomotive",
    "take red",
    "keep 1",
    "keep 5",
    "keep none",
    "pay red",
    "claim paris-zurich red red red",
    "claim edinburgh-london:2 black black black black",
    "station wien blue",
    "station wien blue blue blue",
]


@pytest.mark.parametrize("edition", ["europe", "usa", "mega-europe"])
def test_what_a_viewer_is_sent_does_not_depend_on_what_they_may_not_know(edition: str) -> None:
    chance = random.Random(f"worlds of {edition}")
    top = table_of_three(edition=edition)
    game = top.table.game
    assert game is not None
    compared = 0
    while not game.over:
        for viewer in chance.sample(VIEWERS, 2):
            twin = in_another_world(top, viewer, chance)
            # The whole history now and then, and always what is new.
            since = 0 if chance.random() < 0.05 else top.table.number - 1
            assert sent(twin, viewer, since) == sent(top, viewer, since), (game.phase, viewer)
            compared += 1
            if viewer is not None and chance.random() < 0.2:
                for action in chance.sample(TRIED, 4):
                    assert refusal(top, viewer, action) == refusal(twin, viewer, action)
        _decide(top, chance)
        top.now += 1
    assert compared > 200


def _decide(top: Tabletop, chance: random.Random) -> None:
    game = top.table.game
    assert game is not None
    seat = chance.choice(game.awaited)
    actions = list(map(str, game.legal_actions(seat)))
    claims = [action for action in actions if action.startswith(("claim", "station"))]
    action = chance.choice(claims if claims and chance.random() < 0.5 else actions)
    if top.table.bot_of(seat) is not None:
        top.write(decide_for_bot(top.table, seat, action, top.now))
    else:
        top.decide(seat, action)


def test_what_others_do_in_secret_tells_nothing() -> None:
    """A blind card, tickets kept: whatever they are, the others are sent the same."""
    chance = random.Random(11)
    top = table_of_three()
    game = top.table.game
    assert game is not None
    compared = 0
    for _ in range(120):
        seat = chance.choice(game.awaited)
        for viewer in VIEWERS:
            if viewer == seat or game.phase not in (Phase.TURN, Phase.SECOND_CARD):
                continue
            if game.view(None).deck_size < 3:
                continue  # a shuffle of cards that all have seen
            frames = set()
            for _ in range(3):
                twin = in_another_world(top, viewer, chance)
                twin.write(decide_for_bot(twin.table, seat, "draw", twin.now))
                frames.add(view.Snapshot(twin.table).state(viewer, [(9, twin.log[-1])], 8))
            assert len(frames) == 1
            compared += 1
        _decide(top, chance)
        if game.over:
            break
    assert compared > 50


def test_a_bot_is_asked_with_what_its_seat_may_know() -> None:
    chance = random.Random(3)
    top = table_of_three()
    for _ in range(40):
        _decide(top, chance)
    for _ in range(5):
        twin = in_another_world(top, 2, chance)
        one, other = question_for(top.table, 2), question_for(twin.table, 2)
        assert (one.view, one.bot, one.seat) == (other.view, other.bot, other.seat)
        assert one.edition.seed is None
        assert top.table.game is not None
        assert one.seed != top.table.game.seed


def test_a_hint_is_made_from_what_its_seat_may_know() -> None:
    """Byte for byte the same question in every world that the seat cannot tell from this one."""
    chance = random.Random(5)
    top = table_of_three()
    asked = 0
    for _ in range(80):
        _decide(top, chance)
        assert top.table.game is not None
        for seat in {0, 1} & set(top.table.game.awaited):
            twin = in_another_world(top, seat, chance)
            one = hint_question(top.table, top.actor(seat), "greedy")
            other = hint_question(twin.table, twin.actor(seat), "greedy")
            assert packed(one) == packed(other)
            asked += 1
    assert asked > 30


# Frames searched for what they may not contain.


def test_no_frame_contains_what_its_viewer_may_not_know() -> None:
    chance = random.Random(8)
    top = table_of_three()
    game = top.table.game
    assert game is not None
    offered: dict[int, set[str]] = {0: set(), 1: set(), 2: set()}
    while not game.over:
        for seat in range(3):
            offered[seat] |= {*game.view(seat).offer, *game.view(seat).tickets}
        for viewer in VIEWERS:
            since = 0 if chance.random() < 0.05 else top.table.number - 1
            frame = sent(top, viewer, since).decode()
            assert game.seed.hex() not in frame
            assert top.table.shuffle.part not in frame
            for seat in top.table.seats:
                assert not seat.token or seat.token not in frame
            for token in top.held.values():
                assert token not in frame
            named = {ticket for ticket in game.lexicon.tickets if f'"{ticket}"' in frame}
            assert named <= (set() if viewer is None else offered[viewer])
            state = json.loads(view.Snapshot(top.table).state(viewer, [], top.table.number))
            assert state["final"] is None
            assert (state["own"] is None) == (viewer is None)
            awaited = viewer in game.awaited
            assert viewer is None or (state["own"]["moves"] is not None) == awaited
        _decide(top, chance)


def test_after_the_end_everybody_sees_everything() -> None:
    chance = random.Random(8)
    top = table_of_three()
    game = top.table.game
    assert game is not None
    while not game.over:
        _decide(top, chance)
    for viewer in VIEWERS:
        log = list(enumerate(top.log, start=1))
        state = json.loads(view.Snapshot(top.table).state(viewer, log, 0))
        assert state["final"]["seed"] == game.seed.hex()
        assert state["final"]["part"] == top.table.shuffle.part
        assert state["table"]["commitment"] == game.commitment
        assert state["final"]["hands"] == [game.view(seat).hand for seat in range(3)]
        (started,) = (entry for entry in state["entries"] if entry["entry"] == "started")
        deals = [e for e in started["events"] if e["event"] == "deal"]
        assert all(None not in deal["cards"] for deal in deals)
        assert view.record_text(top.table, viewer) == game.record().text()


def test_when_the_screen_of_a_room_is_sent_something_tells_nothing(tmp_path: Path) -> None:
    """The same game twice, with another ticket kept and another given back in secret: after every
    command the screen has the same frames, byte by byte, and in between it has none.
    """
    seed = "5b" * 32

    async def heard(tables: Tables, kept: str) -> list[list[bytes]]:
        request = from_client.CreateTable(
            edition="compass", seats=(from_client.OpenSeat(),) * 2, room=True, seed=seed
        )
        created = await tables.create(request, None)
        authority = tables.authority(created.table)
        tokens = [new_token(), new_token()]
        for name, token in zip(("Ada", "Bob"), tokens, strict=True):
            await authority.join(from_client.JoinTable(name=name), token)
        screen = Viewer(created.held[0].token, Limits())
        await authority.connect(screen, None)
        waiting(screen)
        heard: list[list[bytes]] = []
        table = await authority.table()
        for number in range(12):
            assert table.game is not None
            seat = table.awaited[0]
            first = number < 2
            action = (kept if seat == 0 else "keep 1 2") if first else "draw"
            # What is tried and refused, and what only a phone is answered, leaves no trace.
            bad = from_client.Decide(id=f"x{number}", known=table.number, action="keep 9")
            with pytest.raises(Refusal):
                await authority.execute(tokens[seat], bad)
            assert waiting(screen) == []
            decide = from_client.Decide(id=f"d{number}", known=table.number, action=action)
            await authority.execute(tokens[seat], decide)
            frames = [frame.replace(created.table.encode(), b"TABLE") for frame in waiting(screen)]
            assert len(frames) == 1
            heard.append(frames)
            table = await authority.table()
        return heard

    async def run() -> None:
        store = SqliteStore(tmp_path / "games.sqlite")
        settings = Settings(boards=(str(SMALL_BOARD),))
        tables = tables_of(settings, store, now=lambda: 1_000_000.0)
        await tables.open()
        try:
            assert await heard(tables, "keep 1 2") == await heard(tables, "keep 1 3")
        finally:
            await tables.close()

    asyncio.run(run())
