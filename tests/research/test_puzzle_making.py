"""Making puzzles: from the same games come the puzzles that ship."""

from ferrovia.puzzles.collection import all_puzzles
from research.puzzles.generate import Yield, make_puzzles


def test_the_same_game_gives_the_same_puzzle_again() -> None:
    found = Yield()
    made = {puzzle.id: puzzle for puzzle in make_puzzles(5, 26, found)}
    shipped = {puzzle.id: puzzle for puzzle in all_puzzles()}
    assert made
    assert all(shipped[id] == puzzle for id, puzzle in made.items())
    assert found.lines()
