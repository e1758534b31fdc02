"""R9: stations. The choice of what they lend is compared with all choices, by hand."""

import random
from collections.abc import Mapping, Sequence
from itertools import product

import pytest
from positions import cards_text, legal, played, refused, subsets_of

from ferrovia.boards import Ticket, load_edition
from ferrovia.game import Game, SeatScore, read_position
from ferrovia.game.events import Station

EUROPE = load_edition("mega-europe")


def town(hand: str, seat: str = "", other: str = "", name: str = "europe") -> Game:
    return read_position(f"""
        edition: {name}
        turn: 0
        display: red blue green yellow black
        seat 0: hand {hand} {seat}
        seat 1: hand blue {other}
    """)


def scored(*seats: str, name: str = "mega-europe") -> tuple[SeatScore, ...]:
    """The score of every seat if the game ended like this."""
    lines = "\n".join(f"seat {number}: {parts}" for number, parts in enumerate(seats))
    return read_position(f"edition: {name}\ncomposed: yes\nturn: 0\n{lines}").result().scores


@pytest.mark.uncompiled
def test_r9_1_in_any_city_whether_or_not_routes_there_are_claimed() -> None:
    game = town("red", "| routes berlin-wien", "| routes paris-zurich")
    cities = {action.split()[1] for action in legal(game, 0) if action.startswith("station")}
    assert cities == {city.id for city in EUROPE.board.cities}
    for city in ("wien", "paris", "erzurum"):
        assert game.copy().play(0, f"station {city} red") == [Station(0, city, ("red",))]


@pytest.mark.uncompiled
@pytest.mark.parametrize(("seat", "other"), [("| stations wien", ""), ("", "| stations wien")])
def test_r9_1_but_not_where_there_is_one_of_any_player(seat: str, other: str) -> None:
    game = town("red*3", seat, other)
    cards = "red red" if seat else "red"
    assert refused(game, 0, f"station wien {cards}") == "R9.1 city_occupied"
    assert not any("station wien" in action for action in legal(game, 0))
    game.play(0, f"station roma {cards}")


@pytest.mark.uncompiled
def test_r9_1_one_in_a_turn() -> None:
    game = town("red*3")
    game.play(0, "station wien red")
    assert refused(game, 0, "station roma red red") == "R2.4 not_your_turn"
    assert game.view(None).of(0).stations == ("wien",)
    assert game.view(None).of(0).stations_left == 2


@pytest.mark.uncompiled
def test_r9_1_three_in_a_game() -> None:
    game = town("red*9", "| stations wien roma paris")
    assert refused(game, 0, "station athina red red red") == "R9.1 no_stations_left"
    assert not any(action.startswith("station") for action in legal(game, 0))


@pytest.mark.uncompiled
@pytest.mark.parametrize("built", [0, 1, 2])
@pytest.mark.parametrize(
    "hand",
    [
        {"red": 1},
        {"red": 2, "blue": 1},
        {"red": 3, "blue": 2, "locomotive": 1},
        {"red": 1, "blue": 1, "green": 1},
        {"locomotive": 3},
        {"red": 2, "locomotive": 4},
    ],
)
def test_r9_2_each_costs_one_card_more_of_any_one_colour(hand: dict[str, int], built: int) -> None:
    text = " ".join(f"{name}*{count}" for name, count in hand.items())
    stations = " ".join(("roma", "paris")[:built])
    game = town(text, f"| stations {stations}")
    ways = {
        cards_text(cards)
        for cards in subsets_of(hand, built + 1)
        if len(set(cards) - {"locomotive"}) <= 1
    }
    begin = "station wien "
    assert {a.removeprefix(begin) for a in legal(game, 0) if a.startswith(begin)} == ways
    for way in ways:
        trial = game.copy()
        trial.play(0, begin + way)
        spent = way.split()
        assert trial.view(0).hand == {
            name: count - spent.count(name)
            for name, count in hand.items()
            if count > spent.count(name)
        }
        assert sum(trial.view(None).discards.values()) == built + 1
    if not ways:
        assert refused(game, 0, begin + "red " * (built + 1)) == "R9.2 station_cards"


