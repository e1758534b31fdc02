"""Whatever is done to a board file, loading it returns an edition or raises BoardError."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ferrovia.boards import BoardError, edition_from_document, load_edition
from ferrovia.boards.catalog import edition_in
from ferrovia.boards.reading.json_file import parse_document
from ferrovia.boards.reading.problems import Document

JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(["mid", "north", "red", "gray", "compass", "long", -1, 0, 1, 2, 8, 99]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=5,
)
EDITION_KEYS = tuple(load_edition("usa").document()["edition"])


def containers(value: Any) -> list[Any]:
    """Every list and object in a document, itself included."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found = [value] if isinstance(value, dict | list) else []
    return found + [deep for one in inner for deep in containers(one)]


def mutate(document: Any, data: st.DataObject) -> None:
    """Replace, remove, add or repeat one value somewhere."""
    holder = data.draw(st.sampled_from(containers(document)))
    junk = data.draw(JUNK)
    if isinstance(holder, list):
        index = data.draw(st.integers(0, len(holder)))
        if index < len(holder) and data.draw(st.booleans()):
            del holder[index]
        else:
            same = data.draw(st.booleans()) and holder
            holder.insert(index, holder[index % len(holder)] if same else junk)
    else:
        keys = st.sampled_from([*holder, *EDITION_KEYS]) | st.text(max_size=6)
        key = data.draw(keys)
        if key in holder and data.draw(st.booleans()):
            del holder[key]
        else:
            holder[key] = junk


def load(source: Document) -> None:
    """Load what may be wrong; what loads must survive its own document."""
    try:
        found = edition_in(source)
    except BoardError as error:
        said = str(error)
    else:
        said = "nothing"
        assert edition_from_document(json.loads(json.dumps(found.document()))) == found
    assert said


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_changed_documents(small_text: str, data: st.DataObject) -> None:
    document = json.loads(small_text)
    for _ in range(data.draw(st.integers(1, 3))):
        mutate(document, data)
    load(Document("fuzz", document))
    load(parse_document(json.dumps(document), "fuzz"))


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_changed_text(small_text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(small_text)))
    end = data.draw(st.integers(start, min(len(small_text), start + 30)))
    patch = data.draw(st.text(alphabet='{}[]",:0123456789.eE-+\\ntruefalsnu \n', max_size=12))
    try:
        source = parse_document(small_text[:start] + patch + small_text[end:], "fuzz")
    except BoardError:
        return
    load(source)


@settings(deadline=None)
@given(JUNK)
def test_junk(document: Any) -> None:
    with pytest.raises(BoardError):
        edition_from_document(document)
