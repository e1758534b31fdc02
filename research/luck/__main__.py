"""Measure how many games are saved when luck is subtracted, and fit what positions are worth.

python -m research.luck fit [--games N]
python -m research.luck measure FILE --bots net,planner [--games N] [--kinds usa:2,europe:4]
python -m research.luck table FILE

`fit` lets the net play itself on both boards and writes research/luck/seat_values.json. `measure`
plays games of a match as `ferrovia tournament` does, every deal twice with the seats exchanged, and
adds a line for each deal to the file; it goes on where it was. `table` prints the results with and
without luck side by side.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ferrovia.boards import editions, load_edition
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.tournament.tournament import Tournament
from research.luck.corrected import corrected, play
from research.luck.seat_values import FILE, SeatValues, fitted, weights_for

_FIT_SEED = 11  # which no match uses
_EVERY = 4  # events of chance whose positions are learned from


def fit(games: int) -> None:
    """Fit the values of both boards and write them."""
    boards = defaultdict(list)
    for name in editions():
        edition = load_edition(name)
        for players in (2, 4):
            values = SeatValues(edition, players)
            plan = Plan(edition, ("net",) * players, games, seed=_FIT_SEED)
            for number in plan.numbers:
                game, events = play(plan, number)
                features, over = values.describe([event.came for event in events[::_EVERY]])
                going_on = np.isnan(over[:, 0])
                winners = game.result().winners
                shares = [(seat in winners) / len(winners) for seat in range(players)]
                each = np.tile(shares, (int(going_on.sum()), 1))
                boards[edition.board.id].append((features[going_on], each))
            print(name, players, flush=True)
    found = {board: _joined(parts) for board, parts in boards.items()}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _joined(parts: list[Any]) -> list[float]:
    """Return the weights that are fitted to the positions of games with any number of seats."""
    by_seats = defaultdict(list)
    for features, shares in parts:
        by_seats[shares.shape[1]].append((features, shares))
    joined = [
        (np.concatenate([f for f, _ in some]), np.concatenate([s for _, s in some]))
        for some in by_seats.values()
    ]
    return [round(float(weight), 5) for weight in fitted(joined)]


def deals(
    edition: str, players: int, bots: tuple[str, str], games: int, done: int
) -> Iterator[list[Any]]:
    """Yield for each deal but the first `done` what the first bot won, and its luck, from both
    sides of the table."""
    match = Tournament(load_edition(edition), bots, games, 7, players)
    values = SeatValues(match.edition, players)
    weights = weights_for(match.edition.board.id)
    parts = [
        (part, number)
        for part in range(len(match.seatings))
        for number in match.plans[2 * part].numbers
    ]
    for part, number in parts[done:]:
        sides = np.array(match.seatings[part].sides)
        found = []
        for side in range(2):
            game, events = play(match.plans[2 * part + side], number)
            result = corrected(game, events, lambda states: values.values(states, weights))
            mine = sides == side
            found.append([np.array(x)[mine].sum() for x in (result.shares, result.luck)])
        yield found


def measure(file: Path, bots: tuple[str, str], games: int, kinds: list[tuple[str, int]]) -> None:
    """Play what is missing of a match in some kinds of games, and add it to the file."""
    there: defaultdict[Any, int] = defaultdict(int)
    for row in _rows(file):
        there[(row["edition"], row["seats"], *row["bots"])] += 1
    with file.open("a", encoding="utf-8") as out:
        for edition, players in kinds:
            done = there[(edition, players, *bots)]
            kind = {"edition": edition, "seats": players, "bots": bots}
            for found in deals(edition, players, bots, games, done):
                out.write(json.dumps({**kind, "deal": np.round(found, 5).tolist()}) + "\n")
                out.flush()


def _rows(file: Path) -> list[dict[str, Any]]:
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def table(file: Path) -> str:
    """Return the table of a file: shares with their 95% half-widths, without and with luck."""
    by_match = defaultdict(list)
    for row in _rows(file):
        by_match[(row["edition"], row["seats"], *row["bots"])].append(row["deal"])
    lines = [
        "| edition | seats | match | games | as played | luck subtracted | games saved |",
        "|---|---|---|---|---|---|---|",
    ]
    for (edition, seats, one, other), found in by_match.items():
        won, luck = np.array(found).mean(axis=1).T
        error = [1.96 * x.std(ddof=1) / len(x) ** 0.5 for x in (won, won - luck)]
        lines.append(
            f"| `{edition}` | {seats} | `{one}` against `{other}` | {2 * len(won)} | "
            f"{won.mean():.1%} ± {error[0]:.1%} | {(won - luck).mean():.1%} ± {error[1]:.1%} | "
            f"× {(error[0] / error[1]) ** 2:.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", choices=("fit", "measure", "table"))
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--bots", default="net,planner")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--kinds", help="such as usa:2,europe:4; without it all of them")
    given = parser.parse_args()
    if given.what == "fit":
        fit(given.games)
        return
    if given.file is None:
        parser.error("name a file")
    if given.what == "table":
        print(table(given.file))
        return
    every = [f"{edition}:{seats}" for seats in (2, 3, 4, 5) for edition in editions()]
    kinds = [kind.split(":") for kind in (given.kinds.split(",") if given.kinds else every)]
    one, other = given.bots.split(",")
    measure(given.file, (one, other), given.games, [(name, int(seats)) for name, seats in kinds])


if __name__ == "__main__":
    main()
