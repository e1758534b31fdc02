"""Reports: what they say is what was counted, and the page is whole in itself."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ferrovia.boards import Edition, Route, Ticket, load_edition
from ferrovia.lab.accumulators import Accumulator
from ferrovia.lab.report import comparison, measures, report
from ferrovia.lab.report.charts import starters_chart
from ferrovia.lab.report.differences import differences
from ferrovia.lab.report.maps import Scale
from ferrovia.lab.report.study import Study
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.run.run import play_run, simulate
from ferrovia.lab.run.run_file import RunFile, RunFileError, head_of
from ferrovia.lab.statistics import Routes, Scores, Tickets, for_report
from ferrovia.lab.tournament.intervals import wilson

pytest.importorskip("matplotlib")

pytestmark = pytest.mark.xdist_group("report")  # Matplotlib is loaded, and studies are played, once

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Turns(Accumulator):
    def event(self, event: Any) -> None:
        self.totals["events"] += 1


def study_of(name: str, bots: tuple[str, ...], games: int = 300, seed: int = 7) -> Study:
    plan = Plan(load_edition(name), bots, games, seed)
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
        assert f"{100 * measure.claimed.value:.1f}" in "".join(seen)
    for city in board.cities:
        assert seen.count(city.name) >= 3, "on every map"
    assert "test_lab_report:Turns" in everything
    for rule in measures.rare_rules(europe):
        assert rule.what in everything


def test_the_same_run_makes_the_same_page(usa: Study) -> None:
    assert report(usa) == report(usa)


def test_a_run_on_disk_makes_the_page_of_the_run_in_memory(tmp_path: Path) -> None:
    plan, accumulators = (
        Plan(load_edition("usa"), ("greedy", "random"), 40, 3),
        [*for_report(), Turns()],
    )
    with RunFile.begin(tmp_path / "a.run", head_of("simulate", [plan], accumulators), [40]) as file:
        list(play_run([plan], accumulators, file))
    in_memory = Study.of(plan, accumulators)
    on_disk = Study.read(tmp_path / "a.csv")
    assert report(on_disk) == report(in_memory)
    assert on_disk.edition == plan.edition


def test_runs_without_games_and_tournaments_have_no_report(tmp_path: Path) -> None:
    plan = Plan(load_edition("usa"), ("greedy", "random"), 40, 3)
    for kind, reason in (("simulate", "no finished games"), ("tournament", "not of simulate")):
        path = tmp_path / f"{kind}.run"
        RunFile.begin(path, head_of(kind, [plan], for_report()), [40]).close()
        with pytest.raises(RunFileError, match=reason):
            Study.read(path)


@pytest.mark.parametrize("whole", [True, False])
def test_measures_of_routes(europe: Study, whole: bool) -> None:
    """Of three players: a double is one measure unless its halves are asked for."""
    board = europe.edition.board
    of_route = dict(zip((it.id for it in board.routes), europe[Routes]["claims"].T, strict=True))
    found = measures.routes(europe) if whole else measures.routes(europe, whole_doubles=False)
    assert {half.route.id for it in found for half in it.halves} == of_route.keys()
    for measure in found:
        twin = board.twin(measure.route.id)
        assert len(measure.halves) == (2 if whole and twin is not None else 1)
        claims = sum(of_route[half.route.id] for half in measure.halves)
        assert measure.claimed.value == claims.sum() / 300
        assert 0 <= measure.claimed.low <= measure.claimed.value <= measure.claimed.high <= 1
        if measure.when is not None:
            assert 0 < measure.when < 1
            assert sum(measure.by.values()) == pytest.approx(1)
            assert measure.by["random"] == claims[1] / claims.sum()


def test_a_double_of_which_one_half_closes_the_other_is_one_line(usa: Study) -> None:
    """Its halves were told as "99%" and "0.0%, least wanted" before."""
    board = usa.edition.board
    doubles = [it for it in measures.routes(usa) if board.twin(it.route.id) is not None]
    assert doubles
    assert any(min(half.claimed.value for half in it.halves) < 0.1 for it in doubles)
    text = report(usa)
    rows = re.findall(r"<tr>(<td><i class=.swatch.*?)</tr>", text)
    assert len(rows) == len(measures.routes(usa)) < len(board.routes)
    for it in doubles:
        name = f"{board.city(it.route.a).name} – {board.city(it.route.b).name}"
        [row] = [row for row in rows if f"</i>{name}" in row]
        assert row.count('class="swatch"') == 2
        parts = " + ".join(f"{100 * half.claimed.value:.1f}" for half in it.halves)
        assert f"<small>{parts}</small> {100 * it.claimed.value:.1f}</td>" in row
    lowest = min(measures.routes(usa), key=lambda it: it.claimed.value)
    least = f"<b>{board.city(lowest.route.a).name} – {board.city(lowest.route.b).name}</b>"
    assert f"Least wanted: {least}, in {lowest.claimed.value:.1%}." in text
    assert f"<small> of {len(rows)}</small>" in text


def test_with_four_players_both_halves_of_a_double_have_a_line() -> None:
    four = study_of("usa", ("greedy",) * 4, 20)
    assert len(measures.routes(four)) == len(four.edition.board.routes)
    for whole in measures.routes(four, whole_doubles=True):
        assert whole.claimed.value == pytest.approx(
            sum(half.claimed.value for half in whole.halves)
        )
        assert whole.claimed.low <= whole.claimed.value <= whole.claimed.high


def test_what_a_strong_bot_likes_does_not_look_good_because_of_it() -> None:
    """Of two seats the first wins nine games in ten, whatever it claims."""
    plan = Plan(load_edition("usa"), ("greedy", "random"), 0, 0)
    accumulators = for_report()
    totals = {type(one): one.totals for one in accumulators}
    routes, tickets = len(plan.edition.board.routes), len(plan.edition.tickets)
    totals[Scores].update(games=100, wins=np.array([90 * 60, 10 * 60]))
    claims = np.zeros((2, routes), int)
    wins = np.zeros((2, routes), int)
    one, other, *_ = [
        number
        for number, route in enumerate(plan.edition.board.routes)
        if plan.edition.board.twin(route.id) is None
    ]
    claims[0, one], wins[0, one] = 50, 45 * 60  # the strong one's favourite
    claims[1, other], wins[1, other] = 50, 10 * 60  # the weak one wins twice as often with it
    totals[Routes].update(claims=claims, wins=wins, when=np.ones((routes, 10), int))
    totals[Tickets].update({name: np.zeros((2, tickets), int) for name in ("kept", "wins")})
    found = measures.routes(Study.of(plan, accumulators))
    first, second, third, *_ = [measure for measure in found if len(measure.halves) == 1]
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
        points, completed = measure.ticket.points, measure.completed.value
        assert measure.value is not None
        value = points * completed - points * (1 - completed)
        assert measure.value.value == pytest.approx(value)
        assert -points <= measure.value.low <= value <= measure.value.high <= points


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


# Two runs


def heads_of(text: str, section: str) -> list[str]:
    """The heads of the columns of the first table of a section."""
    [part] = re.findall(rf"<h2>{section}</h2>.*?</thead>", text, re.DOTALL)
    return re.findall(r"<th>(.*?)</th>", part)


def named(study: Study, file: str) -> Study:
    return replace(study, file=Path(file))


def test_a_comparison_names_its_columns_by_file(usa: Study) -> None:
    text = comparison(named(usa, "before.run"), named(usa, "after.run"))
    assert heads_of(text, "In figures") == ["", "before.run", "after.run", "change"]
    assert heads_of(text, "Every route")[1:] == ["before.run", "after.run", "change"]
    assert "<h1>before.run and after.run</h1>" in text
    text = comparison(named(usa, "one/night.run"), named(usa, "two/night.run"))
    names = [str(Path("one/night.run")), str(Path("two/night.run"))]
    assert heads_of(text, "In figures") == ["", *names, "change"]


def test_a_run_knows_the_file_it_was_read_from(tmp_path: Path) -> None:
    plan, accumulators = Plan(load_edition("usa"), ("greedy", "random"), 4, 3), for_report()
    path = tmp_path / "a.run"
    with RunFile.begin(path, head_of("simulate", [plan], accumulators), [4]) as file:
        list(play_run([plan], accumulators, file))
    assert Study.read(tmp_path / "a.csv").file == tmp_path / "a.csv"
    assert Study.of(plan, accumulators).file is None


def changed_edition(old: Edition) -> Edition:
    """The same, with one route, one ticket, one city and three numbers changed."""
    board = old.board
    longer = replace(board.routes[0], length=4, tunnel=True)
    moved = replace(board.cities[0], lat=board.cities[0].lat + 1)
    dear, *others = old.tickets
    return replace(
        old,
        board=replace(
            board, cities=(moved, *board.cities[1:]), routes=(longer, *board.routes[1:-1])
        ),
        tickets=(replace(dear, points=dear.points + 3), *others[:-1]),
        trains=40,
        route_points={**old.route_points, 4: 9},
        cards={**old.cards, "locomotive": 10},
    )


def test_a_comparison_begins_with_what_differs(usa: Study) -> None:
    other = replace(usa, edition=changed_edition(usa.edition), seed=8)
    board, tickets = usa.edition.board, usa.edition.tickets

    def ends(thing: Route | Ticket) -> str:
        return f"{board.city(thing.a).name} – {board.city(thing.b).name}"

    first, last, points = board.routes[0], board.routes[-1], tickets[0].points
    city = board.cities[0]
    assert differences(usa, other) == [
        (
            f"city {city.name}",
            f"at {city.lat:g}, {city.lon:g}",
            f"at {city.lat + 1:g}, {city.lon:g}",
        ),
        (f"route {ends(first)}", f"{first.length} {first.color}", f"4 {first.color}, tunnel"),
        (f"route {ends(last)}, second half", f"{last.length} {last.color}", "–"),
        (f"ticket {ends(tickets[0])}", f"{points} points", f"{points + 3} points"),
        (f"ticket {ends(tickets[-1])}", f"{tickets[-1].points} points", "–"),
        ("trains of a player", "45", "40"),
        ("points of a route of length 4", "7", "9"),
        ("cards locomotive", "14", "10"),
        ("seed and first game", "7, 0", "8, 0"),
    ]
    assert differences(usa, usa) == []


def test_what_differs_comes_before_all_figures(usa: Study, europe: Study) -> None:
    text = comparison(usa, europe)
    titles = re.findall("<h2>(.*?)</h2>", text)
    assert titles[:2] == ["What differs", "In figures"]
    assert heads_of(text, "What differs") == ["", "USA", "Europe"]
    assert "<td>usa: 36 cities, 100 routes</td>" in text
    assert "Nothing: the same board" in comparison(usa, usa)


def test_changes_carry_intervals(usa: Study) -> None:
    text = comparison(usa, study_of("usa", ("greedy", "greedy"), 200, seed=8))
    [figures] = re.findall(r"<h2>In figures</h2>.*?</table>", text, re.DOTALL)
    interval = r"[+-][\d.]+ <small>[+-][\d.]+ to [+-][\d.]+</small></td></tr>"
    assert len(re.findall(interval, figures)) == 6
    routes = re.search(r"<h2>Every route</h2>.*?</section>", text, re.DOTALL)
    assert routes is not None
    assert len(re.findall(interval, routes[0])) == len(measures.routes(usa))


def test_a_double_can_be_compared_between_three_and_four_players(usa: Study) -> None:
    """With four both halves can be claimed, so that it can have more claims than games."""
    four = study_of("usa", ("greedy",) * 4, 60)
    text = comparison(usa, four)
    assert heads_of(text, "Every route")[0] == "route, claims in 100 games"
    rows = re.findall(r"<tr><td><i class=.swatch.*?</tr>", text)
    assert len(rows) == len(measures.routes(usa))


# Charts


def texts_of(chart: str) -> list[tuple[str, float, float, float]]:
    """The texts of a chart from Matplotlib: what, x, y, and the size of the letters."""
    found = re.findall(
        r'<text style="font-size: ([\d.]+)px[^"]*" (?:x="([\d.-]+)" y="([\d.-]+)" )?'
        r'transform="(?:rotate|translate)\(([^)]*)\)[^"]*">([^<]*)</text>',
        chart,
    )
    parsed = []
    for size, x, y, place, text in found:
        at = [float(number) for number in re.findall(r"[\d.-]+", place)]
        parsed.append((text, float(x or at[0]), float(y or at[1]), float(size)))
    return parsed


@pytest.mark.parametrize("games", [20, 100_000])
@pytest.mark.parametrize(("players", "first"), [(2, 0.5), (2, 1.0), (5, 0.2), (5, 0.0), (3, 0.4)])
def test_wins_by_place_can_be_read(games: int, players: int, first: float) -> None:
    """Labels were struck through by the line of the equal share, and scales went beyond 100%."""
    values = [first, *[(1 - first) / (players - 1)] * (players - 1)]
    chart = starters_chart([wilson(value, games) for value in values])
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', chart)
    assert box is not None
    width, height = float(box[1]), float(box[2])
    texts = texts_of(chart)
    ticks = [float(text.replace("−", "-")) for text, x, *_ in texts if _is_number(text) and x < 40]
    assert all(0 <= tick <= 100 for tick in ticks)
    assert {"% of games won", "equal share"} <= {text for text, *_ in texts}
    [line] = re.findall(r'd="M [\d.]+ ([\d.]+) \nL [\d.]+ \1 \n?" [^>]*stroke-dasharray: 3', chart)
    for text, x, y, size in texts:
        long = 0.75 * size * len(text)  # in letters that are wider than any that we name
        if text == "% of games won":
            assert y - long / 2 > 0
            assert y + long / 2 < height
        elif re.fullmatch(r"[\d.]+", text) and x > 40 and size == 9:
            assert x + long < width, f"{text} is cut off"
            assert not y - 0.75 * size < float(line) < y, f"{text} is struck through"


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[−\d.]+", text) is not None


def test_hostile_names_cannot_break_the_page(usa: Study) -> None:
    nasty = replace(usa, bots=("<script>alert(1)</script>", "<script>alert(1)</script>"))
    text = report(nasty)
    assert "<script>alert" not in text
    Page(text)
