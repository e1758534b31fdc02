"""The interfaces of other libraries, by their own suites. Each is skipped where it is missing."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from ferrovia.bots import make
from ferrovia.env.single import SingleGame
from ferrovia.game import Game
from ferrovia.game.codec.actions import codes_of
from ferrovia.kernel.library import COMPILED
from ferrovia.rules.state.layout import NONE, RNG_WORDS

SMALL = Path(__file__).parent.parent / "boards" / "small.json"
LEARNING = Path(__file__).parents[2] / "docs" / "learning.md"

# Columns that are not planner's.
FACTS = (
    "legal",
    "hand",
    "display",
    "unseen",
    "known",
    "mine",
    "taken",
    "open K",
    "reached",
    "goals",
)

pytestmark = pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")


class TestSingleGame:
    def test_it_begins_as_the_game_of_the_seed_does(self):
        single, game = SingleGame("europe", 3), Game("europe", 3, seed=9)
        single.reset(9)
        assert bytes(single.state) == game.state
        assert single.seat == game.awaited[0]

    def test_planner_plays_it_as_planner_does(self):
        single, game = SingleGame("usa-classic", 2), Game("usa-classic", 2, seed=3)
        single.reset(3)
        bots = [make("planner", 3), make("planner", 3)]
        while game.view(None).turns < 20:
            seat = game.awaited[0]
            game.play(seat, bots[seat].decide(game.view(seat)))
        for _ in range(100):
            if bytes(single.state) == game.state:
                break
            single.play(single.planner)
        assert bytes(single.state) == game.state

    def test_rewards_add_up_to_nothing_and_come_at_the_end(self):
        single = SingleGame("usa", 3)
        single.reset(1)
        while single.seat != NONE:
            assert single.rewards() == [0.0] * 3
            single.play(single.planner)
        assert sum(single.rewards()) == pytest.approx(0)
        assert max(single.rewards()) > 0
        with pytest.raises(ValueError, match="over"):
            single.play(0)

    def test_without_advice_every_seat_sees_the_rest(self):
        advised, plain = SingleGame("europe", 3), SingleGame("europe", 3, advice=False)
        advised.reset(4)
        plain.reset(4)
        names = [column.name for column in plain.columns.all]
        facts = [i for i, name in enumerate(names) if name.startswith(FACTS)]
        for _ in range(150):
            assert plain.planner == NONE
            for seat in range(3):
                assert (plain.mask(seat) == advised.mask(seat)).all()
                seen, rest = plain.observe(seat), advised.observe(seat)
                assert (seen[facts] == rest[facts]).all()
            plain.play(advised.planner)
            advised.play(advised.planner)

    def test_an_illegal_action_is_refused(self):
        single = SingleGame(str(SMALL), 2)
        single.reset(1)
        illegal = int(np.flatnonzero(single.mask(single.seat) == 0)[0])
        with pytest.raises(ValueError, match="not legal"):
            single.play(illegal)

    def test_what_a_seat_sees_does_not_depend_on_what_is_hidden(self):
        single = SingleGame("europe", 4)
        single.reset(2)
        for _ in range(60):
            single.play(single.planner)
        seat, rng = single.seat, np.zeros(RNG_WORDS, np.uint32)
        seen = [single.observe(each) for each in range(4)]
        single.state = single.resample(seat, rng)
        assert (single.observe(seat) == seen[seat]).all()
        other = (seat + 1) % 4
        assert (single.observe(other) != seen[other]).any()


def test_pettingzoo():
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from ferrovia.env.pettingzoo import aec_env

    env = aec_env("usa", 3)
    api_test(env, num_cycles=300)
    seed_test(lambda: aec_env(str(SMALL), 2), num_cycles=100)
    assert env.unwrapped.metadata["name"].endswith("_v0")
    api_test(aec_env("usa", 2, advice=False), num_cycles=100)


def test_gymnasium():
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from ferrovia.env.gymnasium import SeatEnv

    env = SeatEnv("europe", 3, opponents=["greedy", "random"])
    check_env(env, skip_render_check=True)
    seen, info = env.reset(seed=5)
    over = False
    while not over:
        assert (info["action_mask"] == env.action_masks()).all()
        legal = np.flatnonzero(env.action_masks())
        seen, reward, over, _, info = env.step(legal[0])
        assert env.observation_space.contains(seen)
    assert reward == pytest.approx(env.game.rewards()[env.seat])
    assert len(info["totals"]) == 3
    env.reset(seed=6)
    illegal = int(np.flatnonzero(env.action_masks() == 0)[0])
    _, reward, over, _, info = env.step(illegal)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)


@pytest.mark.parametrize("players", [2, 3])
def test_gymnasium_gives_points_as_they_are_gained(players):
    gymnasium = pytest.importorskip("gymnasium")
    import ferrovia.env.gymnasium  # noqa: F401  # registers it

    env = gymnasium.make(
        "ferrovia/Seat-v0",
        edition="usa-classic",
        players=players,
        opponents=["greedy"],
        point=0.02,
        partial=0.6,
        win=0.5,
    )
    env.reset(seed=3)
    rewards, over = [], False
    while not over:
        _, reward, over, _, info = env.step(env.unwrapped.game.planner)
        rewards.append(reward)
    seat, totals = env.unwrapped.seat, info["totals"]
    margin = totals[seat] - (sum(totals) - totals[seat]) / (players - 1)
    end = env.unwrapped.game.rewards()[seat]
    assert sum(rewards) == pytest.approx(0.02 * margin + 0.5 * end)
    assert sum(abs(reward) > 0.001 for reward in rewards) >= 10


@pytest.fixture
def openspiel(monkeypatch):
    """OpenSpiel, which `make` installs into a folder of its own (see pyproject.toml)."""
    monkeypatch.setattr(sys, "path", [*sys.path, f"{sys.prefix}/openspiel"])
    return pytest.importorskip("pyspiel")


def test_openspiel(openspiel):
    pyspiel = openspiel
    from ferrovia.env.openspiel import load

    game = load(str(SMALL), players=2, deals=5)
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)
    state = game.new_initial_state()
    state.apply_action(3)
    for _ in range(12):
        state.apply_action(state.legal_actions()[0])
    player = state.current_player()
    again = state.resample_from_infostate(player, lambda: 0.5)
    assert again.information_state_string(player) == state.information_state_string(player)
    assert again.legal_actions() == state.legal_actions()
    observer = game.make_py_observer()
    observer.set_from(state, player)
    mine = observer.tensor.copy()
    observer.set_from(again, player)
    assert (observer.tensor == mine).all()


def test_openspiel_reads_in_words(openspiel):
    from ferrovia.env.openspiel import load

    state = load("europe", players=2, deals=5).new_initial_state()
    state.apply_action(3)
    first = Game("europe", 2, seed=3)
    assert state.action_to_string(0, state.legal_actions()[0]) in first.view(0).legal_texts()
    verbs = set()
    while not state.is_terminal():
        player, legal = state.current_player(), state.legal_actions()
        texts = [state.action_to_string(player, action) for action in legal]
        assert [state.string_to_action(player, text) for text in texts] == legal
        verbs |= {text.split()[0] for text in texts}
        if state.move_number() % 50 == 0:
            assert [line.count("tickets ") for line in str(state).splitlines()[-3:]] == [1, 1, 0]
            seen = state.observation_string(player).splitlines()
            assert [line.count("; tickets ") for line in seen[-2:]] == [0, 1]
        state.apply_action(legal[state.move_number() * 7 % len(legal)])
    assert verbs >= {"keep", "draw", "take", "tickets", "claim", "pay", "withdraw", "station"}


def test_openspiel_has_structs(openspiel):
    from ferrovia.env.openspiel import load

    state = load("usa-classic", players=3, deals=5).new_initial_state()
    assert state.to_struct().to_dict() == {"public": None, "own": []}
    assert state.action_to_struct(state.current_player(), 3).to_dict() == {"action": "deal 3"}
    state.apply_action_struct(state.action_to_struct(state.current_player(), 3))
    game = Game("usa-classic", 3, seed=3)
    while game.turns < 9:
        player, legal = state.current_player(), state.legal_actions()
        seen = state.to_observation_struct(player).to_dict()
        view = game.view(player)
        assert seen["public"]["turns"] == game.turns
        [own] = seen["own"]
        assert (own["seat"], own["hand"]) == (player, view.hand)
        assert own["moves"]["actions"] == view.legal_texts()
        whole = json.loads(state.to_struct().to_json())
        assert whole["public"] == seen["public"]
        assert [each["hand"] for each in whole["own"]] == [game.view(i).hand for i in range(3)]
        struct = state.action_to_struct(player, legal[-1])
        assert state.struct_to_actions(struct) == [legal[-1]]
        assert struct.to_dict()["action"] == state.action_to_string(player, legal[-1])
        action = game.legal_actions(player)[-1]
        for code in codes_of(game.lexicon, game.state, player, action):
            state.apply_action_struct(state.action_to_struct(player, code))
        game.play(player, action)


EXAMPLES = re.findall(r"^```python\n(.*?)^```", LEARNING.read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("library", ["pettingzoo", "gymnasium", "openspiel"])
def test_the_example_of_the_documentation_runs(library, request):
    if library == "openspiel":
        request.getfixturevalue("openspiel")
    pytest.importorskip("pyspiel" if library == "openspiel" else library)
    [example] = [text for text in EXAMPLES if f"ferrovia.env.{library} " in text]
    assert len(example.strip().splitlines()) <= 10
    exec(example, {})
