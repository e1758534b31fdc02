"""The sheet closes, whatever the values are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrovia.analysis.sheet import PARTS, Transition, Value, in_whole_points, sheet_of

points = st.floats(-200, 300)


@st.composite
def chains(draw: st.DrawFn) -> tuple[list[Value], list[Transition], int, list[int]]:
    players = draw(st.integers(2, 5))
    count = draw(st.integers(1, 40))
    result = draw(st.lists(st.integers(-150, 300), min_size=players, max_size=players))
    each = st.lists(points, min_size=players, max_size=players)
    values = [Value(draw(each), [1.0] * players) for _ in range(count)]
    values.append(Value([float(total) for total in result], [0.0] * players))
    steps = [
        Transition(
            draw(st.none() | st.integers(0, players - 1)),
            draw(st.sampled_from(["cards", "tickets"])),
            {
                seat: (draw(points), 1.0)
                for seat in draw(st.sets(st.integers(0, players - 1), max_size=2))
            },
        )
        for _ in range(count)
    ]
    return values, steps, players, result


@given(chains())
def test_the_parts_of_every_seat_add_up_to_its_result(chain) -> None:
    values, steps, players, result = chain
    for seat in range(players):
        sheet = sheet_of(seat, values, steps, result[seat])
        assert sum(getattr(sheet, part) for part in PARTS) == pytest.approx(result[seat], abs=1e-6)
        assert sum(sheet.whole.values()) == result[seat]
        for part in PARTS:
            assert abs(sheet.whole[part] - getattr(sheet, part)) < 1.0 + 1e-9


def test_a_turn_of_somebody_else_is_theirs_and_own_choices_are_taken_out_of_the_luck() -> None:
    values = [Value([100.0, 100.0], [1.0, 1.0]), Value([90.0, 104.0], [1.0, 1.0])]
    values.append(Value([95.0, 90.0], [0.0, 0.0]))
    steps = [Transition(0, "cards", {0: (-6.0, 1.0)}), Transition(1, "tickets", {})]
    mine, theirs = (sheet_of(seat, values, steps, total) for seat, total in ((0, 95), (1, 90)))
    assert (mine.start, mine.choices, mine.cards, mine.others) == (100, -6, -4, 5)
    assert (theirs.start, theirs.others, theirs.tickets) == (100, 4, -14)


def test_whole_points_go_to_the_nearest_parts() -> None:
    assert in_whole_points({"a": 1.4, "b": 1.4, "c": 1.2}, 4) in (
        {"a": 2, "b": 1, "c": 1},
        {"a": 1, "b": 2, "c": 1},
    )
