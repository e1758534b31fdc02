"""What a seat sees as numbers: all of the layout, and nothing that is hidden."""

import numpy as np
import pytest

from ferrovia.boards import editions, load_edition
from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.kernel.scripts import SCRIPTS, decide_by
from ferrovia.bots.net.columns import columns_of, layout, layout_of
from ferrovia.bots.net.observation import write_facts
from ferrovia.env.batch import BatchEnv, Kind
from ferrovia.game.codec.lexicon import lexicon_of
from ferrovia.kernel.library import COMPILED
from ferrovia.rules import calls
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import NONE, RNG_WORDS, STATE
from tests.memory import fields

compiled_only = pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")


class Walk:
    """One game for each number of players, whose every position can be observed again."""

    def __init__(self, name, players=(2, 3, 4, 5), seed=1):
        self.edition = load_edition(name)
        kinds = [Kind(self.edition, n) for n in players]
        self.env = BatchEnv(kinds, np.arange(len(kinds)), key=seed, threads=1)
        self.games = self.env.games
        self.states = self.env.arrays["whole"]
        self.rng = np.random.default_rng(seed)
        self.env.reset()

    def observe(self, fill=0):
        """Columns (columns, games), whose turn it is, and planner's decisions."""
        obs = np.full((1, self.env.columns.count, self.games), fill, np.uint8)
        seats = np.full((1, self.games), NONE, np.int32)
        pilots = np.zeros((1, self.games), np.uint8)
        scripted = np.zeros((1, self.games), np.int64)
        self.env.observe(obs, seats, pilots, scripted, 0)
        return obs[0], seats[0], scripted[0]

    def step(self, obs, scripted):
        """Planner's decision in two of three positions, any other in the third."""
        actions = scripted[None].copy()
        for game in range(self.games):
            legal = np.nonzero(obs[: self.env.columns.actions, game])[0]
            if len(legal) and self.rng.integers(3) == 0:
                actions[0, game] = self.rng.choice(legal)
        rewards, dones = np.zeros((1, self.games), np.float32), np.zeros((1, self.games), np.uint8)
        self.env.step(actions, rewards, dones, 0, 1.0, 0.5)

    def positions(self, most=10_000):
        for _ in range(most):
            obs, seats, scripted = self.observe()
            if (seats == NONE).all():
                return
            yield obs, seats, scripted
            self.step(obs, scripted)


@compiled_only
@pytest.mark.parametrize("name", editions())
def test_every_column_is_written(name):
    walk = Walk(name)
    for obs, seats, _ in walk.positions():
        again, _, _ = walk.observe(fill=255)
        live = seats != NONE
        assert np.array_equal(obs[:, live], again[:, live])
    most = np.array([column.most for column in walk.env.columns.all])
    assert (obs <= most[:, None]).all()


@compiled_only
@pytest.mark.parametrize("name", editions())
def test_nothing_hidden_is_seen(name):
    walk = Walk(name, seed=2)
    book = lexicon_of(walk.edition).book
    view, imagined = STATE.new(), STATE.new()
    rng = np.zeros(RNG_WORDS, np.uint32)
    seed_generator(rng, np.arange(32, dtype=np.uint8), 0)
    for obs, seats, scripted in walk.positions():
        kept = walk.states.copy()
        views, others = kept.copy(), kept.copy()
        for game in np.nonzero(seats != NONE)[0]:
            calls.view(kept[game], int(seats[game]), view)
            calls.sample(book, view, imagined, rng)
            views[game], others[game] = view, imagined
        for instead in (views, others):
            walk.states[:] = instead
            again, same_seats, same_decisions = walk.observe()
            assert np.array_equal(seats, same_seats)
            live = seats != NONE
            assert np.array_equal(obs[:, live], again[:, live])
            assert np.array_equal(scripted[live], same_decisions[live])
        walk.states[:] = kept


@compiled_only
@pytest.mark.parametrize("name", ["usa", "mega-europe"])
def test_the_scratch_record_does_not_matter(name):
    walk = Walk(name, seed=3)
    plans = walk.env.arrays["plans"].view(np.uint8)
    for obs, seats, scripted in walk.positions():
        plans[:] = walk.rng.integers(0, 256, plans.shape, dtype=np.uint8)
        again, _, same_decisions = walk.observe()
        live = seats != NONE
        assert np.array_equal(obs[:, live], again[:, live])
        assert np.array_equal(scripted[live], same_decisions[live])


@compiled_only
@pytest.mark.parametrize("name", ["usa-classic", "europe", "big-cities"])
def test_planners_decision_is_planners(name):
    walk = Walk(name, seed=4)
    book = lexicon_of(walk.edition).book
    planner = SCRIPTS.index("planner")
    view = STATE.new()
    actions = walk.env.columns.actions
    for obs, seats, scripted in walk.positions():
        for game in np.nonzero(seats != NONE)[0]:
            calls.view(walk.states[game], int(seats[game]), view)
            assert obs[scripted[game], game] == 1, "not legal"
            assert np.nonzero(obs[actions : 2 * actions, game])[0] == [scripted[game]]
            if fields(walk.states[game], STATE).turns_left == NONE:
                plan, rng = PLAN.new(), np.zeros(RNG_WORDS, np.uint32)
                expected = decide_by(planner, book, view, int(seats[game]), plan, rng)
                assert scripted[game] == expected


@pytest.mark.uncompiled
def test_a_few_positions_uncompiled_too():
    walk = Walk("europe", players=(2,))
    for obs, seats, scripted in walk.positions(3):
        assert obs[scripted[0], 0] == 1
        assert seats[0] in (0, 1)


@pytest.mark.inside
def test_a_few_positions_without_advice_uncompiled_too():
    kinds = [Kind(load_edition("europe"), 3)]
    env = BatchEnv(kinds, np.zeros(1, np.int64), key=1, advice=False, threads=1)
    obs, seats, columns = env.observations(), np.zeros((1, 1), np.int32), env.columns
    pilots, actions = np.zeros((1, 1), np.uint8), np.zeros((1, 1), np.int64)
    scratch = np.zeros((columns.count, 1), np.uint8)
    book, state, plan = env.books[0], env.arrays["states"][0], env.arrays["plans"][0]
    env.reset()
    for _ in range(20):
        env.observe(obs, seats, pilots, actions, 0)
        seat = int(seats[0, 0])
        write_facts(book, state, seat, columns.offer, columns.others, plan, scratch, 0)
        assert np.array_equal(obs[0], scratch)
        env.draw_actions(actions, 0)
        env.step(actions, np.zeros((1, 1), np.float32), np.zeros((1, 1), np.uint8), 0, 1.0, 0.0)


def test_layouts_are_those_of_the_boards():
    for board, names in (("usa", 2), ("europe", 4)):
        found = [load_edition(name) for name in editions()]
        columns = layout(board)
        assert sum(each.board.id == board for each in found) == names
        assert len({column.name for column in columns.all}) == columns.count
        for each in found:
            if each.board.id == board:
                assert int(lexicon_of(each).tables.actions) <= columns.actions
                assert columns.others == each.seats[1] - 1


def test_a_layout_is_for_one_board():
    with pytest.raises(ValueError, match="one board"):
        layout_of([load_edition("usa"), load_edition("europe")])


def test_a_layout_has_the_actions_of_its_board():
    board = load_edition("usa").board
    assert columns_of(board, 4, 4).actions == int(lexicon_of(load_edition("usa")).tables.actions)
