"""R10: the end and the score. Longest routes are compared with every trail, walked by hand."""

import random
from collections.abc import Sequence

import pytest
from positions import legal, played, refused

from ferrovia.boards import Route, board
from ferrovia.game import Game, Result, read_position
from ferrovia.game.events import Claim, LastRound


def result(*seats: str, edition: str = "usa") -> Result:
    """The result if the game ended like this."""
    lines = "\n".join(f"seat {number}: {parts}" for number, parts in enumerate(seats))
    return read_position(f"edition: {edition}\nturn: 0\n{lines}").result()


@pytest.mark.uncompiled
@pytest.mark.parametrize(
    ("edition", "route", "color", "points"),
    [
        ("europe", "dieppe-paris", "purple", 1),
        ("europe", "berlin-essen", "blue", 2),
        ("europe", "kyiv-smolensk", "red", 4),
        ("europe", "marseille-pamplona", "red", 7),
        ("usa", "atlanta-miami", "blue", 10),
        ("usa", "calgary-winnipeg", "white", 15),
        ("europe", "petrograd-stockholm", "green", 21),
    ],
)
def test_r10_1_length_to_points(edition: str, route: str, color: str, points: int) -> None:
    game = read_position(f"""
        edition: {edition}
        turn: 0
        display: red blue red yellow black
        next: yellow yellow yellow
        seat 0: hand {color}*8
        seat 1:
    """)
    length = game.edition.board.route(route).length
    claim = game.play(0, f"claim {route}" + f" {color}" * length)[-1]
    assert claim == Claim(0, route, (color,) * length, points)
    assert game.view(None).of(0).points == points
    assert game.result().scores[0].routes == points


def last_train(trains: int, turn: int = 1) -> Game:
    """Three players; seat 1 is about to claim a route of two spaces."""
    return read_position(f"""
        edition: usa
        turn: {turn}
        display: red blue red yellow black
        seat 0: hand red*2
        seat 1: hand red*4 | trains {trains}
        seat 2: hand red*2 | trains 4
    """)


@pytest.mark.uncompiled
@pytest.mark.parametrize("trains", [2, 3, 4])
def test_r10_2_two_trains_or_fewer_bring_the_last_round(trains: int) -> None:
    game = last_train(trains)
    happened = game.play(1, "claim denver-santa_fe red red")
    assert happened[-1] == LastRound(1)
    assert game.view(None).turns_left == 3


@pytest.mark.uncompiled
def test_r10_2_three_trains_do_not() -> None:
    game = last_train(5)
    assert len(game.play(1, "claim denver-santa_fe red red")) == 1
    assert game.view(None).of(1).trains == 3
    assert game.view(None).turns_left is None


@pytest.mark.uncompiled
def test_r10_2_everybody_has_exactly_one_more_turn_that_player_included() -> None:
    game = played(last_train(4), "claim denver-santa_fe red red")
    for seat in (2, 0, 1):
        assert not game.over
        assert game.turn == seat
        played(game, "draw", "draw")
    assert game.over
    assert game.turn is None
    assert game.awaited == ()
    for seat in range(3):
        assert game.legal_actions(seat) == []
        assert refused(game, seat, "draw") == "R10.2 game_is_over"


@pytest.mark.uncompiled
def test_r10_2_nobody_triggers_it_a_second_time() -> None:
    game = played(last_train(4), "claim denver-santa_fe red red")
    assert len(game.play(2, "claim dallas-little_rock red red")) == 1  # two trains left, too
    played(game, "draw", "draw")
    assert len(game.play(1, "claim el_paso-santa_fe red red")) == 1
    assert game.over
    assert sum(isinstance(event, LastRound) for event in game.events) == 1


@pytest.mark.uncompiled
def test_r10_2_it_is_looked_at_at_the_end_of_the_players_own_turn() -> None:
    """Whatever the turn was: with two trains left at its end, the last round begins."""
    game = last_train(2)
    played(game, "draw")
    assert game.view(None).turns_left is None
    assert game.play(1, "draw")[-1] == LastRound(1)
    # Seat 1 may have two trains or fewer: at the end of another's turn that means nothing.
    game = played(last_train(2, turn=0), "draw", "draw")
    assert game.view(None).turns_left is None


@pytest.mark.uncompiled
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r10_2_as_many_turns_as_players(players: int) -> None:
    seats = "\n".join(f"seat {seat}: hand red*2" for seat in range(1, players))
    game = read_position(f"""
        edition: usa
        turn: 0
        display: red blue yellow yellow black
        seat 0: hand red*2 | trains 3
        {seats}
    """)
    game.play(0, "claim denver-santa_fe red red")
    order = []
    while not game.over:
        order.append(game.turn)
        played(game, "draw", "draw")
    assert order == [*range(1, players), 0]


