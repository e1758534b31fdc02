"""The learned player: weights that fit, sums that cannot overflow, the same play everywhere."""

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from ferrovia.boards import load_edition
from ferrovia.bots.net import net_bot
from ferrovia.bots.net import weight_file as files
from ferrovia.bots.net.columns import layout
from ferrovia.bots.net.inference import ACTIVATIONS, MOST, WEIGHTS
from ferrovia.game import Game
from ferrovia.kernel import Pack
from ferrovia.kernel.library import COMPILED
from ferrovia.kernel.plain import as_argument
from tests.bots.tables import play

SMALL = Path(__file__).parent.parent / "boards" / "small.json"
NETS = ("europe", "usa", "usa-2")


def test_there_are_weights_for_both_boards():
    assert files.nets() == NETS
    assert files.boards() == ("europe", "usa")


def test_weights_for_a_number_of_seats_go_before_those_of_the_board():
    assert [files.net_for("usa", seats) for seats in (2, 3, 5)] == ["usa-2", "usa", "usa"]
    assert files.net_for("europe", 2) == "europe"


@pytest.mark.parametrize("name", NETS)
def test_weights_fit_the_layout_and_no_sum_can_overflow(name):
    columns, weights = layout(files.board_of(name)), as_argument(WEIGHTS, files.weights_of(name))
    assert weights.first.shape[0] == columns.count
    assert weights.policy.shape[0] == columns.actions
    most = np.array([column.most for column in columns.all], np.int64)
    layers = [(weights.first.T, weights.first_bias, most)]
    for name in ("second", "third", "policy", "value"):
        rows = getattr(weights, name)
        layers.append((rows, getattr(weights, f"{name}_bias"), np.full(rows.shape[1], MOST)))
    for rows, bias, values in layers:
        worst = np.abs(rows.astype(np.int64)) @ values + np.abs(bias.astype(np.int64))
        assert worst.max() < 1 << 31
    worst = np.abs(weights.worth.astype(np.int64)).sum() * MOST + abs(int(weights.worth_bias[0]))
    assert worst < 1 << 31


def test_what_is_written_to_a_file_is_what_was_read():
    weights = as_argument(WEIGHTS, files.weights_of("europe"))
    with np.load(files.FOLDER / "europe.npz", allow_pickle=False) as there:
        for name, array in weights._asdict().items():
            turned = array.T if name in files.TURNED else array
            assert np.array_equal(there[name], turned)


@pytest.mark.parametrize("name", NETS)
def test_every_card_tells_how_the_net_was_made_and_how_strong_it_is(name):
    card = json.loads((files.FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert {"board", "sha256", "made", "strength", "does_not_know"} <= set(card)
    assert {each["edition"] for each in card["strength"]["against_planner"]}


def test_all_weights_together_are_small():
    assert sum(path.stat().st_size for path in files.FOLDER.glob("*.npz")) < 6_000_000


def test_a_damaged_file_is_refused(tmp_path, monkeypatch):
    for path in files.FOLDER.glob("usa.*"):
        shutil.copy(path, tmp_path)
    with (tmp_path / "usa.npz").open("ab") as file:
        file.write(b"\0")
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match="not the file that its card"):
        files.weights_of.__wrapped__("usa")
    with pytest.raises(ValueError, match="has not learned the board moon"):
        files.weights_of.__wrapped__("moon")


def test_weights_of_another_layout_are_refused():
    with pytest.raises(ValueError, match="another layout"):
        files.read_weights(files.FOLDER / "usa.npz", layout("europe"))


def test_on_a_board_that_it_has_not_learned_it_is_planner():
    games = [Game(load_edition(SMALL), 2, seed=5) for _ in range(2)]
    assert play(games[0], ["net", "net"]) == play(games[1], ["planner", "planner"])


@pytest.mark.uncompiled
@pytest.mark.parametrize(
    ("name", "expected"), [("usa", "96b72e060f0ea4f2"), ("europe", "ac62c6c64f270603")]
)
def test_it_decides_the_same_compiled_and_not(name, expected):
    done = play(Game(name, 3, seed=11), ["net"] * 3, 12)
    assert hashlib.sha256("\n".join(done).encode()).hexdigest()[:16] == expected


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
def test_what_it_remembers_of_its_last_decisions_changes_nothing(monkeypatch):
    done = play(Game("europe", 3, seed=4), ["net"] * 3)

    def fresh(name):
        return Pack(ACTIVATIONS, files.activations_for(files.weights_of(name).of))

    monkeypatch.setattr(net_bot, "shared_activations", fresh)
    assert play(Game("europe", 3, seed=4), ["net"] * 3) == done


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
@pytest.mark.parametrize("name", ["usa-classic", "europe"])
def test_it_beats_planner(name):
    won = 0.0
    for seed in range(60):
        for seat in range(2):
            names = ["net", "planner"] if seat == 0 else ["planner", "net"]
            game = Game(name, 2, seed=seed)
            play(game, names)
            winners = game.result().winners
            won += (seat in winners) / len(winners)
    assert won > 0.6 * 120
