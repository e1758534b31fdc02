"""A game that lies on the table, counted: what each player has, checked piece by piece and scored.

What cannot lie there is named and left out of the score, so that people who are still entering
a game see it grow, and see at once what was entered wrongly.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from ferrovia.boards import Edition, is_builtin
from ferrovia.game.codec.lexicon import lexicon_of
from ferrovia.game.finale import Finale, finale_of
from ferrovia.game.game import Game
from ferrovia.game.position import PositionBuilder, most_long_tickets, write_position
from ferrovia.game.scores import Result, members
from ferrovia.rules import calls

Why = Literal["unknown", "taken", "double", "trains", "stations", "long"]


class CountedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one player has at the end: the ids of routes, of cities with a station, of tickets."""

    routes: tuple[str, ...] = ()
    stations: tuple[str, ...] = ()
    tickets: tuple[str, ...] = ()


class Misfit(msgspec.Struct, frozen=True):
    """Something that cannot lie on the table, and is not counted.

    `why`: the edition has nothing of that id; it is `taken` by the seat `other`, or there twice;
    the other half of the `double` closes it (R5.6, R5.7); too few `trains` or `stations`; more
    `long` tickets than anybody can have kept (R1.3).
    """

    seat: int
    kind: Literal["route", "station", "ticket"]
    id: str
    why: Why
    other: int | None = None


class Count(msgspec.Struct, frozen=True):
    """The score of what lies on the table, how it came about, and what was not counted.

    `trains` are those that each player has left; `position` is the table as text, for an edition
    that has a name.
    """

    result: Result
    finale: Finale
    trains: tuple[int, ...]
    misfits: tuple[Misfit, ...]
    position: str | None


def count_game(edition: Edition, seats: Sequence[CountedSeat]) -> Count:
    """Return the exact score of a game that lies on the table; ValueError for a wrong number of
    seats.
    """
    game, misfits = lay(edition, seats)
    table = game.view(None)
    return Count(
        result=game.result(),
        finale=finale_of(game.lexicon, game.state),
        trains=tuple(table.of(seat).trains for seat in range(len(seats))),
        misfits=misfits,
        position=write_position(game) if is_builtin(edition) else None,
    )


def lay(edition: Edition, seats: Sequence[CountedSeat]) -> tuple[Game, tuple[Misfit, ...]]:
    """Return the game whose table holds all that fits, and what does not."""
    edition.check_seats(len(seats))
    table = _Table(edition, len(seats))
    for seat, counted in enumerate(seats):
        for name in counted.routes:
            table.route(seat, name)
        for name in counted.stations:
            table.station(seat, name)
        for name in counted.tickets:
            table.ticket(seat, name)
    return table.game(), tuple(table.misfits)


class _Table:
    def __init__(self, edition: Edition, players: int) -> None:
        self.lexicon = lexicon_of(edition)
        self.players = players
        self.build = PositionBuilder(self.lexicon, players)
        self.misfits: list[Misfit] = []
        self._owners: dict[tuple[str, str], int] = {}
        self._most_long = most_long_tickets(edition)

    def route(self, seat: int, name: str) -> None:
        number = self.lexicon.route_number.get(name)
        if not self._free("route", seat, name, number):
            return
        if calls.place_route(self.lexicon.book, self.build.state, seat, number):
            self._owners["route", name] = seat
        else:
            closed = number not in members(self.build.s.open[seat])
            self.misfits.append(Misfit(seat, "route", name, "double" if closed else "trains"))

    def station(self, seat: int, name: str) -> None:
        number = self.lexicon.city_number.get(name)
        if not self._free("station", seat, name, number):
            return
        built = sum(key[0] == "station" and by == seat for key, by in self._owners.items())
        if built >= self.lexicon.edition.stations:
            self.misfits.append(Misfit(seat, "station", name, "stations"))
        elif calls.place_station(self.build.state, seat, built, number):
            self._owners["station", name] = seat

    def ticket(self, seat: int, name: str) -> None:
        number = self.lexicon.ticket_number.get(name)
        if not self._free("ticket", seat, name, number):
            return
        longs = self.lexicon.tables.long_tickets
        if number is not None and number < longs and self.lexicon.edition.long_not_kept == "out":
            held = sum(ticket < longs for ticket in members(self.build.s.tickets[seat]))
            if held >= self._most_long:
                self.misfits.append(Misfit(seat, "ticket", name, "long"))
                return
        if calls.place_ticket(self.build.state, seat, number):
            self._owners["ticket", name] = seat

    def _free(
        self,
        kind: Literal["route", "station", "ticket"],
        seat: int,
        name: str,
        number: int | None,
    ) -> bool:
        """Return whether there is such a thing and nobody has it; if not, note why."""
        if number is None:
            self.misfits.append(Misfit(seat, kind, name, "unknown"))
            return False
        owner = self._owners.get((kind, name))
        if owner is not None:
            self.misfits.append(Misfit(seat, kind, name, "taken", owner))
        return owner is None

    def game(self) -> Game:
        self.build.pile("deck", self.build.rest())
        self.build.ticket_deck(None)
        names = [f"Player {seat + 1}" for seat in range(self.players)]
        return Game.standing_at(self.lexicon, names, bytes(32), self.build.state, [])
