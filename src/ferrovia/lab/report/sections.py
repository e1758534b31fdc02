"""The sections of a report, one for each question that a run answers."""

from html import escape

from ferrovia.drawing import style
from ferrovia.drawing.stored import layout_from_picture
from ferrovia.lab.report import charts, html, maps, measures
from ferrovia.lab.report.measures import RouteMeasure, TicketMeasure
from ferrovia.lab.report.overview import between
from ferrovia.lab.report.study import Study
from ferrovia.lab.statistics import LOWEST


def board_section(study: Study, routes: list[RouteMeasure]) -> str:
    """Return the board as heat maps: claims, worth, and when."""
    board = study.edition.board
    at_sea = "There is no land in the world at these places: the board lies in the open sea."
    return html.section(
        "The board",
        html.figure(
            maps.claimed_map(board, routes), "How often each route is claimed", kind="whole"
        ),
        html.side_by_side(
            html.figure(
                maps.worth_map(board, routes),
                "What claiming it is worth <span>– how much more often its owner wins</span>",
            ),
            html.figure(
                maps.when_map(board, routes),
                "When it is claimed <span>– on average, of the game’s turns</span>",
            ),
        ),
        lead="" if layout_from_picture(board).land else at_sea,
        kind="board",
    )


def route_section(study: Study, routes: list[RouteMeasure]) -> str:
    """Return a table of all routes."""
    bots = list(measures.seats_of(study))
    several = bots if len(bots) > 1 else []
    head = ["route", "length", "claimed %", *(f"{escape(bot)} %" for bot in several)]
    head += ["when %", "worth %"]
    rows = []
    for it in sorted(routes, key=lambda it: -it.claimed.value):
        rows.append(
            [
                route_cell(study, it),
                html.cell(it.route.length, it.route.length),
                html.bar(it.claimed.value, parts=[half.claimed.value for half in it.halves]),
                *(html.cell(f"{100 * it.by[bot]:.0f}", it.by[bot]) for bot in several),
                html.cell("–", -1)
                if it.when is None
                else html.cell(f"{100 * it.when:.0f}", it.when),
                html.worth(it.worth),
            ]
        )
    lead = (
        "Claimed: in how many of the games. When: how far into the game, on average. Worth: how "
        "many games in a hundred more its owner won than that seat usually does; pale where it "
        "may be chance."
    )
    if several:
        lead += " In between: whose claims they were."
    if any(len(it.halves) > 1 for it in routes):
        lead += (
            " A double is one line: whoever claims one half closes the other. The numbers before "
            "its sum are those of its halves, in the order of their colours."
        )
    return html.section("Every route", html.halves(head, rows), lead=lead)


def route_cell(study: Study, measure: RouteMeasure) -> str:
    """Return a cell with the cities of a route, its colour or colours, and its kind."""
    route = measure.route
    kind = "ferry" if route.ferry else "tunnel" if route.tunnel else ""
    if len(measure.halves) > 1:
        kind = f"double {kind}".strip()
    colors = [style.ROUTES[half.route.color].fill for half in measure.halves]
    return html.swatch(between(study.edition.board, route.a, route.b), colors, kind)


def ticket_section(study: Study, tickets: list[TicketMeasure]) -> str:
    """Return a chart and a table of all tickets."""
    board = study.edition.board
    points = [
        (it.kept, it.completed.value, it.ticket.points, it.ticket.long)
        for it in tickets
        if it.kept is not None and it.completed is not None
    ]
    head = ["ticket", "points", "kept %", "done %", "value", "worth %"]
    rows = [
        [
            html.cell(between(board, it.ticket.a, it.ticket.b) + (" (long)" * it.ticket.long)),
            html.cell(it.ticket.points, it.ticket.points),
            html.bar(it.kept),
            html.bar(None if it.completed is None else it.completed.value),
            html.number(it.value),
            html.worth(it.worth),
        ]
        for it in sorted(tickets, key=lambda it: -(it.value.value if it.value else -99))
    ]
    return html.section(
        "Tickets",
        html.figure(
            charts.tickets_chart(points),
            "Kept and completed <span>– the larger, the more points</span>",
            kind="chart",
        ),
        html.halves(head, rows),
        lead="Kept: of the times it was offered. Done: completed, of the times it was kept. Value: "
        "its mean points when kept, negative where it failed. Worth: as for routes.",
    )


