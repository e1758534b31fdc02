"""Two runs side by side: two boards, two editions, or two tables of bots."""

from html import escape

import numpy as np

from ferrovia.lab.report import charts, html, maps, measures
from ferrovia.lab.report.differences import differences
from ferrovia.lab.report.key_figures import key_figures
from ferrovia.lab.report.measures import RouteMeasure
from ferrovia.lab.report.overview import between, players
from ferrovia.lab.report.sections import route_cell
from ferrovia.lab.report.study import Study
from ferrovia.lab.statistics import LOWEST
from ferrovia.lab.tournament.intervals import difference

_CHANGES = (
    "A change has its 95% confidence interval behind it, and is pale where it may be chance: of a "
    "hundred things that are the same, about five look changed."
)


def comparison(one: Study, other: Study) -> str:
    """Return the page as HTML; MissingExtra where the library for charts is missing."""
    names = _names(one, other)
    return html.document(
        " and ".join(names),
        [
            _heading(one, other, names),
            _differences(one, other, names),
            _figures(one, other, names),
            *_boards(one, other, names),
            _scores(one, other, names),
            _rules(one, other, names),
            *_tickets(one, other, names),
        ],
    )


def _names(one: Study, other: Study) -> tuple[str, str]:
    """Return what to call them: by their files, or by what differs, or else A and B."""
    if one.file is not None and other.file is not None:
        if one.file.name != other.file.name:
            return one.file.name, other.file.name
        return str(one.file), str(other.file)
    if one.edition.name != other.edition.name:
        return one.edition.name, other.edition.name
    if one.bots != other.bots:
        return players(one), players(other)
    return f"A: {one.edition.name}", f"B: {other.edition.name}"


def _heading(one: Study, other: Study, names: tuple[str, str]) -> str:
    lines = "".join(
        f"<p class=sub><b>{escape(name)}</b> · {escape(study.edition.name)}, "
        f"{escape(players(study))} · {study.games:,} games, seed {study.seed}</p>"
        for study, name in ((one, names[0]), (other, names[1]))
    )
    title = " and ".join(names)
    return (
        f"<header><p class=over>Ferrovia · two simulations compared</p>"
        f"<h1>{escape(title)}</h1>{lines}</header>"
    )


def _differences(one: Study, other: Study, names: tuple[str, str]) -> str:
    found = differences(one, other)
    if not found:
        same = "Nothing: the same board, the same bots and the same games."
        return html.section("What differs", lead=same)
    rows = [[html.cell(it.what), html.cell(it.first), html.cell(it.second)] for it in found]
    return html.section("What differs", html.table(["", *map(escape, names)], rows, kind="plain"))


def _figures(one: Study, other: Study, names: tuple[str, str]) -> str:
    rows = [
        [
            html.cell(a.what),
            *(f"<td>{it.html}</td>" for it in (a, b)),
            html.change(difference(a.estimate, b.estimate)),
        ]
        for a, b in zip(key_figures(one), key_figures(other), strict=True)
    ]
    head = ["", *map(escape, names), "change"]
    return html.section("In figures", html.table(head, rows, kind="large"), lead=_CHANGES)


def _boards(one: Study, other: Study, names: tuple[str, str]) -> list[str]:
    """Return the maps of both boards; for what they have in common, what changes."""
    # If one of the two closes doubles, the halves of the other cannot be compared with its halves.
    whole = measures.closes_doubles(one) or measures.closes_doubles(other)
    first, second = (measures.routes(study, whole_doubles=whole) for study in (one, other))
    most = max((it.claimed.value for it in (*first, *second)), default=1.0)
    both = html.side_by_side(
        *(
            html.figure(maps.claimed_map(study.edition.board, routes, most), escape(name))
            for study, routes, name in ((one, first, names[0]), (other, second, names[1]))
        )
    )
    before = {it.route.id: it for it in first}
    common = [(before[it.route.id], it) for it in second if it.route.id in before]
    if not common:
        return [html.section("How often each route is claimed", both)]
    change = html.figure(
        maps.change_map(other.edition.board, common),
        f"What changes <span>– from {escape(names[0])} to {escape(names[1])}</span>",
    )
    return [
        html.section("How often each route is claimed", both, change),
        _routes(other, common, names),
    ]


