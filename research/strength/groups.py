"""Which matches docs/strength.md tells of, in groups that can be played one by one."""

from itertools import combinations

from ferrovia.boards import editions
from research.strength.matches import Match

SEED = 7
SEATS = (2, 3, 4, 5)
SCRIPTS = ("random", "passenger", "greedy", "wary", "racer", "collector", "stoker", "planner")
BEST = "director"
DIRECTOR_GAMES = 100
BEFORE = 20  # games that Director had played before, which count until there are as many anew
KINDS = [(edition, seats) for edition in editions() for seats in SEATS]
CLASSIC = ("usa-classic", 2)


def every(one: str, other: str, games: int, seed: int = SEED) -> list[Match]:
    """Return a match between two bots in every edition with every number of seats."""
    return [Match(*kind, one, other, games, seed) for kind in KINDS]


GROUPS: dict[str, list[Match]] = {
    "scripts": [m for one, other in combinations(SCRIPTS, 2) for m in every(one, other, 400)],
    "net": every("planner", "net", 1000),
    "net-scripts": [m for script in SCRIPTS[:-1] for m in every(script, "net", 60)],
    "director": every("planner", BEST, DIRECTOR_GAMES),
    "ahead": [
        Match(*CLASSIC, "net", BEST, 100, SEED),
        Match("europe", 4, "net", BEST, 100, SEED),
        Match(*CLASSIC, "net", "net:800", 1000, SEED),
        Match("europe", 2, "net", "net:800", 1000, SEED),
        Match("europe", 4, "net", "net:1000", 1000, SEED),
        Match("usa", 4, "net", "net:1000", 1000, SEED),
        Match("europe", 4, "net", "net:400", 1000, SEED),
        Match("usa", 4, "net", "net:400", 1000, SEED),
        Match(*CLASSIC, "net", "net:0.1s", 1000, SEED),
        Match("europe", 2, "net", "net:0.1s", 1000, SEED),
        Match("europe", 2, "net", BEST, 100, SEED),
        Match("usa", 4, "net", BEST, 100, SEED),
        Match(*CLASSIC, "net", "net:1s", 100, SEED),
    ],
    "net-search": [Match(*CLASSIC, "search:1600", "net", 1000, SEED)],
    "search": [
        Match(*CLASSIC, bot, "search:400", 100, SEED)
        for bot in ("greedy", "wary", "racer", "planner")
    ],
}
