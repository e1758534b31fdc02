"""Everything a person can get wrong in a board file is reported, with where and what to do."""

from collections.abc import Callable
from typing import Any

import pytest

from ferrovia.boards import COLORS, FileProblem

ProblemsOf = Callable[[Any], tuple[FileProblem, ...]]


def put(*place: str | int, value: Any) -> Callable[[Any], None]:
    """A change of one value."""

    def change(document: Any) -> None:
        for step in place[:-1]:
            document = document[step]
        document[place[-1]] = value

    return change


def drop(*place: str | int) -> Callable[[Any], None]:
    """One value taken away."""

    def change(document: Any) -> None:
        for step in place[:-1]:
            document = document[step]
        del document[place[-1]]

    return change


def append(key: str, **entry: Any) -> Callable[[Any], None]:
    """One entry more."""

    def change(document: Any) -> None:
        document[key].append(entry)

    return change


def route(a: str, b: str, length: int = 2, **more: Any) -> Callable[[Any], None]:
    return append("routes", id="new", a=a, b=b, length=length, color="gray", **more)


def far_city(document: Any) -> None:
    for name in ("far", "away"):
        append("cities", id=name, name=name, lat=1, lon=len(name))(document)
    route("far", "away")(document)


FORM = {
    "missing": (drop("cities", 0, "name"), "cities[0].name", "is missing"),
    "id_missing": (drop("cities", 0, "id"), "cities[0].id", "is missing"),
    "entry_not_an_object": (put("tickets", 0, value=5), "tickets[0]", "must be an object"),
    "list_is_no_list": (put("cities", value="mid"), "cities", "must be a list"),
    "text_for_number": (
        put("routes", 2, "length", value="3"),
        "routes[2].length",
        "must be a whole number, not '3'",
    ),
    "fraction_for_number": (
        put("routes", 2, "length", value=2.5),
        "routes[2].length",
        "must be a whole number, not 2.5",
    ),
    "true_for_number": (
        put("tickets", 0, "points", value=True),
        "tickets[0].points",
        "must be a whole number, not true",
    ),
    "number_for_flag": (
        put("routes", 2, "tunnel", value=1),
        "routes[2].tunnel",
        "must be true or false, not 1",
    ),
    "number_for_text": (put("cities", 0, "name", value=5), "cities[0].name", "must be text, not 5"),
    "null": (put("cities", 0, "lat", value=None), "cities[0].lat", "must be a number, not null"),
    "empty_name": (put("cities", 0, "name", value=" "), "cities[0].name", "1 to 60 printable"),
    "name_with_controls": (
        put("cities", 0, "name", value="Mid\u202e"),
        "cities[0].name",
        "printable characters, not 'Mid\\u202e'",
    ),
    "unknown_key": (
        put("routes", 0, "colour", value="red"),
        "routes[0].colour",
        "is not a known key; did you mean 'color'?",
    ),
    "unknown_key_at_the_top": (
        put("ticket", value=[]),
        "ticket",
        "is not a known key; did you mean 'tickets'?",
    ),
    "unknown_key_of_the_edition": (
        put("edition", "seat", value=3),
        "edition.seat",
        "is not a known key; did you mean 'seats'?",
    ),
    "unknown_color": (
        put("routes", 0, "color", value="grean"),
        "routes[0].color",
        "'grean' is not possible here; did you mean 'green'?",
    ),
    "locomotive_is_no_color_of_routes": (
        put("routes", 0, "color", value="locomotive"),
        "routes[0].color",
        "is not possible here; known: purple, blue",
    ),
    "board_id": (
        put("board", value="My Board"),
        "board",
        "letters a to z, digits and _ -; for example 'my_board'",
    ),
    "route_id_with_space": (put("routes", 0, "id", value="a b"), "routes[0].id", "may hold only"),
    "ticket_id_with_space": (
        put("tickets", 0, "id", value="a:b c"),
        "tickets[0].id",
        "may hold only the letters a to z, digits and _ : -",
    ),
    "empty_id": (put("tickets", 0, "id", value=""), "tickets[0].id", "may hold only"),
    "endless_id": (put("routes", 0, "id", value="a" * 101), "routes[0].id", "longer than 100"),
    "lat": (put("cities", 0, "lat", value=91), "cities[0].lat", "must be from -90 to 90, not 91"),
    "lon": (put("cities", 0, "lon", value=-181), "cities[0].lon", "from -180 to 180, not -181"),
    "nan": (put("cities", 0, "lat", value=float("nan")), "cities[0].lat", "a number, not nan"),
    "infinity": (put("cities", 0, "lon", value=float("inf")), "cities[0].lon", "number, not inf"),
    "huge_number": (
        put("tickets", 0, "points", value=10**300),
        "tickets[0].points",
        "from 1 to 99, not a huge number",
    ),
}

