"""Trajectories: what bots saw and did, as it was."""

import json
from pathlib import Path

import numpy as np
import pytest

from ferrovia.boards import editions, load_edition
from ferrovia.bots import make
from ferrovia.env.single import SingleGame
from ferrovia.game import Game
from ferrovia.game.codec.actions import action_of, target, ways_to_pay
from ferrovia.kernel.library import COMPILED
from ferrovia.lab.results import Tally
from ferrovia.lab.run.match import play_to_end
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.run.run import simulate
from ferrovia.lab.trajectories import write_trajectories
from ferrovia.rules.state.layout import NONE

pytestmark = pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
parquet = pytest.importorskip("pyarrow.parquet")


@pytest.mark.parametrize(("name", "bots"), [("europe", ("planner", "net", "greedy"))])
def test_actions_play_the_games_of_the_plan_again(
    tmp_path: Path, name: str, bots: tuple[str, ...]
) -> None:
    plan = Plan(load_edition(name), bots, 3, seed=8)
    assert list(write_trajectories(tmp_path, plan)) == [3]
    about = json.loads((tmp_path / "_columns.json").read_text(encoding="utf-8"))
    rows = parquet.read_table(tmp_path).to_pylist()
    single = SingleGame(plan.edition, len(bots))
    assert about["actions"] == single.actions
    assert len(about["columns"]) == single.columns.count
    totals = np.zeros(len(bots))
    for number in plan.numbers:
        single.reset(plan.seed_of(number))
        mine = [row for row in rows if row["game"] == number]
        assert [row["step"] for row in mine] == list(range(len(mine)))
        for row in mine:
            assert single.seat == row["seat"]
            assert single.observe(row["seat"]).tolist() == row["observation"]
            assert row["mask"] == row["observation"][: single.actions]
            assert row["mask"][row["action"]] == 1
            single.play(row["action"])
        assert single.seat == NONE
        points = single.totals()
        totals += points
        for row in mine:
            others = (sum(points) - points[row["seat"]]) / (len(bots) - 1)
            assert row["points"] == points[row["seat"]]
            assert row["margin"] == pytest.approx(points[row["seat"]] - others, abs=1e-3)
    tally = Tally(len(bots))
    for results in simulate(plan):
        tally.add(results)
    for seat in range(len(bots)):
        assert tally.mean("total", seat) == pytest.approx(totals[seat] / 3)


SEATED = [
    ("random", "random"),
    ("planner", "random", "wary"),
    ("random", "greedy", "net", "random"),
]


@pytest.mark.parametrize("name", editions())
@pytest.mark.parametrize("bots", SEATED, ids=len)
def test_every_row_replays_to_the_record_of_its_game(
    tmp_path: Path, name: str, bots: tuple[str, ...]
) -> None:
    plan = Plan(load_edition(name), bots, 2, seed=3)
    assert list(write_trajectories(tmp_path, plan)) == [2]
    rows = parquet.read_table(tmp_path).to_pylist()
    for number in plan.numbers:
        seed = plan.seed_of(number)
        played = Game(plan.edition, len(bots), seed=seed)
        play_to_end(played, [make(bot, seed) for bot in bots])
        again = Game(plan.edition, len(bots), seed=seed)
        decided = ((row["seat"], row["action"]) for row in rows if row["game"] == number)
        for seat, code in decided:
            chosen, payment = target(again.lexicon, code), None
            if chosen is not None:
                [*ways] = ways_to_pay(again.lexicon, again.state, seat, chosen)
                payment = ways[0] if len(ways) == 1 else next(decided)[1]
            again.play(seat, action_of(again.lexicon, again.state, seat, code, payment))
        assert again.record() == played.record()
