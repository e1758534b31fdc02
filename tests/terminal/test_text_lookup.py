"""What players type is understood, as short as it is clear."""

import pytest

from ferrovia.boards import load_edition
from ferrovia.game import InvalidAction, View, read_position
from ferrovia.terminal.lookup import read_card, read_cards, read_city, read_route_and_cards
from ferrovia.terminal.typed_actions import understand

EUROPE, USA = load_edition("europe").board, load_edition("usa").board


@pytest.mark.parametrize(
    ("text", "city"),
    [("Zürich", "zurich"), ("ZUR", "zurich"), ("koben", "kobenhavn"), ("København", "kobenhavn")],
)
def test_a_city_by_its_name_without_accents_or_its_beginning(text: str, city: str) -> None:
    assert read_city(EUROPE, text) == city


def test_a_city_of_several_words() -> None:
    assert read_city(USA, "new york") == "new_york"
    assert read_city(USA, "salt l") == "salt_lake_city"
    assert read_city(USA, "sault st. marie") == "sault_st_marie"


def test_a_name_that_is_not_clear_is_asked_back() -> None:
    with pytest.raises(InvalidAction, match="San Francisco or Santa Fe"):
        read_city(USA, "san")
    with pytest.raises(InvalidAction, match="no city 'atlantis'"):
        read_city(USA, "atlantis")
    with pytest.raises(InvalidAction, match="blue or black"):
        read_card("bl")


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("blue blue loco", ("blue", "blue", "locomotive")),
        ("2 blue 1 locomotive", ("blue", "blue", "locomotive")),
        ("loco 2 blu", ("blue", "blue", "locomotive")),
        ("2 locomotives pink", ("purple", "locomotive", "locomotive")),
        ("", ()),
    ],
)
def test_cards_in_any_order_and_with_numbers(text: str, cards: tuple[str, ...]) -> None:
    assert read_cards(text.split()) == cards


@pytest.mark.parametrize(
    ("text", "routes", "cards"),
    [
        ("paris-zurich", ["paris-zurich"], 0),
        ("zürich paris 3 red", ["paris-zurich"], 3),
        ("par zur red red red", ["paris-zurich"], 3),
        ("paris frankfurt", ["frankfurt-paris", "frankfurt-paris-2"], 0),
        ("frankfurt-paris-2 3 orange", ["frankfurt-paris-2"], 3),
    ],
)
def test_a_route_by_its_cities(text: str, routes: list[str], cards: int) -> None:
    found, paid = read_route_and_cards(EUROPE, text.split())
    assert [route.id for route in found] == routes
    assert len(paid) == cards


def test_a_route_between_cities_of_several_words() -> None:
    found, paid = read_route_and_cards(USA, ["new", "york", "washington", "2", "orange"])
    assert {route.id for route in found} == {"new_york-washington", "new_york-washington-2"}
    assert paid == ("orange", "orange")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("paris", "two cities"),
        ("paris moskva", "no route"),
        ("paris zurich mauve", "no route"),
        ("b f", "that could be"),
    ],
)
def test_a_route_that_cannot_be_found_says_why(text: str, message: str) -> None:
    with pytest.raises(InvalidAction, match=message):
        read_route_and_cards(EUROPE, text.split())


def view() -> View:
    return read_position(
        """
        edition: europe
        turn: 0
        seat 0: hand red*3 blue*3 locomotive | routes berlin-wien
        seat 1: hand rest
        """
    ).view(0)


def test_a_payment_that_is_left_open_gives_every_way_to_pay() -> None:
    meant = [str(action) for action in understand("claim", "paris zurich", view())]
    assert "claim paris-zurich red red red" in meant
    assert "claim paris-zurich blue blue locomotive" in meant
    assert len(meant) == 4


def test_a_payment_that_is_named_gives_that_one() -> None:
    [action] = understand("claim", "paris zurich 3 red", view())
    assert str(action) == "claim paris-zurich red red red"


def test_of_a_double_the_cards_choose_the_half() -> None:
    found = understand("claim", "bruxelles paris 2 red", view())
    assert [str(action) for action in found] == ["claim bruxelles-paris-2 red red"] or [
        str(action) for action in found
    ] == ["claim bruxelles-paris red red"]


def test_what_is_not_legal_comes_alone_for_the_game_to_refuse() -> None:
    [action] = understand("claim", "berlin wien", view())
    assert str(action) == "claim berlin-wien"
    [action] = understand("station", "wien 2 red", view())
    assert str(action) == "station wien red red"


def test_to_draw_tickets_is_not_to_look_at_them() -> None:
    [action] = understand("draw", "tickets", view())
    assert str(action) == "tickets"