@pytest.mark.uncompiled
def test_r9_2_not_of_two_colours_and_not_more_or_fewer() -> None:
    game = town("red*3 blue*3", "| stations roma")
    assert refused(game, 0, "station wien red blue") == "R9.2 one_color"
    assert refused(game, 0, "station wien red") == "R9.2 wrong_number"
    assert refused(game, 0, "station wien red red red") == "R9.2 wrong_number"
    assert refused(game, 0, "station wien green green") == "R9.2 wrong_payment"


@pytest.mark.uncompiled
def test_r9_2_a_station_takes_no_trains_and_scores_nothing() -> None:
    game = played(town("red"), "station wien red")
    assert game.view(None).of(0).trains == 45
    assert game.view(None).of(0).points == 0


@pytest.mark.uncompiled
def test_r9_3_a_station_lends_one_route_of_another_player() -> None:
    mine, _ = scored("stations berlin | tickets 1912:berlin-wien", "routes berlin-wien")
    assert (mine.completed, mine.tickets) == (("1912:berlin-wien",), 3)
    assert mine.borrowed == {"berlin": "berlin-wien"}


@pytest.mark.uncompiled
def test_r9_3_together_with_the_players_own_routes() -> None:
    mine, _ = scored(
        "stations berlin | routes munchen-wien munchen-venezia roma-venezia"
        " | tickets europe:berlin-roma",
        "routes berlin-wien",
    )
    assert mine.completed == ("europe:berlin-roma",)
    assert mine.longest == 7  # what is borrowed is for tickets only
    assert mine.routes == 4 + 2 + 2


@pytest.mark.uncompiled
def test_r9_3_the_route_must_begin_or_end_in_the_city() -> None:
    mine, _ = scored("stations munchen | tickets 1912:berlin-wien", "routes berlin-wien")
    assert (mine.completed, mine.borrowed) == ((), {})


@pytest.mark.uncompiled
def test_r9_3_an_unclaimed_route_is_of_no_use() -> None:
    mine, _ = scored("stations berlin | tickets 1912:berlin-wien", "routes berlin-danzig")
    assert (mine.tickets, mine.borrowed) == (-3, {})


@pytest.mark.uncompiled
def test_r9_3_only_one_route_for_all_tickets() -> None:
    mine, _ = scored(
        "stations berlin | tickets 1912:berlin-wien europe:bruxelles-danzig"
        " | routes bruxelles-frankfurt berlin-frankfurt",
        "routes berlin-wien berlin-danzig",
    )
    assert mine.completed == ("europe:bruxelles-danzig",)
    assert mine.borrowed == {"berlin": "berlin-danzig"}
    assert mine.tickets == 9 - 3


@pytest.mark.uncompiled
def test_r9_3_several_stations_lend_several_routes_in_a_chain() -> None:
    mine, _ = scored(
        "stations berlin munchen roma | tickets europe:berlin-roma",
        "routes berlin-wien munchen-wien munchen-venezia roma-venezia",
    )
    # Berlin–Wien, München–Wien or –Venezia, Roma–Venezia: one link is always missing.
    assert (mine.completed, mine.borrowed) == ((), {})
    mine, _ = scored(
        "stations berlin munchen roma | routes munchen-wien | tickets europe:berlin-roma",
        "routes berlin-wien munchen-venezia roma-venezia",
    )
    assert mine.completed == ("europe:berlin-roma",)
    assert mine.borrowed == {
        "berlin": "berlin-wien",
        "munchen": "munchen-venezia",
        "roma": "roma-venezia",
    }


@pytest.mark.uncompiled
def test_r9_3_a_route_can_be_used_by_several_players_at_once() -> None:
    one, _, other = scored(
        "stations berlin | tickets 1912:berlin-wien",
        "routes berlin-wien",
        "stations wien | tickets europe:berlin-bucuresti | routes budapest-wien bucuresti-budapest",
    )
    assert one.borrowed == {"berlin": "berlin-wien"}
    assert other.borrowed == {"wien": "berlin-wien"}
    assert (len(one.completed), len(other.completed)) == (1, 1)


