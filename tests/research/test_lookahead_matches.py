"""Looking ahead in lockstep: the games and decisions are those of the bot."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from ferrovia.boards import load_edition
from ferrovia.bots.net.inference import choose, expectation
from ferrovia.bots.net.weight_file import activations_for, board_of, nets, weights_of
from ferrovia.bots.search import halving
from ferrovia.bots.search.net_search import ARMS, ByNet
from ferrovia.bots.search.root import Root
from ferrovia.bots.search.workspace import NODE
from ferrovia.env.batch import BatchEnv, Kind
from ferrovia.kernel import gpu
from ferrovia.kernel.library import COMPILED
from research.lookahead.roots import Roots
from research.lookahead.tasks import looks_ahead
from research.strength.matches import Match, parts_of, play_part

SMALL = Path(__file__).parent.parent / "boards" / "small.json"
DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]


class Drawn(ByNet):
    """Options whose worth in a world is drawn at random."""

    def __init__(self, count, better, seed):
        self.count, self.better, self.seed = count, better, seed
        memory = NODE.new(ARMS + 1)
        self.workspaces = [SimpleNamespace(of=SimpleNamespace(nodes=memory))]
        self.nodes = np.frombuffer(memory, NODE.dtype)

    def worth(self, option, world):
        drawn = np.random.default_rng([self.seed, world]).normal(size=self.count)
        return float(drawn[option]) + self.better * option

    @property
    def likelihood(self):
        return -np.arange(self.count) / 3.0

    def plant(self, core, book, view, seat, most):
        self.nodes["action"][1:] = np.arange(ARMS)
        return self.likelihood

    def grow(self, core, book, view, seat, arms, first, worlds):
        nodes = self.nodes
        for world in range(first, first + worlds):
            for arm in arms:
                nodes["total"][arm] += self.worth(arm - 1, world)
                nodes["visits"][arm] += 1


@pytest.mark.uncompiled
@pytest.mark.parametrize("at_a_time", [1, 100, 10_000])
def test_many_roots_decide_as_each_does_alone(at_a_time):
    methods = [
        Drawn(count, better, seed)
        for seed, better in enumerate((0.0, 0.05, 0.3, 1.0))
        for count in range(2, ARMS + 1)
    ]
    iterations = np.array([37.0 + 90 * (game % 6) for game in range(len(methods))])
    roots = Roots(len(methods), float(iterations.max()))
    games = np.arange(len(methods))
    likelihood = np.zeros((len(methods), ARMS))
    for row, method in zip(likelihood, methods, strict=True):
        row[: method.count] = method.likelihood
    counts = np.array([method.count for method in methods])
    roots.begin(games, counts, likelihood, iterations)
    asking, chosen = games, {}
    while len(asking):
        for game in asking:
            options, first, worlds = roots.ask(int(game), at_a_time)
            method = methods[game]
            tries = [(o, w) for o in range(len(options)) for w in range(worlds)]
            worths = [method.worth(int(options[o]), first + w) for o, w in tries]
            places, numbers = np.array(tries).T
            full = roots.put(np.full(len(tries), game), places, numbers, np.array(worths))
            assert full.tolist() == [game]
        decided, asking = roots.settle(asking)
        chosen |= dict(zip(decided.tolist(), roots.choice(decided).tolist(), strict=True))
    alone, tries = {}, 0
    for game, method in enumerate(methods):
        root = Root(None, None, 0, method, ARMS)
        root.search(float(iterations[game]), 1e9)
        alone[game] = root.action
        tries += root.iterations
        kept = roots._totals[game, roots._alive[game, : roots._left[game]]]
        assert kept.tolist() == method.nodes["total"][root.alive].tolist()
    assert chosen == alone
    assert roots.tries == tries


@pytest.mark.uncompiled
def test_stages_share_the_iterations():
    assert halving.stages(8, 240.0) == [(8, 10.0), (4, 20.0), (2, 40.0)]
    assert halving.stages(1, 240.0) == []
    assert [halving.worlds_of_chunk(8, 10.0, done) for done in (0, 4, 8, 10)] == [4, 4, 2, 0]
    assert halving.worlds_of_chunk(2, 1.0, 0) == 1


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    "match",
    [
        Match("usa-classic", 2, "net", "net:24", 2, 5),
        Match("europe", 3, "planner", "net:60 plays, 1s", 6, 5),
    ],
)
def test_games_are_those_of_the_bot(match, device, tmp_path):
    torch = pytest.importorskip("torch")
    from research.lookahead.match_file import play_in_lockstep

    torch.set_num_threads(1)  # small products: several threads wait for each other

    if device == "cuda" and not gpu.available():
        pytest.skip("no NVIDIA GPU and driver here")
    path, said = tmp_path / "lockstep.jsonl", []
    settings = {"slots": 96, "at_once": 4, "device": device, "threads": 2, "say": said.append}
    assert not play_in_lockstep([match], path, **settings, seconds=2.0)  # cut off
    assert len(list(tmp_path.glob("*.npz"))) == 1
    assert play_in_lockstep([match], path, **settings, seconds=1e9)  # and on from what was kept
    assert not list(tmp_path.glob("*.npz"))
    assert f"{match.games} of {match.games} games" in said[-1]
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert play_in_lockstep([match], path, **settings, seconds=0.0)  # nothing is missing
    found = {(line["seating"], line["first"]): line for line in lines}
    for part in parts_of(match):
        bots = play_part(part)
        line = found.pop((part.seating, part.first))
        assert line.pop("lockstep") == device
        assert {**line, "seconds": 0} == {**bots, "seconds": 0}
    assert not found


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
@pytest.mark.parametrize("name", nets())
def test_the_net_over_a_batch_is_the_net(name):
    """Decisions and expectations of planner's games, one by one and all at once."""
    torch = pytest.importorskip("torch")
    from research.lookahead.whole_net import WholeNet

    torch.set_num_threads(1)
    weights, board = weights_of(name), board_of(name)
    players = (2,) if name != board else (3, 4, 5)
    env = BatchEnv(
        [Kind(load_edition(board), n) for n in players], np.arange(12) % len(players), key=4
    )
    obs = np.zeros((1, env.columns.count, 12), np.uint8)
    seats, pilots = np.zeros((1, 12), np.int32), np.zeros((1, 12), np.uint8)
    scripted, rewards = np.zeros((1, 12), np.int64), np.zeros((1, 12), np.float32)
    net, room = WholeNet(weights, "cpu"), activations_for(weights)
    env.reset()
    for _ in range(40):
        env.observe(obs, seats, pilots, scripted, 0)
        chosen, expected = net(torch.as_tensor(obs[0]))
        for game in range(12):
            room.obs[:, 0] = obs[0, :, game]
            assert choose(weights, int(scripted[0, game]), room, 0) == chosen[game]
            assert expectation(weights, room) == float(expected[game]) / net.unit
        env.step(scripted, rewards, pilots, 0, 0.0, 0.0)


