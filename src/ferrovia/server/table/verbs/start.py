"""Start: all reveal their parts in the shuffle, and the game begins as soon as all are there."""

from ferrovia.game import Game
from ferrovia.game.chance.seeds import seed_bytes
from ferrovia.game.chance.shuffle import GIVEN, PlayerPart, Shuffle, commitment_to, mixed_shuffle
from ferrovia.game.records.record import header_of
from ferrovia.server.lobby.catalog import Catalog
from ferrovia.server.protocol import Reveal
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.entries import AnyEntry, Revealed, Sealed, Started
from ferrovia.server.table.table import Actor, Table, table_header

REVEAL_SECONDS = 20.0
SLOW_REVEAL_SECONDS = 86400.0  # people who play over days are not there all the time


class GameStarter:
    """Shuffles and deals; the entry has the seed, and the commitment to publish."""

    def __init__(self, catalog: Catalog, reveal_seconds: float = REVEAL_SECONDS) -> None:
        self._catalog = catalog
        self._reveal_seconds = reveal_seconds

    def begin(self, table: Table, now: float) -> list[AnyEntry]:
        """Return the entry that follows at a table whose seats are all taken, if there is one."""
        if table.setup.seed or not table.commitment:
            return [self.start(table, now)]
        if table.unrevealed:
            if table.sealed:
                return []
            slow = table.clock.kind == "slow"
            seconds = SLOW_REVEAL_SECONDS if slow else self._reveal_seconds
            return [Sealed(at=now, deadline=now + seconds)]
        return [self.start(table, now)]

    def reveal(self, table: Table, actor: Actor, command: Reveal, now: float) -> Revealed:
        """Return the entry for a person's part in the shuffle."""
        if actor.seat is None:
            raise Refusal("not_seated", "spectators have no part in the shuffle")
        if table.status != "waiting":
            raise Refusal("already_started", "the game has begun")
        seat = table.seats[actor.seat]
        if not table.sealed or seat.part:
            raise Refusal("not_awaited", "no part of this seat is awaited")
        if commitment_to(command.part) != seat.commitment:
            raise Refusal("wrong_part", "this is not the part that the seat has committed to")
        return Revealed(
            at=now, by=actor.number, command=command.id, seat=actor.seat, part=command.part
        )

    def time_out(self, table: Table, now: float) -> list[AnyEntry]:
        """Return the start without the parts that were not revealed in time."""
        if table.reveal_by is None or now < table.reveal_by:
            return []
        return [self.start(table, now)]

    def start(self, table: Table, now: float) -> Started:
        """Return the entry for the start of a full table's game."""
        setup = table.setup
        names = [f"bot:{seat.bot}" if seat.kind == "bot" else seat.name for seat in table.seats]
        edition = self._catalog.find(setup.edition, setup.extras)
        seed, shuffle = shuffled(table)
        game = Game(edition, names, seed=seed, first=setup.first)
        game.shuffle = shuffle
        seconds = table.clock.seconds
        return Started(
            at=now,
            header=table_header(header_of(game, game.seed.hex()), setup),
            events=tuple(game.events),  # type: ignore[arg-type]
            deadline=None if seconds is None else now + seconds,
        )


def shuffled(table: Table) -> tuple[bytes | None, Shuffle | None]:
    """Return the seed of a table's game, and who had a part in it.

    None at a table that was set up before everybody had a part: chance decides then.
    """
    if table.setup.seed:
        return seed_bytes(bytes.fromhex(table.setup.seed)), Shuffle(method=GIVEN)
    if not table.part:
        return None, None
    return mixed_shuffle(
        table.part,
        [
            PlayerPart(player=number, commitment=seat.commitment, part=seat.part or None)
            for number, seat in enumerate(table.seats)
            if seat.commitment
        ],
    )