BOARD = {
    "city_twice": (
        append("cities", id="mid", name="Mid", lat=0, lon=0),
        "cities[5].id",
        "'mid' is already the id of cities[0]",
    ),
    "city_upon_another": (
        put("cities", 1, "lat", value=0),
        "cities[1]",
        "lies where cities[0] lies",
    ),
    "route_twice": (
        put("routes", 1, "id", value="mid-north"),
        "routes[1].id",
        "'mid-north' is already the id of routes[0]",
    ),
    "ticket_twice": (
        put("tickets", 3, "id", value="compass:east-west"),
        "tickets[3].id",
        "already the id of tickets[0]",
    ),
    "route_to_unknown_city": (
        put("routes", 4, "b", value="wets"),
        "routes[4].b",
        "no city with the id 'wets'; did you mean 'west'?",
    ),
    "route_to_itself": (
        put("routes", 5, "b", value="north"),
        "routes[5].b",
        "leads from 'north' to itself",
    ),
    "ticket_to_unknown_city": (
        put("tickets", 0, "a", value="eats"),
        "tickets[0].a",
        "no city with the id 'eats'; did you mean 'east'?",
    ),
    "ticket_to_itself": (
        put("tickets", 0, "b", value="east"),
        "tickets[0].b",
        "leads from 'east' to itself",
    ),
    "points_none": (put("tickets", 0, "points", value=0), "tickets[0].points", "from 1 to 99"),
    "points_many": (put("tickets", 0, "points", value=100), "tickets[0].points", "not 100"),
    "length_none": (put("routes", 4, "length", value=0), "routes[4].length", "from 1 to 8, not 0"),
    "length_nine": (put("routes", 4, "length", value=9), "routes[4].length", "from 1 to 8, not 9"),
    "length_without_points": (
        put("routes", 5, "length", value=7),
        "routes[5].length",
        'has no points (R10.1); write "7"',
    ),
    "unequal_double": (
        put("routes", 1, "length", value=3),
        "routes[1].length",
        "is 3, but routes[0] between 'mid' and 'north' has length 2",
    ),
    "third_route": (
        route("mid", "north"),
        "routes[6]",
        "is the third route between 'mid' and 'north'",
    ),
    "ferry_in_color": (
        put("routes", 3, "color", value="red"),
        "routes[3].color",
        "a ferry must be gray, not red",
    ),
    "ferry_too_long": (
        put("routes", 3, "ferry", value=5),
        "routes[3].ferry",
        "5 locomotives do not fit on 4 spaces",
    ),
    "ferry_negative": (put("routes", 3, "ferry", value=-1), "routes[3].ferry", "from 0 to 8"),
    "ferry_and_tunnel": (
        put("routes", 3, "tunnel", value=True),
        "routes[3].tunnel",
        "a ferry and a tunnel at once",
    ),
    "city_without_route": (
        append("cities", id="far", name="Far", lat=1, lon=1),
        "cities[5]",
        "no route leads to 'far'",
    ),
    "board_in_two_parts": (far_city, "routes", "falls apart: away, far cannot be reached"),
    "too_many_cities": (
        lambda d: d["cities"].extend(
            {"id": f"c{n}", "name": "C", "lat": 0, "lon": 0} for n in range(60)
        ),
        "cities",
        "holds 65 entries; at most 64",
    ),
    "too_many_tickets": (
        lambda d: d["tickets"].extend(d["tickets"][0] | {"id": f"compass:{n}"} for n in range(185)),
        "tickets",
        "holds 193 entries; at most 192",
    ),
}

