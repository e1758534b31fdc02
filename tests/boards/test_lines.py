"""Lines of JSON values."""

import json

from hypothesis import given
from hypothesis import strategies as st

from ferrovia.boards.reading.lines import Place, locate, spell

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


def places(value: object, here: Place = ()) -> set[Place]:
    """The places of all values inside a value, found by walking it."""
    found = {here}
    if isinstance(value, dict):
        for key, inner in value.items():
            found |= places(inner, (*here, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found |= places(inner, (*here, index))
    return found


def test_a_member_stands_where_its_key_stands() -> None:
    text = '{\n "a": [\n  1,\n  {"b":\n   2}\n ],\n "c}": "{\\"d\\": ["\n}'
    assert locate(text).lines == {
        (): 1,
        ("a",): 2,
        ("a", 0): 3,
        ("a", 1): 4,
        ("a", 1, "b"): 4,
        ("c}",): 7,
    }


def test_what_is_not_there_is_told_at_what_would_hold_it() -> None:
    lines = locate('{\n "routes": [\n  {}\n ]\n}')
    assert lines.line(("routes", 0, "length")) == 3
    assert lines.line(("routes", 7, "length")) == 2
    assert lines.line(("edition", "seats")) == 1


def test_repeated_keys() -> None:
    assert locate('{"a": 1, "b": {"a": 2}, "a": 3}').repeated == (("a",),)
    assert locate('{"a": {"b": 1}, "a": {"b": 1}}').repeated == (("a",),)
    assert locate('[{"a": 1}, {"a": 1}]').repeated == ()


@given(VALUES, st.sampled_from([None, 0, 2]))
def test_every_value_has_its_place(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    lines = locate(text)
    assert set(lines.lines) == places(value)
    assert max(lines.lines.values()) <= text.count("\n") + 1
    assert lines.repeated == ()


def test_spelling() -> None:
    assert spell(("routes", 12, "length")) == "routes[12].length"
    assert spell(("edition", "cards", "red")) == "edition.cards.red"
    assert spell(()) == ""
