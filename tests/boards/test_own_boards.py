"""Boards of people's own: what may be left out, and what comes of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ferrovia.boards import Ticket, TicketDeal, board, load_edition, with_packs

Write = Callable[[Any], Path]


def test_the_file_says_what_is_on_the_board(small_path: Path) -> None:
    found = board(small_path)
    assert found.id == "compass"
    assert found.route("mid-south").ferry == 2
    assert found.route("east-mid").tunnel
    assert found.route("mid-north").ferry == 0
    assert not found.route("mid-north").tunnel
    twin = found.twin("mid-north")
    assert twin is not None
    assert twin.id == "mid-north-2"
    assert found.tickets[0] == Ticket("compass:east-west", "east", "west", 4, "compass")


def test_a_path_may_be_text(small_path: Path) -> None:
    assert load_edition(str(small_path)) == load_edition(small_path)


def test_defaults(small_path: Path) -> None:
    found = load_edition(small_path)
    assert (found.id, found.name) == ("compass", "Compass")
    assert found.deals == (TicketDeal(1, 3, 2, 4, 2),)
    assert (found.ticket_draw, found.ticket_keep) == (3, 1)
    assert (found.stations, found.longest_bonus) == (0, 10)
    assert sum(found.cards.values()) == 110
    assert found.tie_break == ("tickets", "longest")
    assert len(found.tickets) == 8


def test_without_an_edition_there_are_45_trains_and_2_to_5_seats(small: Any, write: Write) -> None:
    del small["edition"]
    for n in range(9):
        small["tickets"].append({"id": f"more:{n}", "a": "mid", "b": "west", "points": 1})
    for n in range(3):
        ticket = {"id": f"more-long:{n}", "a": "east", "b": "west", "points": 4, "long": True}
        small["tickets"].append(ticket)
    found = load_edition(write(small))
    assert (found.trains, found.seats) == (45, (2, 5))


def test_without_long_tickets_three_regular_ones_are_dealt(small: Any, write: Write) -> None:
    small["tickets"] = small["tickets"][:6]
    assert load_edition(write(small)).deals == (TicketDeal(0, 3, 2, 3, 2),)


def test_stations_bring_their_bonus_and_their_tie_break(small: Any, write: Write) -> None:
    small["edition"]["stations"] = 2
    found = load_edition(write(small))
    assert (found.stations, found.station_bonus) == (2, 4)
    assert "stations" in found.tie_break


def test_a_sixth_player_has_a_color(small: Any, write: Write) -> None:
    small["edition"] |= {"seats": [2, 6], "deals": [{"regular": 1, "keep_min": 1}]}
    colors = load_edition(write(small)).player_colors
    assert len(set(colors)) == 6


def test_length_seven_can_be_given_points(small: Any, write: Write) -> None:
    small["routes"][5]["length"] = 7
    small["edition"]["route_points"] = {"7": 18}
    points = load_edition(write(small)).route_points
    assert (points[7], points[6]) == (18, 15)


def test_cards_that_are_not_named_keep_their_number(small: Any, write: Write) -> None:
    small["edition"]["cards"] = {"red": 5}
    cards = load_edition(write(small)).cards
    assert (cards["red"], cards["blue"], cards["locomotive"]) == (5, 12, 14)


def test_sets_choose_tickets(small: Any, write: Write) -> None:
    small["edition"]["sets"] = ["compass"]
    found = load_edition(write(small))
    assert len(found.tickets) == 6
    assert found.deals[0].long == 0


def test_long_tickets_that_are_never_dealt_are_not_used(small: Any, write: Write) -> None:
    small["edition"]["deals"] = [{"regular": 3, "keep_min": 2}]
    assert not any(ticket.long for ticket in load_edition(write(small)).tickets)


def test_a_byte_order_mark_does_no_harm(small_text: str, write: Write, small_path: Path) -> None:
    assert load_edition(write(b"\xef\xbb\xbf" + small_text.encode())) == load_edition(small_path)


@pytest.mark.parametrize("word", ["compass", "small"])
def test_a_plain_word_is_never_a_file(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_text: str
) -> None:
    (tmp_path / word).write_text(small_text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=f"no edition '{word}'"):
        load_edition(word)
    assert load_edition(f"./{word}").id == "compass"


def test_what_is_exactly_at_a_limit_is_possible(small: Any, write: Write) -> None:
    small["cities"][0] |= {"lat": -90, "lon": 180, "name": "M" * 60}
    small["routes"][0]["id"] = "r" * 100
    small["tickets"][0]["points"] = 99
    small["edition"] |= {"trains": 6, "longest_bonus": 0, "ticket_draw": 6, "ticket_keep": 6}
    small["edition"]["cards"] = {"black": 4, "locomotive": 2}
    found = load_edition(write(small))
    assert found.board.city("mid").lat == -90
    assert (
        found.cards["black"] + found.cards["locomotive"] == found.board.route("north-west").length
    )


def test_hands_may_take_every_card(small: Any, write: Write) -> None:
    colors = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
    small["edition"]["cards"] = dict.fromkeys(colors, 0) | {"locomotive": 8}
    assert sum(load_edition(write(small)).cards.values()) == 4 * 2


def test_a_file_may_have_exactly_one_mebibyte(small_text: str, write: Write) -> None:
    content = small_text.encode()
    assert load_edition(write(content + b" " * ((1 << 20) - len(content)))).id == "compass"


def test_a_board_may_have_192_tickets(small: Any, write: Write) -> None:
    more = [small["tickets"][0] | {"id": f"more:{n}"} for n in range(192 - len(small["tickets"]))]
    small["tickets"] += more
    found = load_edition(write(small))
    assert len(with_packs(found, ()).tickets) == 192