def test_a_match_is_a_command(tmp_path, capsys):
    torch = pytest.importorskip("torch")
    from research.lookahead.__main__ import main

    torch.set_num_threads(1)
    kept = tmp_path / "kept.jsonl"
    told = ["usa-classic", "--seed", "5", "--device", "cpu", "--out", str(kept)]
    with pytest.raises(SystemExit):
        main([*told, "--bots", "net,planner"])
    assert "must look ahead" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([str(SMALL), *told[1:], "--bots", "net,net:24"])
    assert "has not learned" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*told, "--bots", "net,net:24", "--seats", "9"])
    assert "seats" in capsys.readouterr().err
    line = play_part(parts_of(Match("usa-classic", 2, "net", "net:12", 2, 5))[0])
    kept.write_text(json.dumps({**line, "lockstep": "cpu"}) + "\n", encoding="utf-8")
    main([*told, "--bots", "net,net:12", "--games", "2"])
    said = capsys.readouterr()
    assert said.out.startswith("net:12 won ")
    assert "of 2 games against net (95%: " in said.out
    assert not said.err


def test_only_what_looks_ahead_by_iterations_can_be_played():
    able = {"net:400": True, "director": True, "net": False, "net:1s": False, "search:400": False}
    for bot, can in able.items():
        assert looks_ahead(Match("usa", 2, "planner", bot, 2, 1)) is can
