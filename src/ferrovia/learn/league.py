"""Who plays whom: most games against itself, some against its past, some against planner."""

import random
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch

from ferrovia.boards import load_edition
from ferrovia.env.batch import BatchEnv, Kind, balanced_patterns
from ferrovia.env.batch_game import LEARNER, PAST, SCRIPT
from ferrovia.learn.config import Recipe

_WARP = 32  # neighbours that are best of one kind


def kinds_of(recipe: Recipe) -> list[Kind]:
    """Return the kinds of games of a recipe."""
    return [Kind(load_edition(game.edition), game.players) for game in recipe.games]


def _shares(total: int, weights: Sequence[float]) -> list[int]:
    """Return a number split by weights, in multiples of a warp where that is possible."""
    unit = _WARP if total >= _WARP * len(weights) * 2 else 1
    exact = np.cumsum(np.array(weights) / sum(weights)) * (total / unit)
    ends = np.round(exact).astype(int) * unit
    ends[-1] = total
    return [int(n) for n in np.diff(ends, prepend=0)]


def games_by_weight(recipe: Recipe, games: int) -> tuple[list[Kind], npt.NDArray[np.int64]]:
    """Return the kinds of games in a recipe, and which of them each game is."""
    shares = _shares(games, [game.weight for game in recipe.games])
    return kinds_of(recipe), np.repeat(np.arange(len(shares)), shares)


def training_games(recipe: Recipe, device: str) -> tuple[BatchEnv, slice]:
    """Return the games of a run, and which of them are against the past."""
    roles = (LEARNER, PAST, SCRIPT)
    parts = _shares(recipe.batch, [1 - recipe.past - recipe.script, recipe.past, recipe.script])
    random_patterns = np.random.default_rng(recipe.seed)
    kinds = kinds_of(recipe)
    kind_of: list[int] = []
    role_of: list[int] = []
    patterns: list[int] = []
    for role, part in zip(roles, parts, strict=True):
        for kind, count in enumerate(_shares(part, [game.weight for game in recipe.games])):
            kind_of += [kind] * count
            role_of += [role] * count
            some = balanced_patterns(kinds[kind].players)
            patterns += [int(p) for p in random_patterns.choice(some, count)]
    env = BatchEnv(
        kinds,
        np.array(kind_of),
        key=recipe.seed,
        roles=np.array(role_of, np.uint8),
        patterns=np.array(patterns, np.uint8),
        device=device,
    )
    return env, slice(parts[0], parts[0] + parts[1])


def paired_games(
    kinds: Sequence[Kind], games: Sequence[int], key: int, device: str
) -> tuple[BatchEnv, npt.NDArray[np.uint8]]:
    """Return games of each kind against a script, and the seats of the script.

    There are two of every deal, with the seats exchanged.
    """
    patterns: list[int] = []
    numbers: list[int] = []
    for kind, count in zip(kinds, games, strict=True):
        some = balanced_patterns(kind.players)
        for pair in range(count // 2):
            pattern = some[pair % len(some)]
            patterns += [pattern, pattern ^ ((1 << kind.players) - 1)]
            numbers += [len(numbers) // 2] * 2
    count = len(patterns)
    seats = np.array(patterns, np.uint8)
    env = BatchEnv(
        kinds,
        np.repeat(np.arange(len(kinds)), [2 * (count // 2) for count in games]),
        key=key,
        numbers=np.array(numbers, np.int64),
        roles=np.full(count, SCRIPT, np.uint8),
        patterns=seats,
        device=device,
    )
    return env, seats


class EarlierVersions:
    """Earlier versions of the learner."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.versions: list[dict[str, torch.Tensor]] = []

    def add(self, state: dict[str, torch.Tensor]) -> None:
        """Keep a version; the one that is left out when there are too many is any but the last."""
        if len(self.versions) >= self.most:
            del self.versions[random.randrange(len(self.versions))]
        self.versions.append({name: value.detach().clone() for name, value in state.items()})

    def any(self) -> dict[str, torch.Tensor]:
        return random.choice(self.versions)
