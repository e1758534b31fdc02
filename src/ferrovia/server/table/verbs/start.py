"""Start: all reveal their parts in the shuffle, and the game begins as soon as all are there."""

from ferrovia.game import Game
from ferrovia.game.chance.seeds import seed_bytes
from ferrovia.game.chance.shuffle import (
    GIVEN,
    PlayerPart,
    ShuffleMethod,
    commitment_to,
    mixed_shuffle,
)
from ferrovia.game.records.record import header_of
from ferrovia.server.protocol.from_client import Reveal
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.context import Context, Terms
from ferrovia.server.table.entries import AnyEntry, Revealed, Sealed, Started
from ferrovia.server.table.table import Table, table_header

SLOW_REVEAL_SECONDS = 86400.0  # people who play over days are not there all the time


def begin(table: Table, now: float, terms: Terms) -> list[AnyEntry]:
    """Return the entry that follows at a table whose seats are all taken, if there is one."""
    if table.setup.seed or not table.shuffle.commitment:
        return [start(table, now, terms)]
    if table.unrevealed:
        if table.shuffle.sealed:
            return []
        slow = table.clock.kind == "slow"
        seconds = SLOW_REVEAL_SECONDS if slow else terms.settings.reveal_seconds
        return [Sealed(at=now, deadline=now + seconds)]
    return [start(table, now, terms)]


def reveal(context: Context, command: Reveal) -> list[AnyEntry]:
    """Return the entry for a person's part in the shuffle."""
    table, actor = context.table, context.actor
    if actor.seat is None:
        raise Refusal("not_seated", "spectators have no part in the shuffle")
    if table.status != "waiting":
        raise Refusal("already_started", "the game has begun")
    seat = table.seats[actor.seat]
    if not table.shuffle.sealed or seat.part:
        raise Refusal("not_awaited", "no part of this seat is awaited")
    if commitment_to(command.part) != seat.commitment:
        raise Refusal("wrong_part", "this is not the part that the seat has committed to")
    at, by = context.now, actor.number
    return [Revealed(at=at, by=by, command=command.id, seat=actor.seat, part=command.part)]


def time_out(table: Table, now: float, terms: Terms) -> list[AnyEntry]:
    """Return the start without the parts that were not revealed in time."""
    if table.shuffle.reveal_by is None or now < table.shuffle.reveal_by:
        return []
    return [start(table, now, terms)]


def start(table: Table, now: float, terms: Terms) -> Started:
    """Return the entry for the start of a full table's game."""
    setup = table.setup
    names = [f"bot:{seat.bot}" if seat.kind == "bot" else seat.name for seat in table.seats]
    edition = terms.catalog.find(setup.edition, setup.extras)
    seed, shuffle = shuffled(table)
    game = Game(edition, names, seed=seed, first=setup.first)
    game.shuffle = shuffle
    seconds = table.clock.seconds
    return Started(
        at=now,
        header=table_header(header_of(game, game.seed.hex()), table, edition.player_colors),
        events=tuple(game.events),  # type: ignore[arg-type]
        deadline=None if seconds is None else now + seconds,
    )


def shuffled(table: Table) -> tuple[bytes | None, ShuffleMethod | None]:
    """Return the seed of a table's game, and who had a part in it.

    None at a table that was set up before everybody had a part: chance decides then.
    """
    if table.setup.seed:
        return seed_bytes(bytes.fromhex(table.setup.seed)), ShuffleMethod(method=GIVEN)
    if not table.shuffle.part:
        return None, None
    return mixed_shuffle(
        table.shuffle.part,
        [
            PlayerPart(player=number, commitment=seat.commitment, part=seat.part or None)
            for number, seat in enumerate(table.seats)
            if seat.commitment
        ],
    )
