"""Racer does what its description says: one test or more for each sentence of it."""

from functools import partial

import pytest

from tests.bots.tables import DULL, europe, offered, usa
from tests.bots.tables import decision as decision_of

decision = partial(decision_of, "racer")


class TestTickets:
    def test_keeps_the_fewest_and_cheapest(self):
        assert offered("racer", "", "seattle-new_york", "denver-el_paso", "dallas-new_york") == (
            "keep 2"
        )

    def test_never_draws_more(self):
        assert decision(usa("hand yellow", extra=DULL)) == "draw"

    def test_lets_them_be(self):
        game = usa("hand red*2 | tickets classic:denver-el_paso", extra=DULL)
        assert decision(game) == "take red"


class TestLongRoutes:
    def test_claims_a_route_of_6_that_it_can_pay(self):
        assert decision(usa("hand red*6")) == "claim miami-new_orleans red red red red red red"

    def test_claims_none_of_5(self):
        assert not decision(usa("hand blue*5", extra=DULL)).startswith("claim")

    @pytest.mark.parametrize(
        ("routes", "claimed"),
        [
            ("atlanta-new_orleans", "claim miami-new_orleans red"),
            ("calgary-helena", "claim calgary-winnipeg white"),
        ],
    )
    def test_one_that_touches_its_own_routes_first(self, routes, claimed):
        assert decision(usa(f"hand red*6 white*6 | routes {routes}")).startswith(claimed)

    def test_the_longest_on_a_board_with_longer_ones(self):
        game = europe("hand red*9 locomotive*2")
        assert decision(game).startswith("claim petrograd-stockholm red")

    def test_any_length_with_fewer_than_6_trains(self):
        assert decision(usa("hand red*2 | trains 5", extra=DULL)).endswith(" red red")
        assert not decision(usa("hand red*2 | trains 6", extra=DULL)).startswith("claim")

    def test_any_length_in_the_last_round(self):
        assert decision(usa("hand red", extra="last round: 1")) == "claim atlanta-nashville red"

    def test_the_longest_that_is_open_when_all_of_6_are_taken(self):
        long = (
            "calgary-winnipeg duluth-helena duluth-toronto el_paso-houston",
            "el_paso-los_angeles helena-seattle miami-new_orleans portland-salt_lake_city"
            " sault_st_marie-winnipeg",
        )
        taken = [f"routes {routes}" for routes in long]
        others = f"{taken[0]}\nseat 2: {taken[1]}"
        assert decision(usa("hand blue*5", others)).startswith("claim atlanta-miami blue")
        assert not decision(usa("hand blue*4", others, DULL)).startswith("claim")


class TestCards:
    def test_draws_toward_the_route_that_lacks_the_fewest(self):
        display = "display: red yellow white white black"
        assert decision(usa("hand red*3 yellow*4", extra=display)) == "take yellow"

    def test_of_equal_ones_that_which_touches_its_own_routes(self):
        game = usa(
            "hand red*3 yellow*3 blue | routes miami-new_orleans calgary-seattle"
            " sault_st_marie-winnipeg",
            extra="display: red yellow white white black",
        )
        assert decision(game) == "take yellow"

    def test_draws_blind_when_its_colour_does_not_lie(self):
        assert decision(usa("hand yellow*4", extra=DULL)) == "draw"

    def test_for_a_gray_route_the_colour_it_holds_most_of(self):
        game = usa(
            "hand blue*5 red*3",
            "routes portland-salt_lake_city",
            "display: red blue white white white",
        )
        assert decision(game) == "take blue"

    def test_the_second_card_follows_the_same_rule(self):
        game = usa("hand yellow*3", extra="display: yellow red white black green\nnext: yellow")
        game.play(0, decision(game))
        assert decision(game) == "take yellow"

    def test_a_face_up_locomotive_is_left_lying(self):
        game = usa("hand blue*3", extra="display: locomotive locomotive red white black")
        assert decision(game) == "draw"


class TestPayment:
    def test_with_the_fewest_locomotives(self):
        game = usa("hand red*4 blue*6 locomotive*3", "routes portland-salt_lake_city")
        assert decision(game) == "claim sault_st_marie-winnipeg " + " ".join(["blue"] * 6)
        game = usa("hand red*4 locomotive*3")
        assert decision(game).endswith("red red red red locomotive locomotive")


class TestEurope:
    LONG = "routes palermo-smyrna budapest-kyiv petrograd-stockholm | trains 9"

    def test_claims_no_route_of_4_while_a_longer_one_is_open(self):
        assert not decision(europe("hand red*4", extra=DULL)).startswith("claim")

    def test_the_longest_that_is_open_counts_as_long(self):
        game = europe("hand red*4", self.LONG, DULL)
        assert decision(game).endswith(" red red red red")
        assert not decision(europe("hand red*3", self.LONG, DULL)).startswith("claim")

    def test_enters_a_tunnel_with_one_card_to_spare(self):
        others = "routes palermo-smyrna"
        game = europe("hand red*8 | trains 8", others, DULL)
        assert not decision(game).startswith("claim petrograd-stockholm")
        game = europe("hand red*9 | trains 8", others, DULL)
        assert decision(game).startswith("claim petrograd-stockholm")

    @pytest.mark.parametrize(
        ("hand", "action"), [("yellow*3", "locomotive"), ("yellow*2", "yellow")]
    )
    def test_takes_a_face_up_locomotive_for_a_ferry(self, hand, action):
        """Of the routes that touch its own, athina-brindisi lacks a locomotive at the least."""
        game = europe(
            f"hand {hand} | routes athina-smyrna athina-sofia",
            self.LONG.replace("routes", "routes athina-sarajevo"),
            "display: yellow white blue green locomotive",
        )
        assert decision(game) == f"take {action}"

    @pytest.mark.uncompiled
    def test_builds_a_station_for_a_lost_ticket(self):
        game = europe(
            "hand red | tickets europe:edinburgh-paris | routes dieppe-london dieppe-paris",
            "routes edinburgh-london",
            DULL,
        )
        assert decision(game) == "station edinburgh red"

    def test_but_long_routes_come_first(self):
        seat = (
            "hand red*6 locomotive*2 | tickets europe:edinburgh-paris"
            " | routes dieppe-london dieppe-paris"
        )
        game = europe(seat, "routes edinburgh-london", DULL)
        assert decision(game).startswith("claim ")

    def test_except_in_the_last_round(self):
        seat = "hand red*4 | tickets europe:edinburgh-paris | routes dieppe-london dieppe-paris"
        game = europe(seat, "routes edinburgh-london", "last round: 1")
        assert decision(game) == "station edinburgh red"
