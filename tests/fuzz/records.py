"""Records that are nearly right: games that were played, with a few lines changed."""

import random
from functools import cache
from typing import Any

import msgspec

from ferrovia.boards import COLORS, edition_from_document, editions
from ferrovia.game import Game
from tests.fuzz.documents import BOARD, another, changed, fresh, places, resized, words_of

Lines = list[Any]
_encode = msgspec.json.Encoder().encode_lines


def _played(game: Game, chance: random.Random, events: int) -> Lines:
    """The record of a game that was played at random for a number of events."""
    while not game.over and len(game.events) < events:
        seat = chance.choice(game.awaited)
        legal = game.legal_actions(seat)
        claims = [action for action in legal if str(action).startswith(("claim", "station"))]
        game.play(seat, chance.choice(claims if claims and chance.random() < 0.4 else legal))
    return [msgspec.json.decode(line) for line in game.record().text().splitlines()]


@cache
def corpus() -> tuple[Lines, ...]:
    """Some records of every edition and of a board of our own, short ones and whole games."""
    chance = random.Random(0)
    own = edition_from_document(BOARD)
    games = [Game(name, 2 + n % 4, seed=n) for n, name in enumerate((*editions(), *editions()))]
    games += [Game(own, 2 + n % 3, seed=n) for n in range(8)]
    return tuple(
        _played(game, chance, 1000 if n % 5 == 4 else 30 + 10 * (n % 4))
        for n, game in enumerate(games)
    )


@cache
def _words() -> tuple[list[str], ...]:
    return tuple(sorted(set(words_of(lines[1:]))) for lines in corpus())


def _change_event(lines: Lines, chance: random.Random, words: list[str]) -> None:
    line = lines[chance.randrange(1, len(lines))] if len(lines) > 1 else lines[0]
    inside = places(line) if isinstance(line, dict | list) else []
    if inside:
        holder, key = chance.choice(inside)
        usual = COLORS if key in ("card", "cards", "revealed") or isinstance(key, int) else words
        of_kind = list(usual) if chance.random() < 0.7 else words
        holder[key] = another(holder[key], chance, of_kind)


def _change_order(lines: Lines, chance: random.Random) -> None:
    at = chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(chance.randrange(len(lines) + 1), fresh(lines[at]))
        case 2:
            lines.insert(chance.randrange(len(lines)), lines.pop(at))
        case 3:
            lines[at:] = fresh(lines[at : at + 1]) * chance.choice((1, 2, 50))
        case _:
            del lines[at:]


def _change_header(lines: Lines, chance: random.Random) -> None:
    header = lines[0]
    if not isinstance(header, dict):
        return
    if chance.random() < 0.5:
        header["seed"] = None
    match chance.randrange(6):
        case 0 if "board" in header:
            header["board"] = resized(chance)
        case 1 if "board" in header:
            header["board"] = changed(header["board"], chance, 1)
        case 2 if isinstance(header.get("players"), list):
            header["players"] = header["players"][:1] * chance.randrange(8)
        case 3:
            header["first"] = chance.choice((-1, 0, 1, 2, 5, 2**40))
        case 4:
            header["edition"] = chance.choice(editions())
        case _ if header:
            key = chance.choice(list(header))
            header[key] = another(header[key], chance, words_of(header))


def record(chance: random.Random) -> bytes:
    """A record, right or wrong."""
    number = chance.randrange(len(corpus()))
    lines = fresh(corpus()[number][: chance.choice((6, 20, 60, 60, 2000))])
    if chance.random() < 0.7 and isinstance(lines[0], dict):
        lines[0]["seed"] = None  # so that the events decide how far it is read
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
        if not lines:
            break
        what = chance.random()
        if what < 0.6:
            _change_event(lines, chance, _words()[number])
        elif what < 0.85:
            _change_order(lines, chance)
        else:
            _change_header(lines, chance)
    try:
        return _encode(lines)
    except (OverflowError, ValueError, TypeError):  # numbers that no JSON of ours can hold
        return repr(lines).encode()
