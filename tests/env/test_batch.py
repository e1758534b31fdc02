"""Batches of games: rewards that add up, episodes, threads, advantages."""

import numpy as np
import pytest

from ferrovia.boards import editions, load_edition
from ferrovia.env.batch import BatchEnv, Kind, balanced_patterns
from ferrovia.env.batch_game import (
    COMPLETED,
    COUNTS,
    GAMES,
    KEPT,
    LEARNER,
    POINTS,
    SCRIPT,
    STATIONS_BUILT,
    TICKET_POINTS,
    TURNS,
)
from ferrovia.game import Game
from ferrovia.game.codec.lexicon import lexicon_of
from ferrovia.kernel.library import COMPILED
from ferrovia.rules.state.layout import NONE, SEATS

pytestmark = pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")

WIN = 1000.0


def batch(names, players, each=2, **settings):
    kinds = [Kind(load_edition(name), n) for name in names for n in players]
    settings.setdefault("threads", 1)
    return BatchEnv(kinds, np.repeat(np.arange(len(kinds)), each), key=7, **settings)


class Steps:
    """Arrays for a number of steps, and planner playing them."""

    def __init__(self, env, steps):
        self.env, self.steps = env, steps
        shape = (steps, env.games)
        self.obs = np.zeros((steps, env.columns.count, env.games), np.uint8)
        self.seats = np.full(shape, NONE, np.int32)
        self.pilots = np.zeros(shape, np.uint8)
        self.actions = np.zeros(shape, np.int64)
        self.rewards = np.zeros(shape, np.float32)
        self.dones = np.zeros(shape, np.uint8)
        self.lasts = np.zeros((*shape, SEATS), np.float32)

    def play(self, finish=True):
        self.env.reset()
        for t in range(self.steps):
            self.env.observe(self.obs, self.seats, self.pilots, self.actions, t)
            self.env.step(self.actions, self.rewards, self.dones, t, 1.0, 0.6)
            if finish:
                self.env.finish(self.lasts, self.dones, t, 1.0, WIN)
        return self

    def rewards_of(self, game, players, until):
        """What every seat was given from the start to a step."""
        given = np.zeros(players)
        for t in range(until + 1):
            seat = self.seats[t, game]
            if seat != NONE:
                given -= self.rewards[t, game] / (players - 1)
                given[seat] += self.rewards[t, game] * (1 + 1 / (players - 1))
        return given + self.lasts[until, game, :players]


def test_rewards_add_up_to_the_margin_and_the_win():
    env = batch(["usa-classic", "europe"][1:], [2, 4])
    played = Steps(env, 700).play()
    other = batch(["europe"], [2, 4])
    Steps(other, 700).play(finish=False)
    results = other.results()
    for game in range(env.games):
        players = int(env.arrays["players"][game])
        end = int(np.nonzero(played.dones[:, game])[0][0])
        totals = results[game, 1 : 1 + players].astype(float)
        winners = [(results[game, 0] >> seat) & 1 for seat in range(players)]
        for seat, reward in enumerate(played.rewards_of(game, players, end)):
            margin = totals[seat] - (totals.sum() - totals[seat]) / (players - 1)
            won = winners[seat] / sum(winners) - 1 / players
            assert reward == pytest.approx(margin + 2 * WIN * won, abs=1e-2)


def test_games_begin_again_with_other_seeds():
    env = batch(["usa-classic"], [2])
    played = Steps(env, 500).play()
    counts = env.take_counts()
    assert counts[0, GAMES] == played.dones.sum() > 2
    assert env.arrays["episodes"].min() >= 1
    assert env.take_counts()[0, GAMES] == 0
    ends = np.nonzero(played.dones[:, 0])[0]
    first, second = played.actions[: ends[0], 0], played.actions[ends[0] + 1 : ends[1], 0]
    assert first.tolist() != second.tolist()