def score_section(study: Study) -> str:
    """Return the scores of each bot: a table, their distribution, what they are made of."""
    spreads, parts = measures.scores(study), measures.parts_of_scores(study)
    low, high = measures.score_range(spreads)
    head = ["bot", "seats", "wins %", "points", "lowest 5%", "middle", "highest 5%"]
    head += ["routes", "tickets", "stations", "bonus", "longest", "done", "failed"]
    rows = []
    for bot, mine in parts.items():
        shares = spreads[bot]
        rows.append(
            [
                html.cell(bot),
                html.cell(len(measures.seats_of(study)[bot])),
                html.bar(mine["won"]),
                html.cell(f"{mine['total']:.1f}"),
                *(html.cell(measures.quantile(shares, q, LOWEST)) for q in (0.05, 0.5, 0.95)),
                *(
                    html.cell(f"{mine[name]:.1f}")
                    for name in ("routes", "tickets", "stations", "bonus", "longest")
                ),
                *(html.cell(f"{mine[name]:.2f}") for name in ("completed", "failed")),
            ]
        )
    return html.section(
        "Scores",
        html.table(head, rows),
        html.side_by_side(
            html.figure(charts.score_chart(spreads, low, high, LOWEST), "Distribution"),
            html.figure(charts.parts_chart(parts), "What they are made of"),
        ),
        lead="Wins are those of one seat, a shared win being a fraction. Done and failed: tickets.",
    )


def course_section(study: Study) -> str:
    """Return what going first is worth, and how long games are."""
    turns = measures.turns(study)
    ends = measures.quantile(turns, 0.001), measures.quantile(turns, 0.999)
    called = measures.callers_win(study)
    lead = (
        f"Half of the games have at most {measures.quantile(turns, 0.5)} turns, nine in ten "
        f"between {measures.quantile(turns, 0.05)} and {measures.quantile(turns, 0.95)}."
    )
    if called is not None:
        lead += f" The player who triggers the last round wins {called:.1%} of the games."
    return html.section(
        "First player, and length of a game",
        html.side_by_side(
            html.figure(
                charts.starters_chart(measures.starters(study)),
                "Wins by place in the order of play <span>– with 95% confidence intervals</span>",
            ),
            html.figure(
                charts.turns_chart({"": turns}, *ends, len(study.bots)), "Length of a game"
            ),
        ),
        lead=lead,
    )


def rule_section(study: Study) -> str:
    """Return how often the rules were used that one has to look up."""
    rows = [
        [
            html.cell(it.number),
            html.cell(it.what),
            html.cell(f"{it.times:,.3f}", it.times),
            html.bar(it.games.value),
        ]
        for it in measures.rare_rules(study)
        if it.times
    ]
    never = [it.what for it in measures.rare_rules(study) if not it.times]
    lead = "How often in a game, and in how many of the games."
    if never:
        lead += f" Never happened: {escape('; '.join(never))}."
    return html.section(
        "Rare rules",
        html.table(["rule", "what happened", "times a game", "games %"], rows, kind="words"),
        lead=lead,
    )


def own_statistics(study: Study) -> list[str]:
    """Return what the user's own statistics have counted."""
    rows = [
        [html.cell(name), html.cell(what), html.cell(value)]
        for name, shown in study.own.items()
        for what, value in shown.items()
    ]
    if not rows:
        return []
    head = ["statistic", "total", "mean of a game"]
    return [html.section("Statistics of your own", html.table(head, rows, kind="words"))]
