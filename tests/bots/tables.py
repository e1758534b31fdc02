"""Positions on the two boards, and what bots decide in them and in games."""

from collections.abc import Sequence

from ferrovia.bots import make
from ferrovia.game import Game, read_position

DULL = "display: red white black green locomotive\n"  # nothing that most tickets here ask for


def usa(seat_0: str, seat_1: str = "", extra: str = "") -> Game:
    """Two seats on the USA board, seat 0 to move."""
    return read_position(
        f"edition: usa-classic\nturn: 0\n{extra}\nseat 0: {seat_0}\nseat 1: {seat_1}\n"
    )


def europe(seat_0: str, seat_1: str = "", extra: str = "") -> Game:
    """Two seats on the Europe board, seat 0 to move."""
    return read_position(f"edition: europe\nturn: 0\n{extra}\nseat 0: {seat_0}\nseat 1: {seat_1}\n")


def decision(bot: str, game: Game, seat: int = 0) -> str:
    """What a fresh bot does, as text."""
    return str(make(bot, 1).decide(game.view(seat)))


def offered(bot: str, seat_0: str, *tickets: str) -> str:
    """What a fresh bot keeps of these classic tickets, drawn in a turn."""
    game = usa(seat_0, extra=f"tickets: {' '.join('classic:' + t for t in tickets)}")
    game.play(0, "tickets")
    return decision(bot, game)


def play(game: Game, names: Sequence[str], decisions: int = 10_000) -> list[str]:
    """Play on; returns the text of every action."""
    bots = [make(name, 1) for name in names]
    done: list[str] = []
    while not game.over and len(done) < decisions:
        seat = game.awaited[0]
        action = bots[seat].decide(game.view(seat))
        done.append(str(action))
        game.play(seat, action)
    return done
