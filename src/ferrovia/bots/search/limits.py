"""How long to search, and how: the options of the bot in words."""

import re
from dataclasses import dataclass

from ferrovia.bots.scripts import SCRIPTS

_NUMBER = re.compile(r"\d+(\.\d+)?|\.\d+")


@dataclass(frozen=True)
class Limits:
    """For every decision: iterations, or seconds when iterations is None.

    `rollouts` names the script that plays the games of the search to the end.
    """

    iterations: int | None = None
    seconds: float = 1.0
    cores: int = 1
    rollouts: str = "scout"


def read_limits(options: str) -> Limits:
    """The limits of options like `0.5s`, `400`, `1s, 2 cores` or `400, rollouts greedy`.

    Items in any order between commas: a time in seconds, or a number of iterations; how many cores
    to use; which script plays the rollouts. No options: one second on one core.
    """
    said: dict[str, int | float | str | None] = {}
    for item in filter(None, map(str.strip, options.split(","))):
        for name, value in _read_item(item).items():
            if name in said:
                raise ValueError(f"'{options}' says twice how long or how to search")
            said[name] = value
    return Limits(**said)  # type: ignore[arg-type]


def _read_item(item: str) -> dict[str, int | float | str | None]:
    word, _, rest = item.partition(" ")
    if item.isdecimal() and int(item) > 0:
        return {"iterations": int(item), "seconds": 0.0}
    if item.endswith("s") and _NUMBER.fullmatch(item[:-1]) and float(item[:-1]) > 0:
        return {"iterations": None, "seconds": float(item[:-1])}
    if word.isdecimal() and int(word) > 0 and rest in ("core", "cores"):
        return {"cores": int(word)}
    if word == "rollouts" and rest in ("scout", *SCRIPTS):
        return {"rollouts": rest}
    raise ValueError(
        f"'{item}' is no option of the bot search: give seconds (0.5s), iterations (400), "
        "cores (2 cores) or the script of the rollouts (rollouts greedy)"
    )
