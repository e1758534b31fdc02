"""Chat: plain text, limited, apart from the game; reports, and what operators do about them."""

import json
import random
from pathlib import Path

import pytest

from ferrovia.server.lobby import moderation, upkeep
from ferrovia.server.protocol import from_client
from ferrovia.server.refusals import Refusal
from ferrovia.server.store import Append, Archive
from ferrovia.server.store.address import open_archive, open_store
from ferrovia.server.table import entries
from ferrovia.server.table.commands import handle
from ferrovia.server.table.entries import write_entry
from ferrovia.server.table.resume import resume
from ferrovia.server.table.seat import SPECTATOR
from ferrovia.server.table.summary import summary_of
from ferrovia.server.table.verbs import chat
from ferrovia.server.table.verbs.chat import checked_line
from ferrovia.server.table.verbs.undo import undoable
from ferrovia.server.table.viewers import view
from tests.server.support.tabletop import Tabletop, facts


def talk_seen(top: Tabletop, viewer: int | None) -> list[tuple[str | None, str | None]]:
    """What a viewer has been sent of the talk: who and what."""
    log = list(enumerate(top.log, start=1))
    state = json.loads(view.Snapshot(top.table).state(viewer, log, 0))
    seats = state["table"]["seats"]
    return [
        (one["name"] if one["seat"] is None else seats[one["seat"]]["name"], one["text"])
        for one in state["entries"]
        if one["entry"] == "said"
    ]


def spectator_says(top: Tabletop, text: str, name: str | None = "Zoe") -> None:
    command = from_client.Say(id=f"s{next(top.ids)}", known=0, text=text, name=name)
    top.write(*handle(top.context(SPECTATOR), command))


def refused(top: Tabletop, seat: int | None, kind: type, /, **more: object) -> str:
    with pytest.raises(Refusal) as refusal:
        top.command(seat, kind, **more)
    return refusal.value.code


def test_everybody_hears_the_players_and_only_spectators_each_other_until_the_end() -> None:
    top = Tabletop(edition="compass")
    top.command(0, from_client.Say, text="hello")
    spectator_says(top, "take the blue one")
    assert talk_seen(top, 1) == [("Ada", "hello")]
    assert talk_seen(top, None) == [("Ada", "hello"), ("Zoe", "take the blue one")]
    # Not even a trace of the text in any frame of a seat.
    log = list(enumerate(top.log, start=1))
    assert b"blue one" not in view.Snapshot(top.table).state(0, log, 0)
    for _ in top.play(random.Random(1)):
        pass
    assert talk_seen(top, 1)[-1] == ("Zoe", "take the blue one")


def test_talk_is_no_part_of_the_game() -> None:
    """No decision, clock, undo or record depends on it, and it comes back with the table."""
    quiet, loud = (
        Tabletop(edition="compass", seed="ab" * 32),
        Tabletop(edition="compass", seed="ab" * 32),
    )
    chance = (random.Random(4), random.Random(4))
    for _, seat in zip(quiet.play(chance[0]), loud.play(chance[1]), strict=True):
        before = loud.table.moved, loud.table.changed, undoable(loud.table), loud.table.due
        loud.now += 1
        if loud.table.talk.said_by(seat) < 9:
            loud.command(seat, from_client.Say, text="my move")
        after = loud.table.moved, loud.table.changed, undoable(loud.table), loud.table.due
        assert after == before
        loud.now -= 1
    assert view.record_text(quiet.table, None) == view.record_text(loud.table, None)
    assert "my move" not in (view.record_text(loud.table, 0) or "")
    again = resume(loud.table.id, [write_entry(entry) for entry in loud.log])
    assert facts(again)["talk"] == loud.table.talk


def test_a_command_is_not_stale_because_somebody_spoke() -> None:
    top = Tabletop(edition="compass")
    known = top.table.number
    top.command(1, from_client.Say, text="wait")
    top.command(0, from_client.Pause, known=known)
    assert top.table.pause.on


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  hello \n\t world ", "hello world"),
        ("a\u200bb\u202ec\u2066d", "abcd"),
        ("a\x00\x1b[31mb", "a[31mb"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("e\u0301", "\u00e9"),
        ("x" * 300, "x" * 300),
    ],
)
def test_a_line_is_one_line_of_what_can_be_seen(typed: str, kept: str) -> None:
    assert checked_line(typed) == kept


