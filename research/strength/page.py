"""The page docs/strength.md, from what has been played."""

from itertools import pairwise
from pathlib import Path

import numpy as np

from ferrovia.boards import editions
from ferrovia.bots import LEVELS
from ferrovia.bots.registry import bot_behind
from ferrovia.lab.tournament.elo import Rating, ratings
from research.strength.groups import (
    BEFORE,
    BEST,
    CLASSIC,
    DIRECTOR_GAMES,
    GROUPS,
    KINDS,
    SCRIPTS,
    SEATS,
    SEED,
    every,
)
from research.strength.matches import Match, Score, read_scores

LOCKSTEP = " °"  # beside what was played there


class Page:
    """The page from what has been played."""

    def __init__(self, folder: Path) -> None:
        self.scores = read_scores(sorted(folder.glob("*.jsonl")))
        for match in every("planner", BEST, DIRECTOR_GAMES):
            before = match._replace(games=BEFORE)
            if self.played(match) >= self.played(before):
                self.scores.pop(before, None)
            elif self.played(before):
                self.scores[match] = self.scores.pop(before)
        self.lines: list[str] = []

    def played(self, match: Match) -> int:
        return self.scores[match].games if match in self.scores else 0

    def score(self, match: Match) -> Score | None:
        return self.scores.get(match)

    def cell(self, match: Match) -> str:
        """Return what the second bot of a match won, or a dash."""
        score = self.score(match)
        if score is None:
            return "–"
        share = score.share
        some = "" if score.games == match.games else f" ({score.games})"
        mark = LOCKSTEP if score.lockstep_games else ""
        return f"{share.value:.1%}, {100 * share.low:.1f} to {100 * share.high:.1f}{some}{mark}"

    def write(self) -> str:
        self.lines = [*INTRODUCTION, ""]
        self._levels()
        self._ratings()
        self._net()
        self._classic()
        self._times()
        return "\n".join(self.lines).rstrip() + "\n"

    def _table(self, head: list[str], rows: list[list[str]]) -> None:
        self.lines.append(f"| {' | '.join(head)} |")
        self.lines.append("|" + "---|" * len(head))
        self.lines += [f"| {' | '.join(row)} |" for row in rows]
        self.lines.append("")

    def _levels(self) -> None:
        self.lines += ["## The levels", "", *LEVELS_TEXT.splitlines(), ""]
        pairs = list(pairwise(LEVELS))
        rows = [
            [edition, str(seats)]
            + [self.cell(_between(edition, seats, low, high)) for low, high in pairs]
            for edition, seats in KINDS
        ]
        self._table(["edition", "seats", *(f"{high} against {low}" for low, high in pairs)], rows)
        unsure = [
            f"{high} against {low} in {edition} with {seats}"
            for edition, seats in KINDS
            for low, high in pairs
            for score in [self.score(_between(edition, seats, low, high))]
            if score is None or score.share.low <= 0.5
        ]
        said = "Not above the level below with 95% confidence: " + "; ".join(unsure) + "."
        self.lines += [said if unsure else "Every interval begins above 50%.", ""]
        self._commands([_between("europe", 4, low, high) for low, high in pairs])

    def _ratings(self) -> None:
        self.lines += ["## All bots", "", *RATINGS_TEXT.splitlines(), ""]
        bots = (*SCRIPTS, "net", BEST)
        for edition in editions():
            rated = {seats: self._rated(edition, seats, bots) for seats in SEATS}
            order = sorted(bots, key=lambda bot: -_elo(rated[2].get(bot)))
            rows = [
                [_name(bot), *(_rating(rated[seats].get(bot)) for seats in SEATS)] for bot in order
            ]
            self.lines += [f"### {edition}", ""]
            self._table(["", *(f"{seats} seats" for seats in SEATS)], rows)

    def _rated(self, edition: str, seats: int, bots: tuple[str, ...]) -> dict[str, Rating]:
        wins = np.zeros((len(bots), len(bots)))
        for match, score in self.scores.items():
            if (match.edition, match.seats) == (edition, seats) and {match.one, match.other} <= {
                *bots
            }:
                one, other = bots.index(match.one), bots.index(match.other)
                wins[other, one] += score.share.value * score.games
                wins[one, other] += (1 - score.share.value) * score.games
        if not wins.any():
            return {}
        found = ratings(wins.tolist(), bots.index("greedy"), 1000.0)
        return {bot: rating for bot, rating in zip(bots, found, strict=True) if rating}

    def _net(self) -> None:
        self.lines += [
            "## The net against planner",
            "",
            "What `net` wins by its first thought:",
            "",
        ]
        rows = [
            [edition]
            + [self.cell(Match(edition, seats, "planner", "net", 1000, SEED)) for seats in SEATS]
            for edition in editions()
        ]
        self._table(["edition", *(f"{seats} seats" for seats in SEATS)], rows)
        self._commands([Match("europe", 4, "planner", "net", 1000, SEED)])
        self.lines += ["## Looking ahead", "", *AHEAD_TEXT.splitlines(), ""]
        rows = [
            [f"`{m.other}`", m.edition, str(m.seats), self.cell(m), _cost(self.score(m))]
            for m in GROUPS["ahead"]
            if m in self.scores
        ]
        self._table(["", "edition", "seats", "share won", "seconds a game"], rows)
        self._commands(
            [
                Match(*CLASSIC, "net", "net:800", 1000, SEED),
                Match("europe", 2, "net", "net:800", 1000, SEED),
                Match("europe", 4, "net", "net:1000", 1000, SEED),
                Match("usa", 4, "net", "net:1000", 1000, SEED),
            ]
        )

    def _classic(self) -> None:
        self.lines += ["## USA classic, two seats", "", *CLASSIC_TEXT.splitlines(), ""]
        bots = (*SCRIPTS, "net")
        rated = self._rated(*CLASSIC, (*bots, BEST))
        order = sorted(bots, key=lambda bot: -_elo(rated.get(bot)))
        shares = {}
        points: dict[str, list[int]] = {bot: [0, 0] for bot in bots}
        for match, score in self.scores.items():
            if (
                (match.edition, match.seats) == CLASSIC
                and match.one in bots
                and match.other in bots
            ):
                shares[match.other, match.one] = score.share.value
                shares[match.one, match.other] = 1 - score.share.value
                for bot, (total, seats) in zip(
                    (match.one, match.other),
                    zip(score.points, score.points_of, strict=True),
                    strict=True,
                ):
                    points[bot][0] += total
                    points[bot][1] += seats
        rows = [
            [
                _name(bot),
                _rating(rated.get(bot)),
                f"{points[bot][0] / max(1, points[bot][1]):.1f}",
                *(f"{shares[bot, other]:.1%}" if (bot, other) in shares else "" for other in order),
            ]
            for bot in order
        ]
        self._table(["", "Elo", "points", *order], rows)
        self.lines += [*SEARCH_TEXT.splitlines(), ""]
        rows = [
            [f"`{m.other}`", f"`{m.one}`", self.cell(m), _cost(self.score(m))]
            for m in (*GROUPS["search"], *GROUPS["net-search"])
            if m in self.scores
        ]
        self._table(["", "against", "share won", "seconds a game"], rows)
        self._commands([Match(*CLASSIC, "greedy", "racer", 400, SEED), *GROUPS["net-search"]])

    def _times(self) -> None:
        self.lines += [*COSTS]

    def _commands(self, matches: list[Match]) -> None:
        self.lines += ["```sh", *(match.command for match in matches), "```", ""]