def test_what_is_counted_of_finished_games_is_what_happened_in_them():
    env = batch(["europe"], [2, 4])
    played = Steps(env, 700).play(finish=False)
    lexicon = lexicon_of(load_edition("europe"))
    expected = np.zeros((2, COUNTS))
    for number in range(env.games):
        players = int(env.arrays["players"][number])
        state = bytearray(env.arrays["whole"][number].tobytes())
        game = Game.standing_at(lexicon, ["player"] * players, bytes(32), state, [])
        assert game.over
        public, counted = game.view(None), expected[env.kind_of[number]]
        counted[GAMES] += 1
        counted[TURNS] += public.turns
        for seat, score in enumerate(game.result().scores):
            shown = public.of(seat)
            counted[POINTS] += score.total / players
            counted[TICKET_POINTS] += score.tickets / players
            counted[COMPLETED] += len(score.completed) / players
            counted[KEPT] += len(game.view(seat).tickets) / players
            counted[STATIONS_BUILT] += len(shown.stations) / players
    env.finish(played.lasts, played.dones, 699, 1.0, WIN)
    assert env.take_counts() == pytest.approx(expected, abs=1e-3)


def test_threads_change_nothing():
    one = Steps(batch(["usa", "usa-classic"], [2, 3], each=3), 60).play()
    two = Steps(batch(["usa", "usa-classic"], [2, 3], each=3, threads=2), 60).play()
    assert np.array_equal(one.obs, two.obs)
    assert np.array_equal(one.rewards, two.rewards)


def test_roles_follow_the_pattern_and_are_exchanged_with_every_episode():
    patterns = np.array([0b01, 0b10], np.uint8)
    env = batch(["usa-classic"], [2], roles=np.full(2, SCRIPT, np.uint8), patterns=patterns)
    played = Steps(env, 300).play()
    for game in range(2):
        for t in range(300):
            exchanged = int(played.dones[:t, game].sum()) % 2
            scripted = (int(patterns[game]) >> played.seats[t, game]) & 1 != exchanged
            assert played.pilots[t, game] == (SCRIPT if scripted else LEARNER)


def test_advantages_with_no_value_and_no_decay_are_returns():
    env = batch(["usa-classic"], [3], each=1)
    played = Steps(env, 400).play()
    shape = played.rewards.shape
    advantages, targets, valid = (np.zeros(shape, np.float32) for _ in range(3))
    env.advantages(
        played.seats,
        played.rewards,
        played.lasts,
        played.dones,
        np.ones(shape, np.uint8),
        np.zeros(shape, np.float32),
        advantages,
        targets,
        valid,
        decay=1.0,
    )
    end = int(np.nonzero(played.dones[:, 0])[0][0])
    whole = played.rewards_of(0, 3, end)
    for seat in range(3):
        first = int(np.nonzero(played.seats[:, 0] == seat)[0][0])
        before = Steps.rewards_of(played, 0, 3, first - 1)[seat] if first else 0.0
        assert targets[first, 0] == pytest.approx(whole[seat] - before, abs=1e-2)
        assert valid[first, 0] == 1
        last = int(np.nonzero(played.seats[:, 0] == seat)[0][-1])
        assert valid[last, 0] == (1 if played.dones[last:, 0].any() else 0)


def test_balanced_patterns():
    assert balanced_patterns(2) == [0b01, 0b10]
    assert len(balanced_patterns(4)) == 6
    assert len(balanced_patterns(5)) == 20


def facts(env):
    """What the seats see without advice, written from scratch: by games that remember nothing."""
    fresh = BatchEnv(env.kinds, env.kind_of, key=7, advice=False, threads=1)
    fresh.arrays["whole"][:] = env.arrays["whole"]
    steps = Steps(fresh, 1)
    fresh.observe(steps.obs, steps.seats, steps.pilots, steps.actions, 0)
    return steps.obs[0]


@pytest.mark.parametrize("name", editions())
def test_what_is_kept_from_step_to_step_is_what_is_seen_from_scratch(name):
    env = batch([name], range(2, load_edition(name).seats[1] + 1), advice=False)
    steps, turned = Steps(env, 1), np.zeros((1, env.columns.count, env.games), np.uint8)
    steps.obs = env.observations()
    env.reset()
    rng, ended = np.random.default_rng(5), 0
    for t in range(1100):
        env.observe(steps.obs, steps.seats, steps.pilots, steps.actions, 0)
        if t % 7 == 0:  # into an array with the games side by side, and nothing has changed
            assert np.array_equal(steps.obs[0], scratch := facts(env))
            env.observe(turned, steps.seats, steps.pilots, steps.actions, 0)
            assert np.array_equal(turned[0], scratch)
        if t % 100 == 50:  # games exchange their states
            same = env.arrays["players"] == env.arrays["players"][0]
            env.arrays["whole"][same] = rng.permutation(env.arrays["whole"][same])
        env.draw_actions(steps.actions, 0)
        env.step(steps.actions, steps.rewards, steps.dones, 0, 1.0, 0.0)
        env.finish(steps.lasts, steps.dones, 0, 1.0, WIN)
        ended += int(steps.dones.sum())
    assert ended >= env.games


