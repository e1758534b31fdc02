"""What speaks for a decision: facts of the seat's own view, for every action of whole games."""

import pytest

from ferrovia.boards import editions
from ferrovia.bots import make
from ferrovia.bots.why import TicketGoal, Why, why
from ferrovia.game import Game, read_action, read_position
from ferrovia.game.actions import ClaimRoute, DrawCard, KeepTickets, TakeCard
from ferrovia.kernel.library import COMPILED


def position(text, edition="usa-classic"):
    return read_position(f"edition: {edition}\nturn: 0\n{text}")


def reasons(game, action, bot="planner"):
    seat = game.awaited[0]
    return why(game.view(seat), read_action(action), bot)


def test_a_claim_names_the_tickets_that_it_brings_nearer():
    game = position(
        "seat 0: hand green*4 blue*6 | tickets classic:dallas-new_york\nseat 1: hand green\n"
    )
    [goal] = reasons(game, "claim dallas-little_rock green green").goals
    assert goal.ticket == "classic:dallas-new_york"
    assert goal.trains == 9  # Little Rock, Nashville, Pittsburgh, New York: 3 + 4 + 2


def test_a_claim_without_a_ticket_is_worth_its_points():
    game = position("seat 0: hand red*6 | tickets classic:dallas-new_york\nseat 1: hand green\n")
    told = reasons(game, "claim portland-seattle red")
    assert told == Why(points=1)


def test_the_last_route_of_a_ticket_leaves_nothing_to_go():
    game = position(
        "seat 0: hand red*4 | tickets classic:seattle-los_angeles | "
        "routes los_angeles-san_francisco portland-san_francisco\nseat 1: hand green\n"
    )
    told = reasons(game, "claim portland-seattle red")
    assert told.goals == (TicketGoal("classic:seattle-los_angeles", 0),)


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
@pytest.mark.parametrize("edition", editions())
def test_every_decision_of_a_game_has_reasons_that_fit_it(edition):
    game = Game(edition, 3, seed=5)
    bots = [make(name, 1) for name in ("planner", "net", "planner")]
    kinds = set()
    while not game.over:
        seat = game.awaited[0]
        view = game.view(seat)
        action = bots[seat].decide(view)
        told = why(view, action, bots[seat].name)
        held = {*view.tickets, *view.offer}
        assert {goal.ticket for goal in told.goals} <= held
        match action:
            case ClaimRoute():
                assert bool(told.goals) != (told.points is not None)
                kinds.add("goal" if told.goals else "points")
            case TakeCard() if told.route is not None:
                kinds.add("card")
                assert told.missing is not None
            case DrawCard():
                kinds.add("deck")
            case KeepTickets(numbers):
                kinds.add("keep")
                assert len(told.goals) <= len(numbers)
        assert told.chance is None
        game.play(seat, action)
    assert {"goal", "card", "keep"} <= kinds


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
def test_a_bot_that_looks_ahead_says_what_it_expects():
    ahead = position(
        "last round: 2\nseat 0: hand red*2 | routes helena-seattle el_paso-los_angeles "
        "el_paso-houston duluth-toronto\nseat 1: hand green\n"
    )
    assert reasons(ahead, "draw", "director").chance == 1.0
    assert reasons(ahead, "draw", "net").chance is None
    start = Game("europe", 4, seed=2)
    told = reasons(start, "keep 1 2 3", "director")
    assert told.chance is not None
    assert 0 < told.chance < 1
    assert told == reasons(start, "keep 1 2 3", "director")
