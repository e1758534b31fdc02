"""`ferrovia tables reports, talk, mute and withhold`: what operators do about talk and names."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from ferrovia.cli import main
from ferrovia.server.lobby.upkeep import arranged
from ferrovia.server.protocol import from_client
from ferrovia.server.store import Append
from ferrovia.server.store.address import open_store
from ferrovia.server.table.entries import write_entry
from ferrovia.server.table.seat import Actor
from ferrovia.server.table.summary import summary_of
from tests.server.support.tabletop import Tabletop


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def answer(*words: object) -> Any:
    done = run(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_a_report_is_found_and_settled(tmp_path: Path) -> None:
    top = Tabletop(edition="compass")
    top.command(0, from_client.Say, text="something nasty")
    line = top.table.number
    top.command(1, from_client.Report, line=line)
    at = ("--store", tmp_path / "games.sqlite")
    store = open_store(str(at[1]))
    data = tuple(map(write_entry, top.log))
    assert store.append([Append(top.table.id, 1, data, summary_of(top.table))]) == [True]
    store.close()
    begins = top.table.id[:8]

    assert "Ada (seat 0), line" in run("tables", "reports", *at).output
    assert "Ada (seat 0): something nasty" in run("tables", "talk", begins, *at).output
    assert answer("tables", "withhold", begins, line, *at)["withheld"]
    assert not answer("tables", "withhold", begins, line, *at)["withheld"]
    assert answer("tables", "reports", *at) == []
    assert [one["done"] for one in answer("tables", "reports", "--all", *at)] == [True]
    assert "[withheld]" in run("tables", "talk", begins, *at).output
    assert answer("tables", "mute", begins, 0, *at)["muted"]
    assert "was muted already" in run("tables", "mute", begins, 0, *at).output
    assert answer("tables", "mute", begins, "spectators", *at)["muted"]
    for wrong in (("mute", begins, "ada"), ("mute", begins, 5), ("withhold", begins, 1)):
        refused = run("tables", *wrong, *at)
        assert refused.exit_code == 2, refused.output
        assert "Traceback" not in refused.output
    assert answer("store", "check", *at)["ok"]


def test_a_seat_is_given_again_and_a_table_deleted(tmp_path: Path) -> None:
    top = Tabletop(edition="compass")
    at = ("--store", tmp_path / "games.sqlite")
    store = open_store(str(at[1]))
    data = tuple(map(write_entry, top.log))
    assert store.append([Append(top.table.id, 1, data, summary_of(top.table))]) == [True]
    begins = top.table.id[:8]

    link = answer("tables", "seat", begins, 1, *at)["link"]
    address, _, token = link.partition("#token=")
    assert address == f"table/{top.table.id}"
    table = arranged(store, top.table.id)
    assert table.actor(token) == Actor(1, host=False)
    assert table.actor(top.held[1]) is None
    assert table.actor(top.held[0]) == Actor(0, host=True)
    assert run("tables", "seat", begins, 5, *at).exit_code == 2

    early = run("tables", "delete", begins, *at)
    assert early.exit_code != 0
    assert "tables close" in early.output
    assert answer("tables", "close", begins, *at)["closed"]
    assert answer("tables", "delete", begins, *at)["deleted"]
    assert store.entries(top.table.id) == []
    assert answer("store", "check", *at)["ok"]
    store.close()
