"""Recipes: what is wrong in one is told, and every one fits the machine it is played on."""

import pytest

from ferrovia.bots.net.columns import layout
from ferrovia.learn.config import find_recipe, fitted, read_recipe, recipe_of

TOY = {"name": "toy", "games": [{"edition": "usa", "players": 2}]}


def test_a_recipe_is_checked():
    with pytest.raises(ValueError, match="unknown settings speed"):
        recipe_of({**TOY, "speed": 3})
    with pytest.raises(ValueError, match="must name"):
        recipe_of({"name": "empty"})
    with pytest.raises(ValueError, match="two numbers"):
        recipe_of({**TOY, "lr": 3})


@pytest.mark.parametrize("name", ["usa", "usa-2", "europe"])
def test_on_a_cpu_what_games_see_takes_a_quarter_of_a_gigabyte_at_most(name, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 192)
    recipe = read_recipe(find_recipe(name))
    columns = layout(name.partition("-")[0]).count
    mine = fitted(recipe, "cpu", columns)
    assert mine.batch * mine.steps * columns < 1 << 28 < recipe.batch * recipe.steps * columns
    assert len(mine.games) * mine.evaluate_games <= 64


def test_on_a_gpu_a_batch_has_as_many_games_as_there_is_room_for():
    recipe = recipe_of({**TOY, "batch": 4096, "steps": 64})
    assert fitted(recipe, "cuda", 1000, room=1 << 40) == recipe
    assert fitted(recipe, "cuda", 1000, room=64_000_000).batch == 1000


def test_a_small_recipe_stays_as_it_is():
    recipe = recipe_of({**TOY, "batch": 64, "evaluate_games": 8, "ladder_games": 6})
    assert fitted(recipe, "cpu", 1000) == recipe
