"""Seats before the game: portraits, colours, the order of turns and who begins (R2.4)."""

from typing import Any

import pytest

from ferrovia.server.protocol import from_client
from ferrovia.server.protocol.from_client import Begin, BotSeat, Choose, OpenSeat, PersonSeat
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.entries import Rematched
from ferrovia.server.table.tokens import new_token
from ferrovia.server.table.verbs import seats
from ferrovia.server.table.verbs.rematch import created_again
from ferrovia.server.table.viewers import view
from tests.server.support.tabletop import Tabletop


def a_table(*more: Any, **setup: Any) -> Tabletop:
    return Tabletop(PersonSeat("Ada"), OpenSeat(), *more, **{"begin": "host", **setup})


def sit(top: Tabletop, name: str, portrait: str = "") -> int:
    request = from_client.JoinTable(name=name, portrait=portrait)
    entry = seats.join(top.table, request, new_token(), top.now)
    top.write(entry)
    return entry.seat


def refused(act: Any) -> str:
    with pytest.raises(Refusal) as refusal:
        act()
    return refusal.value.code


def colors(top: Tabletop) -> list[str]:
    return [seat.color for seat in top.table.seats]


def names(top: Tabletop) -> list[str]:
    return [seat.name or seat.bot for seat in top.table.seats]


def test_the_host_says_when_it_begins_in_which_order_and_who_is_first() -> None:
    top = a_table(BotSeat("greedy"))
    sit(top, "Bob")
    assert top.table.status == "waiting"
    assert refused(lambda: top.command(1, Begin)) == "not_host"
    top.command(0, Begin, order=(2, 1, 0), first=1)
    assert top.table.status == "running"
    assert names(top) == ["greedy", "Bob", "Ada"]
    assert top.table.header is not None
    assert top.table.header.first == 1


def test_without_an_order_people_stay_where_they_sit_and_free_seats_are_gone() -> None:
    top = a_table(OpenSeat())
    sit(top, "Bob")
    top.command(0, Begin, first=1)
    assert names(top) == ["Ada", "Bob"]
    assert top.table.header is not None
    assert top.table.header.first == 1


def test_an_order_that_forgets_or_doubles_somebody_is_refused() -> None:
    top = a_table()
    assert refused(lambda: top.command(0, Begin)) == "invalid_setup"  # alone
    sit(top, "Bob")
    for order in ((0,), (0, 0), (0, 1, 2)):
        assert refused(lambda order=order: top.command(0, Begin, order=order)) == "invalid_setup"
    assert refused(lambda: top.command(0, Begin, first=3)) == "invalid_setup"
    assert top.table.status == "waiting"


def test_other_tables_begin_by_themselves() -> None:
    top = a_table(begin="full")
    assert refused(lambda: top.command(0, Begin)) == "not_a_room"
    sit(top, "Bob")
    assert top.table.status == "running"


def test_a_colour_is_exchanged_unless_somebody_has_chosen_it() -> None:
    top = a_table(OpenSeat())
    bob = sit(top, "Bob")
    assert colors(top) == ["blue", "red", "green"]
    top.command(bob, Choose, color="blue")
    assert colors(top) == ["red", "blue", "green"]
    assert refused(lambda: top.command(0, Choose, color="blue")) == "color_taken"
    assert refused(lambda: top.command(0, Choose, color="pink")) == "invalid_setup"
    top.command(0, Choose, color="black")
    assert colors(top) == ["black", "blue", "green"]


def test_people_who_share_a_device_choose_their_colours_when_they_set_up_the_table() -> None:
    def seated(*wanted: str | None) -> list[str]:
        return colors(Tabletop(*[PersonSeat(f"P{at}", color=one) for at, one in enumerate(wanted)]))

    assert seated(None, "blue", "black", None) == ["red", "blue", "black", "green"]
    assert refused(lambda: seated("blue", "blue")) == "color_taken"
    assert refused(lambda: seated("pink", None)) == "invalid_setup"


def test_colours_and_portraits_stay_with_their_people_and_are_in_the_record() -> None:
    top = a_table()
    bob = sit(top, "Bob", portrait="lantern")
    top.command(0, Choose, portrait="signal")
    top.command(bob, Choose, color="black")
    top.command(0, Begin, order=(1, 0))
    info = view.table_info(top.table)
    assert [(seat.name, seat.color, seat.portrait) for seat in info.seats] == [
        ("Bob", "black", "lantern"),
        ("Ada", "blue", "signal"),
    ]
    header = top.table.header
    assert header is not None
    assert (header.colors, header.portraits) == (("black", "blue"), ("lantern", "signal"))


def test_a_rematch_keeps_faces_and_colours_and_waits_for_nobody_to_say_so() -> None:
    top = a_table()
    bob = sit(top, "Bob", portrait="lantern")
    top.command(bob, Choose, color="black")
    top.command(0, Begin)

    again = created_again(top.table, Rematched(at=top.now, by=0, table="again"))
    assert [(place.color, place.portrait) for place in again.places] == [
        ("blue", ""),
        ("black", "lantern"),
    ]
    assert again.setup.begin == "full"


def test_nothing_is_chosen_any_more_when_the_game_has_begun() -> None:
    top = a_table()
    sit(top, "Bob")
    top.command(0, Begin)
    assert refused(lambda: top.command(0, Choose, color="black")) == "already_started"
    assert refused(lambda: top.command(None, Choose, color="black")) == "not_seated"