@pytest.mark.uncompiled
def test_r9_3_the_choice_is_made_at_the_end_and_not_before() -> None:
    game = read_position("""
        edition: mega-europe
        turn: 0
        display: red blue yellow yellow black
        last round: 2
        seat 0: hand red | tickets 1912:berlin-wien
        seat 1: hand green*3
    """)
    game.play(0, "station berlin red")
    assert game.result().scores[0].completed == ()
    game.play(1, "claim berlin-wien green green green")
    assert game.over
    assert game.result().scores[0].borrowed == {"berlin": "berlin-wien"}


@pytest.mark.uncompiled
def test_r9_4_most_points_before_most_tickets() -> None:
    mine, _ = scored(
        "stations berlin | tickets 1912:madrid-berlin europe:berlin-roma 1912:berlin-wien"
        " | routes frankfurt-paris pamplona-paris madrid-pamplona"
        " munchen-wien munchen-venezia roma-venezia",
        "routes berlin-frankfurt berlin-wien",
    )
    assert mine.completed == ("1912:madrid-berlin",)  # 13, against 9 and 3
    assert mine.tickets == 13 - 9 - 3
    assert mine.borrowed == {"berlin": "berlin-frankfurt"}


@pytest.mark.uncompiled
def test_r9_4_most_tickets_among_equal_points() -> None:
    mine, _ = scored(
        "stations berlin | tickets europe:berlin-moskva europe:berlin-roma 1912:berlin-wien"
        " | routes danzig-riga petrograd-riga moskva-petrograd"
        " munchen-wien munchen-venezia roma-venezia",
        "routes berlin-danzig berlin-wien",
    )
    assert mine.completed == ("europe:berlin-roma", "1912:berlin-wien")  # 9 + 3, against 12
    assert mine.tickets == 0
    assert mine.borrowed == {"berlin": "berlin-wien"}  # though Berlin–Danzig has a lower number


@pytest.mark.uncompiled
@pytest.mark.parametrize(
    ("stations", "lender"), [("berlin wien", "berlin"), ("wien berlin", "wien")]
)
def test_r9_4_then_fewest_routes_and_the_station_that_was_built_first(
    stations: str, lender: str
) -> None:
    mine, _ = scored(
        f"stations {stations} | tickets 1912:berlin-wien | routes frankfurt-munchen",
        "routes berlin-wien berlin-frankfurt munchen-wien",
    )
    # Berlin–Frankfurt and München–Wien would do, and the first of them has a lower number.
    assert mine.borrowed == {lender: "berlin-wien"}


@pytest.mark.uncompiled
def test_r9_4_one_route_of_the_last_station_rather_than_two_of_the_others() -> None:
    mine, _ = scored(
        "stations frankfurt munchen wien | tickets 1912:berlin-wien | routes frankfurt-munchen",
        "routes berlin-wien berlin-frankfurt munchen-wien",
    )
    assert mine.borrowed == {"wien": "berlin-wien"}


@pytest.mark.uncompiled
@pytest.mark.parametrize("stations", ["munchen berlin", "berlin munchen"])
def test_r9_4_then_the_lowest_route_number_through_whichever_station(stations: str) -> None:
    mine, _ = scored(
        f"stations {stations} | tickets 1912:berlin-wien"
        " | routes berlin-frankfurt frankfurt-munchen",
        "routes berlin-wien munchen-wien",
    )
    assert mine.borrowed == {"berlin": "berlin-wien"}  # number 20, against 78


@pytest.mark.uncompiled
@pytest.mark.parametrize(
    ("one", "two", "lowest"),
    [
        ("berlin-frankfurt", "berlin-frankfurt-2", "berlin-frankfurt"),
        ("berlin-frankfurt-2", "berlin-frankfurt", "berlin-frankfurt"),
        ("berlin-frankfurt-2", "kyiv-wilno", "berlin-frankfurt-2"),
    ],
)
def test_r9_4_then_the_lowest_route_number_whoever_owns_it(one: str, two: str, lowest: str) -> None:
    mine, *_ = scored(
        "stations berlin | tickets 1912:paris-berlin | routes frankfurt-paris",
        f"routes {one}",
        f"routes {two}",
        "",
    )
    assert mine.borrowed == {"berlin": lowest}


