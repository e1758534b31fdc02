"""A table comes back from its log as it was, at any moment."""

import random

import msgspec
import pytest

from ferrovia.server.protocol.clock import Clock
from ferrovia.server.table import entries
from ferrovia.server.table.entries import write_entry
from ferrovia.server.table.resume import UnreadableGame, resume
from tests.server.support.tabletop import Tabletop, facts


@pytest.mark.parametrize("edition", ["europe", "usa", "mega-europe"])
def test_a_game_resumes_after_every_entry(edition: str) -> None:
    top = Tabletop(edition=edition, clock=Clock("live", 60))
    log = [write_entry(entry) for entry in top.log]
    for seat in top.play(random.Random(5)):
        top.now += 1
        log.append(write_entry(top.log[-1]))
        assert facts(resume(top.table.id, log)) == facts(top.table), seat
    assert top.table.status == "over"


def test_what_follows_is_the_same_game() -> None:
    """Same seed and same decisions, same game: also across a restart in the middle."""
    top = Tabletop()
    list(top.play(random.Random(2), decisions=30))
    resumed = resume(top.table.id, map(write_entry, top.log))
    assert resumed is not None
    twin = Tabletop()
    twin.table, twin.log = resumed, list(top.log)
    twin.ids = iter(range(31, 1_000_000))
    list(top.play(random.Random(3)))
    list(twin.play(random.Random(3)))
    assert twin.log[31:] == top.log[31:]
    assert twin.table.result == top.table.result


def test_an_empty_log_is_no_table() -> None:
    assert resume("nothing", []) is None


def test_a_game_that_other_rules_shuffled_goes_on_from_its_outcomes() -> None:
    """What happened counts, whatever the seed would give now; the future is still a secret."""
    top = Tabletop()
    list(top.play(random.Random(4), decisions=40))
    started = next(e for e in top.log if isinstance(e, entries.Started))
    other_seed = bytes(32).hex()
    commitment = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    header = msgspec.structs.replace(started.header, seed=other_seed, commitment=commitment)
    log = [
        write_entry(msgspec.structs.replace(e, header=header) if e is started else e)
        for e in top.log
    ]
    resumed = resume(top.table.id, log)
    assert resumed is not None
    assert resumed.game is not None
    assert resumed.game.events == top.table.game.events  # type: ignore[union-attr]
    assert resumed.game.seed.hex() == other_seed
    twin = Tabletop()
    twin.table, twin.log = resumed, list(top.log)
    list(twin.play(random.Random(1)))
    assert twin.table.status == "over"


@pytest.mark.parametrize("line", [b'{"entry":"flown","at":1.0}', b"{", b"\xff\xfe"])
def test_a_log_of_a_later_version_is_refused_and_not_guessed_at(line: bytes) -> None:
    top = Tabletop()
    with pytest.raises(UnreadableGame):
        resume(top.table.id, [*map(write_entry, top.log), line])


def test_a_log_that_breaks_the_rules_is_refused() -> None:
    top = Tabletop()
    list(top.play(random.Random(4), decisions=10))
    log = [write_entry(entry) for entry in top.log]
    del log[4]
    with pytest.raises(UnreadableGame):
        resume(top.table.id, log)
