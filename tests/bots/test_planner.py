"""Planner and collector: what their description promises, in positions where it shows."""

from functools import partial

import pytest

from tests.bots.tables import DULL, europe, offered, usa
from tests.bots.tables import decision as decision_of

decision = partial(decision_of, "planner")


class TestPlan:
    TICKET = "tickets classic:helena-los_angeles | routes helena-salt_lake_city"  # orange 3, gray 2

    def test_claims_in_a_run_when_all_is_in_hand(self):
        game = usa(f"hand orange*3 red*2 | {self.TICKET} | trains 5")
        first = decision(game)
        assert first.startswith("claim las_vegas-")
        game.play(0, first)
        game.play(1, "draw")
        game.play(1, "draw")
        assert decision(game).startswith("claim las_vegas-")

    def test_the_short_way_when_trains_are_few(self):
        """With more trains the way over San Francisco is worth more points."""
        game = usa(f"hand orange*5 red*3 | {self.TICKET} | trains 5")
        assert "las_vegas" in decision(game)

    # Charleston to Miami, purple 4, is the only way left, and two cards are lacking for the rest.
    ONLY_WAY = (
        "hand purple*4 | tickets classic:boston-miami"
        " | routes boston-new_york new_york-washington raleigh-washington | trains 6"
    )
    CUT_OFF = "routes atlanta-miami miami-new_orleans"

    def test_hoards_while_cards_are_lacking(self):
        game = usa(self.ONLY_WAY, self.CUT_OFF, DULL)
        assert not decision(game).startswith("claim")

    def test_but_claims_a_bottleneck_when_an_opponent_comes_near(self):
        game = usa(self.ONLY_WAY, f"{self.CUT_OFF} atlanta-charleston", DULL)
        assert decision(game).startswith("claim charleston-miami purple")

    def test_a_dropped_ticket_leaves_the_trains_for_points(self):
        game = usa("hand red*6 | tickets classic:seattle-new_york | trains 8")
        assert decision(game).startswith("claim miami-new_orleans")


class TestPayment:
    TICKET = "tickets classic:helena-los_angeles | trains 5 | routes helena-salt_lake_city"

    def test_a_gray_route_is_paid_with_what_the_plan_does_not_need(self):
        game = usa(f"hand orange*4 red*2 | {self.TICKET}", extra=DULL)
        assert decision(game) == "claim las_vegas-los_angeles red red"

    def test_with_the_fewest_locomotives(self):
        game = usa(f"hand red*2 blue locomotive*2 | {self.TICKET} las_vegas-salt_lake_city")
        assert decision(game) == "claim las_vegas-los_angeles red red"


class TestCards:
    def test_takes_a_colour_that_its_tickets_lack(self):
        game = usa(
            "tickets classic:helena-los_angeles | trains 3"
            " | routes las_vegas-los_angeles las_vegas-salt_lake_city",
            extra="display: purple red white black green",
        )
        assert decision(game) == "take purple"

    def test_draws_blind_when_what_lies_is_of_no_use(self):
        game = usa(
            "hand purple*2 | tickets classic:helena-los_angeles | trains 3"
            " | routes las_vegas-los_angeles las_vegas-salt_lake_city",
            extra="display: red red white black green",
        )
        assert decision(game) == "draw"

    def test_takes_a_face_up_locomotive_for_a_ferry(self):
        game = europe(
            "hand red*3 | tickets europe:edinburgh-paris | trains 2"
            " | routes dieppe-paris edinburgh-london",
            extra="display: blue white blue green locomotive",
        )
        assert decision(game) == "take locomotive"


