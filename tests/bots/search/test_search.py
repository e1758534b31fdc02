"""The search: its options, its worlds, its tree, and that it sees what a script does not."""

import numpy as np
import pytest

from ferrovia.bots import make
from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.planner import planner
from ferrovia.bots.planner.weights import PLANNER
from ferrovia.bots.search import make_search, scout
from ferrovia.bots.search.budget import SearchBudget, read_budget
from ferrovia.bots.search.nodes import grow, plant
from ferrovia.bots.search.root import ByPlanner, Root
from ferrovia.bots.search.workspace import NODE, WORKSPACE, make_workspace
from ferrovia.bots.search.worlds import fit_tickets, sample_world
from ferrovia.game import Game, read_position
from ferrovia.game.views import view_of
from ferrovia.kernel import Pack
from ferrovia.kernel.plain import as_argument
from ferrovia.rules import calls
from ferrovia.rules.chapters.menu import action_at, menu, size
from ferrovia.rules.chapters.turn import play
from ferrovia.rules.playout import next_seat
from ferrovia.rules.state.bits import has_member
from ferrovia.rules.state.layout import BOOK, NONE, OVER, RNG_WORDS, STATE
from ferrovia.rules.state.log import NO_LOG
from tests.memory import fields

SEED = bytes(range(32))


def search(options, seed=SEED):
    return make_search(options, seed)


def game_at(edition, players, turns, seed=3):
    """A game of greedy bots after a number of turns."""
    game = Game(edition, players, seed=seed)
    bots = [make("greedy", seed) for _ in range(players)]
    while game.view(None).turns < turns:
        seat = game.awaited[0]
        game.play(seat, bots[seat].decide(game.view(seat)))
    return game


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "limits"),
        [
            ("", SearchBudget(seconds=1.0)),
            ("0.5s", SearchBudget(seconds=0.5)),
            ("400", SearchBudget(iterations=400)),
            ("1000, 1s", SearchBudget(iterations=1000, seconds=1.0)),
            ("800 plays", SearchBudget(plays=800)),
            ("2 cores", SearchBudget(seconds=1.0, cores=2)),
            ("1 core,2s", SearchBudget(seconds=2.0, cores=1)),
        ],
    )
    def test_are_a_time_and_iterations_and_cores(self, options, limits):
        assert read_budget(options) == limits

    def test_plays_are_shared_by_the_seats(self):
        assert read_budget("800 plays").iterations_with(2) == 400
        assert read_budget("800 plays, 150").iterations_with(4) == 150

    @pytest.mark.parametrize("options", ["deep", "0", "0s", "-1", "s", "0 cores", "0 plays"])
    def test_others_are_refused_with_a_hint(self, options):
        with pytest.raises(ValueError, match="is no option of a bot that searches: give seconds"):
            search(options)

    @pytest.mark.parametrize("options", ["1s,2s", "400,400", "1 core,2 cores"])
    def test_are_said_once(self, options):
        with pytest.raises(ValueError, match="says twice"):
            search(options)

    @pytest.mark.parametrize("options", ["", "0.5s", "400, 2 cores"])
    def test_are_part_of_the_name(self, options):
        assert search(options).name == f"search:{options}".rstrip(":")