@pytest.mark.uncompiled
def test_r9_4_a_station_that_is_of_no_use_borrows_nothing() -> None:
    mine, _ = scored(
        "stations berlin london athina | tickets 1912:berlin-wien",
        "routes berlin-wien edinburgh-london athina-sofia",
    )
    assert mine.borrowed == {"berlin": "berlin-wien"}
    mine, _ = scored("stations berlin", "routes berlin-wien")
    assert mine.borrowed == {}


@pytest.mark.uncompiled
def test_r9_4_it_is_shown_in_the_final_scoring() -> None:
    game = read_position("""
        edition: mega-europe
        turn: 0
        display: red blue yellow yellow black
        last round: 1
        seat 0: stations berlin | tickets 1912:berlin-wien
        seat 1: routes berlin-wien
    """)
    played(game, "draw", "draw")
    assert game.over
    assert '"borrowed":{"berlin":"berlin-wien"}' in game.record().text()


# All choices, by hand


def joins(edges: Sequence[tuple[str, str]], ticket: Ticket) -> bool:
    reached = {ticket.a}
    while True:
        more = {end for edge in edges if reached & set(edge) for end in edge} - reached
        if not more:
            return ticket.b in reached
        reached |= more


def best_choice(
    seat: int, owners: Mapping[str, int], stations: Sequence[str], held: Sequence[str]
) -> tuple[int, set[str], dict[str, str]]:
    """R9.4 by trying everything: ticket points, tickets completed and what is borrowed."""
    routes = EUROPE.board.routes
    tickets = [ticket for ticket in EUROPE.tickets if ticket.id in held]
    own = [(route.a, route.b) for route in routes if owners.get(route.id) == seat]
    lent = [
        [None]
        + [
            number
            for number, route in enumerate(routes)
            if city in (route.a, route.b) and owners.get(route.id, seat) != seat
        ]
        for city in stations
    ]
    ranked = []
    for choice in product(*lent):
        numbers = [number for number in choice if number is not None]
        edges = own + [(routes[number].a, routes[number].b) for number in numbers]
        done = {ticket.id for ticket in tickets if joins(edges, ticket)}
        points = sum(t.points if t.id in done else -t.points for t in tickets)
        unused = [number is None for number in choice]
        ranked.append(((-points, -len(done), len(numbers), numbers, unused), done, choice))
    (points, *_), done, choice = min(ranked, key=lambda entry: entry[0])
    borrowed = {
        city: routes[number].id
        for city, number in zip(stations, choice, strict=True)
        if number is not None
    }
    return -points, done, borrowed


def random_owners(chance: random.Random, players: int) -> dict[str, int]:
    """Routes around the middle of the board, each claimed by somebody or nobody."""
    board = EUROPE.board
    left = [45] * players
    owners: dict[str, int] = {}
    for route in chance.sample(board.routes, 80):
        seat = chance.randrange(players)
        twin = board.twin(route.id)
        if (twin is None or twin.id not in owners) and left[seat] >= route.length:
            owners[route.id] = seat
            left[seat] -= route.length
    return owners


@pytest.mark.parametrize("seed", range(40))
def test_r9_4_the_choice_is_the_best_of_all(seed: int) -> None:
    chance = random.Random(seed)
    owners = random_owners(chance, 3)
    cities = [city.id for city in EUROPE.board.cities]
    stations = chance.sample(cities, 3)
    held = [ticket.id for ticket in chance.sample(EUROPE.tickets, 8)]
    lines = [
        "routes " + " ".join(id for id, owner in owners.items() if owner == seat)
        for seat in range(3)
    ]
    lines[0] += f" | stations {' '.join(stations)} | tickets {' '.join(held)}"
    mine = scored(*lines)[0]
    points, done, borrowed = best_choice(0, owners, stations, held)
    assert mine.tickets == points
    assert set(mine.completed) == done
    assert set(mine.failed) == set(held) - done
    assert mine.borrowed == borrowed
