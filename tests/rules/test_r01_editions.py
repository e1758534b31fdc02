"""R1: what the numbers of an edition make of a game. (tests/boards proves the numbers.)"""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from positions import keep_first, line, refused

from ferrovia.boards import Ticket, editions, load_edition
from ferrovia.game import Game

pytestmark = pytest.mark.uncompiled

EUROPES = ("europe", "europe-1912", "mega-europe", "big-cities")


def tickets(name: str) -> dict[str, Ticket]:
    return {ticket.id: ticket for ticket in load_edition(name).tickets}


def longs(name: str) -> set[str]:
    return {id for id, ticket in tickets(name).items() if ticket.long}


@pytest.mark.parametrize(
    ("name", "long", "regular"),
    [
        ("usa", 0, 4),
        ("usa-classic", 0, 3),
        ("europe", 1, 3),
        ("europe-1912", 1, 3),
        ("mega-europe", 2, 0),
        ("big-cities", 0, 5),
    ],
)
def test_r1_table_every_edition_deals_its_own_tickets(name: str, long: int, regular: int) -> None:
    game = Game(name, 3, seed=1)
    dealt = [game.view(seat).offer for seat in range(3)]
    assert [sum(id in longs(name) for id in offer) for offer in dealt] == [long] * 3
    assert [sum(id not in longs(name) for id in offer) for offer in dealt] == [regular] * 3
    flat = [id for offer in dealt for id in offer]
    assert len(set(flat)) == len(flat)
    assert set(flat) <= set(tickets(name))


@pytest.mark.parametrize("name", ["usa", "usa-classic", "europe", "europe-1912", "big-cities"])
def test_r1_table_at_least_two_are_kept_of_any_kind(name: str) -> None:
    game = Game(name, 2, seed=2)
    offered = len(game.view(0).offer)
    assert game.view(0).keep_bounds == (2, offered)
    sizes = {len(str(action).split()) - 1 for action in game.legal_actions(0)}
    assert sizes == set(range(2, offered + 1))
    assert len(game.legal_actions(0)) == 2**offered - 1 - offered
    for few in ("keep none", "keep 1", f"keep {offered}"):
        assert refused(game, 0, few).endswith("keep_more_at_start")
    game.play(0, f"keep {offered - 1} {offered}")  # of europe: both regular, the long one goes
    assert len(game.view(0).tickets) == 2


@pytest.mark.parametrize("name", editions())
def test_r1_table_trains_and_stations(name: str) -> None:
    game = Game(name, 5, seed=3)
    stations = 0 if name.startswith("usa") else 3
    assert {game.view(None).of(seat).trains for seat in range(5)} == {45}
    assert {game.view(None).of(seat).stations_left for seat in range(5)} == {stations}


@pytest.mark.parametrize("name", editions())
@pytest.mark.parametrize("players", [1, 6])
def test_r1_table_two_to_five_players(name: str, players: int) -> None:
    with pytest.raises(ValueError, match="2 to 5 players"):
        Game(name, players)


@pytest.mark.parametrize(("name", "drawn"), [("usa", 3), ("europe", 3), ("big-cities", 4)])
def test_r1_table_tickets_drawn_in_a_turn(name: str, drawn: int) -> None:
    game = Game(name, 2, seed=4, first=0)
    keep_first(game, 2)
    game.play(0, "tickets")
    assert len(game.view(0).offer) == drawn
    assert game.view(0).keep_bounds == (1, drawn)


def test_r1_1_usa_classic_differs_in_its_tickets_and_how_many_are_dealt() -> None:
    usa, classic = load_edition("usa"), load_edition("usa-classic")
    assert set(classic.tickets) < set(usa.tickets)
    assert replace(
        classic,
        id=usa.id,
        name=usa.name,
        sets=usa.sets,
        tickets=usa.tickets,
        deals=usa.deals,
    ) == usa  # fmt: skip
    assert len(Game("usa", 2, seed=1).view(0).offer) == 4
    assert len(Game("usa-classic", 2, seed=1).view(0).offer) == 3


@pytest.mark.parametrize(("name", "in_all"), [("usa", 31), ("usa-classic", 30), ("big-cities", 45)])
def test_r1_table_tickets_not_kept_go_to_the_bottom(name: str, in_all: int) -> None:
    game = Game(name, 2, seed=5)
    offers = [set(game.view(seat).offer) for seat in range(2)]
    keep_first(game, 2)
    kept = {id for seat in range(2) for id in game.view(seat).tickets}
    deck = line(game, "tickets")
    back = set.union(*offers) - kept
    assert len(kept) == 4
    assert set(deck[-len(back) :]) == back
    assert set(deck[: -len(back)]) == set(tickets(name)) - set.union(*offers)
    assert len(deck) == in_all - 4


def test_r1_table_what_goes_to_the_bottom_is_shuffled() -> None:
    orders = set()
    for seed in range(12):
        game = Game("usa", 2, seed=seed)
        dealt = [id for seat in range(2) for id in game.view(seat).offer[2:]]
        keep_first(game, 2)
        bottom = line(game, "tickets")[-4:]
        assert sorted(bottom) == sorted(dealt)
        orders.add(tuple(dealt.index(id) for id in bottom))
    assert len(orders) > 4  # of 24, by chance alone


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("name", ["europe", "europe-1912"])
def test_r1_table_tickets_not_kept_leave_the_game(name: str, count: int) -> None:
    game = Game(name, 3, seed=6)
    offers = {id for seat in range(3) for id in game.view(seat).offer}
    keep_first(game, count)
    assert set(line(game, "tickets")) == set(tickets(name)) - longs(name) - offers


