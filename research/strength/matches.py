"""Matches between two bots that are played part by part and kept in a file of lines.

A match is a tournament of one pair. Its parts are played in any order and by as many processes as
there are; each that is finished is a line of JSON in the file. So play can stop at any moment and
go on later, also on another machine: files of lines are simply put together.
"""

import json
import multiprocessing
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ferrovia.boards import load_edition
from ferrovia.bots.registry import bot_behind, script_kind
from ferrovia.lab.results import WHOLE_WIN
from ferrovia.lab.run.batches import Work
from ferrovia.lab.tournament.intervals import Share, paired_share
from ferrovia.lab.tournament.tournament import Tournament


class Match(NamedTuple):
    """A number of games between two bots, as `ferrovia tournament` plays them."""

    edition: str
    seats: int
    one: str
    other: str
    games: int
    seed: int

    @property
    def tournament(self) -> Tournament:
        pair = self.one, self.other
        return Tournament(load_edition(self.edition), pair, self.games, self.seed, self.seats)

    @property
    def command(self) -> str:
        """What to type for it."""
        return (
            f"ferrovia tournament {self.edition} --bots {self.one},{self.other} "
            f"--seats {self.seats} --games {self.games} --seed {self.seed}"
        )


class Part(NamedTuple):
    """Some seeds of one seating of a match, from both sides of the table."""

    match: Match
    seating: int
    first: int
    seeds: int


def parts_of(match: Match) -> list[Part]:
    """Return all parts of a match, its seatings side by side."""
    size = _seeds_of_a_part(match)
    parts = [
        Part(match, number, first, min(size, seating.seeds - first))
        for number, seating in enumerate(match.tournament.seatings)
        for first in range(0, seating.seeds, size)
    ]
    return sorted(parts, key=lambda part: part.first)


def _seeds_of_a_part(match: Match) -> int:
    """Return how many seeds take seconds at most: one, where a bot searches."""
    bots = match.one, match.other
    if all(script_kind(bot) is not None for bot in bots):
        return 100
    return 1 if any(":" in bot_behind(bot) or bot == "search" for bot in bots) else 10


def play_part(part: Part) -> dict[str, Any]:
    """Play a part; return its line."""
    match, begin = part.match, time.process_time()
    tournament = match.tournament
    work = Work(tuple(tournament.plans))
    sides = np.array(tournament.seatings[part.seating].sides)
    games = range(part.first, part.first + part.seeds)
    won = np.zeros((part.seeds, 2), np.int64)
    points, seats, turns, decisions = [0, 0], [0, 0], 0, 0
    for side in range(2):
        results = work.play(2 * part.seating + side, games, lambda: False).results
        won[:, side] = np.array(results.wins(match.seats))[:, sides == side].sum(axis=1)
        for bot in range(2):
            mine = np.flatnonzero(sides == (bot + side) % 2)
            points[bot] += int(results.table["total"][:, mine].sum(dtype=np.int64))
            seats[bot] += part.seeds * len(mine)
        turns += int(results.table["turns"].sum(dtype=np.int64))
        decisions += int(results.table["decisions"].sum(dtype=np.int64))
    return {
        **match._asdict(),
        "seating": part.seating,
        "first": part.first,
        "won": won.tolist(),
        "points": points,
        "points_of": seats,
        "turns": turns,
        "decisions": decisions,
        "seconds": round(time.process_time() - begin, 3),
    }


@dataclass
class Score:
    """What has been played of a match so far."""

    match: Match
    won: list[list[int]] = field(default_factory=list)  # by the first bot, in sixtieths; by seed
    points: list[int] = field(default_factory=lambda: [0, 0])
    points_of: list[int] = field(default_factory=lambda: [0, 0])
    turns: int = 0
    decisions: int = 0
    seconds: float = 0.0  # of one processor
    timed: set[tuple[int, int]] = field(default_factory=set)  # the parts that took them
    timed_games: int = 0
    lockstep_games: int = 0  # played in lockstep, on a device (see research.lookahead)
    parts: set[tuple[int, int]] = field(default_factory=set)

    def add(self, line: dict[str, Any]) -> None:
        """Count a line, unless that part is counted already.

        A part that was played in lockstep and by the bots themselves is the same games; only the
        time is the bots'.
        """
        part, in_lockstep = (line["seating"], line["first"]), "lockstep" in line
        if not in_lockstep and part not in self.timed:
            self.timed.add(part)
            self.timed_games += 2 * len(line["won"])
            self.seconds += line["seconds"]
        if part in self.parts:
            return
        self.parts.add(part)
        self.lockstep_games += 2 * len(line["won"]) if in_lockstep else 0
        self.won += line["won"]
        for bot in range(2):
            self.points[bot] += line["points"][bot]
            self.points_of[bot] += line["points_of"][bot]
        self.turns += line["turns"]
        self.decisions += line["decisions"]

    @property
    def games(self) -> int:
        return 2 * len(self.won)

    @property
    def share(self) -> Share:
        """The share that the second bot has won; ValueError before the first game."""
        if not self.won:
            raise ValueError("nothing has been played of this match")
        return paired_share((1 - np.array(self.won) / WHOLE_WIN).tolist())


def read_scores(paths: Iterable[Path]) -> dict[Match, Score]:
    """Return what there is in some files of lines."""
    scores: dict[Match, Score] = {}
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.endswith("}"):
                continue  # cut off in the middle; it will be played again
            part = json.loads(line)
            match = Match(*(part[name] for name in Match._fields))
            scores.setdefault(match, Score(match)).add(part)
    return scores


def play_matches(
    matches: Iterable[Match],
    path: Path,
    workers: int,
    seconds: float,
) -> bool:
    """Play what is missing for about so long, the matches side by side.

    Return whether all is played. A part that is not finished in time is lost.
    """
    begin = time.monotonic()
    scores = read_scores([path]) if path.exists() else {}
    todo = [
        part
        for match in dict.fromkeys(matches)
        for part in parts_of(match)
        if match not in scores or (part.seating, part.first) not in scores[match].parts
    ]
    todo.sort(key=lambda part: part.first)
    if not todo:
        return True
    path.parent.mkdir(parents=True, exist_ok=True)
    pool = multiprocessing.get_context("spawn").Pool(workers)
    try:
        with path.open("a", encoding="utf-8") as file:
            lines = pool.imap_unordered(play_part, todo)
            for _ in todo:
                line = lines.next(max(0.0, begin + seconds - time.monotonic()))
                file.write(json.dumps(line) + "\n")
                file.flush()
    except multiprocessing.TimeoutError:
        return False
    finally:
        pool.terminate()
        pool.join()
    return True