EDITION = {
    "not_an_object": (put("edition", value=[]), "edition", "must be an object"),
    "one_seat": (put("edition", "seats", value=[1, 2]), "edition.seats[0]", "from 2 to 6, not 1"),
    "seven_seats": (put("edition", "seats", value=[2, 7]), "edition.seats[1]", "from 2 to 6"),
    "seats_reversed": (
        put("edition", "seats", value=[3, 2]),
        "edition.seats",
        "the smallest table, 3, is above the largest, 2",
    ),
    "seats_not_two": (put("edition", "seats", value=[2]), "edition.seats", "must be two numbers"),
    "seats_a_number": (put("edition", "seats", value=2), "edition.seats", "must be a list"),
    "too_many_trains": (put("edition", "trains", value=65), "edition.trains", "from 1 to 64"),
    "too_many_stations": (put("edition", "stations", value=4), "edition.stations", "from 0 to 3"),
    "too_many_cards": (
        put("edition", "cards", value={"red": 61}),
        "edition.cards.red",
        "from 0 to 60, not 61",
    ),
    "cards_of_unknown_color": (
        put("edition", "cards", value={"pink": 12}),
        "edition.cards.pink",
        "is not a known key",
    ),
    "no_such_length": (
        put("edition", "route_points", value={"9": 30}),
        "edition.route_points.9",
        "is not a known key",
    ),
    "too_few_regular_tickets": (
        drop("tickets", 0),
        "edition.deals",
        "2 players are dealt 3 regular tickets each, 6 in all, but there are 5",
    ),
    "too_few_long_tickets": (
        drop("tickets", 7),
        "edition.deals",
        "2 players are dealt 1 long tickets each, 2 in all, but there are 1",
    ),
    "no_stage": (put("edition", "deals", value=[]), "edition.deals", "at least one stage"),
    "three_stages": (
        put("edition", "deals", value=[{"regular": 1, "keep_min": 1}] * 3),
        "edition.deals",
        "holds 3 entries; at most 2",
    ),
    "empty_stage": (
        put("edition", "deals", value=[{"keep_min": 0}]),
        "edition.deals[0]",
        "deals 0 tickets; an offer has 1 to 6",
    ),
    "offer_of_seven": (
        put("edition", "deals", value=[{"regular": 4, "long": 3, "keep_min": 1}]),
        "edition.deals[0]",
        "deals 7 tickets; an offer has 1 to 6",
    ),
    "keep_more_than_dealt": (
        put("edition", "deals", value=[{"regular": 2, "keep_min": 3}]),
        "edition.deals[0].keep_min",
        "from 0 to 2, not 3",
    ),
    "keep_min_above_keep_max": (
        put("edition", "deals", value=[{"regular": 3, "keep_min": 2, "keep_max": 1}]),
        "edition.deals[0].keep_min",
        "from 0 to 1, not 2",
    ),
    "keep_fewer_without_long": (
        put(
            "edition",
            "deals",
            value=[{"regular": 3, "keep_min": 2, "keep_min_without_long": 1}],
        ),
        "edition.deals[0].keep_min_without_long",
        "from 2 to 3, not 1",
    ),
    "draw_seven": (put("edition", "ticket_draw", value=7), "edition.ticket_draw", "from 1 to 6"),
    "keep_more_than_drawn": (
        put("edition", "ticket_keep", value=4),
        "edition.ticket_keep",
        "from 1 to 3, not 4",
    ),
    "unknown_place": (
        put("edition", "regular_not_kept", value="botom"),
        "edition.regular_not_kept",
        "did you mean 'bottom'?",
    ),
    "unknown_tie_break": (
        put("edition", "tie_break", value=["ticket"]),
        "edition.tie_break[0]",
        "did you mean 'tickets'?",
    ),
    "tie_break_twice": (
        put("edition", "tie_break", value=["tickets", "tickets"]),
        "edition.tie_break[1]",
        "'tickets' is named twice",
    ),
    "unknown_set": (
        put("edition", "sets", value=["compas"]),
        "edition.sets[0]",
        "did you mean 'compass'?",
    ),
    "too_few_player_colors": (
        put("edition", "player_colors", value=["red"]),
        "edition.player_colors",
        "1 colours are too few for 2 players",
    ),
    "route_longer_than_trains": (
        put("edition", "trains", value=5),
        "routes[5].length",
        "is longer than the 5 trains of a player",
    ),
    "no_locomotives_for_the_ferry": (
        put("edition", "cards", value={"locomotive": 1}),
        "routes[3]",
        "not enough cards to claim this route, ever",
    ),
    "a_display_of_locomotives": (
        put("edition", "cards", value={"locomotive": 60} | dict.fromkeys(COLORS[:-1], 1)),
        "edition.cards",
        "60 locomotives are too many for 8 other cards",
    ),
    "too_few_cards_of_a_color": (
        put("edition", "cards", value={"black": 3, "locomotive": 2}),
        "routes[5]",
        "not enough cards to claim this route, ever",
    ),
}


@pytest.mark.parametrize(
    ("spoil", "path", "message"),
    [
        pytest.param(*case, id=name)
        for group in (FORM, BOARD, EDITION)
        for name, case in group.items()
    ],
)
def test_one_mistake_is_one_problem(
    small: Any, problems_of: ProblemsOf, spoil: Callable[[Any], None], path: str, message: str
) -> None:
    spoil(small)
    (problem,) = problems_of(small)
    assert problem.path == path
    assert message in str(problem)
    assert problem.line is not None
