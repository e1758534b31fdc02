"""How long to search, and on how many cores: the options of the bot in words."""

import re
from dataclasses import dataclass
from math import inf

_NUMBER = re.compile(r"\d+(\.\d+)?|\.\d+")


@dataclass(frozen=True)
class Limits:
    """For every decision: iterations and seconds, whichever are used up first."""

    iterations: float = inf
    seconds: float = inf
    cores: int = 1


def read_limits(options: str) -> Limits:
    """The limits of options like `0.5s`, `400`, `1000, 1s` or `1s, 2 cores`.

    Items in any order between commas: a time in seconds, a number of iterations, how many cores to
    use. Without a limit: one second.
    """
    said: dict[str, float] = {}
    for item in filter(None, map(str.strip, options.split(","))):
        name, value = _read_item(item)
        if name in said:
            raise ValueError(f"'{options}' says twice how many {name}")
        said[name] = value
    if "iterations" not in said and "seconds" not in said:
        said["seconds"] = 1.0
    return Limits(**said)  # type: ignore[arg-type]


def _read_item(item: str) -> tuple[str, float]:
    word, _, rest = item.partition(" ")
    if item.isdecimal() and int(item) > 0:
        return "iterations", int(item)
    if item.endswith("s") and _NUMBER.fullmatch(item[:-1]) and float(item[:-1]) > 0:
        return "seconds", float(item[:-1])
    if word.isdecimal() and int(word) > 0 and rest in ("core", "cores"):
        return "cores", int(word)
    raise ValueError(
        f"'{item}' is no option of the bot search: give seconds (0.5s), iterations (400) "
        "or cores (2 cores)"
    )
