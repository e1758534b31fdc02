"""A season: the standings of people, computed from the records of their games and nothing else.

A file names the games. Whoever reads it gets the same standings, since a record proves its score.
"""

import tomllib
from collections.abc import Iterable, Sequence
from html import escape
from typing import Literal, NamedTuple

import msgspec

from ferrovia.errors import FerroviaError
from ferrovia.game import Game, RecordError
from ferrovia.lab.report.html import document, section
from ferrovia.lab.tournament.elo import Rating, ratings

AVERAGE = 1000.0


class SeasonError(FerroviaError, ValueError):
    """A season that cannot be computed; the message says where and why."""


class Season(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file of a season says.

    `games`: records as files, or links of finished tables. `by`: what people are ordered by.
    `points`: what the places of a game are worth, the first one first. `people`: names under which
    somebody also played, each with the one that counts. `without`: names that are left out.
    """

    name: str
    games: tuple[str, ...]
    by: Literal["points", "elo"] = "points"
    points: tuple[float, ...] = (5, 3, 2, 1, 0)
    people: dict[str, str] = {}
    without: tuple[str, ...] = ()


class SeasonGame(NamedTuple):
    """A game of a season: where it is, its edition, and everybody with their points and place."""

    where: str
    edition: str
    results: tuple[tuple[str, int, int], ...]


class StandingsRow(msgspec.Struct, frozen=True):
    """How somebody stands; `elo` is None where no game connects them to the others."""

    name: str
    games: int
    wins: int
    points: float
    mean: float
    best: int
    elo: float | None


def read_season(text: str) -> Season:
    """Return the season that a file describes; SeasonError if it describes none."""
    try:
        return msgspec.convert(tomllib.loads(text), Season)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as problem:
        raise SeasonError(str(problem)) from None


def played(season: Season, where: str, record: bytes) -> SeasonGame:
    """Return a game once the rules have proved its record; SeasonError if they do not."""
    try:
        game = Game.from_record(record)
    except RecordError as problem:
        raise SeasonError(f"{where}: {problem}") from None
    if not game.over:
        raise SeasonError(f"{where}: the game is not over")
    result = game.result()
    names = [season.people.get(name, name) for name in game.names]
    if len(set(names)) < len(names):
        raise SeasonError(f"{where}: two seats of one game belong to the same name")
    totals = [score.total for score in result.scores]
    ranks = [(seat in result.winners, total) for seat, total in enumerate(totals)]
    places = [1 + sum(other > rank for other in ranks) for rank in ranks]
    return SeasonGame(where, game.edition.name, tuple(zip(names, totals, places, strict=True)))


def standings(season: Season, games: Iterable[SeasonGame]) -> list[StandingsRow]:
    """Return how everybody stands who is not left out, the best first."""
    kept = [
        game._replace(results=tuple(it for it in game.results if it[0] not in season.without))
        for game in games
    ]
    names = list(dict.fromkeys(name for game in kept for name, _, _ in game.results))
    rated = _rated(names, kept)
    found = []
    for name, rating in zip(names, rated, strict=True):
        own = [(total, place) for game in kept for who, total, place in game.results if who == name]
        totals = [total for total, _ in own]
        found.append(
            StandingsRow(
                name,
                games=len(own),
                wins=sum(place == 1 for _, place in own),
                points=sum(map(season.points.__getitem__, _in(season, own))),
                mean=sum(totals) / len(own),
                best=max(totals),
                elo=None if rating is None else rating.elo,
            )
        )

    def order(it: StandingsRow) -> tuple[float, ...]:
        rating = -1e9 if it.elo is None else it.elo
        first = (rating, it.points) if season.by == "elo" else (it.points, rating)
        return (*first, it.mean)

    return sorted(found, key=order, reverse=True)


def _in(season: Season, own: Iterable[tuple[int, int]]) -> list[int]:
    """Return the places that are worth something, counted from 0."""
    return [place - 1 for _, place in own if place <= len(season.points)]


def _rated(names: Sequence[str], games: Sequence[SeasonGame]) -> list[Rating | None]:
    """Return the ratings of everybody, around an average: each pair at a table has played once."""
    wins = [[0.0] * len(names) for _ in names]
    for game in games:
        for who, _, place in game.results:
            for other, _, behind in game.results:
                if who != other:
                    share = 1.0 if place < behind else 0.5 if place == behind else 0.0
                    wins[names.index(who)][names.index(other)] += share
    if not names:
        return []
    found = ratings(wins)
    known = [it.elo for it in found if it is not None]
    shift = AVERAGE - sum(known) / len(known)
    return [None if it is None else it._replace(elo=it.elo + shift) for it in found]


def page(season: Season, games: Sequence[SeasonGame], found: Sequence[StandingsRow]) -> str:
    """Return the standings and the games, with links to the films, as a page of its own."""
    head = ("", "games", "wins", "points", "mean", "best", "Elo")
    rows = [
        (
            f"{place}. {escape(it.name)}",
            f"{it.games}",
            f"{it.wins}",
            f"{it.points:g}",
            f"{it.mean:.1f}",
            f"{it.best}",
            "–" if it.elo is None else f"{it.elo:.0f}",
        )
        for place, it in enumerate(found, start=1)
    ]
    worth = ", ".join(f"{it:g}" for it in season.points)
    how = f"In the order of {'Elo' if season.by == 'elo' else 'points'}; places are worth {worth}."
    shown = [
        (
            f'{number}. <a href="{escape(film_of(game.where))}">{escape(game.edition)}</a>',
            ", ".join(
                f"{escape(name)} {total}"
                for name, total, _ in sorted(game.results, key=lambda it: (it[2], -it[1]))
                if name not in season.without
            ),
        )
        for number, game in enumerate(games, start=1)
    ]
    return document(
        season.name,
        [
            f"<h1>{escape(season.name)}</h1>",
            section("Standings", _table(head, rows), lead=how),
            section("Games", _table(("film", "who played"), shown)),
        ],
    )


def film_of(where: str) -> str:
    """Return where a game can be watched: at its server, or the record itself."""
    root, there, table = where.partition("/table/")
    return f"{root}/#/replay/{table.partition('#')[0]}" if there else where


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    titles = "".join(f"<th>{it}</th>" for it in head)
    body = "".join(
        f"<tr><td>{first}</td>{''.join(f'<td>{it}</td>' for it in rest)}</tr>"
        for first, *rest in rows
    )
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"