def _routes(
    study: Study, common: list[tuple[RouteMeasure, RouteMeasure]], names: tuple[str, str]
) -> str:
    most = max((it.claimed.value for pair in common for it in pair), default=1.0)
    compared = [(a, b, difference(a.claimed, b.claimed)) for a, b in common]
    rows = [
        [
            route_cell(study, b),
            *(html.bar(it.claimed.value, max(1.0, most)) for it in (a, b)),
            html.change(change, 100),
        ]
        for a, b, change in sorted(compared, key=lambda it: -abs(it[2].value))
    ]
    unit = "claims in 100 games" if most > 1 else "claimed in % of the games"
    head = [f"route, {unit}", *map(escape, names), "change"]
    lead = f"The largest change first. {_CHANGES}"
    return html.section("Every route", html.halves(head, rows), lead=lead)


def _scores(one: Study, other: Study, names: tuple[str, str]) -> str:
    spreads = {
        name: np.mean([measures.scores(study)[bot] for bot in study.bots], axis=0)
        for study, name in ((one, names[0]), (other, names[1]))
    }
    turns = {names[0]: measures.turns(one), names[1]: measures.turns(other)}
    ends = (
        min(measures.quantile(it, 0.001) for it in turns.values()),
        max(measures.quantile(it, 0.999) for it in turns.values()),
    )
    low, high = measures.score_range(spreads)
    return html.section(
        "Scores, first player and length",
        html.side_by_side(
            html.figure(charts.score_chart(spreads, low, high, LOWEST), "Points of a seat"),
            html.figure(charts.turns_chart(turns, *ends, len(one.bots)), "Turns of a game"),
        ),
        html.side_by_side(
            *(
                html.figure(
                    charts.starters_chart(measures.starters(study)),
                    f"Wins by place in the order of play <span>– {escape(name)}</span>",
                )
                for study, name in ((one, names[0]), (other, names[1]))
            )
        ),
    )


def _rules(one: Study, other: Study, names: tuple[str, str]) -> str:
    rows = [
        [
            html.cell(a.number),
            html.cell(a.what),
            *(html.cell(f"{it.times:,.3f}", it.times) for it in (a, b)),
            *(html.bar(it.games.value) for it in (a, b)),
            html.change(difference(a.games, b.games), 100),
        ]
        for a, b in zip(measures.rare_rules(one), measures.rare_rules(other), strict=True)
        if a.times or b.times
    ]
    first, second = map(escape, names)
    head = ["rule", "what happened", f"times a game, {first}", second, f"games %, {first}", second]
    lead = f"How often in a game, and in how many of the games. {_CHANGES}"
    table = html.table([*head, "change"], rows, kind="words")
    return html.section("Rare rules", table, lead=lead)


def _tickets(one: Study, other: Study, names: tuple[str, str]) -> list[str]:
    theirs = {it.ticket.id: it for it in measures.tickets(other)}
    both = [(it, theirs[it.ticket.id]) for it in measures.tickets(one) if it.ticket.id in theirs]
    if not both:
        return []
    compared = [
        (a, b, None if a.value is None or b.value is None else difference(a.value, b.value))
        for a, b in both
    ]
    rows = [
        [
            html.cell(f"{between(one.edition.board, a.ticket.a, a.ticket.b)} ({_points(a, b)})"),
            *(html.bar(None if it.completed is None else it.completed.value) for it in (a, b)),
            *(html.number(it.value) for it in (a, b)),
            html.change(change),
        ]
        for a, b, change in sorted(compared, key=lambda it: -abs(it[2].value) if it[2] else 0.0)
    ]
    first, second = map(escape, names)
    head = ["ticket", f"done %, {first}", second, f"value, {first}", second, "change of value"]
    lead = f"The largest change of value first. {_CHANGES}"
    return [html.section("Tickets of both", html.table(head, rows), lead=lead)]


def _points(a: measures.TicketMeasure, b: measures.TicketMeasure) -> str:
    points = a.ticket.points, b.ticket.points
    return str(points[0]) if points[0] == points[1] else f"{points[0]} → {points[1]}"
