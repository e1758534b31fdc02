"""Luck that is subtracted from results: it has no bias, whatever positions are said to be worth."""

from random import Random

import numpy as np
import pytest

from ferrovia.boards import editions, load_edition
from ferrovia.game import ClaimRoute, DrawTickets, Game
from ferrovia.kernel.library import COMPILED
from ferrovia.lab.run.plan import Plan
from ferrovia.rules.state.layout import STATE
from research.luck.corrected import corrected, play

pytestmark = pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")

GAMES = 60


def strange(edition):
    """Values that no good player would have, and that see everything chance decides."""
    some = Random(5)
    worth_of_ticket = np.array([some.gauss(0, 1) for _ in edition.tickets] + [0.0])
    worth_of_card = np.array([some.gauss(0, 1) for _ in range(9)] + [0.0])

    def values(states):
        s = np.frombuffer(b"".join(states), STATE.dtype)
        seats = np.arange(s["players"][0])
        display = worth_of_card[s["display"]].sum(axis=1)  # -1, for none, is the last of the worths
        found = display[:, None] * (seats - 1) + s["hand"][:, seats] @ worth_of_card[:-1]
        offer, count = s["offer"][:, seats], s["offered"][:, seats, None]
        offered = np.where(np.arange(offer.shape[2]) < count, offer, len(edition.tickets))
        return found + worth_of_ticket[offered].sum(axis=2)

    return values


@pytest.mark.parametrize("name", editions())
@pytest.mark.parametrize("bots", [("random",) * 2, ("greedy", "random", "planner")], ids=len)
def test_luck_is_nothing_on_average(name, bots):
    plan = Plan(load_edition(name), bots, GAMES, seed=1)
    values = strange(plan.edition)
    luck = np.array([corrected(*play(plan, number), values).luck for number in plan.numbers])
    error = luck.std(axis=0, ddof=1) / len(luck) ** 0.5
    assert (error > 0.01).all()  # there was luck
    assert (abs(luck.mean(axis=0)) < 3.5 * error).all()


class Picky:
    """Draws tickets while there are any, keeps the cheapest and gives the others back."""

    name = "picky"

    def decide(self, view):
        legal = view.legal_actions()
        if view.offer:
            points = [view.edition.ticket(ticket).points for ticket in view.offer]
            return min(legal, key=lambda keep: sum(points[n - 1] for n in keep.numbers))
        return max(legal, key=lambda it: (isinstance(it, DrawTickets), isinstance(it, ClaimRoute)))


@pytest.mark.parametrize("name", ["usa", "europe"])
def test_tickets_that_were_given_back_are_not_drawn_before_those_that_nobody_saw(name):
    bots = ("tests.research.test_luck:Picky",) * 2
    plan = Plan(load_edition(name), bots, 12, seed=2)
    points = [ticket.points for ticket in plan.edition.tickets]

    def offered(states):
        return np.array(
            [
                [sum(points[n] for n in s.offer[i][: s.offered[i]]) for i in range(s.players)]
                for s in map(STATE.of, states)
            ]
        )

    luck = np.array([corrected(*play(plan, number), offered).luck for number in plan.numbers])
    error = luck.std(ddof=1) / luck.size**0.5
    assert abs(luck.mean()) < 3.5 * error


def test_the_games_are_those_of_the_plan():
    plan = Plan(load_edition("europe"), ("greedy", "planner"), 1, seed=8)
    game, events = play(plan, 0)
    assert game.over
    assert len(events) > 40
    assert bytes(events[0].came) == bytes(Game("europe", 2, seed=plan.seed_of(0)).state)
    for event in events:
        assert sum(outcome.chance for outcome in event.others) == pytest.approx(1)