@pytest.mark.parametrize("name", ["usa", "europe"])
def test_a_state_that_is_put_back_is_seen_as_it_was(name):
    env = batch([name], [2, 4], advice=False)
    steps = Steps(env, 1)
    steps.obs = env.observations()
    env.reset()
    for _ in range(250):
        before = env.arrays["whole"].copy()
        for _ in range(2):  # the second time from the state that was put back
            env.arrays["whole"][:] = before
            env.observe(steps.obs, steps.seats, steps.pilots, steps.actions, 0)
            assert np.array_equal(steps.obs[0], facts(env))
            env.draw_actions(steps.actions, 0)
            env.step(steps.actions, steps.rewards, steps.dones, 0, 1.0, 0.0)
        env.finish(steps.lasts, steps.dones, 0, 1.0, WIN)


def test_rewards_without_advice_are_those_with_it():
    plain, advised = batch(["europe"], [2, 5], advice=False), batch(["europe"], [2, 5])
    one, other = Steps(plain, 1), Steps(advised, 1)
    plain.reset()
    advised.reset()
    for _ in range(500):
        plain.observe(one.obs, one.seats, one.pilots, one.actions, 0)
        plain.draw_actions(one.actions, 0)
        for env, steps in ((plain, one), (advised, other)):
            env.step(one.actions, steps.rewards, steps.dones, 0, 1.0, 0.6)
            env.finish(steps.lasts, steps.dones, 0, 1.0, WIN)
        assert np.array_equal(one.rewards, other.rewards)
        assert np.array_equal(one.lasts, other.lasts)


def test_without_advice_the_same_is_seen_but_for_what_planner_thinks():
    advised, plain = batch(["europe", "usa"][:1], [2, 4]), batch(["europe"], [2, 4], advice=False)
    one, other = Steps(advised, 1), Steps(plain, 1)
    advised.reset()
    plain.reset()
    actions, edition_columns = advised.columns.actions, advised.columns.others + 9
    for _ in range(250):
        advised.observe(one.obs, one.seats, one.pilots, one.actions, 0)
        plain.observe(other.obs, other.seats, other.pilots, other.actions, 0)
        assert np.array_equal(one.seats, other.seats)
        assert np.array_equal(one.obs[0, :actions], other.obs[0, :actions])
        assert not other.obs[0, actions : 2 * actions].any()
        last = slice(-edition_columns, None)
        assert np.array_equal(one.obs[0, last], other.obs[0, last])
        # A column that differs is one of planner's: nothing that it left out is made up.
        differs = one.obs[0] != other.obs[0]
        assert other.obs[0][differs].mean() <= one.obs[0][differs].mean()
        for env in (advised, plain):
            env.step(one.actions, one.rewards, one.dones, 0, 1.0, 0.6)
    with pytest.raises(ValueError, match="planner"):
        batch(["europe"], [2], advice=False, roles=np.full(2, SCRIPT, np.uint8))


def test_actions_at_random_are_legal_and_end_the_games():
    env = batch(["usa-classic"], [2], advice=False)
    steps = Steps(env, 1)
    env.reset()
    for _ in range(1500):
        env.observe(steps.obs, steps.seats, steps.pilots, steps.actions, 0)
        env.draw_actions(steps.actions, 0)
        for game in np.nonzero(steps.seats[0] != NONE)[0]:
            assert steps.obs[0, steps.actions[0, game], game] == 1
        assert (steps.actions[0][steps.seats[0] == NONE] == NONE).all()
        env.step(steps.actions, steps.rewards, steps.dones, 0, 1.0, 0.6)
    assert (env.results()[:, 0] != NONE).all()
