"""Create: a new table."""

from ferrovia import __version__
from ferrovia.server import protocol
from ferrovia.server.lobby.catalog import Catalog, level_names
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.entries import Clock, Created, Place, Setup
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

LIVE_SECONDS = (10, 3600)
SLOW_DAYS = (1, 30)


class TableCreator:
    """Checks the set-up of a new table, and issues the tokens of its seats."""

    def __init__(self, catalog: Catalog, shortest_turn: int = LIVE_SECONDS[0]) -> None:
        self._catalog = catalog
        self._live = (shortest_turn, LIVE_SECONDS[1])

    def create(
        self, request: protocol.CreateTable, token: str | None, now: float
    ) -> tuple[Created, protocol.TableCreated]:
        """Return the first entry of a new table, and the answer to the request.

        `token` is one that the client has made itself; it holds the first seat of a person. With
        it and an id, table and tokens are the same whenever the request is repeated.
        """
        edition = self._catalog.find(request.edition, request.extras)
        try:
            edition.check_seats(len(request.seats))
        except ValueError as problem:
            raise Refusal("invalid_setup", str(problem)) from None
        if request.first is not None and request.first >= len(request.seats):
            raise Refusal("invalid_setup", "the first player has no seat")
        first = token or new_token()
        table = new_table_id()
        if token is not None and request.id is not None:
            table = derived_table_id(b"create", token.encode(), request.id.encode())
        places, held = self._places(request, first)
        if not held:
            held.append(protocol.HeldSeat(seat=None, token=first))
        setup = Setup(
            edition=request.edition,
            extras=request.extras,
            first=request.first,
            clock=_clock(request.clock, self._live),
            listed=request.listed and not request.room,
            stand_in=self._stand_in(request),
            spectators=request.spectators,
            hints=request.hints,
            seed=request.seed or "",
            practice=_practice(request),
            chat=request.chat,
            room=_room(request),
        )
        created = Created(
            at=now,
            version=__version__,
            setup=setup,
            places=places,
            host=token_hash(first),
            part="" if setup.seed else new_part(),
        )
        return created, protocol.TableCreated(table=table, held=tuple(held))

    def created_before(
        self, table: str, created: Created, token: str, request: protocol.CreateTable
    ) -> protocol.TableCreated:
        """Return the answer to a repeated request, whose table is there already."""
        held = []
        for number, place in enumerate(created.places):
            own = _seat_token(token, request.id, number)
            for known in (token, own):
                if place.token and matches(known, place.token):
                    held.append(protocol.HeldSeat(seat=number, token=known))
        if not held:
            held.append(protocol.HeldSeat(seat=None, token=token))
        return protocol.TableCreated(table=table, held=tuple(held))

    def _stand_in(self, request: protocol.CreateTable) -> str | None:
        """Return the bot that stands in; with a clock there always is one."""
        if request.stand_in is not None:
            return self._catalog.bot(request.stand_in)
        return None if request.clock.kind == "none" else level_names()[-1]

    def _places(
        self, request: protocol.CreateTable, first: str
    ) -> tuple[tuple[Place, ...], list[protocol.HeldSeat]]:
        places: list[Place] = []
        held: list[protocol.HeldSeat] = []
        for number, seat in enumerate(request.seats):
            match seat:
                case protocol.OpenSeat():
                    places.append(Place("open"))
                case protocol.BotSeat(bot=bot):
                    places.append(Place("bot", bot=self._catalog.bot(bot)))
                case protocol.PersonSeat(name=name, commitment=commitment):
                    # Several people at one device: each has a token of their own.
                    token = _seat_token(first, request.id, number) if held else first
                    held.append(protocol.HeldSeat(seat=number, token=token))
                    names = [place.name for place in places if place.kind == "person"]
                    person = Place(
                        "person",
                        name=name_among(checked_name(name), names),
                        token=token_hash(token),
                        commitment=commitment or "",
                    )
                    places.append(person)
        return tuple(places), held


def _practice(request: protocol.CreateTable) -> bool:
    """Return whether it is a practice table; that is for one person against bots."""
    kinds = [type(seat) for seat in request.seats]
    if request.practice and (kinds.count(protocol.PersonSeat) != 1 or protocol.OpenSeat in kinds):
        raise Refusal("invalid_setup", "practice is for one person against bots")
    return request.practice


def _room(request: protocol.CreateTable) -> bool:
    """Return whether it is a table for the room; its screen has no seat."""
    if request.room and any(isinstance(seat, protocol.PersonSeat) for seat in request.seats):
        raise Refusal("invalid_setup", "the screen of a room has no seat: people sit down by phone")
    if request.room and not any(isinstance(seat, protocol.OpenSeat) for seat in request.seats):
        raise Refusal("invalid_setup", "a table for the room has seats for people")
    return request.room


def _seat_token(first: str, id: str | None, seat: int) -> str:
    """Return the token of another person's seat at the same device."""
    if id is None:
        return new_token()
    return derived_token(first, id.encode(), b"%d" % seat)


def _clock(clock: Clock, live: tuple[int, int]) -> Clock:
    if clock.kind == "none":
        return Clock()
    least, most = live if clock.kind == "live" else SLOW_DAYS
    if not least <= clock.turn <= most:
        unit = "seconds" if clock.kind == "live" else "days"
        raise Refusal("invalid_setup", f"a {clock.kind} clock has {least} to {most} {unit} a turn")
    return clock
