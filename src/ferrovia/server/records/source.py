"""Where a film comes from: the game of a table, or a record that somebody sends.

A record that is sent is hostile until the rules have proved it. That of a table can be seen as far
as whoever asks may know it: after the end by everybody; before it by each seat from its own eyes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ferrovia.boards import edition_document
from ferrovia.game import Game, Record, RecordError
from ferrovia.game.film import Eyes
from ferrovia.game.records.record import read_record
from ferrovia.game.records.steps import (
    Step,
    replay_steps,
    replay_steps_of_table,
    step_of_turn,
    step_starts,
)
from ferrovia.server.catalog import Catalog
from ferrovia.server.refusals import Refusal

MAX_RECORD = 2 << 20
"""The most bytes of a record that is sent; a long game of six has a tenth of it."""
MAX_STEPS = 4000
"""The most decisions of a game that is shown as a film."""
_TURN = re.compile(r"[0-9]{1,5}(\.[1-9][0-9]{0,2})?")


@dataclass(frozen=True)
class Source:
    """A record with all its secrets. `seat`: the one whose past it is, in a game that goes on;
    None: the game is over, and everything is open. `trusted`: a table of this server played it.
    """

    record: Record
    seat: int | None
    trusted: bool

    def eyes(self, wanted: str | None) -> Eyes:
        """Return from whose eyes the film is seen; raises `Refusal` for what is not allowed."""
        players = len(self.record.header.players)
        if self.seat is not None:
            if wanted not in (None, str(self.seat)):
                raise Refusal("not_over", "until the end you see your past from your own seat")
            return self.seat
        if wanted is None or wanted == "all":
            return "all"
        if wanted == "public":
            return "public"
        if not (wanted.isdecimal() and len(wanted) == 1 and int(wanted) < players):
            raise Refusal("no_such_seat", "view is all, public or the number of a seat")
        return int(wanted)

    @cached_property
    def replayed(self) -> tuple[Game, list[Step]]:
        """The game and its steps, proved by the rules once; raises `Refusal` where it is not."""
        try:
            prove = replay_steps_of_table if self.trusted else replay_steps
            return prove(self.record)
        except RecordError as problem:
            raise invalid_record(problem) from None


def step_named(steps: Sequence[Step], name: str) -> int:
    """Return the step that a request names by its turn (`12`), or by a part of that (`12.1`);
    raises `Refusal`.
    """
    if not _TURN.fullmatch(name):
        raise Refusal("bad_message", "a turn is a number, with a part of it as in 12.1")
    turn, _, part = name.partition(".")
    return step_of_turn(steps, int(turn), int(part) if part else None)


def source_of_text(data: bytes) -> Source:
    """Return the source of a record that somebody sends; only its form is checked here."""
    try:
        record = read_record(data)
    except RecordError as problem:
        raise invalid_record(problem) from None
    if len(step_starts(record.events, len(record.header.players), 1)) > MAX_STEPS:
        raise Refusal("too_large", f"a film has at most {MAX_STEPS} decisions")
    return Source(record, None, trusted=False)


def has_own_board(source: Source, catalog: Catalog) -> bool:
    """Return whether a record brings a board or packs that this server does not offer."""
    header = source.record.header
    return not offers(catalog, header.edition, header.extras) or isinstance(header.board, dict)


def offers(catalog: Catalog, edition: str, extras: tuple[str, ...]) -> bool:
    """Return whether the server has an edition and packs of these names."""
    try:
        catalog.find(edition, extras)
    except Refusal:
        return False
    return True


def same_edition(game: Game, catalog: Catalog) -> bool:
    """Return whether a game is played with an edition that the server offers, tickets included."""
    edition = game.edition
    if not offers(catalog, edition.id, edition.extras):
        return False
    offered = catalog.find(edition.id, edition.extras)
    # Most are of a built-in edition: then it is the same object, and nothing is written out.
    return offered is edition or edition_document(offered) == edition_document(edition)


def invalid_record(problem: RecordError) -> Refusal:
    """Return the refusal of a record, with the line and the rule."""
    return Refusal("invalid_record", problem.message, rule=problem.rule, line=problem.line)
