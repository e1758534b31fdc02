"""A recipe: everything that a training run depends on, from a TOML file."""

import os
import tomllib
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class TrainingGame:
    """A kind of game to train on, and its share of all decisions (relative)."""

    edition: str
    players: int
    weight: float = 1.0


@dataclass(frozen=True)
class Recipe:
    """The settings of a run. A pair goes from the first number to the second during the run."""

    name: str
    games: tuple[TrainingGame, ...]
    seconds: float = 600.0
    seed: int = 1
    batch: int = 32768  # games in lockstep; fewer where there is no room for them: see `fitted`
    steps: int = 64  # of every game between updates
    slices: int = 1  # steps in one update
    epochs: int = 2
    wide: int = 512
    narrow: int = 256
    trust: float = 6.0  # in planner, at the start
    past: float = 0.2  # share of games against earlier versions
    script: float = 0.1  # share of games against planner
    snapshot_every: float = 60.0  # seconds
    snapshots: int = 12
    lr: tuple[float, float] = (3e-4, 3e-5)
    entropy: tuple[float, float] = (0.008, 0.001)
    point: tuple[float, float] = (1 / 50, 1 / 80)  # what a point is worth
    win: tuple[float, float] = (0.5, 1.0)
    partial: float = 0.6  # credit for half-built ways: see `standing`
    clip: float = 0.2
    value_weight: float = 0.5
    decay: float = 0.95
    norm: float = 1.0  # of the gradient, at most
    warm_up: int = 6  # iterations that train the value alone
    finish_every: int = 8  # steps between looking for games that are over
    save_every: float = 20.0  # seconds
    evaluate_every: float = 120.0  # seconds
    evaluate_games: int = 512  # of each kind, against planner
    ladder_games: int = 128  # of each kind, against each script of a weaker level
    fuse: bool = True  # have Triton fuse what it can on a GPU, which takes a minute at the start
    smooth: float = 0.05  # share of the new weights in the mean that is kept of them

    def document(self) -> dict[str, Any]:
        return asdict(self)


RECIPES = Path(__file__).parent / "recipes"


def find_recipe(name: str) -> Path:
    """Return the file of a recipe by its name or path; ValueError if there is none."""
    own = RECIPES / f"{name}.toml"
    if own.exists():
        return own
    if Path(name).is_file():
        return Path(name)
    known = ", ".join(sorted(path.stem for path in RECIPES.glob("*.toml")))
    raise ValueError(f"there is no recipe '{name}'; there are {known}, or the path of a file")


_ON_A_CORE = 128  # games in lockstep on a CPU
_ON_A_CPU = 2048  # ... and at most
_EVALUATED_ON_A_CPU = 64  # games against planner, of all kinds together


def fitted(recipe: Recipe, device: str, columns: int, room: int | None = None) -> Recipe:
    """Return the recipe with no more games than a device can hold and play.

    `columns` are those of an observation, `room` the bytes that are free for them. The recipes that
    come with Ferrovia are for a large GPU; on a CPU a batch is smaller, and so is an evaluation,
    which there would take longer than the training.
    """
    batch = recipe.batch
    if room is not None:
        batch = min(batch, max(1, room // (recipe.steps * columns)))
    if device != "cpu":
        return replace(recipe, batch=batch)
    kinds = len(recipe.games)
    evaluated = max(2, _EVALUATED_ON_A_CPU // kinds)
    return replace(
        recipe,
        batch=min(batch, _ON_A_CPU, _ON_A_CORE * (os.cpu_count() or 1)),
        evaluate_games=min(recipe.evaluate_games, evaluated),
        ladder_games=min(recipe.ladder_games, max(2, evaluated // 4)),
    )


_PAIRS = {"lr", "entropy", "point", "win"}


def read_recipe(path: Path, **changes: Any) -> Recipe:
    """Return the recipe of a file; ValueError says what is wrong in it."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as problem:
        raise ValueError(f"{path}: {problem}") from None
    return recipe_of({**given, **changes}, str(path))


def recipe_of(given: dict[str, Any], name: str = "recipe") -> Recipe:
    """Return the recipe of plain values; ValueError says what is wrong in them."""
    known = {each.name for each in fields(Recipe)}
    unknown = sorted(set(given) - known)
    if unknown:
        raise ValueError(f"{name}: unknown settings {', '.join(unknown)}")
    if not given.get("games"):
        raise ValueError(f"{name}: it must name [[games]] to train on")
    try:
        games = tuple(
            game if isinstance(game, TrainingGame) else TrainingGame(**game)
            for game in given["games"]
        )
    except TypeError as problem:
        raise ValueError(f"{name}: [[games]]: {problem}") from None
    values = {key: value for key, value in given.items() if key != "games"}
    for key in _PAIRS & set(values):
        pair = values[key]
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ValueError(f"{name}: {key} must be two numbers")
        values[key] = (float(pair[0]), float(pair[1]))
    return Recipe(games=games, **values)
