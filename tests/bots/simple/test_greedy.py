"""Greedy does what its description says: one test or more for each sentence of it."""

import dataclasses
from functools import partial

import pytest

from ferrovia.bots import make
from ferrovia.game import View
from ferrovia.game.codec.lexicon import lexicon_of
from tests.bots.tables import DULL, europe, offered, usa
from tests.bots.tables import decision as decision_of

decision = partial(decision_of, "greedy")


class TestTargets:
    def test_lie_on_the_cheapest_way_of_an_open_ticket(self):
        game = usa("hand red*2 | tickets classic:denver-el_paso")
        assert decision(game) == "claim denver-santa_fe red red"

    def test_own_routes_are_free(self):
        game = usa("hand red*2 | tickets classic:denver-el_paso | routes denver-santa_fe")
        assert decision(game) == "claim el_paso-santa_fe red red"

    def test_an_own_detour_is_cheaper_than_the_direct_way(self):
        game = usa(
            "hand red*3 | tickets classic:denver-el_paso | routes denver-phoenix", extra=DULL
        )
        assert decision(game) == "claim el_paso-phoenix red red red"

    def test_routes_of_others_are_closed(self):
        game = usa("hand white*5 | tickets classic:denver-el_paso", "routes denver-santa_fe")
        assert decision(game) == "claim denver-phoenix white white white white white"

    def test_doubles_closed_to_the_seat_are_closed(self):
        """With two players, the other half of a double is closed (R5.7)."""
        game = usa(
            "hand purple*5 | tickets classic:seattle-los_angeles",
            "routes portland-san_francisco",
            DULL,
        )
        assert not decision(game).startswith("claim portland-san_francisco-2")

    @pytest.mark.parametrize(
        ("color", "half"),
        [("green", "portland-san_francisco"), ("purple", "portland-san_francisco-2")],
    )
    def test_either_half_of_a_double(self, color, half):
        game = usa(f"hand {color}*5 | tickets classic:seattle-los_angeles")
        assert decision(game).startswith(f"claim {half} {color}")

    TWO = "hand red*2 | tickets classic:helena-los_angeles classic:denver-el_paso | trains "

    def test_all_tickets_while_the_trains_suffice(self):
        assert decision(usa(self.TWO + "12")) == "claim denver-santa_fe red red"

    def test_the_dearest_ticket_first_when_trains_are_few(self):
        assert decision(usa(self.TWO + "11")) == "claim las_vegas-los_angeles red red"

    def test_a_cheaper_ticket_when_the_dearest_cannot_be_paid(self):
        assert decision(usa(self.TWO + "7")) == "claim denver-santa_fe red red"

    def test_a_completed_ticket_has_none(self):
        game = usa(
            "hand red*2 | tickets classic:denver-el_paso | routes denver-santa_fe el_paso-santa_fe"
        )
        assert decision(game) == "tickets"


class TestClaimsAndCards:
    TICKET = "tickets classic:helena-los_angeles"  # purple 3, orange 3, gray 2

    def test_claims_the_longest_target_it_can_pay(self):
        game = usa(f"hand purple*3 blue*2 | {self.TICKET}")
        assert decision(game) == "claim helena-salt_lake_city purple purple purple"

    def test_of_equal_length_the_one_that_costs_fewer_locomotives(self):
        game = usa(f"hand purple*2 orange*3 locomotive | {self.TICKET}")
        assert decision(game) == "claim las_vegas-salt_lake_city orange orange orange"

    @pytest.mark.parametrize(
        ("hand", "taken"), [("orange", "purple"), ("purple", "orange"), ("green", "purple")]
    )
    def test_takes_the_face_up_colour_that_its_targets_lack_most(self, hand, taken):
        display = "display: red purple orange white locomotive"
        assert decision(usa(f"hand {hand} | {self.TICKET}", extra=display)) == f"take {taken}"

    def test_draws_blind_when_no_face_up_colour_is_lacking(self):
        assert decision(usa(f"hand blue | {self.TICKET}", extra=DULL)) == "draw"

    def test_a_colour_it_has_enough_of_is_not_lacking(self):
        game = usa(
            "hand purple*3 | routes las_vegas-los_angeles las_vegas-salt_lake_city | trains 2"
            " | tickets classic:helena-los_angeles",
            extra="display: purple*1 red white black green",
        )
        assert decision(game) == "draw"

    def test_the_second_card_follows_the_same_rule(self):
        game = usa(
            f"hand blue | {self.TICKET}",
            extra="display: purple red white black locomotive\nnext: orange",
        )
        game.play(0, decision(game))
        assert decision(game) == "take orange"

    def test_a_face_up_locomotive_is_left_lying(self):
        game = usa(
            f"hand blue | {self.TICKET}", extra="display: locomotive locomotive red white black"
        )
        assert decision(game) == "draw"


