"""What a run of `ferrovia learn` ends with is what the bot `net` plays with."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ferrovia.bots import make
from ferrovia.bots.net import weight_file
from ferrovia.bots.net.columns import Columns, layout
from ferrovia.game import Game
from ferrovia.learn.config import find_recipe, read_recipe
from ferrovia.learn.export import export_run

WIDE, NARROW, VALUE = 32, 16, 8


def trained(columns: Columns, path: Path) -> None:
    """The weights of a net that has learned nothing yet, as a run keeps them."""
    shapes = {
        "first": (WIDE, columns.count),
        "second": (NARROW, WIDE),
        "third": (NARROW, NARROW),
        "policy": (columns.actions, NARROW),
        "trust": (1, NARROW),
        "value_1": (VALUE, NARROW),
        "value_2": (1, VALUE),
    }
    chance, arrays = np.random.default_rng(1), {}
    for name, shape in shapes.items():
        arrays[f"{name}.weight"] = chance.normal(0, 0.05, shape).astype(np.float32)
        arrays[f"{name}.bias"] = np.zeros(shape[0], np.float32)
    np.savez(path, **arrays)


@pytest.fixture
def nothing_remembered() -> Iterator[None]:
    kept = (weight_file.net_for, weight_file.weights_of)
    for each in kept:
        each.cache_clear()
    yield
    for each in kept:
        each.cache_clear()
    vars(weight_file._own).clear()


@pytest.mark.usefixtures("nothing_remembered")
@pytest.mark.parametrize(("recipe", "name"), [("usa", "usa"), ("usa-2", "usa-2")])
def test_net_plays_with_the_weights_of_a_run(
    recipe: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = layout("usa")
    trained(columns, tmp_path / "net.npz")
    path = export_run(read_recipe(find_recipe(recipe)), columns, tmp_path)
    assert path == tmp_path / "nets" / f"{name}.npz"
    vars(weight_file._own).clear()
    monkeypatch.setenv("FERROVIA_NETS", str(path.parent))
    assert weight_file.net_for("usa", 2) == name
    assert weight_file.weights_of(name).of.second.shape == (NARROW, WIDE)
    assert weight_file.weights_of("europe").of.second.shape != (NARROW, WIDE)  # ours, as before
    game = Game("usa", 2, seed=1)
    action = make("net", seed=1).decide(game.view(0))
    game.play(0, action)


@pytest.mark.usefixtures("nothing_remembered")
def test_a_folder_without_weights_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FERROVIA_NETS", str(tmp_path))
    with pytest.raises(ValueError, match="FERROVIA_NETS: there are no weights in"):
        make("net", seed=1).decide(Game("usa", 2, seed=1).view(0))
