"""The puzzles that ship: sound, mixed, judged the same by a second, simpler judge."""

import random
from collections import Counter
from datetime import date, timedelta

import pytest

from ferrovia.boards import load_edition
from ferrovia.puzzles.collection import all_puzzles, number_of
from ferrovia.puzzles.puzzle import KINDS, MOVE_VERSION, VERSION, Answer, Puzzle, check


def test_a_few_hundred_ship_of_every_kind_and_one_of_each_game() -> None:
    puzzles = all_puzzles()
    assert 300 <= len(puzzles) <= 700
    assert set(Counter(it.kind for it in puzzles)) == set(KINDS)
    assert len({it.game for it in puzzles}) == len(puzzles)
    assert len({it.id for it in puzzles}) == len(puzzles)
    for puzzle in puzzles:
        check(puzzle)
        assert puzzle.version == (MOVE_VERSION if puzzle.kind == "move" else VERSION)


def test_every_puzzle_has_its_day() -> None:
    days = [date(2026, 11, 16) + timedelta(days=it) for it in range(len(all_puzzles()))]
    assert sorted(map(number_of, days)) == list(range(len(all_puzzles())))


def test_names_are_those_of_the_edition() -> None:
    for puzzle in all_puzzles():
        edition = load_edition(puzzle.edition)
        routes = {route.id for route in edition.board.routes}
        tickets = {ticket.id for ticket in edition.tickets}
        assert set(puzzle.owners) <= routes
        assert set(puzzle.tickets) <= tickets
        for answer in puzzle.answers:
            assert set(answer.shows) <= routes


def _open_routes(puzzle: Puzzle) -> list[tuple[str, str, int, str]]:
    """What the seat may use: own routes for nothing, free ones for their trains (R5.6, R5.7)."""
    edition = load_edition(puzzle.edition)
    own = {id for id, seat in puzzle.owners.items() if seat == puzzle.seat}
    found = []
    for route in edition.board.routes:
        twins = [
            it.id
            for it in edition.board.routes
            if it.id != route.id
            and {it.a, it.b} == {route.a, route.b}
            and it.length == route.length
        ]
        taken = [puzzle.owners[it] for it in twins if it in puzzle.owners]
        closed = bool(taken) and (puzzle.players < 4 or puzzle.seat in taken)
        if route.id in own:
            found.append((route.a, route.b, 0, route.id))
        elif route.id not in puzzle.owners and not closed:
            found.append((route.a, route.b, route.length, route.id))
    return found


def _least(puzzle: Puzzle, a: str, b: str) -> int | None:
    """The fewest trains between two cities, by relaxing every route again and again."""
    far = {a: 0}
    routes = _open_routes(puzzle)
    for _ in range(60):
        for one, other, length, _ in routes:
            for here, there in ((one, other), (other, one)):
                if here in far and far[here] + length < far.get(there, 10**6):
                    far[there] = far[here] + length
    return far.get(b)


@pytest.mark.parametrize("kind", ["way", "finish"])
def test_ways_are_the_same_by_another_method(kind: str) -> None:
    for puzzle in [it for it in all_puzzles() if it.kind == kind][:25]:
        tickets = {ticket.id: ticket for ticket in load_edition(puzzle.edition).tickets}
        for answer in puzzle.answers:
            id = str(puzzle.about["ticket"]) if kind == "way" else answer.answer
            least = _least(puzzle, tickets[id].a, tickets[id].b)
            if kind == "way":
                assert answer.right == (int(answer.answer) == least)
            else:
                assert answer.value == (-1 if least is None else least)
                assert answer.right == (least is None or least > puzzle.trains)


def _longest(routes: list[tuple[str, str, int]]) -> int:
    """The longest trail, by trying every way to go on."""
    best = 0

    def go(city: str, left: frozenset[int], so_far: int) -> None:
        nonlocal best
        best = max(best, so_far)
        for at in left:
            a, b, length = routes[at]
            if city in (a, b):
                go(b if city == a else a, left - {at}, so_far + length)

    for city in {end for a, b, _ in routes for end in (a, b)}:
        go(city, frozenset(range(len(routes))), 0)
    return best


def test_longest_routes_are_the_same_by_trying_everything() -> None:
    small = [
        it
        for it in all_puzzles()
        if it.kind == "trail" and sum(seat == it.seat for seat in it.owners.values()) <= 9
    ]
    assert small
    for puzzle in small[:12]:
        board = load_edition(puzzle.edition).board
        own = [id for id, seat in puzzle.owners.items() if seat == puzzle.seat]
        for answer in puzzle.answers:
            routes = [board.route(id) for id in (*own, answer.answer)]
            assert _longest([(it.a, it.b, it.length) for it in routes]) == answer.value


@pytest.mark.parametrize(
    "answers",
    [
        (),
        (Answer("1", True, 1),),
        (Answer("1", True, 1), Answer("2", True, 1)),
        (Answer("1", True, 1), Answer("1", False, 1)),
    ],
)
def test_a_puzzle_without_a_choice_is_none(answers: tuple[Answer, ...]) -> None:
    puzzle = random.Random(1).choice(all_puzzles())
    import msgspec

    with pytest.raises(ValueError, match=puzzle.id):
        check(msgspec.structs.replace(puzzle, answers=answers))
