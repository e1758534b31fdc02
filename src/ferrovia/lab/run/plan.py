"""What is to be played: the bots, one a seat, and the games by their numbers."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ferrovia.boards import Edition, is_builtin
from ferrovia.bots.plugins import bring
from ferrovia.bots.registry import script_kind
from ferrovia.game.chance.seeds import game_seed, game_seeds
from ferrovia.game.codec.lexicon import Lexicon, lexicon_of
from ferrovia.lab.run.bot_failure import in_words
from ferrovia.lab.run.records import file_name


def edition_argument(edition: Edition) -> str:
    """Return what to type for an edition; for somebody's own board its usual file name."""
    return edition.id if is_builtin(edition) else f"{edition.board.id}.json"


def simulate_command(
    edition: str,
    extras: Sequence[str],
    bots: Sequence[str],
    *,
    games: int,
    seed: int,
    first: int = 0,
) -> str:
    """Return the command that plays these games, for a shell."""
    parts = [edition]
    if extras:
        parts += ["--extras", ",".join(extras)]
    parts += ["--bots", ",".join(bots), "--games", str(games), "--seed", str(seed)]
    if first:
        parts += ["--first-game", str(first)]
    return f"ferrovia simulate {shlex.join(parts)}"


@dataclass(frozen=True)
class Plan:
    """A number of games, counted from `first` on; ValueError for bots that cannot play them.

    The seed of the run and the number of a game decide everything that happens in that game.
    With a folder, the record of every game is written into it.
    """

    edition: Edition
    bots: tuple[str, ...]
    games: int
    seed: int
    first: int = 0
    folder: Path | None = None

    def __post_init__(self) -> None:
        for bot in self.bots:
            try:
                bring(bot, 0)
            except ValueError:
                raise
            except Exception as problem:
                raise ValueError(f"the bot {bot} cannot be made: {in_words(problem)}") from problem
        self.edition.check_seats(len(self.bots))

    @property
    def numbers(self) -> range:
        """The numbers of the games."""
        return range(self.first, self.first + self.games)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The lexicon of the edition. (To look it up takes a hash of the whole edition.)"""
        return lexicon_of(self.edition)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the lexicon, which every process makes for itself."""
        return {name: value for name, value in vars(self).items() if name != "lexicon"}

    @property
    def compiled(self) -> bool:
        """Whether all bots have a script, so that whole games stay inside compiled code."""
        return all(script_kind(bot) is not None for bot in self.bots)

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the seats in a record."""
        return tuple(f"bot:{bot}" for bot in self.bots)

    def seed_of(self, game: int) -> bytes:
        """Return the seed of a game."""
        return game_seed(self.seed, game)

    def seeds_of(self, games: range) -> Iterator[bytes]:
        """Yield the seeds of some games."""
        return game_seeds(self.seed, games)

    def path_of(self, game: int) -> Path | None:
        """Return the file for the record of a game; None without a folder."""
        name = file_name(self.edition.id, len(self.bots), self.seed, game)
        return None if self.folder is None else self.folder / name
