"""Reports: what they say is what was counted, and the page is whole in itself."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ferrovia.boards import edition
from ferrovia.lab.accumulators import Accumulator
from ferrovia.lab.report import comparison, measures, report
from ferrovia.lab.report.maps import Scale
from ferrovia.lab.report.study import Study
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.run.run import play_run, simulate
from ferrovia.lab.run.run_file import RunFile, RunFileError, head_of
from ferrovia.lab.statistics import Routes, Scores, Tickets, for_report

pytest.importorskip("matplotlib")

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Turns(Accumulator):
    def event(self, event: Any) -> None:
        self.totals["events"] += 1


def study_of(name: str, bots: tuple[str, ...], games: int = 300, seed: int = 7) -> Study:
    plan = Plan(edition(name), bots, games, seed)
    accumulators = [*for_report(), Turns()]
    list(simulate(plan, accumulators=accumulators))
    return Study.of(plan, accumulators)


@pytest.fixture(scope="module")
def europe() -> Study:
    return study_of("europe", ("greedy", "random", "greedy"))


@pytest.fixture(scope="module")
def usa() -> Study:
    return study_of("usa", ("greedy", "greedy"))


class Page(HTMLParser):
    """Checks that elements close in order, and collects what a reader sees."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.addresses: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.addresses += [v or "" for name, v in attrs if name.split(":")[-1] in ("href", "src")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [v or "" for name, v in attrs if name.split(":")[-1] in ("href", "src")]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("p", "li") and self.open[-1] != tag:
            return
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "script", "title"} & set(self.open):
            self.seen.append(data)


@pytest.mark.parametrize("kind", ["one", "two", "same board"])
def test_the_page_is_whole_in_itself(kind: str, europe: Study, usa: Study) -> None:
    text = {
        "one": lambda: report(europe),
        "two": lambda: comparison(europe, usa),
        "same board": lambda: comparison(europe, study_of("big-cities", ("greedy", "greedy"), 50)),
    }[kind]()
    page = Page(text)
    assert all(address.startswith("#") for address in page.addresses)
    assert not re.search(r"url\((?!#)", text)
    assert "@import" not in text
    assert "nan" not in " ".join(page.seen).replace("Ankara", "").split()
    assert 50_000 < len(text) < 2_000_000
    assert "@media print" in text


def test_the_report_says_what_was_counted(europe: Study) -> None:
    seen = Page(report(europe)).seen
    everything = " ".join(seen)
    board = europe.edition.board
    assert "3 players: greedy, random, greedy · 300 games" in everything
    command = "ferrovia simulate europe --bots greedy,random,greedy --games 300 --seed 7"
    assert command in seen
    for measure in measures.routes(europe):
        a, b = board.city(measure.route.a).name, board.city(measure.route.b).name
        assert f"{a} – {b}" in everything
        assert f"{100 * measure.claimed:.1f}" in seen
    for city in board.cities:
        assert seen.count(city.name) >= 3, "on every map"
    assert "test_lab_report:Turns" in everything
    for rule in measures.rare_rules(europe):
        assert rule.what in everything


def test_the_same_run_makes_the_same_page(usa: Study) -> None:
    assert report(usa) == report(usa)


def test_a_run_on_disk_makes_the_page_of_the_run_in_memory(tmp_path: Path) -> None:
    plan, accumulators = Plan(edition("usa"), ("greedy", "random"), 40, 3), [*for_report(), Turns()]
    with RunFile.begin(tmp_path / "a.run", head_of("simulate", [plan], accumulators), [40]) as file:
        list(play_run([plan], accumulators, file))
    in_memory = Study.of(plan, accumulators)
    on_disk = Study.read(tmp_path / "a.csv")
    assert report(on_disk) == report(in_memory)
    assert on_disk.edition == plan.edition


def test_runs_without_games_and_tournaments_have_no_report(tmp_path: Path) -> None:
    plan = Plan(edition("usa"), ("greedy", "random"), 40, 3)
    for kind, reason in (("simulate", "no finished games"), ("tournament", "not of simulate")):
        path = tmp_path / f"{kind}.run"
        RunFile.begin(path, head_of(kind, [plan], for_report()), [40]).close()
        with pytest.raises(RunFileError, match=reason):
            Study.read(path)


def test_measures_of_routes(europe: Study) -> None:
    claims = europe[Routes]["claims"]
    for number, measure in enumerate(measures.routes(europe)):
        assert measure.claimed == claims[:, number].sum() / 300
        assert 0 <= measure.claimed <= 1
        if measure.when is not None:
            assert 0 < measure.when < 1
            assert sum(measure.by.values()) == pytest.approx(1)
            assert measure.by["random"] == claims[1, number] / claims[:, number].sum()


def test_what_a_strong_bot_likes_does_not_look_good_because_of_it() -> None:
    """Of two seats the first wins nine games in ten, whatever it claims."""
    plan = Plan(edition("usa"), ("greedy", "random"), 0, 0)
    accumulators = for_report()
    totals = {type(one): one.totals for one in accumulators}
    routes, tickets = len(plan.edition.board.routes), len(plan.edition.tickets)
    totals[Scores].update(games=100, wins=np.array([90 * 60, 10 * 60]))
    claims = np.zeros((2, routes), int)
    wins = np.zeros((2, routes), int)
    claims[0, 0], wins[0, 0] = 50, 45 * 60  # the strong one's favourite
    claims[1, 1], wins[1, 1] = 50, 10 * 60  # the weak one wins twice as often with it
    totals[Routes].update(claims=claims, wins=wins, when=np.ones((routes, 10), int))
    totals[Tickets].update({name: np.zeros((2, tickets), int) for name in ("kept", "wins")})
    first, second, third, *_ = measures.routes(Study.of(plan, accumulators))
    assert first.worth is not None
    assert second.worth is not None
    assert first.worth.value == pytest.approx(0)
    assert not first.worth.certain
    assert second.worth.value == pytest.approx(0.1)
    assert third.worth is None


def test_measures_of_tickets(usa: Study) -> None:
    for measure in measures.tickets(usa):
        if measure.kept is None or measure.completed is None:
            continue
        assert 0 <= measure.kept <= 1
        points = measure.ticket.points
        value = points * measure.completed - points * (1 - measure.completed)
        assert measure.value == pytest.approx(value)


def test_shares_of_places_add_up(europe: Study) -> None:
    shares = measures.starters(europe)
    assert sum(share.value for share in shares) == pytest.approx(1)
    assert all(share.low < share.value < share.high for share in shares)


def test_distributions() -> None:
    shares = np.array([0.0, 0.25, 0.5, 0.25])
    assert measures.mean(shares, lowest=10) == 12
    assert [measures.quantile(shares, q, 10) for q in (0.01, 0.25, 0.5, 0.76)] == [11, 11, 12, 13]


def test_colours_of_a_scale() -> None:
    scale = Scale(0, 1, ("#000000", "#ff0000", "#ffffff"))
    assert [scale.color(v) for v in (-1, 0, 0.5, 1, 2)] == [
        "#000000",
        "#000000",
        "#ff0000",
        "#ffffff",
        "#ffffff",
    ]
    assert scale.color(0.25) == "#800000"
    assert Scale(1, 1, ("#000000", "#ffffff")).color(1) == "#808080"


def test_hostile_names_cannot_break_the_page(usa: Study) -> None:
    from dataclasses import replace

    nasty = replace(usa, bots=("<script>alert(1)</script>", "<script>alert(1)</script>"))
    text = report(nasty)
    assert "<script>alert" not in text
    Page(text)