class TestWithoutTargets:
    def test_draws_tickets_with_12_trains(self):
        assert decision(usa("hand red*6 | trains 12")) == "tickets"

    def test_claims_the_longest_route_with_fewer(self):
        game = usa("hand red*6 | trains 11")
        assert decision(game) == "claim miami-new_orleans red red red red red red"

    def test_claims_the_longest_route_when_no_tickets_are_left(self):
        game = usa("hand red*6", extra="tickets:")
        assert decision(game) == "claim miami-new_orleans red red red red red red"

    def test_claims_no_route_shorter_than_3(self):
        assert decision(usa("hand red*2 | trains 11", extra=DULL)) == "draw"
        assert decision(usa("hand red*3 | trains 11", extra=DULL)).startswith("claim ")


class TestLastRound:
    LAST = "last round: 2"

    def test_claims_the_longest_route_it_can(self):
        game = usa("hand white*2 blue*5 | tickets classic:denver-el_paso", extra=self.LAST)
        assert decision(game) == "claim atlanta-miami blue blue blue blue blue"

    def test_claims_short_routes_too(self):
        assert decision(usa("hand red", extra=self.LAST)) == "claim atlanta-nashville red"

    def test_never_draws_tickets(self):
        assert decision(usa("", extra=f"{self.LAST}\n{DULL}")) == "draw"


class TestPayment:
    TICKET = "tickets classic:helena-los_angeles | routes helena-salt_lake_city"

    def test_with_the_fewest_locomotives(self):
        game = usa(f"hand red blue*2 locomotive*2 | {self.TICKET}")
        assert decision(game) == "claim las_vegas-los_angeles blue blue"

    def test_then_with_the_colour_its_targets_need_least(self):
        game = usa(f"hand orange*2 red*2 | {self.TICKET}")
        assert decision(game) == "claim las_vegas-los_angeles red red"

    def test_then_with_the_colour_it_holds_most_of(self):
        game = usa(f"hand blue*2 red*4 green*3 | {self.TICKET}")
        assert decision(game) == "claim las_vegas-los_angeles red red"

    def test_with_locomotives_alone_when_there_is_nothing_else(self):
        game = usa(f"hand locomotive*2 | {self.TICKET}")
        assert decision(game) == "claim las_vegas-los_angeles locomotive locomotive"


class TestOffers:
    def offer(self, seat_0, *tickets):
        return offered("greedy", seat_0, *tickets)

    def test_keeps_what_costs_at_most_60_percent_of_the_free_trains(self):
        # They cost 20, 19 and 4: of 41 free trains 24.6 may be bound, of 22 only 13.2.
        offer = ("seattle-new_york", "los_angeles-miami", "denver-el_paso")
        assert self.offer("", *offer) == "keep 2 3"

    def test_keeps_the_minimum_in_any_case_and_the_cheapest_for_it(self):
        offer = ("seattle-new_york", "los_angeles-new_york", "portland-phoenix")
        assert self.offer("trains 12", *offer) == "keep 3"

    @pytest.mark.parametrize(("trains", "kept"), [(12, "keep 1"), (13, "keep 1 2")])
    def test_the_bound_is_exact(self, trains, kept):
        # They cost 4 and 5: of the 8 or 9 trains that the first leaves, 4.8 or 5.4 may be bound.
        assert self.offer(f"trains {trains}", "denver-el_paso", "kansas_city-houston") == kept

    def test_trains_bound_by_open_tickets_are_not_free(self):
        offer = ("denver-el_paso", "helena-los_angeles")
        assert self.offer("trains 18", *offer) == "keep 1 2"
        assert self.offer("trains 18 | tickets classic:duluth-houston", *offer) == "keep 1"

    def test_a_ticket_that_is_complete_costs_nothing(self):
        offer = ("denver-el_paso", "seattle-new_york", "kansas_city-houston")
        routes = "routes denver-santa_fe el_paso-santa_fe"
        assert self.offer(f"{routes} | trains 3", *offer) == "keep 1"


class TestTunnels:
    TICKET = "tickets europe:athina-angora | routes athina-smyrna"  # left: angora-smyrna, orange 3

    def test_enters_with_one_card_to_spare(self):
        assert decision(europe(f"hand orange*3 | {self.TICKET}", extra=DULL)) == "draw"
        game = europe(f"hand orange*3 locomotive | {self.TICKET}", extra=DULL)
        assert decision(game) == "claim angora-smyrna orange orange orange"

    def test_takes_the_colour_for_the_spare_card(self):
        display = "display: red white orange green black"
        game = europe(f"hand orange*3 | {self.TICKET}", extra=display)
        assert decision(game) == "take orange"

    def enter(self, hand, turned_up):
        game = europe(f"hand {hand} | {self.TICKET}", extra=f"{DULL}next: {turned_up}")
        game.play(0, decision(game))
        return decision(game)

    def test_pays_the_extra_cards_with_the_fewest_locomotives(self):
        assert self.enter("orange*4 locomotive", "orange red red") == "pay orange"
        assert self.enter("orange*3 locomotive", "orange red red") == "pay locomotive"

    def test_withdraws_when_it_cannot_pay(self):
        assert self.enter("orange*4", "orange orange red") == "withdraw"

    def test_in_the_last_round_a_shorter_route_is_safer(self):
        others = "routes cadiz-madrid munchen-wien frankfurt-paris"
        game = europe("hand orange*3", others, "last round: 1")
        assert decision(game) == "claim brest-dieppe orange orange"

    def test_in_the_last_round_it_dares_when_there_is_nothing_else(self):
        others = (
            "routes danzig-warszawa kyiv-wilno rostov-sochi venezia-zagrab wien-zagrab"
            " barcelona-madrid bruxelles-paris"
        )
        game = europe("hand yellow*2", others, "last round: 1")
        assert decision(game) == "claim angora-constantinople yellow yellow"