@pytest.mark.uncompiled
def test_r10_2_a_tunnel_that_is_withdrawn_takes_no_trains() -> None:
    game = read_position("""
        edition: europe
        turn: 0
        display: red blue red yellow black
        next: red yellow yellow
        seat 0: hand red*2 | trains 4
        seat 1:
    """)
    played(game, "claim angora-constantinople red red", "withdraw")
    assert game.view(None).turns_left is None


@pytest.mark.uncompiled
def test_r10_2_stations_cost_no_trains_and_can_be_built_in_the_last_round() -> None:
    game = read_position("""
        edition: europe
        turn: 0
        display: red blue green yellow black
        last round: 1
        seat 0: hand red | trains 0
        seat 1:
    """)
    assert {action.split()[0] for action in legal(game, 0)} == {
        "draw",
        "take",
        "tickets",
        "station",
    }
    game.play(0, "station wien red")
    assert game.over


@pytest.mark.uncompiled
def test_r10_3_completed_tickets_are_added_the_others_taken_off() -> None:
    [mine, other] = result(
        "routes atlanta-raleigh raleigh-washington"
        " | tickets 2025:atlanta-washington classic:boston-miami",
        "tickets classic:seattle-new_york",
    ).scores
    assert mine.completed == ("2025:atlanta-washington",)
    assert mine.failed == ("classic:boston-miami",)
    assert mine.tickets == 4 - 12
    assert (other.tickets, other.failed) == (-22, ("classic:seattle-new_york",))


@pytest.mark.uncompiled
def test_r10_3_by_the_players_own_routes_alone() -> None:
    [mine, _] = result(
        "routes atlanta-raleigh | tickets 2025:atlanta-washington", "routes raleigh-washington"
    ).scores
    assert mine.tickets == -4


@pytest.mark.uncompiled
def test_r10_3_by_any_way_however_long() -> None:
    [mine, _] = result(
        "routes atlanta-charleston charleston-raleigh pittsburgh-raleigh pittsburgh-washington"
        " | tickets 2025:atlanta-washington",
        "",
    ).scores
    assert mine.tickets == 4


@pytest.mark.uncompiled
def test_r10_3_tickets_kept_in_the_very_last_turn_count() -> None:
    game = read_position("""
        edition: usa
        turn: 0
        display: red blue green yellow black
        tickets: 2025:atlanta-washington classic:denver-el_paso classic:boston-miami
        last round: 1
        seat 0: routes atlanta-raleigh raleigh-washington
        seat 1:
    """)
    played(game, "tickets", "keep 1 2")
    assert game.over
    assert game.result().scores[0].completed == ("2025:atlanta-washington",)
    assert game.result().scores[0].failed == ("classic:denver-el_paso",)
    assert game.result().scores[0].tickets == 0


@pytest.mark.uncompiled
@pytest.mark.parametrize(
    ("stations", "points"), [("", 12), ("wien", 8), ("wien roma", 4), ("wien roma paris", 0)]
)
def test_r10_4_each_station_not_built_is_worth_four(stations: str, points: int) -> None:
    score = result(f"stations {stations}", "", edition="europe").scores[0]
    assert score.stations == points
    assert score.total == points


@pytest.mark.uncompiled
def test_r10_4_nothing_where_there_are_no_stations() -> None:
    assert result("", "").scores[0].stations == 0


@pytest.mark.uncompiled
@pytest.mark.parametrize(
    ("routes", "longest"),
    [
        ("", 0),
        ("berlin-essen", 2),
        # A line.
        ("paris-zurich munchen-zurich munchen-wien", 3 + 2 + 3),
        # Two pieces do not add up.
        ("paris-zurich munchen-wien", 3),
        # A star: two of its three arms.
        ("berlin-essen berlin-danzig berlin-wien", 4 + 3),
        # A loop: all of it.
        ("berlin-essen essen-frankfurt berlin-frankfurt", 2 + 2 + 3),
        # A loop with a tail: all of it, passing Frankfurt twice.
        ("berlin-essen essen-frankfurt berlin-frankfurt frankfurt-munchen", 7 + 2),
        # A loop with two tails at one city: in by one, around, out by the other.
        (
            "berlin-essen essen-frankfurt berlin-frankfurt frankfurt-munchen frankfurt-paris",
            7 + 2 + 3,
        ),
        # Three tails there: the shortest is left out.
        (
            "berlin-essen essen-frankfurt berlin-frankfurt"
            " frankfurt-munchen frankfurt-paris bruxelles-frankfurt",
            7 + 3 + 2,
        ),
        # Two loops that share Frankfurt: a figure of eight, all of it.
        (
            "berlin-essen essen-frankfurt berlin-frankfurt"
            " frankfurt-paris bruxelles-paris bruxelles-frankfurt",
            7 + 3 + 2 + 2,
        ),
    ],
)
def test_r10_5_the_longest_trail(routes: str, longest: int) -> None:
    score = result(f"routes {routes}", "", edition="europe").scores[0]
    assert score.longest == longest