@pytest.mark.parametrize(
    "typed",
    ["", " ", "\u200b\u2060", "\u3164", "x" * 301, "a" + "\u0300" * 5, "\u0301", "\U000e0041"],
)
def test_what_cannot_be_read_is_refused(typed: str) -> None:
    with pytest.raises(Refusal) as refusal:
        checked_line(typed)
    assert refusal.value.code == "invalid_text"


def test_a_spectator_has_a_name_that_nobody_takes_for_a_players() -> None:
    top = Tabletop(edition="compass")
    with pytest.raises(Refusal):
        spectator_says(top, "hi", name=None)
    with pytest.raises(Refusal):
        spectator_says(top, "hi", name="\u0410da")  # with a Cyrillic A
    spectator_says(top, "hi", name="Ada")
    assert talk_seen(top, None) == [("Ada 2", "hi")]


def test_nobody_fills_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "LINES_OF_SEAT", 3)
    monkeypatch.setattr(chat, "LINES_OF_SPECTATORS", 2)
    top = Tabletop(edition="compass")
    for _ in range(3):
        top.command(0, from_client.Say, text="again")
    assert refused(top, 0, from_client.Say, text="again") == "too_many_events"
    top.command(1, from_client.Say, text="my turn to talk")
    spectator_says(top, "one")
    spectator_says(top, "two")
    with pytest.raises(Refusal):
        spectator_says(top, "three")
    top.command(0, from_client.Pause)  # what spectators said is no burden to anybody else
    assert top.table.arranged.get(entries.HOST, 0) <= 2


def test_a_table_without_chat_has_none() -> None:
    top = Tabletop(edition="compass", chat=False)
    assert refused(top, 0, from_client.Say, text="hello") == "no_chat"
    assert not view.table_info(top.table).chat


def test_a_report_is_seen_by_nobody_and_made_once() -> None:
    top = Tabletop(edition="compass")
    top.command(0, from_client.Say, text="something nasty")
    line = top.table.number
    top.command(1, from_client.Report, line=line)
    (last,) = json.loads(view.Snapshot(top.table).state(0, [(9, top.log[-1])], 8))["entries"]
    assert last == {"entry": "aside", "number": 9, "at": last["at"]}
    assert refused(top, 1, from_client.Report, line=line) == "already_reported"
    assert refused(top, 1, from_client.Report, line=line - 1) == "no_such_line"
    assert refused(top, 1, from_client.Report, seat=4) == "no_such_seat"
    assert refused(top, 1, from_client.Report) == "bad_message"
    assert refused(top, 1, from_client.Report, line=line, seat=0) == "bad_message"


def stored(top: Tabletop, store: Archive) -> None:
    data = tuple(map(write_entry, top.log))
    assert store.append([Append(top.table.id, 1, data, summary_of(top.table))]) == [True]


def test_operators_see_reports_and_mute_and_withhold(tmp_path: Path) -> None:
    top = Tabletop(edition="compass")
    top.command(0, from_client.Say, text="something nasty")
    line = top.table.number
    spectator_says(top, "me too")
    top.command(1, from_client.Report, line=line)
    top.command(1, from_client.Report, seat=0)
    id = top.table.id
    store = open_store(str(tmp_path / "store.sqlite"))
    try:
        stored(top, store)
        assert [one.text for one in moderation.talk(store, id)] == ["something nasty", "me too"]
        found = moderation.complaints(store)
        assert {(one.line, one.name, one.text, one.done) for one in found} == {
            (line, "Ada", "something nasty", False),
            (None, "Ada", "", False),
        }
        assert moderation.withhold(store, id, line, top.now)
        assert not moderation.withhold(store, id, line, top.now)
        assert moderation.mute(store, id, 0, top.now)
        assert moderation.mute(store, id, None, top.now)
        assert not moderation.mute(store, id, 0, top.now)
        assert all(one.done for one in moderation.complaints(store))
        with pytest.raises(upkeep.NoSuchTable):
            moderation.withhold(store, id, 1, top.now)
        with pytest.raises(upkeep.NoSuchTable):
            moderation.mute(store, id, 7, top.now)
        log = store.entries(id)
        table = resume(id, log)
        assert table is not None
    finally:
        store.close()
    top.write(*(entries.read_entry(data) for data in log[len(top.log) :]))
    assert talk_seen(top, 1) == [("Ada", None)]
    assert refused(top, 0, from_client.Say, text="but") == "muted"
    with pytest.raises(Refusal):
        spectator_says(top, "me again")
    top.command(1, from_client.Say, text="quiet at last")
    assert upkeep.history(open_read(tmp_path), id)


def open_read(folder: Path) -> Archive:
    return open_archive(str(folder / "store.sqlite"), "read")