class TestBot:
    @pytest.mark.parametrize("options", ["60", "60, 2 cores", "60, 100s"])
    def test_same_seed_and_iterations_give_the_same_move(self, options):
        game = game_at("europe", 3, 30)
        seat = game.awaited[0]
        first, second = (search(options).decide(game.view(seat)) for _ in range(2))
        assert first == second

    @pytest.mark.parametrize("options", ["0.05s, 2 cores", "1000000, 0.05s"])
    def test_the_limit_may_be_a_time(self, options):
        game = game_at("usa", 2, 40)
        seat = game.awaited[0]
        game.play(seat, search(options).decide(game.view(seat)))

    @pytest.mark.parametrize(
        ("edition", "turns"), [("usa", 0), ("europe", 25), ("mega-europe", 50)]
    )
    def test_does_not_depend_on_what_is_hidden(self, edition, turns):
        game = game_at(edition, 3, turns)
        seat = game.awaited[0]
        view = game.view(seat)
        rng = np.zeros(RNG_WORDS, np.uint32)
        calls.seed_generator(rng, bytes(range(32)), 0)
        imagined = STATE.new()
        for _ in range(3):
            calls.sample(game.lexicon.book, view.buffer, imagined, rng)
            other = view_of(game.lexicon, imagined, seat)
            assert search("40").decide(other) == search("40").decide(view)

    def test_refuses_a_seat_of_which_nothing_is_awaited(self):
        game = game_at("usa", 2, 1)
        other = 1 - game.awaited[0]
        with pytest.raises(ValueError, match="no decision is awaited"):
            search("8").decide(game.view(other))

    @pytest.mark.uncompiled
    def test_finishes_a_ticket_where_greedy_takes_the_longest_route(self):
        game = read_position(
            "edition: usa-classic\nturn: 0\nlast round: 1\n"
            "seat 0: hand red*2 blue*4 | tickets classic:denver-el_paso | routes denver-santa_fe\n"
            "seat 1: hand green\n"
        )
        assert "el_paso-santa_fe" not in str(make("greedy", 1).decide(game.view(0)))
        assert str(search("24").decide(game.view(0))).startswith("claim el_paso-santa_fe")


def plain_workspace():
    """A workspace as functions of the kernel see it from inside."""
    return as_argument(WORKSPACE, make_workspace(SEED))


class TestRoot:
    def tried(self, clear):
        """A position where one option wins the game: the best option, and how many were tried."""
        game = read_position(
            "edition: usa-classic\nturn: 0\nlast round: 1\n"
            "seat 0: hand red*2 blue*4 | tickets classic:denver-el_paso | routes denver-santa_fe\n"
            "seat 1: hand green\n"
        )
        method = ByPlanner([make_workspace(SEED)])
        method.clear = clear
        root = Root(game.lexicon.book, game.view(0).buffer.copy(), 0, method, 8)
        root.search(400, 1e9)
        return root.action, root.iterations

    def test_a_clear_lead_ends_the_search(self):
        action, iterations = self.tried(ByPlanner.clear)
        patient_action, all_iterations = self.tried(1e9)
        assert action == patient_action
        assert 50 < iterations < 300
        assert all_iterations == pytest.approx(400, abs=8)


@pytest.mark.inside
@pytest.mark.parametrize("edition", ["usa-classic", "europe"])
class TestScout:
    def play(self, edition, plans, turns):
        """The positions of a game between scouts: before each decision the state, and what it is.

        It is played on the state, as in rollouts.
        """
        game = Game(edition, 2, seed=5)
        book, s = fields(game.lexicon.book, BOOK), fields(game.state, STATE)
        seat = next_seat(s)
        while seat != NONE and s.turns < turns:
            action = scout.decide(book, s, seat, plans[seat])
            yield book, s, seat, action
            play(book, s, seat, action, NO_LOG)
            seat = next_seat(s)

    def test_decides_legally_with_the_plan_it_remembers(self, edition):
        plans = np.zeros(2, PLAN.dtype)
        for book, s, seat, action in self.play(edition, plans, 1000):
            options = menu(book, s, seat)
            assert action in [action_at(book, options, i) for i in range(size(options))]
        assert s.phase == OVER or s.turns_left == 0

    def test_without_memory_plays_as_planner(self, edition):
        plans, fresh = np.zeros(2, PLAN.dtype), np.zeros(1, PLAN.dtype)
        for book, s, seat, action in self.play(edition, plans, 30):
            assert action == planner.decide(book, s, seat, fresh[0], PLANNER)
            plans[seat] = np.zeros(1, PLAN.dtype)[0]