@pytest.mark.parametrize("name", ["europe", "europe-1912", "mega-europe"])
@pytest.mark.parametrize("players", [2, 5])
def test_r1_2_long_tickets_that_were_not_dealt_leave_unseen(name: str, players: int) -> None:
    game = Game(name, players, seed=7)
    keep_first(game, 1)
    assert not longs(name) & set(line(game, "tickets"))
    seen = {id for event in game.events for id in getattr(event, "tickets", ())}
    dealt = players * (2 if name == "mega-europe" else 1)
    assert len(seen & longs(name)) == dealt
    assert game.view(0).ticket_deck_size == len(line(game, "tickets"))


def test_r1_2_big_cities_use_no_long_tickets() -> None:
    assert not longs("big-cities")
    assert all(ticket.big_city for ticket in load_edition("big-cities").tickets)


def test_r1_3_mega_europe_first_offers_two_long_tickets_and_one_or_none_is_kept() -> None:
    game = Game("mega-europe", 2, seed=8)
    assert set(game.view(0).offer) <= longs("mega-europe")
    assert [str(action) for action in game.legal_actions(0)] == ["keep none", "keep 1", "keep 2"]
    assert refused(game, 0, "keep 1 2") == "R1.3 keep_fewer"


def test_r1_3_who_kept_a_long_ticket_keeps_at_least_two_regular_ones() -> None:
    game = Game("mega-europe", 2, seed=8)
    long = game.view(0).offer[1]
    game.play(0, "keep 2")
    assert len(game.view(0).offer) == 5
    assert not longs("mega-europe") & set(game.view(0).offer)
    assert refused(game, 0, "keep 1").endswith("keep_more_at_start")
    game.play(0, "keep 4 5")
    assert long in game.view(0).tickets
    assert len(game.view(0).tickets) == 3


def test_r1_3_who_kept_none_keeps_at_least_three_regular_ones() -> None:
    game = Game("mega-europe", 2, seed=8)
    game.play(0, "keep none")
    assert refused(game, 0, "keep 1 2").endswith("keep_more_at_start")
    game.play(0, "keep 1 2 3")
    assert len(game.view(0).tickets) == 3


def test_r1_3_long_ones_leave_and_regular_ones_go_to_the_bottom() -> None:
    game = Game("mega-europe", 2, seed=9)
    long = {*game.view(0).offer, *game.view(1).offer}
    game.play(0, "keep 1")
    game.play(1, "keep none")
    regular = {*game.view(0).offer, *game.view(1).offer}
    game.play(1, "keep 3 4 5")
    game.play(0, "keep 1 5")
    kept = {*game.view(0).tickets, *game.view(1).tickets}
    deck = line(game, "tickets")
    assert len(kept & long) == 1
    assert not long & set(deck)
    assert set(deck[-5:]) == regular - kept
    assert len(deck) == 89 - 5


def test_r1_3_the_stages_of_one_player_do_not_wait_for_the_other() -> None:
    game = Game("mega-europe", 2, seed=9)
    game.play(1, "keep none")
    game.play(1, "keep 1 2 3")
    assert game.awaited == (0,)
    game.play(0, "keep none")
    assert game.turn is None
    game.play(0, "keep 1 2 3 4 5")
    assert game.turn is not None


def pack_file(folder: Path) -> str:
    path = folder / "night.json"
    made_up = [
        {"a": "paris", "b": "wien", "points": 8, "long": False, "mark": True},
        {"a": "brest", "b": "riga", "points": 9, "long": False, "mark": False},
        {"a": "brest", "b": "kyiv", "points": 17, "long": True, "mark": False},
    ]
    path.write_text(json.dumps({"pack": "night", "board": "europe", "tickets": made_up}))
    return str(path)


@pytest.mark.parametrize(("name", "long", "regular"), [("europe", 1, 2), ("big-cities", 0, 1)])
def test_r1_4_each_ticket_of_a_pack_joins_the_deck_of_its_kind(
    name: str, long: int, regular: int, tmp_path: Path
) -> None:
    pack = pack_file(tmp_path)
    with_pack = load_edition(name, extras=[pack])
    added = {ticket.id: ticket.long for ticket in with_pack.tickets if ticket.set == "night"}
    assert sorted(added.values()) == [False] * regular + [True] * long
    seen: set[str] = set()
    for seed in range(40):
        game = Game(with_pack, 5, seed=seed)
        for seat in range(5):
            for place, id in enumerate(game.view(seat).offer):
                if id in added:
                    assert (place < with_pack.deals[0].long) == added[id]
                    seen.add(id)
    assert seen == set(added)
    game = Game(name, 2, seed=1, extras=[pack])
    assert game.edition == with_pack
    assert game.record().header.extras == ("night",)


@pytest.mark.parametrize(
    ("name", "colors"),
    [
        *((name, "blue red green yellow black") for name in ("usa", "usa-classic", "europe")),
        *((name, "brown red purple gray blue") for name in EUROPES[1:]),
    ],
)
def test_r1_5_the_colours_of_the_box_are_those_on_the_board(
    name: str, colors: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ferrovia.drawing.draw", lambda board, **how: how["player_colors"])
    assert Game(name, 5, seed=1).svg() == load_edition(name).player_colors == tuple(colors.split())


@pytest.mark.parametrize("name", editions())
def test_r1_an_edition_is_data_and_its_name_means_nothing(name: str) -> None:
    plain = load_edition(name)
    games = [Game(plain, 3, seed=10), Game(replace(plain, id="other", name="Other"), 3, seed=10)]
    for game in games:
        keep_first(game, 2)
    assert games[0].events == games[1].events
    assert bytes(games[0].state) == bytes(games[1].state)