def _between(edition: str, seats: int, low: str, high: str) -> Match:
    """Return the match between two levels."""
    games = DIRECTOR_GAMES if high == BEST else 400
    return Match(edition, seats, _own_name(low), _own_name(high), games, SEED)


def _own_name(level: str) -> str:
    """Return the name under which a level plays here: that of the script behind it."""
    return bot_behind(level) if bot_behind(level) in SCRIPTS else level


def _name(bot: str) -> str:
    level = next((level for level in LEVELS if _own_name(level) == bot), None)
    return f"`{bot}`" if level in (None, bot) else f"`{bot}` ({level})"


def _elo(rating: Rating | None) -> float:
    return rating.elo if rating else -1e9


def _rating(rating: Rating | None) -> str:
    if rating is None:
        return "–"
    return f"{rating.elo:.0f} ±{rating.margin:.0f}" if rating.error else f"{rating.elo:.0f}"


def _cost(score: Score | None) -> str:
    return f"{score.seconds / score.timed_games:.1f}" if score and score.timed_games else "–"


INTRODUCTION = """\
# How strong the bots are

A share is that of the games won, a shared win being a fraction, with its 95% confidence interval; a
number in brackets is that of the games where not all of a match has been played. Each seed is
played twice, with the seats swapped; with four seats each bot of a pair has two, with three or five
the one has one more, then the other, all seatings in balance.

`make strength` plays what is missing, on all cores, and writes this page; it can be stopped at any
time. What is here was played on 16 cores of a machine with an NVIDIA H200, in five half hours
with other work on it, and the games of `net` against the weaker scripts on two cores.

° beside a share: played in lockstep, a thousand games at once, on that GPU, in half an hour
(`python -m research.strength FOLDER play --device cuda ahead director`; see
`research/nets.md`). The decisions are the bot's: it decided 3,523 positions
of these games again on a CPU, all 3,523 alike, and of 332 whole games that it had played before,
all 332 came out the same. No clock is looked at there: Director has its iterations alone.
""".splitlines()
LEVELS_TEXT = """\
Five, weakest first: Passenger, Conductor (`greedy`), Stoker, Driver (`planner`), Director (`net`
that looks ahead, `net:1600 plays, 1s`). What each wins against the one below it, in 400 games, and
in 100 of Director. (Where only 20 of Director's have been played, it looked four own turns ahead in
most of them; it looks six ahead now. Where some of the 100 are missing, those that are there are
the first of the seeds, not those that ended first.)"""
RATINGS_TEXT = """\
Elo by maximum likelihood over all matches of an edition with that number of seats, ± half of its
95% interval, where `greedy` has 1000: 400 games for every pair of scripts, 1,000 of `net` against
`planner`, up to 60 against every other script, 20 to 100 of Director against `planner`, and those
below against `net`. A rating says how the bots of one table stand to each other; ratings of
different tables are not comparable. Where a bot has lost every game (`random`), a drawn game is
added to every pair."""
AHEAD_TEXT = """\
What `net` wins against itself by its first thought when it looks ahead, six own turns. `net:800`
decides as Director does with two seats (`net:400` with four) while its second lasts: 800 iterations
at most, fewer when the lead of an option is certain, 0.25 seconds a decision on average (0.45 with
four seats, where there is more than one option), the same on every machine. `net:1000` is about a
second a move with four seats: 0.74 seconds a decision on `europe` and 0.99 on `usa` on average, on
cores of that machine. The games of Director and for 0.1 seconds a move were played before, with
four turns and without an early end. The seconds of one core that a game takes, all cores being
busy:"""
CLASSIC_TEXT = """\
Others have published ratings for scripts built to the same descriptions, with two seats: greedy
1000, racer 1146, wary 1049, random -181, and 1,327 for their best player; racer wins 64% against
greedy. Our `racer` is stronger than the published script of that name: rebuilt from its description
it has 1085 where ours had 1207, so that figure is not like for like."""
SEARCH_TEXT = """\
Searching. Published for a search of 400 iterations are 88% against greedy, 83% against racer and
77% against wary; ours won 97.2% (95.1% to 98.5%) against greedy, 96.0% (93.6% to 97.5%) against
racer, 98.0% (96.1% to 99.0%) against wary and 63.3% (58.4% to 67.8%) against planner, 400 games
each, on two cores in an earlier session."""
COSTS = """\
## What a decision costs

`net` takes 19 to 26 µs on one core, observation and game included; the scripts a fraction of that.
Director thinks 0.2 to 0.4 s on one core on average, `net:1s` and `search:1s` at most a second. See
`research/nets.md` for how the nets were made.
""".splitlines()
