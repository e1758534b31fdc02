"""Training on a toy board: from nothing to a net that beats random play."""

import json
from pathlib import Path

import numpy as np
import pytest

from ferrovia.boards import load_edition
from ferrovia.bots import make
from ferrovia.bots.kernel.kernel_bot import KernelBot
from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.net.columns import layout_of
from ferrovia.bots.net.inference import ACTIVATIONS, WEIGHTS, decide_by_net
from ferrovia.bots.net.weight_file import activations_for
from ferrovia.game import Game
from ferrovia.kernel import Pack
from ferrovia.kernel.library import COMPILED

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")

SMALL = Path(__file__).parent.parent / "boards" / "small.json"

TOY = {
    "name": "toy",
    "games": [{"edition": str(SMALL), "players": 2}],
    "seconds": 1e6,
    "batch": 128,
    "steps": 32,
    "slices": 4,
    "wide": 64,
    "narrow": 32,
    "trust": 0.0,
    "warm_up": 1,
    "lr": [3e-3, 3e-3],
    "save_every": 1e6,
    "evaluate_every": 1e6,
    "evaluate_games": 8,
    "ladder_games": 6,
    "snapshots": 2,
}


def train(training, iterations):
    for _ in range(iterations):
        training.collect()
        training.update()
        training.iteration += 1


def share_against_random(training, games=400):
    from ferrovia.learn.net import plain_arrays
    from ferrovia.learn.quantise import quantise

    found = load_edition(SMALL)
    columns = layout_of([found])
    arrays = plain_arrays(training.net.state_dict(), training.net.scales)
    weights = quantise(arrays, np.array([column.most for column in columns.all]))
    net, won = Learned(columns, weights), 0.0
    for number in range(games):
        game, seat = Game(found, 2, seed=number // 2), number % 2
        bots = [make("random", number), make("random", number)]
        bots[seat] = net
        net._seat = None
        while not game.over:
            for awaited in game.awaited:
                game.play(awaited, bots[awaited].decide(game.view(awaited)))
        winners = game.result().winners
        won += (seat in winners) / len(winners)
    return won / games


class Learned(KernelBot):
    """A net that plays its first thought."""

    def __init__(self, columns, weights):
        super().__init__("learned")
        self._columns, self._plan = columns, PLAN.new()
        self._weights, self._activations = (
            Pack(WEIGHTS, weights),
            Pack(ACTIVATIONS, activations_for(weights)),
        )

    def small_decision(self, lexicon, seen, seat):
        offer, others = self._columns.offer, self._columns.others
        return decide_by_net(
            lexicon.book, seen, seat, offer, others, self._plan, self._weights, self._activations
        )


def test_it_learns_to_beat_random_play(tmp_path):
    from ferrovia.learn.config import recipe_of
    from ferrovia.learn.ppo import Training

    training = Training(recipe_of(TOY), tmp_path, "cpu")
    train(training, 25)
    assert share_against_random(training) > 0.7
    training.save()
    again = Training(recipe_of(TOY), tmp_path, "cpu")
    assert again.iteration == training.iteration
    for name, value in training.net.state_dict().items():
        assert torch.equal(again.net.state_dict()[name], value)
    evaluation = again.evaluation()
    again.evaluate(evaluation)
    rows = evaluation.play(again.net)
    assert [row["games"] for row in rows] == [8, 6, 6, 6]
    told = (tmp_path / "evaluation.jsonl").read_text(encoding="utf-8").splitlines()
    met = [json.loads(line)["against"] for line in told]
    assert met == ["planner", "passenger", "greedy", "stoker"]
