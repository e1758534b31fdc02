"""Wary does what its description says: one test or more for each sentence of it."""

from functools import partial

import pytest

from tests.bots.tables import DULL, europe, usa
from tests.bots.tables import decision as decision_of

decision = partial(decision_of, "wary")
CALM, ALARMED = "trains 16", "trains 15"


class TestCalm:
    """Without alarm it is greedy."""

    @pytest.mark.parametrize(
        "seat",
        [
            "hand red*2 | tickets classic:denver-el_paso",
            "hand orange | tickets classic:helena-los_angeles",
            "hand red*6",
            "hand red*6 | trains 11",
            "hand red*2 | trains 11",
        ],
    )
    def test_does_as_greedy_does(self, seat):
        game = usa(seat, CALM, DULL)
        assert decision(game) == decision_of("greedy", game)


class TestAlarm:
    @pytest.mark.parametrize(
        ("trains", "action"), [("16", "tickets"), ("15", "claim atlanta-nashville red")]
    )
    def test_begins_when_an_opponent_has_15_trains(self, trains, action):
        assert decision(usa("hand red", f"trains {trains}", DULL)) == action

    def test_begins_with_any_opponent(self):
        game = usa("hand red", f"{CALM}\nseat 2: {ALARMED}", DULL)
        assert decision(game) == "claim atlanta-nashville red"

    def test_its_own_trains_do_not_alarm_it(self):
        assert decision(usa("hand red | trains 12", CALM, DULL)) == "tickets"

    def test_begins_in_the_last_round(self):
        assert decision(usa("hand red", extra="last round: 1")) == "claim atlanta-nashville red"

    def test_draws_no_more_tickets(self):
        assert decision(usa("", ALARMED, DULL)) == "draw"


class TestDroppedTickets:
    """Helena to Los Angeles: purple 3, orange 3, gray 2: three turns, and one for two cards."""

    TICKET = "tickets classic:helena-los_angeles"

    def test_a_ticket_is_built_while_there_are_turns_for_it(self):
        game = usa(f"hand purple*3 orange*3 red*6 | {self.TICKET}", "trains 9")
        assert decision(game).startswith("claim helena-salt_lake_city purple")

    def test_and_dropped_when_there_are_not(self):
        game = usa(f"hand purple*3 orange*3 red*6 | {self.TICKET}", "trains 6")
        assert decision(game).startswith("claim miami-new_orleans red")

    def test_missing_cards_take_turns_too(self):
        """One card is lacking for the gray route: four turns, and three trains a turn."""
        hand = "hand purple*3 orange*3 red"
        enough = usa(f"{hand} | {self.TICKET}", "trains 10", DULL)
        assert decision(enough).startswith("claim helena-salt_lake_city purple")
        few = usa(f"{hand} | {self.TICKET}", "trains 9", DULL)
        assert not decision(few).startswith("claim helena-salt_lake_city purple")

    def test_locomotives_stand_in_for_missing_cards(self):
        game = usa(f"hand purple*3 orange*3 red locomotive | {self.TICKET}", "trains 9")
        assert decision(game).startswith("claim helena-salt_lake_city purple")

    def test_in_the_last_round_there_is_one_turn(self):
        seat = f"hand red*2 blue*5 | {self.TICKET} | routes helena-salt_lake_city"
        assert decision(usa(seat, extra="last round: 1")).startswith("claim atlanta-miami blue")
        done = f"{seat} las_vegas-salt_lake_city"
        assert decision(usa(done, extra="last round: 1")) == "claim las_vegas-los_angeles blue blue"

    @pytest.mark.uncompiled
    def test_a_ticket_that_cannot_be_finished_in_time_is_worth_a_station(self):
        """Edinburgh to London has a way round, but no turns are left for it."""
        game = europe(
            "hand red | tickets europe:edinburgh-paris | routes dieppe-london dieppe-paris",
            "routes edinburgh-london",
            "last round: 1",
        )
        assert decision(game) == "station edinburgh red"


class TestCash:
    @pytest.mark.parametrize("cards", [1, 2, 5])
    def test_any_route_the_longest_first(self, cards):
        game = usa(f"hand blue*{cards}", ALARMED, DULL)
        assert len(decision(game).split()) == 2 + cards

    def test_but_targets_come_first(self):
        game = usa("hand blue*5 | tickets classic:denver-el_paso", ALARMED)
        assert decision(game) == "claim denver-santa_fe blue blue"

    def test_and_cards_for_them(self):
        game = usa("hand red | tickets classic:denver-el_paso", ALARMED, DULL)
        assert decision(game) == "draw"
