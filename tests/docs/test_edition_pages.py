"""Every edition has a page, with the numbers of its data; every rule has its tests."""

import re
from pathlib import Path

import pytest

from ferrovia.boards import Edition, editions, load_edition
from ferrovia.boards.check import summarize
from ferrovia.game.errors import REASONS

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules"

TIE_BREAKS = {
    "tickets": "most tickets completed",
    "stations": "fewest stations built",
    "longest": "the longest-route bonus",
}


def page(id: str) -> str:
    return (RULES / f"{id}.md").read_text(encoding="utf-8")


def sections(text: str) -> dict[str, str]:
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rules() -> dict[str, str]:
    """The numbered rules and their text."""
    text = re.sub(r"\n  ", " ", page("index"))
    return dict(re.findall(r"^- \*\*(R\d+\.\d+)\*\* (.+)$", text, re.MULTILINE))


def cited(text: str) -> set[str]:
    return set(re.findall(r"R\d+\.\d+", text))


def numbers(one: Edition) -> dict[str, str]:
    """The rows of the table of numbers that follow from the data."""
    board = summarize(one)
    tickets = str(board.tickets)
    if board.long_tickets:
        tickets += f": {board.long_tickets} long, {board.tickets - board.long_tickets} regular"
    return {
        "Board": f"{'USA' if board.board == 'usa' else 'Europe'}: {board.cities} cities, "
        f"{board.routes} routes, {board.spaces} spaces",
        "Doubles": str(board.doubles),
        "Tunnels": str(board.tunnels),
        "Ferries": str(board.ferries),
        "Players": f"{one.seats[0]}–{one.seats[1]}",
        "Colours": ", ".join(one.player_colors),
        "Trains each": str(one.trains),
        "Stations each": str(one.stations),
        "Train cards": f"{sum(one.cards.values())}: 12 of each of eight colours, 14 locomotives",
        "Tickets": "31 of 33" if one.id == "usa" else tickets,
        "Dealt at the start": ", then ".join(
            " and ".join(
                str(count) if board.long_tickets == 0 else f"{count} {kind}"
                for count, kind in ((deal.long, "long"), (deal.regular, "regular"))
                if count
            )
            for deal in one.deals
        ),
        "Drawn in a turn": f"{one.ticket_draw}, at least {one.ticket_keep} kept",
        "Longest-route bonus": str(one.longest_bonus),
        "Station not built": str(one.station_bonus) if one.stations else "–",
    }


def test_every_edition_has_a_page_and_every_page_an_edition() -> None:
    assert {path.stem for path in RULES.glob("*.md")} == {"index", *editions()}


@pytest.mark.parametrize("id", editions())
def test_the_numbers_are_those_of_the_data(id: str) -> None:
    told = dict(
        re.findall(
            r"^\| ([^|]+) \| ([^|]+) \|$", sections(page(id))["Components and numbers"], re.M
        )
    )
    expected = numbers(load_edition(id))
    assert {key: told.get(key) for key in expected} == expected


@pytest.mark.parametrize("id", editions())
def test_where_tickets_go_that_are_not_kept(id: str) -> None:
    one = load_edition(id)
    words = {"out": "out of the game", "bottom": "shuffled, to the bottom of the ticket deck"}
    long, regular = words[one.long_not_kept], words[one.regular_not_kept]
    both = any(deal.long for deal in one.deals) and long != regular
    row = f"long: {long}; regular: {regular}" if both else regular
    assert f"| Not kept at the start | {row} |" in page(id)


@pytest.mark.parametrize("id", editions())
def test_the_tie_break_is_that_of_the_data(id: str) -> None:
    told = re.findall(r"^\d\. (.+)$", sections(page(id))["Tie-break"], re.MULTILINE)
    assert told == [*(TIE_BREAKS[rule] for rule in load_edition(id).tie_break), "shared victory"]


@pytest.mark.parametrize("id", editions())
def test_every_ruling_is_in_the_table(id: str) -> None:
    one = load_edition(id)
    rulings = {number for number, text in rules().items() if "*ruling" in text.lower()}
    rulings |= {"R2.4"}
    if one.stations:
        rulings |= {"R7.8", "R10.6"}
        rulings -= {"R1.5"}  # printed in these books
    else:
        rulings -= {"R9.4"}
    table = set(re.findall(r"^\| (R\d+\.\d+) \|", sections(page(id))["Rulings"], re.MULTILINE))
    assert table == rulings


@pytest.mark.parametrize("id", editions())
def test_the_readme_has_the_edition(id: str) -> None:
    one = load_edition(id)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [row] = re.findall(rf"^\| \[`{id}`\]\(docs/rules/{id}.md\) \| (.+) \|$", text, re.MULTILINE)
    _, tickets, long, start, turn = row.split(" | ")
    counted = sum(ticket.long for ticket in one.tickets)
    assert int(tickets.split()[0]) == len(one.tickets)
    assert long == (str(counted) if counted else "–")
    assert re.findall(r"\d", start.split(",")[0]) == [
        str(count) for count in (one.deals[0].long, one.deals[0].regular) if count
    ]
    assert turn == f"draw {one.ticket_draw}, keep {one.ticket_keep} or more"


def test_every_cited_rule_exists() -> None:
    numbered = set(rules())
    assert len(numbered) >= 56
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]:
        assert cited(path.read_text(encoding="utf-8")) <= numbered, path
    for path in ROOT.glob("src/**/*.py"):
        assert cited(path.read_text(encoding="utf-8")) <= numbered, path
    assert {rule for _, rule, _ in REASONS.values()} <= numbered


def test_every_rule_has_a_test_named_after_it() -> None:
    tests = "\n".join(path.read_text("utf-8") for path in ROOT.glob("tests/**/test_*.py"))
    named = set(re.findall(r"def test_r(\d+_\d+)_", tests))
    assert {number[1:].replace(".", "_") for number in rules()} <= named