class TestLastRound:
    LAST = "last round: 1"

    def test_completes_a_ticket_rather_than_the_longest_route(self):
        game = usa(
            "hand white*2 blue*5 | tickets classic:helena-los_angeles"
            " | routes helena-salt_lake_city las_vegas-salt_lake_city",
            extra=self.LAST,
        )
        assert decision(game).startswith("claim las_vegas-los_angeles")

    def test_without_tickets_the_route_that_scores_most(self):
        game = usa("hand red*6 blue*5", extra=self.LAST)
        assert decision(game).startswith("claim miami-new_orleans")

    def test_the_longest_route_bonus_counts(self):
        """Five spaces apart score 10; three that make its route the longest score 4 and 10."""
        game = usa(
            "hand blue*5 green*3 | routes houston-new_orleans el_paso-houston dallas-el_paso",
            "routes calgary-winnipeg duluth-winnipeg duluth-omaha kansas_city-omaha",
            self.LAST,
        )
        assert decision(game) == "claim little_rock-new_orleans green green green"

    @pytest.mark.uncompiled
    def test_builds_a_station_that_finishes_a_ticket(self):
        game = europe(
            "hand red*2 | tickets europe:edinburgh-paris | routes dieppe-london dieppe-paris",
            "routes edinburgh-london petrograd-stockholm",
            self.LAST,
        )
        assert decision(game) in ("station edinburgh red", "station london red")

    def test_but_a_route_that_scores_more_comes_first(self):
        game = europe(
            "hand red*2 | tickets europe:edinburgh-paris | routes dieppe-london dieppe-paris",
            "routes edinburgh-london",
            self.LAST,
        )
        assert decision(game) == "claim bruxelles-paris red red"  # and the longest route with it


class TestTickets:
    def test_draws_tickets_while_trains_and_turns_are_free(self):
        assert decision(usa("", extra=DULL)) == "tickets"

    def test_none_when_an_opponent_is_about_to_end_the_game(self):
        game = usa("hand yellow", "hand red*3 | trains 5", DULL)
        assert decision(game) != "tickets"

    def test_none_when_its_trains_are_bound(self):
        tickets = "tickets classic:seattle-new_york classic:los_angeles-miami"
        assert decision(usa(tickets, extra=DULL)) != "tickets"

    def test_keeps_what_is_complete_already(self):
        offer = ("seattle-new_york", "denver-el_paso", "los_angeles-new_york")
        routes = "routes denver-santa_fe el_paso-santa_fe | trains 8"
        assert offered("planner", routes, *offer) == "keep 2"

    def test_keeps_a_ticket_on_the_way_of_another(self):
        held = "tickets classic:duluth-el_paso | trains 20"
        assert offered("planner", held, "boston-miami", "duluth-houston").endswith("2")


class TestTunnels:
    TICKET = "tickets europe:athina-angora | routes athina-smyrna"  # left: angora-smyrna, orange 3

    def test_enters_with_a_card_to_spare(self):
        game = europe(f"hand orange*3 | {self.TICKET} | trains 3", extra=DULL)
        assert not decision(game).startswith("claim angora-smyrna")
        game = europe(f"hand orange*4 | {self.TICKET} | trains 3", extra=DULL)
        assert decision(game) == "claim angora-smyrna orange orange orange"


class TestStations:
    def test_finishes_a_ticket_that_is_cut_off(self):
        game = europe(
            "hand red | tickets europe:edinburgh-paris | routes dieppe-london dieppe-paris"
            " | trains 3",
            "routes edinburgh-london | trains 9",
            DULL,
        )
        assert decision(game) in ("station edinburgh red", "station london red")

    def test_none_while_the_way_is_open(self):
        game = europe(
            "hand red | tickets europe:edinburgh-paris | routes dieppe-london dieppe-paris",
            extra=DULL,
        )
        assert not decision(game).startswith("station")


class TestCollector:
    def test_keeps_more_tickets_than_planner(self):
        offer = ("denver-el_paso", "kansas_city-houston", "helena-los_angeles")
        kept = [len(offered(bot, "trains 30", *offer).split()) for bot in ("collector", "planner")]
        assert kept[0] >= kept[1]

    def test_draws_tickets_longer_than_planner(self):
        game = usa("hand yellow | trains 20", extra=DULL)
        assert decision_of("collector", game) == "tickets"
        assert decision(game) != "tickets"

    def test_hoards_what_planner_would_claim_in_danger(self):
        game = usa(TestPlan.ONLY_WAY, f"{TestPlan.CUT_OFF} atlanta-charleston", DULL)
        assert not decision_of("collector", game).startswith("claim")
