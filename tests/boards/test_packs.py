"""Ticket packs: found by name or path, checked, and plain about what is not known."""

import json
from pathlib import Path
from typing import Any

import pytest

from ferrovia.boards import (
    BoardError,
    Ticket,
    board,
    load_edition,
    load_pack,
    pack_names,
    packs_folder,
)

TICKETS = [
    {"a": "cadiz", "b": "paris", "points": 9, "mark": True},
    {"id": "sleeper:far", "a": "brest", "b": "kyiv", "points": 17, "long": True, "mark": False},
]


def write_pack(folder: Path, name: str = "sleeper", **changes: Any) -> Path:
    path = folder / f"{name}.json"
    content = {"pack": name, "board": "europe", "tickets": TICKETS} | changes
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return path


def test_a_pack_is_found_by_name_in_the_users_folder(user_packs: Path) -> None:
    write_pack(user_packs)
    pack = load_pack("sleeper")
    assert (pack.name, pack.board) == ("sleeper", "europe")
    assert pack.tickets == (
        Ticket("sleeper:cadiz-paris", "cadiz", "paris", 9, "sleeper", big_city=True),
        Ticket("sleeper:far", "brest", "kyiv", 17, "sleeper", long=True),
    )


def test_a_pack_is_found_by_path(user_packs: Path, tmp_path: Path) -> None:
    path = write_pack(tmp_path)
    assert load_pack(path) == load_pack(str(path))
    assert load_edition("europe", [path]).extras == ("sleeper",)


def test_an_edition_takes_packs_by_name(user_packs: Path) -> None:
    write_pack(user_packs)
    found = load_edition("europe", extras=["sleeper"])
    assert len(found.tickets) == 48
    assert found.packs == (load_pack("sleeper"),)
    assert len(load_edition("big-cities", extras=["sleeper"]).tickets) == 46


def test_packs_are_listed(user_packs: Path) -> None:
    write_pack(user_packs)
    write_pack(user_packs, "night")
    (user_packs / "read me.txt").write_text("", encoding="utf-8")
    assert pack_names() == ("night", "sleeper")
    assert packs_folder() == user_packs


def test_without_a_folder_there_are_no_packs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FERROVIA_DATA", str(tmp_path / "nowhere"))
    assert pack_names() == ()


def test_without_the_variable_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FERROVIA_DATA", raising=False)
    assert packs_folder().parts[-2:] == ("ferrovia", "packs")


@pytest.mark.parametrize(
    ("name", "on", "unknown"),
    [
        ("orient-express", "europe", "6 Orient-Express tickets could not be found"),
        ("max", "big-cities", "London.København.*not the points"),
        ("usa-2025-extra", "usa", "33 tickets, of which 31 are known"),
    ],
)
def test_a_template_says_what_is_not_known_and_how_to_fill_it_in(
    user_packs: Path, name: str, on: str, unknown: str
) -> None:
    with pytest.raises(BoardError, match=unknown) as caught:
        load_edition(on, extras=[name])
    (problem,) = caught.value.problems
    assert f"copy this file to {user_packs / name}.json" in problem.hint
    assert Path(problem.file).is_file()


def test_a_copy_that_is_filled_in_takes_the_place_of_the_template(user_packs: Path) -> None:
    with pytest.raises(BoardError) as caught:
        load_pack("max")
    template = Path(caught.value.problems[0].file)
    copy = user_packs / "max.json"
    copy.write_bytes(template.read_bytes())
    with pytest.raises(BoardError, match=r"is empty.*write its tickets into it") as caught:
        load_pack("max")
    assert "copy this file" not in str(caught.value)
    content = json.loads(copy.read_text(encoding="utf-8"))
    content["tickets"] = [{"a": "kobenhavn", "b": "london", "points": 8, "mark": True}]
    copy.write_text(json.dumps(content), encoding="utf-8")
    assert len(load_edition("big-cities", extras=["max"]).tickets) == 46


def test_an_unknown_pack_is_refused_with_the_nearest_name(user_packs: Path) -> None:
    write_pack(user_packs)
    with pytest.raises(BoardError, match=r"no ticket pack 'sleper'.*'sleeper'"):
        load_pack("sleper")
    with pytest.raises(BoardError, match=r"no ticket pack 'orient'.*orient-express"):
        load_pack("orient")


def test_a_pack_of_another_board_is_refused_with_its_line(user_packs: Path) -> None:
    write_pack(user_packs)
    with pytest.raises(BoardError, match=r"sleeper\.json:3: board: .*'europe', not for 'usa'"):
        load_edition("usa", extras=["sleeper"])


def test_a_pack_may_be_for_a_board_of_ones_own(user_packs: Path, small_path: Path) -> None:
    tickets = [{"a": "mid", "b": "east", "points": 3}]
    write_pack(user_packs, board="compass", tickets=tickets)
    assert len(load_edition(small_path, extras=["sleeper"]).tickets) == 9


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"pack": "other"}, "pack", "is 'other', but the file is named after 'sleeper'"),
        ({"deck": []}, "deck", "is not a known key"),
        ({"tickets": {}}, "tickets", "must be a list"),
        ({"tickets": [{"a": "paris", "b": "wien"}]}, "tickets[0].points", "is missing"),
        ({"tickets": [TICKETS[0] | {"points": 0}]}, "tickets[0].points", "from 1 to 99"),
        ({"tickets": [TICKETS[0] | {"mark": "yes"}]}, "tickets[0].mark", "true or false"),
        ({"tickets": [TICKETS[0] | {"big_city": True}]}, "tickets[0].big_city", "not a known key"),
        ({"tickets": [TICKETS[0] | {"b": "pariss"}]}, "tickets[0].b", "did you mean 'paris'?"),
        ({"tickets": [TICKETS[0] | {"b": "cadiz"}]}, "tickets[0].b", "to itself"),
        ({"tickets": [TICKETS[0]] * 2}, "tickets[1].id", "already the id of tickets[0]"),
    ],
)
def test_mistakes_in_a_pack(
    user_packs: Path, changes: dict[str, Any], path: str, message: str
) -> None:
    write_pack(user_packs, **changes)
    with pytest.raises(BoardError) as caught:
        load_pack("sleeper", board("europe"))
    (problem,) = caught.value.problems
    assert problem.path == path
    assert message in str(problem)
    assert problem.line is not None


def test_a_name_never_leads_out_of_the_folder(user_packs: Path) -> None:
    write_pack(user_packs.parent)
    with pytest.raises(BoardError, match="no ticket pack 'sleeper'"):
        load_pack("sleeper")
