"""What is printed has its true size: the PDF is rendered and measured."""

import sys
from typing import Any

import numpy as np
import pytest

from ferrovia.boards import Edition, edition_from_document, load_edition
from ferrovia.errors import MissingExtra
from ferrovia.workshop.generator import make_board
from ferrovia.workshop.print.board import full_size
from ferrovia.workshop.print.cards import BLEED, CARD
from ferrovia.workshop.print.paper import MARGIN, PAPERS, as_svg, version_of
from ferrovia.workshop.print.pdf import pdf_of
from ferrovia.workshop.print.prints import LAYOUTS, print_of

DOTS = 5  # for a millimetre


@pytest.fixture(scope="module")
def board() -> Edition:
    return load_edition("usa")


def rendered(pdf: bytes) -> Any:
    """Return the red, green and blue of every dot of the first page."""
    pypdfium2 = pytest.importorskip("pypdfium2")
    page = pypdfium2.PdfDocument(pdf)[0]
    return page.render(scale=DOTS * 25.4 / 72).to_numpy()[..., 2::-1].astype(int)


def test_a_space_at_full_size_is_20_mm_long_and_the_ruler_100() -> None:
    pytest.importorskip("reportlab")
    document = {
        "board": "line",
        "cities": [
            {"id": "a", "name": "Aa", "lat": 0.0, "lon": 0.0},
            {"id": "b", "name": "Bb", "lat": 0.0, "lon": 9.0},
            {"id": "c", "name": "Cc", "lat": 4.0, "lon": 4.5},
        ],
        "routes": [
            {"id": "a-b", "a": "a", "b": "b", "length": 3, "color": "blue"},
            {"id": "b-c", "a": "b", "b": "c", "length": 2, "color": "gray"},
        ],
        "tickets": [{"id": f"t:{number}", "a": "a", "b": "c", "points": 5} for number in range(30)],
    }
    made = print_of(edition_from_document(document), "board", "full", "a4")
    picture = rendered(pdf_of(made))
    space = picture[..., 2] - picture[..., 0] > 60  # its fill, edge and mark, and no sea
    assert longest_run(space) / DOTS == pytest.approx(20, abs=0.6)
    ruler = picture[round((made.sheets[0].size.high - 2.5) * DOTS)].sum(axis=-1) < 300
    assert longest_run(ruler[None]) / DOTS == pytest.approx(100, abs=0.5)


def longest_run(dark: Any) -> int:
    """Return the longest run of marked dots in any row."""
    longest = 0
    for row in dark[dark.any(axis=1)]:
        ends = np.flatnonzero(np.diff(np.concatenate(([False], row, [False]))))
        longest = max(longest, int((ends[1::2] - ends[::2]).max()))
    return longest


def test_panels_are_equal_and_cover_the_board(board: Edition) -> None:
    made = print_of(board, "board", "panels", "a4", 790)
    size = full_size(made.drawings[0], 790)
    assert max(size) == pytest.approx(790)
    words = made.title.split(" · ")
    assert words[1] == version_of(board)
    columns, rows = (int(part) for part in words[2].split(" × "))
    assert len(made.sheets) == columns * rows
    sheet = made.sheets[0].size
    assert sorted(sheet) == sorted(PAPERS["a4"])
    assert size.wide / columns <= sheet.wide - 2 * MARGIN + 1e-6
    assert size.high / rows <= sheet.high - 2 * MARGIN + 1e-6


def test_cards_have_a_front_a_back_and_a_bleed() -> None:
    board = make_board("portugal", "small", 7, "")
    single = print_of(board, "tickets", "single", "a4")
    assert len(single.sheets) == 2 * len(board.tickets)
    assert single.sheets[0].size == (CARD.wide + 2 * BLEED, CARD.high + 2 * BLEED)
    sheets = print_of(board, "cards", "sheets", "letter")
    assert len(sheets.sheets) % 2 == 0
    assert sum(board.cards.values()) <= len(sheets.sheets) // 2 * 12


def test_no_text_is_left_to_the_faces_of_a_machine() -> None:
    board = make_board("romania", "small", 3, "Țară „mică” & <b>")
    for what, layouts in LAYOUTS.items():
        for layout in layouts:
            made = print_of(board, what, layout, "a4")
            assert "<text" not in as_svg(made, 0)
            assert "<b>" not in as_svg(made, 0)


def test_the_same_board_gives_the_same_pdf_and_another_one_another_name(board: Edition) -> None:
    pytest.importorskip("reportlab")
    made = print_of(board, "board", "one", "a4")
    assert pdf_of(made) == pdf_of(made)
    assert pdf_of(made).startswith(b"%PDF-")
    assert version_of(board) != version_of(load_edition("europe"))


def test_without_reportlab_it_is_said_what_to_install(
    board: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "reportlab.pdfgen.canvas", None)
    with pytest.raises(MissingExtra, match="reportlab"):
        pdf_of(print_of(board, "board", "one", "a4"))