@pytest.mark.inside
class TestWorlds:
    @pytest.mark.parametrize("players", [2, 4])
    @pytest.mark.parametrize("turns", [0, 1, 20, 60])
    @pytest.mark.parametrize("edition", ["usa-classic", "europe", "mega-europe", "big-cities"])
    def test_agree_with_the_view(self, edition, players, turns):
        game = game_at(edition, players, turns)
        seat = game.awaited[0]
        view = game.view(seat)
        book, workspace = fields(game.lexicon.book, BOOK), plain_workspace()
        seen = np.frombuffer(view.buffer, np.uint8)
        fit_tickets(book, seen, workspace)
        for number in range(5):
            sample_world(book, seen, number, workspace)
            assert view_of(game.lexicon, workspace.world, seat).buffer == view.buffer

    @pytest.mark.parametrize("edition", ["europe", "mega-europe"])
    def test_no_ticket_is_in_two_places(self, edition):
        game = game_at(edition, 3, 40)
        seat = game.awaited[0]
        book, workspace = fields(game.lexicon.book, BOOK), plain_workspace()
        view = np.frombuffer(game.view(seat).buffer, np.uint8)
        fit_tickets(book, view, workspace)
        s = fields(workspace.world, STATE)
        for number in range(20):
            sample_world(book, view, number, workspace)
            places = (int(s.ticket_head) + np.arange(int(s.ticket_left))) % len(s.ticket_deck)
            tickets = list(s.ticket_deck[places])
            for each in range(3):
                held = [
                    t
                    for t in range(int(game.lexicon.tables.tickets))
                    if has_member(s.tickets[each], t)
                ]
                assert len(held) == s.ticket_count[each]
                tickets += held
            assert len(tickets) == len(set(tickets))

    def test_tickets_that_explain_the_routes_are_likelier(self):
        game = read_position(
            "edition: usa-classic\nturn: 0\n"
            "seat 0: hand red | tickets classic:seattle-los_angeles\n"
            "seat 1: hand red | tickets classic:denver-el_paso"
            " | routes dallas-houston houston-new_orleans\n"
        )
        held = game.lexicon.tickets.index("classic:denver-el_paso")
        book, workspace = fields(game.lexicon.book, BOOK), plain_workspace()
        view = np.frombuffer(game.view(0).buffer, np.uint8)

        def share(routes):
            fit_tickets(book, routes, workspace)
            count = 0
            for number in range(100):
                sample_world(book, routes, number, workspace)
                count += has_member(fields(workspace.world, STATE).tickets[1], held)
            return count / 100

        before = share(view)
        for route in ("denver-santa_fe", "el_paso-santa_fe"):
            number = game.lexicon.routes.index(route)
            fields(view, STATE).routes[1, number >> 6] |= np.uint64(1 << (number & 63))
        assert share(view) > 5 * before


class TestTree:
    def test_every_visit_is_counted_once(self):
        game = game_at("usa-classic", 2, 40)
        seat = game.awaited[0]
        view, workspace = game.view(seat).buffer, make_workspace(SEED)
        arms = plant(game.lexicon.book, view, seat, 6, workspace)
        assert arms == 6
        likely = list(workspace.of.weights[:arms])
        assert likely[0] == 0.0
        assert likely == sorted(likely, reverse=True)
        grow(game.lexicon.book, view, seat, np.arange(1, 7), 0, 40, workspace)
        nodes = np.frombuffer(workspace.of.nodes, NODE.dtype).view(np.recarray)
        assert (nodes["visits"][1:7] == 40).all()
        for arm in range(1, 7):
            child, below = nodes[arm].first, 0
            while child != NONE:
                below += nodes[child].visits
                child = nodes[child].next
            assert below <= 40

    def test_grows_no_further_when_it_is_full(self):
        game = game_at("usa-classic", 2, 40)
        seat = game.awaited[0]
        view, workspace = game.view(seat).buffer, make_workspace(SEED)
        small = Pack(WORKSPACE, workspace.of._replace(nodes=NODE.new(30)))
        plant(game.lexicon.book, view, seat, 6, small)
        grow(game.lexicon.book, view, seat, np.arange(1, 7), 0, 40, small)
        assert small.of.used[0] == 30
        assert all(NODE.of(small.of.nodes, arm).visits == 40 for arm in range(1, 7))
