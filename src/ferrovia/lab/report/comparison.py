"""Two runs side by side: two boards, two editions, or two tables of bots."""

from html import escape

import numpy as np

from ferrovia.lab.report import charts, html, maps, measures
from ferrovia.lab.report.overview import between, key_figures, players
from ferrovia.lab.report.study import Study
from ferrovia.lab.statistics import LOWEST


def comparison(one: Study, other: Study) -> str:
    """Return the page as HTML; MissingExtra where the library for charts is missing."""
    names = _names(one, other)
    return html.document(
        " and ".join(names),
        [
            _heading(one, other, names),
            _figures(one, other, names),
            _boards(one, other, names),
            _scores(one, other, names),
            _rules(one, other, names),
            *_routes(one, other, names),
            *_tickets(one, other, names),
        ],
    )


def _names(one: Study, other: Study) -> tuple[str, str]:
    """Return what to call them: by edition, or if that is the same by bots, or else A and B."""
    if one.edition.name != other.edition.name:
        return one.edition.name, other.edition.name
    if one.bots != other.bots:
        return players(one), players(other)
    return f"A: {one.edition.name}", f"B: {other.edition.name}"


def _same_board(one: Study, other: Study) -> bool:
    """Return whether both have the same routes, so that each can be compared."""
    return [route.id for route in one.edition.board.routes] == [
        route.id for route in other.edition.board.routes
    ]


def _heading(one: Study, other: Study, names: tuple[str, str]) -> str:
    lines = "".join(
        f"<p class=sub><b>{escape(name)}</b> · {escape(players(study))} · {study.games:,} games, "
        f"seed {study.seed}</p>"
        for study, name in ((one, names[0]), (other, names[1]))
    )
    title = " and ".join(names)
    return (
        f"<header><p class=over>Ferrovia · two simulations compared</p>"
        f"<h1>{escape(title)}</h1>{lines}</header>"
    )


def _figures(one: Study, other: Study, names: tuple[str, str]) -> str:
    rows = [
        [html.cell(what), f"<td>{first}</td>", f"<td>{second}</td>"]
        for (what, first), (_, second) in zip(key_figures(one), key_figures(other), strict=True)
    ]
    return html.section("In figures", html.table(["", *map(escape, names)], rows, kind="large"))


def _boards(one: Study, other: Study, names: tuple[str, str]) -> str:
    first, second = measures.routes(one), measures.routes(other)
    most = max((it.claimed for it in (*first, *second)), default=1.0)
    both = html.side_by_side(
        *(
            html.figure(maps.claimed_map(study.edition.board, routes, most), escape(name))
            for study, routes, name in ((one, first, names[0]), (other, second, names[1]))
        )
    )
    if not _same_board(one, other):
        return html.section("How often each route is claimed", both)
    change = html.figure(
        maps.change_map(other.edition.board, first, second),
        f"What changes <span>– from {escape(names[0])} to {escape(names[1])}</span>",
    )
    return html.section("How often each route is claimed", both, change)


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
            html.cell(f"{a.times:,.3f}", a.times),
            html.cell(f"{b.times:,.3f}", b.times),
        ]
        for a, b in zip(measures.rare_rules(one), measures.rare_rules(other), strict=True)
        if a.times or b.times
    ]
    head = ["rule", "times a game", *map(escape, names)]
    return html.section("Rare rules", html.table(head, rows, kind="words"))


def _routes(one: Study, other: Study, names: tuple[str, str]) -> list[str]:
    if not _same_board(one, other):
        return []
    board = one.edition.board
    pairs = zip(measures.routes(one), measures.routes(other), strict=True)
    rows = [
        [
            html.cell(between(board, a.route.a, a.route.b)),
            html.bar(a.claimed),
            html.bar(b.claimed),
            html.cell(f"{100 * (b.claimed - a.claimed):+.1f}", b.claimed - a.claimed),
        ]
        for a, b in sorted(pairs, key=lambda it: -abs(it[1].claimed - it[0].claimed))
    ]
    head = ["route, claimed in % of the games", *map(escape, names), "change"]
    return [html.section("Every route", html.halves(head, rows), lead="The largest change first.")]


def _tickets(one: Study, other: Study, names: tuple[str, str]) -> list[str]:
    theirs = {it.ticket.id: it for it in measures.tickets(other)}
    both = [(it, theirs[it.ticket.id]) for it in measures.tickets(one) if it.ticket.id in theirs]
    rows = [
        [
            html.cell(f"{between(one.edition.board, a.ticket.a, a.ticket.b)} ({a.ticket.points})"),
            html.bar(a.completed),
            html.bar(b.completed),
            html.cell("–" if a.value is None else f"{a.value:+.1f}", a.value),
            html.cell("–" if b.value is None else f"{b.value:+.1f}", b.value),
        ]
        for a, b in sorted(both, key=lambda it: -(it[1].value or 0) + (it[0].value or 0))
    ]
    if not rows:
        return []
    first, second = map(escape, names)
    head = ["ticket", f"done %, {first}", f"{second}", f"value, {first}", f"{second}"]
    return [html.section("Tickets of both", html.halves(head, rows))]