@pytest.mark.uncompiled
def test_r10_5_stations_and_what_they_lend_do_not_count() -> None:
    [mine, _] = result(
        "routes munchen-wien | stations munchen | tickets europe:barcelona-munchen",
        "routes munchen-zurich",
        edition="europe",
    ).scores
    assert mine.longest == 3


@pytest.mark.uncompiled
def test_r10_5_the_longest_brings_ten() -> None:
    result_ = result("routes denver-santa_fe el_paso-santa_fe", "routes calgary-vancouver")
    assert [(score.longest, score.bonus) for score in result_.scores] == [(4, 10), (3, 0)]


@pytest.mark.uncompiled
def test_r10_5_all_who_share_the_greatest_length_get_it() -> None:
    result_ = result("routes calgary-vancouver", "routes denver-santa_fe", "routes chicago-duluth")
    assert [score.bonus for score in result_.scores] == [10, 0, 10]


@pytest.mark.uncompiled
def test_r10_5_nobody_gets_it_if_no_route_was_claimed() -> None:
    result_ = result("", "", "")
    assert [(score.longest, score.bonus, score.total) for score in result_.scores] == [
        (0, 0, 0)
    ] * 3


def longest_walk(routes: Sequence[Route]) -> int:
    """Every trail from every city, step by step."""

    def walk(city: str, left: frozenset[int]) -> int:
        best = 0
        for number in left:
            route = routes[number]
            if city in (route.a, route.b):
                other = route.b if city == route.a else route.a
                best = max(best, route.length + walk(other, left - {number}))
        return best

    ends = {end for route in routes for end in (route.a, route.b)}
    return max((walk(city, frozenset(range(len(routes)))) for city in ends), default=0)


@pytest.mark.parametrize("name", ["usa", "europe"])
@pytest.mark.parametrize("seed", range(15))
def test_r10_5_the_length_is_the_exact_maximum(name: str, seed: int) -> None:
    chance = random.Random(seed)
    everything = board(name).routes
    mine = [chance.choice(everything)]
    left = 45 - mine[0].length
    while len(mine) < 12:  # grow one network, with many loops
        ends = {end for route in mine for end in (route.a, route.b)}
        near = [r for r in everything if r not in mine and ends & {r.a, r.b}]
        near = [r for r in near if r.length <= left and board(name).twin(r.id) not in mine]
        both = [r for r in near if {r.a, r.b} <= ends]
        if not near:
            break
        mine.append(chance.choice(both or near))
        left -= mine[-1].length
    game = read_position(f"""
        edition: {name}
        turn: 0
        seat 0: routes {" ".join(route.id for route in mine)}
        seat 1:
    """)
    assert game.result().scores[0].longest == longest_walk(mine)
    shown = [board(name).route(id) for id in game.longest_routes()[0]]
    assert sum(route.length for route in shown) == longest_walk(mine) == longest_walk(shown)


# Ties. Every total is made equal first, then one thing is made to differ.

RALEIGH = "atlanta-raleigh raleigh-washington"  # 4 points, length 4
SAINT_LOUIS = "chicago-saint_louis nashville-saint_louis"  # 4 points, length 4


@pytest.mark.uncompiled
def test_r10_6_most_points_win() -> None:
    assert result(f"routes {RALEIGH}", f"routes {SAINT_LOUIS} calgary-vancouver").winners == (1,)


@pytest.mark.uncompiled
def test_r10_6_usa_first_tickets_completed() -> None:
    tie = result(
        f"routes {RALEIGH} | tickets 2025:atlanta-washington classic:denver-el_paso",
        f"routes {SAINT_LOUIS}",
    )
    assert [score.total for score in tie.scores] == [14, 14]
    assert tie.winners == (0,)


EIGHT_IN_A_ROW = "boston-montreal boston-new_york new_york-washington raleigh-washington"
SCATTERED = "calgary-winnipeg denver-santa_fe dallas-houston"  # 15 + 2 + 1 points, length 6


@pytest.mark.uncompiled
def test_r10_6_usa_then_the_longest_route() -> None:
    tie = result(f"routes {SCATTERED}", f"routes {EIGHT_IN_A_ROW}")
    assert [score.total for score in tie.scores] == [18, 8 + 10]
    assert tie.winners == (1,)