class TestFerries:
    TICKET = "tickets europe:edinburgh-paris"  # black or orange 4, ferry 2, purple 1

    def test_takes_a_face_up_locomotive_for_a_ferry(self):
        display = "display: red white blue green locomotive"
        assert decision(europe(f"hand red | {self.TICKET}", extra=display)) == "take locomotive"

    def test_but_a_lacking_colour_first(self):
        display = "display: red white black green locomotive"
        assert decision(europe(f"hand red | {self.TICKET}", extra=display)) == "take black"

    def test_and_none_when_it_has_one(self):
        display = "display: red white blue green locomotive"
        game = europe(f"hand locomotive | {self.TICKET} | routes dieppe-paris", extra=display)
        assert decision(game) == "draw"

    def test_pays_a_ferry_with_the_locomotives_it_asks_for(self):
        game = europe(f"hand red*2 locomotive | {self.TICKET}")
        assert decision(game) == "claim dieppe-london red locomotive"


class TestStations:
    LOST = "tickets europe:edinburgh-paris"
    CUT_OFF = "routes edinburgh-london"  # with two players both halves are closed

    def test_finishes_a_ticket_that_is_lost(self):
        game = europe(
            f"hand red | {self.LOST} | routes dieppe-london dieppe-paris", self.CUT_OFF, DULL
        )
        assert decision(game) == "station edinburgh red"

    def test_in_the_other_city_when_one_is_occupied(self):
        game = europe(
            f"hand red | {self.LOST} | routes dieppe-london dieppe-paris",
            f"{self.CUT_OFF} | stations edinburgh",
            DULL,
        )
        assert decision(game) == "station london red"

    def test_builds_the_rest_of_the_way_first(self):
        game = europe(f"hand purple red | {self.LOST}", self.CUT_OFF, DULL)
        assert decision(game) == "claim dieppe-paris purple"

    def test_not_for_a_ticket_that_has_a_way(self):
        game = europe(f"hand red | {self.LOST} | routes dieppe-london dieppe-paris", extra=DULL)
        assert decision(game) == "take black"

    @pytest.mark.uncompiled
    def test_not_again_for_the_same_ticket(self):
        game = europe(
            f"hand red*2 | {self.LOST} | routes dieppe-london dieppe-paris | stations edinburgh"
            " | trains 11",
            self.CUT_OFF,
            DULL,
        )
        assert decision(game) == "draw"

    @pytest.mark.parametrize(
        ("bonus", "points", "built"),
        [(4, 4, False), (4, 5, True), (1, 1, False), (1, 2, True), (10, 9, False), (10, 11, True)],
    )
    def test_only_for_a_ticket_worth_more_than_the_station(self, bonus, points, built):
        """A station in hand scores what the edition says (R10.4)."""
        game = europe(
            f"hand red | {self.LOST} | routes dieppe-london dieppe-paris | trains 11",
            self.CUT_OFF,
            DULL,
        )
        tickets = tuple(
            dataclasses.replace(ticket, points=points) for ticket in game.edition.tickets
        )
        edition = dataclasses.replace(game.edition, tickets=tickets, station_bonus=bonus)
        action = make("greedy", 1).decide(View(lexicon_of(edition), game.view(0).buffer, 0))
        assert str(action) == ("station edinburgh red" if built else "draw")

    def test_in_the_last_round_before_any_route(self):
        game = europe(
            f"hand red*4 | {self.LOST} | routes dieppe-london dieppe-paris",
            self.CUT_OFF,
            "last round: 1",
        )
        assert decision(game) == "station edinburgh red"


class TestNothingElseCanBeDone:
    """When no card can be drawn (R4.9) it still finds a legal action."""

    def stuck(self, seat_0, extra=""):
        return usa(seat_0, "hand rest", extra=f"deck:\n{extra}")

    def test_claims_a_short_route(self):
        assert decision(self.stuck("hand red | trains 11")).startswith("claim atlanta-nashville")

    def test_draws_tickets(self):
        assert decision(self.stuck("trains 11")) == "tickets"

    def test_passes(self):
        assert decision(self.stuck("trains 11", "tickets:")) == "pass"
