"""Looking ahead with the net: the same decisions everywhere, and better ones than its first."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from ferrovia.boards import load_edition
from ferrovia.bots import make
from ferrovia.bots.search.halving import Chunk, errors_of_differences
from ferrovia.bots.search.net_search import ByNet
from ferrovia.bots.search.root import Root
from ferrovia.bots.search.workspace import NODE, make_workspace
from ferrovia.game import Game, read_position
from ferrovia.kernel.library import COMPILED
from ferrovia.rules.state.layout import STATE
from tests.bots.tables import play
from tests.memory import fields

SMALL = Path(__file__).parents[2] / "boards" / "small.json"
# The seat can complete its ticket, and nothing comes after.
LAST_TURN = """\
edition: usa-classic
turn: 0
last round: 1
seat 0: hand red*2 blue*4 | tickets classic:denver-el_paso | routes denver-santa_fe
seat 1: hand green
"""


def middle_of(name, players, turns):
    game = Game(name, players, seed=3)
    bots = [make("net", 3) for _ in range(players)]
    while game.view(None).turns < turns:
        seat = game.awaited[0]
        game.play(seat, bots[seat].decide(game.view(seat)))
    return game


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
def test_decisions_depend_on_the_seed_and_the_iterations_alone():
    one, other = (play(Game("europe", 3, seed=4), ["net:16"] * 3, 40) for _ in range(2))
    assert one == other


@pytest.mark.uncompiled
def test_it_decides_the_same_compiled_and_not():
    done = play(Game("usa-classic", 2, seed=11), ["net:4", "net:4"], 4)
    assert hashlib.sha256("\n".join(done).encode()).hexdigest()[:16] == "91c0455d8551fc4b"


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
def test_on_a_board_that_it_has_not_learned_it_is_search():
    games = [Game(load_edition(SMALL), 2, seed=5) for _ in range(2)]
    assert play(games[0], ["net:8"] * 2, 30) == play(games[1], ["search:8"] * 2, 30)


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
def test_it_completes_a_ticket_in_its_last_turn():
    game = read_position(LAST_TURN)
    assert str(make("director", 1).decide(game.view(0))).startswith("claim el_paso-santa_fe")


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
def test_likelier_options_come_first_and_unlikely_ones_take_no_part():
    game = middle_of("usa-classic", 2, 24)
    seat = game.awaited[0]
    view = game.view(seat).buffer.copy()
    method = ByNet([make_workspace(bytes(32))], game.lexicon, 2)
    likelihood = method.plant(0, game.lexicon.book, view, seat, 8)
    assert likelihood[0] == 0.0
    assert (np.diff(likelihood) <= 0).all()
    assert len(likelihood) <= 8
    first = NODE.of(method.workspaces[0].of.nodes, 1).action
    assert make("net", 1).small_decision(game.lexicon, view, seat) == first


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
def test_values_are_those_of_wins_and_losses():
    """A seat far ahead at the end expects a win and its margin."""
    game = read_position(
        "edition: usa-classic\nturn: 0\nlast round: 2\n"
        "seat 0: hand red*2 | routes helena-seattle el_paso-los_angeles el_paso-houston "
        "duluth-toronto\nseat 1: hand green\n"
    )
    method = ByNet([make_workspace(bytes(32))], game.lexicon, 2)
    root = Root(game.lexicon.book, game.view(0).buffer.copy(), 0, method, 2)
    root.search(24, 1e9)
    nodes = np.frombuffer(method.workspaces[0].of.nodes, NODE.dtype)[1:3]
    lead = float(fields(game.state, STATE).points[0])
    assert nodes["total"].sum() / nodes["visits"].sum() == pytest.approx(1 + lead / 80, abs=0.4)


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
def test_a_certain_lead_ends_it():
    """Where one option wins in every world, a few chunks of worlds say so."""
    game = read_position(LAST_TURN)

    def tried(certain):
        method = ByNet([make_workspace(bytes(32))], game.lexicon, 2)
        method.clear, method.certain = 1e9, certain
        root = Root(game.lexicon.book, game.view(0).buffer.copy(), 0, method, 8)
        root.search(800, 1e9)
        return root.action, root.iterations

    action, iterations = tried(ByNet.certain)
    patient_action, all_iterations = tried(None)
    assert action == patient_action
    assert all_iterations == pytest.approx(800, abs=16)
    assert iterations <= 200


class TestDifferences:
    def test_what_is_the_same_in_every_world_is_sure(self):
        found = [Chunk((mean, mean - 0.5), 4) for mean in (0.1, 0.9, 0.4, 0.2, 0.6)]
        assert errors_of_differences(found, 0) == pytest.approx([0, 0])

    def test_the_error_is_that_of_a_mean_of_differences(self):
        differences = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
        found = [Chunk((float(it), 9.0, 0.0), 2) for it in differences]
        expected = differences.std(ddof=1) / np.sqrt(5)
        assert errors_of_differences(found, 2)[0] == pytest.approx(expected)

    def test_too_few_chunks_say_nothing(self):
        found = [Chunk((mean, 0.0), 8) for mean in (0.1, 0.2, 0.3, 0.4)]
        assert errors_of_differences(found, 0) == [float("inf")] * 2
