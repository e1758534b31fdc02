"""Expert iteration on a toy board: what trials are worth, and when a round is kept."""

import json
from pathlib import Path

import numpy as np
import pytest

from ferrovia.kernel.library import COMPILED
from ferrovia.rules.state.layout import NONE

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")

SMALL = Path(__file__).parent.parent / "boards" / "small.json"
TOY = {
    "name": "toy",
    "batch": 64,
    "games": [{"edition": str(SMALL), "players": 2}],
    "wide": 32,
    "narrow": 16,
    "trust": 1.0,
    "point": [0.02, 0.02],
    "win": [1.0, 1.0],
}


@pytest.fixture
def recipe():
    from ferrovia.learn.config import recipe_of

    return recipe_of(TOY)


@pytest.fixture
def net(recipe):
    from ferrovia.bots.net.columns import layout_for
    from ferrovia.learn.league import kinds_of
    from ferrovia.learn.net import Net

    torch.manual_seed(5)
    columns = layout_for(kind.edition for kind in kinds_of(recipe))
    return Net(columns, recipe.wide, recipe.narrow, recipe.trust)


def trials_of(recipe, **changes):
    from research.expert.trials import Trials

    settings = {"games": 32, "slots": 64, "worlds": 4, "turns": 2, **changes}
    return Trials(recipe, "cpu", **settings)


def test_a_trial_to_the_end_is_worth_what_its_game_brings(recipe, net):
    trials = trials_of(recipe, turns=200)
    trials.play_games(net, 12)
    trials.games.observe()
    roots = torch.nonzero(trials.games.seats != NONE)[:16, 0]
    actions = trials.games.scripted[roots]
    held = trials.games.array("held")[roots].repeat_interleave(4, 0)
    seats = trials.games.seats[roots].repeat_interleave(4).long()
    ends = {}
    finish = trials.slots.finish

    def keep_results(point, win):
        for slot, row in enumerate(trials.slots.env.results()):
            if row[0] != NONE:
                ends.setdefault(slot, row)
        finish(point, win)

    trials.slots.finish = keep_results
    worth = trials._try(net, roots, actions).flatten()
    assert len(ends) == 64
    for slot in range(64):
        seat, row = int(seats[slot]), ends[slot]
        gain = float(row[1 + seat] - row[2 - seat]) - float(held[slot, seat] - held[slot, 1 - seat])
        won = ((int(row[0]) >> seat) & 1) / int(row[0]).bit_count()
        assert float(worth[slot]) == pytest.approx(0.02 * gain + 2 * (won - 0.5), abs=1e-3)
    # The same position comes out differently in different worlds.
    assert worth.reshape(-1, 4).std(1).max() > 0


def test_options_of_a_position_meet_the_same_chance(recipe, net):
    trials = trials_of(recipe)
    trials.play_games(net, 20)
    trials.games.observe()
    root = torch.nonzero(trials.games.seats != NONE)[:1, 0]
    action = trials.games.scripted[root]
    worth = trials._try(net, root.repeat(2), action.repeat(2))
    assert torch.equal(worth[0], worth[1])


def test_what_is_collected_compares_the_options_of_positions(recipe, net):
    from research.expert.trials import NEVER

    trials = trials_of(recipe)
    trials.play_games(net, 12)
    tried = trials.collect(net)
    listed = tried.chances > NEVER / 2
    assert len(tried.values) > 0
    assert (listed.sum(1) >= 2).all()
    assert tried.obs.t().shape[0] == trials.games.env.columns.count
    legal = tried.obs.gather(1, tried.actions).bool()
    assert legal[listed].all()
    mean = (torch.softmax(tried.chances, 1) * tried.gains).sum(1)
    assert torch.allclose(mean, torch.zeros_like(mean), atol=1e-4)
    assert (tried.gains[~listed] == 0).all()


def test_the_policy_that_was_aimed_at_is_nearest():
    from research.expert.rounds import divergence
    from research.expert.trials import NEVER, Tried

    before = torch.log(torch.tensor([[0.7, 0.2999, 0.0001]]))
    tried = Tried(
        torch.zeros((1, 1), dtype=torch.uint8),
        torch.tensor([[0, 1, 2]]),
        torch.cat([before[:, :2], torch.full((1, 1), NEVER)], 1),
        torch.tensor([[-0.04, 0.04, 0.0]]),
        torch.zeros((1, 3)),
        torch.zeros(1),
    )
    aim = before.clone()
    aim[0] += torch.tensor([-1.0, 1.0, -1.0])
    least = float(divergence(aim, tried, 0.04))
    for changed in (before, torch.roll(before, 1, 1), aim + torch.tensor([[0.0, 0.3, 0.0]])):
        assert float(divergence(changed, tried, 0.04)) > least


def test_a_round_keeps_a_net_only_if_it_is_better(recipe, net, tmp_path):
    from ferrovia.learn import checkpoint
    from research.expert.rounds import ExpertIteration, Rounds

    rounds = Rounds(positions=20, turns=1, epochs=2, rows=16, lr=1e-3, duels=32)
    with pytest.raises(ValueError, match="no net to go on from"):
        ExpertIteration(recipe, rounds, tmp_path, "cpu")
    checkpoint.save(tmp_path / "smooth.pt", {"net": net.state_dict()})
    run = ExpertIteration(recipe, rounds, tmp_path, "cpu")
    for share, kept in ((0.5, False), (0.9, True)):
        run.meet = lambda new, share=share: [{"share": share, "half": 0.1}]
        before = run.net
        assert run.round()["kept"] is kept
        assert (run.net is not before) is kept
        assert (tmp_path / "net.npz").exists() is kept
    told = (tmp_path / "rounds.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["kept"] for line in told] == [False, True]
    again = ExpertIteration(recipe, rounds, tmp_path, "cpu")
    for name, value in run.net.state_dict().items():
        assert np.array_equal(again.net.state_dict()[name], value)
    assert again.meet(run.net)[0]["share"] == 0.5
