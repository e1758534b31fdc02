"""The moves to find that ship: judged by two judges, with margins that are kept."""

import msgspec
import pytest

from ferrovia.boards import load_edition
from ferrovia.game import read_action
from ferrovia.game.codec.lexicon import lexicon_of
from ferrovia.puzzles.collection import all_puzzles
from ferrovia.puzzles.puzzle import MOVE_VERSION, check

SHIPPED = [it for it in all_puzzles() if it.kind == "move"]


def test_dozens_ship_with_their_margins_kept() -> None:
    assert len(SHIPPED) >= 24
    for puzzle in SHIPPED:
        check(puzzle)
        assert puzzle.version == MOVE_VERSION
        judges = puzzle.judges
        assert judges is not None
        assert judges.first_worlds >= 1000
        assert judges.second_worlds >= 200
        best = [it for it in puzzle.answers if it.judged is None]
        assert [it.right for it in best] == [True]
        for answer in puzzle.answers:
            if answer.judged is not None:
                costs = answer.judged  # rounded
                assert costs.lead.low >= 0.0 or answer.right
                if answer.right:
                    assert costs.points.mean <= judges.points
                    assert costs.wins.mean <= judges.wins
                    assert costs.lead.low <= 0.0
                else:
                    assert costs.points.low >= judges.points
                    assert costs.wins.low >= judges.wins
                assert all(0 <= it.here < it.best <= 100 for it in costs.finished)
        assert len(puzzle.opponents) == puzzle.players - 1


def test_shipped_moves_name_what_the_board_has() -> None:
    for puzzle in SHIPPED:
        lexicon = lexicon_of(load_edition(puzzle.edition))
        names = set()
        for answer in puzzle.answers:
            verb, *rest = answer.answer.split()
            if verb == "claim":
                route = lexicon.edition.board.route(rest[0])
                assert route.id not in puzzle.owners
                names.add(frozenset((route.a, route.b)))
            else:
                read_action(answer.answer)
                names.add(frozenset((answer.answer,)))
        assert len(names) == len(puzzle.answers)  # no two of them are called alike


def test_a_puzzle_without_judges_is_none() -> None:
    nobody = msgspec.structs.replace(SHIPPED[0], judges=None)
    with pytest.raises(ValueError, match="nobody has judged it"):
        check(nobody)
