"""A table without a server: its log is a list."""

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ferrovia.server.catalog import Catalog
from ferrovia.server.protocol import from_client
from ferrovia.server.settings import Settings
from ferrovia.server.table.commands import advance, handle, time_out
from ferrovia.server.table.context import Context, Terms
from ferrovia.server.table.entries import AnyEntry, read_entry, write_entry
from ferrovia.server.table.seat import Actor
from ferrovia.server.table.table import Table
from ferrovia.server.table.verbs.create import create

SMALL_BOARD = Path(__file__).parents[2] / "boards" / "small.json"  # its games are short
CATALOG = Catalog([SMALL_BOARD])

# What a game works with and does not know: its words are those of its edition, and `_past` only
# saves `undo`, which no table uses, from working a decision out again.
WORKSPACE = {"lexicon", "_s", "_rows", "_tape", "_past"}
# What is kept of a game to take decisions back without a replay: it depends on what was done here.
KEPT = {"game", "moments"}


def facts(table: Table | None) -> dict[str, Any]:
    """Everything that a table knows, field by field, game included; a new field joins by itself.

    It is compared at once: `kept_facts` stay as they are, whatever happens to the table.
    """
    assert table is not None
    known = {name: getattr(table, name) for name in Table.__struct_fields__ if name not in KEPT}
    game = table.game
    if game is not None:
        known["game"] = {name: vars(game)[name] for name in vars(game).keys() - WORKSPACE}
        known["game"] |= {"state": bytes(game.state), "events": list(game.events)}
        known["game"]["edition"] = game.edition
    return known


def kept_facts(table: Table) -> dict[str, Any]:
    """A copy of everything that a table knows now."""
    known = facts(table)
    game = known.pop("game", None)  # its state and its events are copies already
    known = copy.deepcopy(known)
    return known if game is None else {**known, "game": game}


class Tabletop:
    """A table, the entries of its log, and a clock that moves only when a test moves it."""

    def __init__(
        self,
        *seats: Any,
        patience: float = 0.0,
        webhooks: bool = False,
        public_url: str | None = None,
        **setup: Any,
    ) -> None:
        self.terms = Terms(
            CATALOG, Settings(patience=patience, webhooks=webhooks, public_url=public_url)
        )
        self.now = 1_000_000.0
        self.log: list[AnyEntry] = []
        self.ids = iter(range(1, 1_000_000))
        seats = seats or (from_client.PersonSeat("Ada"), from_client.PersonSeat("Bob"))
        request = from_client.CreateTable(**{"edition": "europe", "seats": seats, **setup})
        created, answer = create(request, None, self.now, self.terms)
        self.held = {held.seat: held.token for held in answer.held}
        self.table = Table(answer.table)
        self.write(created)

    def write(self, *entries: AnyEntry) -> None:
        """Do what the authority does, without a store and without viewers."""
        written = advance(self.table, entries, self.now, self.terms)
        self.log += [read_entry(write_entry(entry)) for entry in written]

    def actor(self, seat: int | None) -> Actor:
        return Actor(seat, host=seat == self.table.host_seat)

    def context(self, actor: Actor) -> Context:
        return Context(self.table, actor, self.now, self.terms)

    def time_out(self) -> list[AnyEntry]:
        return time_out(self.table, self.now, self.terms)

    def command(self, seat: int | None, kind: Any, /, **more: Any) -> None:
        more = {"id": f"c{next(self.ids)}", "known": self.table.number, **more}
        self.write(*handle(self.context(self.actor(seat)), kind(**more)))

    def decide(self, seat: int, action: str, **more: Any) -> None:
        self.command(seat, from_client.Decide, action=action, **more)

    def play(self, chance: random.Random, decisions: int = 1_000_000) -> Iterator[int]:
        """Make random legal decisions; yields the seat after each."""
        game = self.table.game
        assert game is not None
        while not game.over and decisions:
            seat = chance.choice(game.awaited)
            actions = list(map(str, game.legal_actions(seat)))
            claims = [action for action in actions if action.startswith(("claim", "station"))]
            self.decide(
                seat, chance.choice(claims if claims and chance.random() < 0.5 else actions)
            )
            decisions -= 1
            yield seat
