"""How long to search, and on how many cores: the options of the bot as text."""

import re
from dataclasses import dataclass
from math import inf

_NUMBER = re.compile(r"\d+(\.\d+)?|\.\d+")


@dataclass(frozen=True)
class SearchBudget:
    """For every decision: iterations, plays and seconds, whichever are used up first.

    An iteration plays a game to the end: one play of every seat. So a limit in plays takes about as
    long at every table.
    """

    iterations: float = inf
    plays: float = inf
    seconds: float = inf
    cores: int = 1

    def iterations_with(self, players: int) -> float:
        """Return the most iterations of a decision at a table of that size."""
        return min(self.iterations, self.plays / players)


def read_budget(options: str) -> SearchBudget:
    """Return the budget of options like `0.5s`, `400`, `800 plays, 1s` or `1s, 2 cores`.

    Items in any order between commas: a time in seconds, a number of iterations or of plays, how
    many cores to use. Without a limit it is one second.
    """
    said: dict[str, float] = {}
    for item in filter(None, map(str.strip, options.split(","))):
        name, value = _read_item(item)
        if name in said:
            raise ValueError(f"'{options}' says twice how many {name}")
        said[name] = value
    if said.keys() <= {"cores"}:
        said["seconds"] = 1.0
    return SearchBudget(**said)  # type: ignore[arg-type]


def _read_item(item: str) -> tuple[str, float]:
    """Return the name and the value of one item; ValueError if it is none."""
    word, _, rest = item.partition(" ")
    if item.isdecimal() and int(item) > 0:
        return "iterations", int(item)
    if item.endswith("s") and _NUMBER.fullmatch(item[:-1]) and float(item[:-1]) > 0:
        return "seconds", float(item[:-1])
    if word.isdecimal() and int(word) > 0 and rest in ("core", "cores"):
        return "cores", int(word)
    if word.isdecimal() and int(word) > 0 and rest == "plays":
        return "plays", int(word)
    raise ValueError(
        f"'{item}' is no option of a bot that searches: give seconds (0.5s), iterations (400), "
        "plays (800 plays) or cores (2 cores)"
    )
