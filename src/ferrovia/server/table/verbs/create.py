"""Create: a new table."""

from collections.abc import Sequence

from ferrovia import __version__
from ferrovia.server.catalog import level_names
from ferrovia.server.protocol import from_client, from_server
from ferrovia.server.protocol.clock import Clock
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.context import Terms
from ferrovia.server.table.entries import Created, PlannedSeat, Setup
from ferrovia.server.table.names import checked_name, name_among
from ferrovia.server.table.tokens import (
    derived_table_id,
    derived_token,
    matches,
    new_part,
    new_table_id,
    new_token,
    token_hash,
)

LONGEST_LIVE_TURN = 3600  # seconds
SLOW_DAYS = (1, 30)


def create(
    request: from_client.CreateTable, token: str | None, now: float, terms: Terms
) -> tuple[Created, from_server.TableCreated]:
    """Return the first entry of a new table, and the answer to the request.

    `token` is one that the client has made itself; it holds the first seat of a person. With
    it and an id, table and tokens are the same whenever the request is repeated.
    """
    edition = terms.catalog.find(request.edition, request.extras)
    try:
        edition.check_seats(len(request.seats))
    except ValueError as problem:
        raise Refusal("invalid_setup", str(problem)) from None
    if request.first is not None and request.first >= len(request.seats):
        raise Refusal("invalid_setup", "the first player has no seat")
    if request.seed and request.listed:
        # Whoever chose the seed knows every hand: strangers are not to sit down there unaware.
        raise Refusal("invalid_setup", "a table with a seed of its own is not listed")
    first = token or new_token()
    table = new_table_id()
    if token is not None and request.id is not None:
        table = derived_table_id(b"create", token.encode(), request.id.encode())
    places, held = _places(request, first, terms, edition.player_colors)
    if not held:
        held.append(from_server.HeldSeat(seat=None, token=first))
    setup = Setup(
        edition=request.edition,
        extras=request.extras,
        first=request.first,
        clock=_clock(request.clock, terms.settings.shortest_turn),
        listed=request.listed and not request.room,
        stand_in=_stand_in(request, terms),
        spectators=request.spectators,
        hints=request.hints,
        seed=request.seed or "",
        practice=_practice(request),
        chat=request.chat,
        room=_room(request),
        begin=request.begin,
        webhooks=terms.settings.webhooks and request.clock.kind == "slow",
    )
    created = Created(
        at=now,
        version=__version__,
        setup=setup,
        places=places,
        host=token_hash(first),
        part="" if setup.seed else new_part(),
    )
    return created, from_server.TableCreated(table=table, held=tuple(held))


def created_before(
    table: str, created: Created, token: str, request: from_client.CreateTable
) -> from_server.TableCreated:
    """Return the answer to a repeated request, whose table is there already."""
    held = []
    for number, place in enumerate(created.places):
        own = _seat_token(token, request.id, number)
        for known in (token, own):
            if place.token and matches(known, place.token):
                held.append(from_server.HeldSeat(seat=number, token=known))
    if not held:
        held.append(from_server.HeldSeat(seat=None, token=token))
    return from_server.TableCreated(table=table, held=tuple(held))


def _stand_in(request: from_client.CreateTable, terms: Terms) -> str | None:
    """Return the bot that stands in; with a clock there always is one."""
    if request.stand_in is not None:
        return terms.catalog.bot(request.stand_in)
    return None if request.clock.kind == "none" else level_names()[-1]


def _places(
    request: from_client.CreateTable, first: str, terms: Terms, palette: Sequence[str]
) -> tuple[tuple[PlannedSeat, ...], list[from_server.HeldSeat]]:
    places: list[PlannedSeat] = []
    held: list[from_server.HeldSeat] = []
    colors = _colors(request, palette)
    for number, seat in enumerate(request.seats):
        match seat:
            case from_client.OpenSeat():
                places.append(PlannedSeat("open", color=colors[number]))
            case from_client.BotSeat(bot=bot):
                places.append(PlannedSeat("bot", bot=terms.catalog.bot(bot), color=colors[number]))
            case from_client.PersonSeat(name=name, commitment=commitment, portrait=portrait):
                # Several people at one device: each has a token of their own.
                token = _seat_token(first, request.id, number) if held else first
                held.append(from_server.HeldSeat(seat=number, token=token))
                names = [place.name for place in places if place.kind == "person"]
                person = PlannedSeat(
                    "person",
                    name=name_among(checked_name(name), names),
                    token=token_hash(token),
                    commitment=commitment or "",
                    color=colors[number],
                    portrait=portrait,
                )
                places.append(person)
    return tuple(places), held


def _colors(request: from_client.CreateTable, palette: Sequence[str]) -> list[str]:
    """Return the colours of all seats: those that people want, and for the others what is left."""
    wanted = [
        seat.color if isinstance(seat, from_client.PersonSeat) else None for seat in request.seats
    ]
    chosen = [color for color in wanted if color is not None]
    for color in chosen:
        if color not in palette:
            raise Refusal("invalid_setup", f"nobody plays {color} in this edition")
        if chosen.count(color) > 1:
            raise Refusal("color_taken", f"two people want {color}")
    left = iter([color for color in palette if color not in chosen])
    return [next(left) if color is None else color for color in wanted]


def _practice(request: from_client.CreateTable) -> bool:
    """Return whether it is a practice table; that is for one person against bots."""
    kinds = [type(seat) for seat in request.seats]
    if request.practice and (
        kinds.count(from_client.PersonSeat) != 1 or from_client.OpenSeat in kinds
    ):
        raise Refusal("invalid_setup", "practice is for one person against bots")
    return request.practice


def _room(request: from_client.CreateTable) -> bool:
    """Return whether it is a table for the room; its screen has no seat."""
    if request.room and any(isinstance(seat, from_client.PersonSeat) for seat in request.seats):
        raise Refusal("invalid_setup", "the screen of a room has no seat: people sit down by phone")
    if request.room and not any(isinstance(seat, from_client.OpenSeat) for seat in request.seats):
        raise Refusal("invalid_setup", "a table for the room has seats for people")
    return request.room


def _seat_token(first: str, id: str | None, seat: int) -> str:
    """Return the token of another person's seat at the same device."""
    if id is None:
        return new_token()
    return derived_token(first, id.encode(), b"%d" % seat)


def _clock(clock: Clock, shortest: int) -> Clock:
    if clock.kind == "none":
        return Clock()
    least, most = (shortest, LONGEST_LIVE_TURN) if clock.kind == "live" else SLOW_DAYS
    if not least <= clock.turn <= most:
        unit = "seconds" if clock.kind == "live" else "days"
        raise Refusal("invalid_setup", f"a {clock.kind} clock has {least} to {most} {unit} a turn")
    return clock
