"""Fork: a practice table that begins from a moment of a recorded game."""

import secrets

import msgspec

from ferrovia.server.catalog import Catalog, even_level
from ferrovia.server.protocol import from_client
from ferrovia.server.records.source import Source, same_edition, step_named
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.entries import Fork
from ferrovia.server.table.verbs.fork import Beginning

MOST_DECISIONS = 1500
"""The most decisions before a fork: they are kept with every table that goes on from there. The
longest games of six people have a third of that.
"""


def beginning(source: Source, wanted: from_client.ForkGame, catalog: Catalog) -> Beginning:
    """Return how a fork of a finished game begins; raises `Refusal`."""
    if source.seat is not None:
        raise Refusal("not_over", "a game that goes on cannot be played on elsewhere")
    game, steps = source.replayed
    if not same_edition(game, catalog):
        raise Refusal("no_such_edition", "this server does not offer the board of this game")
    if wanted.seat >= game.players:
        raise Refusal("no_such_seat", "there is no such seat in this game")
    at = step_named(steps, wanted.at)
    if at == len(steps) - 1 and game.over:
        raise Refusal("game_over", "the game is over here")
    if at > MOST_DECISIONS:
        raise Refusal("too_large", f"a game goes on from its first {MOST_DECISIONS} decisions")
    header = source.record.header
    # Without a seed nobody knows which cards were to come.
    same, fresh = wanted.cards == "same" and game.seed_known, secrets.token_hex(32)
    seats = tuple(
        from_client.PersonSeat(wanted.name)
        if seat == wanted.seat
        else from_client.BotSeat(wanted.bot or _bot_before(header.players[seat], catalog))
        for seat in range(game.players)
    )
    request = from_client.CreateTable(
        edition=header.edition,
        extras=header.extras,
        seats=seats,
        first=header.first,
        stand_in=wanted.bot or even_level(),
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


def _bot_before(player: str, catalog: Catalog) -> str:
    """Return the bot that a player of a record was, if it is offered here; else an even one."""
    name = player.removeprefix("bot:")
    return name if player != name and name in catalog.bots() else even_level()
