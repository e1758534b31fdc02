"""Documents and headers load back to equal values."""

import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from ferrovia.boards import (
    BoardError,
    Ticket,
    TicketPack,
    board,
    edition_from_document,
    editions,
    is_builtin,
    load_edition,
    packs_from_header,
    packs_header,
    with_packs,
)

PACK = TicketPack(
    "sleeper",
    "europe",
    (
        Ticket("sleeper:cadiz-paris", "cadiz", "paris", 9, "sleeper", big_city=True),
        Ticket("own-id", "brest", "kyiv", 17, "sleeper", long=True),
    ),
)


@pytest.mark.parametrize("name", editions())
def test_an_edition_survives_its_document(name: str) -> None:
    found = load_edition(name)
    assert edition_from_document(json.loads(json.dumps(found.document()))) == found


def test_a_board_survives_its_document(tmp_path: Path) -> None:
    path = tmp_path / "europe.json"
    path.write_text(json.dumps(board("europe").document()), encoding="utf-8")
    assert board(path) == board("europe")


def test_a_board_of_ones_own_survives_its_document(small_path: Path) -> None:
    found = load_edition(small_path)
    assert edition_from_document(json.loads(json.dumps(found.document()))) == found


def test_an_edition_with_packs_survives_document_and_header() -> None:
    found = with_packs(load_edition("europe-1912"), [PACK])
    header = json.loads(json.dumps(packs_header(found.packs)))
    packs = packs_from_header(header, found.board)
    assert edition_from_document(found.document(), packs) == found


def test_a_header_has_the_fields_of_the_record() -> None:
    assert packs_header([PACK])["sleeper"][1] == {
        "id": "own-id",
        "cities": ["brest", "kyiv"],
        "points": 17,
        "long": True,
        "mark": False,
    }


@pytest.mark.parametrize(
    "header",
    [
        [],
        {"Bad name": []},
        {"p": 5},
        {"p": [5]},
        {"p": [{"id": "p:x", "cities": ["paris"], "points": 3}]},
        {"p": [{"id": "p:x", "cities": ["paris", 7], "points": 3}]},
        {"p": [{"id": "p:x", "cities": ["paris", "nowhere"], "points": 3}]},
        {"p": [{"id": "p:x", "cities": ["paris", "paris"], "points": 3}]},
        {"p": [{"id": "p:x", "cities": ["paris", "wien"], "points": 0}]},
        {"p": [{"id": "p:x", "cities": ["paris", "wien"], "points": 3}] * 2},
    ],
)
def test_a_header_may_be_anything_and_is_refused(header: object) -> None:
    with pytest.raises(BoardError):
        packs_from_header(header, board("europe"))


@pytest.mark.parametrize("document", [None, [], "europe", 7, {}, {"board": "x", "cities": {}}])
def test_a_document_may_be_anything_and_is_refused(document: object) -> None:
    with pytest.raises(BoardError):
        edition_from_document(document)


def test_editions_can_be_sent_to_other_processes_and_used_as_keys() -> None:
    found = with_packs(load_edition("europe"), [PACK])
    copy = pickle.loads(pickle.dumps(found))
    assert {found: 1}[copy] == 1
    assert copy.board.twin("dieppe-london") == found.board.twin("dieppe-london")


def test_what_an_id_alone_does_not_tell_is_not_builtin(small_path: Path) -> None:
    europe = load_edition("europe")
    assert is_builtin(europe)
    assert is_builtin(with_packs(europe, [PACK]))
    assert not is_builtin(replace(europe, trains=44))
    assert not is_builtin(replace(europe, tickets=europe.tickets[:-1]))
    assert not is_builtin(load_edition(small_path))
