"""Fork: a practice table that begins from a moment of a recorded game."""

import secrets

import msgspec

from ferrovia.game.records.record import Header
from ferrovia.server import protocol
from ferrovia.server.film.source import Source, same_edition, step_named
from ferrovia.server.lobby.catalog import Catalog
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.entries import Events, Fork, Started


class Beginning(msgspec.Struct, frozen=True):
    """How the table is created, and how its game begins."""

    request: protocol.CreateTable
    header: Header
    events: Events
    fork: Fork

    def started(self, name: str, now: float) -> Started:
        """Return the entry for the start of the game; `name` is that of the person."""
        seats = self.request.seats
        players = tuple(
            f"bot:{seat.bot}" if isinstance(seat, protocol.BotSeat) else name for seat in seats
        )
        header = msgspec.structs.replace(self.header, players=players, practice=True)
        return Started(at=now, header=header, events=self.events, fork=self.fork)


def beginning(source: Source, wanted: protocol.ForkGame, catalog: Catalog) -> Beginning:
    """Return how a fork of a finished game begins; raises `Refusal`."""
    if source.seat is not None:
        raise Refusal("not_over", "a game that goes on cannot be played on elsewhere")
    game, steps = source.steps()
    if not same_edition(game, catalog):
        raise Refusal("no_such_edition", "this server does not offer the board of this game")
    if wanted.seat >= game.players:
        raise Refusal("no_such_seat", "there is no such seat in this game")
    at = step_named(steps, wanted.at)
    if at == len(steps) - 1 and game.over:
        raise Refusal("game_over", "the game is over here")
    header = source.record.header
    # Without a seed nobody knows which cards were to come.
    same, fresh = wanted.cards == "same" and game.seed_known, secrets.token_hex(32)
    seats = tuple(
        protocol.PersonSeat(wanted.name) if seat == wanted.seat else protocol.BotSeat(wanted.bot)
        for seat in range(game.players)
    )
    request = protocol.CreateTable(
        edition=header.edition,
        extras=header.extras,
        seats=seats,
        first=header.first,
        stand_in=wanted.bot,
        practice=True,
        seed=header.seed if same else fresh,
        id=wanted.id,
    )
    return Beginning(
        request,
        msgspec.structs.replace(header, shuffle=msgspec.UNSET),
        source.record.events[: steps[at].end],  # type: ignore[arg-type]
        Fork(table=wanted.table or "", at=wanted.at, seed="" if same else fresh),
    )