@pytest.mark.uncompiled
def test_r10_6_usa_tickets_come_before_the_longest_route() -> None:
    tie = result(
        f"routes {SCATTERED} {RALEIGH.split()[0]} | tickets classic:denver-el_paso",
        f"routes {EIGHT_IN_A_ROW}",
    )
    assert [score.total for score in tie.scores] == [16, 18]
    tie = result(
        f"routes {SCATTERED} el_paso-santa_fe"
        " | tickets classic:denver-el_paso 2025:atlanta-washington",
        f"routes {EIGHT_IN_A_ROW} portland-seattle seattle-vancouver",
    )
    assert [score.total for score in tie.scores] == [20, 20]
    assert [score.bonus for score in tie.scores] == [0, 10]
    assert tie.winners == (0,)


@pytest.mark.uncompiled
def test_r10_6_usa_then_the_victory_is_shared() -> None:
    tie = result(f"routes {RALEIGH}", f"routes {SAINT_LOUIS}", "")
    assert tie.winners == (0, 1)


# Europe: three spaces are 4 points, as much as a station that was not built.
THREES = ("kyiv-smolensk", "cadiz-madrid", "berlin-wien", "angora-erzurum", "danzig-riga")


@pytest.mark.uncompiled
def test_r10_6_europe_tickets_come_before_stations() -> None:
    tie = result(
        f"routes {THREES[0]} {THREES[2]} | stations roma"
        " | tickets 1912:berlin-wien 1912:london-paris",
        f"routes {THREES[1]}",
        edition="mega-europe",
    )
    assert [score.total for score in tie.scores] == [8 + 8 + 10, 4 + 12 + 10]
    assert tie.winners == (0,)


@pytest.mark.uncompiled
def test_r10_6_europe_then_fewest_stations_built() -> None:
    tie = result(
        f"routes {THREES[0]} {THREES[2]} | stations roma", f"routes {THREES[1]}", edition="europe"
    )
    assert [score.total for score in tie.scores] == [8 + 8 + 10, 4 + 12 + 10]
    assert tie.winners == (1,)


@pytest.mark.uncompiled
def test_r10_6_europe_stations_come_before_the_express() -> None:
    tie = result(
        f"routes berlin-essen essen-frankfurt {THREES[0]} | stations roma",
        f"routes {THREES[1]} {THREES[3]} {THREES[4]} brest-dieppe",
        edition="europe",
    )
    assert [score.total for score in tie.scores] == [8 + 8 + 10, 14 + 12]
    assert [score.bonus for score in tie.scores] == [10, 0]
    assert tie.winners == (1,)


@pytest.mark.uncompiled
def test_r10_6_europe_then_the_express_itself() -> None:
    tie = result(
        "routes berlin-essen essen-frankfurt",
        f"routes {THREES[1]} {THREES[3]} {THREES[4]} brest-dieppe",
        edition="europe",
    )
    assert [score.total for score in tie.scores] == [4 + 12 + 10, 14 + 12]
    assert tie.winners == (0,)


@pytest.mark.uncompiled
def test_r10_6_europe_then_the_victory_is_shared() -> None:
    tie = result(*(f"routes {route}" for route in THREES), edition="europe")
    assert tie.winners == (0, 1, 2, 3, 4)
    assert result("", "", edition="europe").winners == (0, 1)


@pytest.mark.uncompiled
def test_r10_6_a_tie_break_is_only_among_those_who_are_tied() -> None:
    tie = result(
        f"routes {RALEIGH}",
        f"routes {SAINT_LOUIS}",
        "routes denver-santa_fe el_paso-santa_fe"
        " | tickets classic:denver-el_paso classic:boston-miami",
    )
    assert [score.total for score in tie.scores] == [14, 14, 14 - 8]
    assert [len(score.completed) for score in tie.scores] == [0, 0, 1]
    assert tie.winners == (0, 1)


@pytest.mark.uncompiled
def test_r10_6_scores_can_be_negative() -> None:
    deep = result(
        "tickets classic:seattle-new_york classic:los_angeles-new_york",
        "tickets classic:seattle-los_angeles",
    )
    assert [score.total for score in deep.scores] == [-43, -9]
    assert deep.winners == (1,)


@pytest.mark.uncompiled
def test_r10_6_the_total_is_the_sum_of_its_parts() -> None:
    [mine, _] = result(
        "routes berlin-wien munchen-wien | stations roma"
        " | tickets 1912:berlin-wien 1912:london-paris europe:zurich-budapest",
        "routes munchen-zurich",
        edition="mega-europe",
    ).scores
    assert (mine.routes, mine.tickets, mine.stations, mine.bonus) == (8, 3 - 3 - 6, 8, 10)
    assert mine.total == 8 - 6 + 8 + 10
