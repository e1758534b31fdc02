"""A short run of the fuzzer; a long one is made by hand (see tests/fuzz/__init__.py)."""

import pytest

from tests.fuzz.inputs import KINDS, try_input, try_inputs


@pytest.mark.parametrize("part", range(4))
def test_files_of_strangers_are_read_or_refused(part: int) -> None:
    happened = try_inputs(2026, range(250 * part, 250 * (part + 1)))
    assert {kind for kind, _ in happened} == set(KINDS)
    assert sum(count for (_, what), count in happened.items() if what != "refused") > 50


@pytest.mark.parametrize("number", [294372, 383426, 692825, 789912])
def test_a_board_that_is_no_document_any_more_is_left_as_it_is(number: int) -> None:
    assert try_input(5, number) == ("record", "refused")
