"""The report of one run."""

from html import escape
from itertools import groupby

from ferrovia.boards import Board, Ticket, is_builtin
from ferrovia.drawing import style
from ferrovia.lab.report import charts, html, maps, measures
from ferrovia.lab.report.measures import RouteMeasure, TicketMeasure
from ferrovia.lab.report.study import Study
from ferrovia.lab.statistics.scores import LOWEST


def report(study: Study) -> str:
    """The page; `MissingExtra` where the library for charts is missing."""
    routes, tickets = measures.routes(study), measures.tickets(study)
    return html.document(
        f"{study.edition.name}: {study.games:,} games",
        [
            heading(study),
            html.figures(key_figures(study)),
            html.section("What stands out", html.listed(_notes(study, routes, tickets))),
            _board(study, routes),
            _routes(study, routes),
            _tickets(study, tickets),
            _scores(study),
            _course(study),
            _rules(study),
            *own_statistics(study),
            _foot(),
        ],
    )


def heading(study: Study) -> str:
    """What was played, and the command that plays it again."""
    name = study.edition.id if is_builtin(study.edition) else f"{study.edition.board.id}.json"
    extras = f" --extras {','.join(study.edition.extras)}" if study.edition.extras else ""
    first = f" --first-game {study.first}" if study.first else ""
    command = (
        f"ferrovia simulate {name}{extras} --bots {','.join(study.bots)} "
        f"--games {study.games} --seed {study.seed}{first}"
    )
    return (
        f"<header><p class=over>Ferrovia · simulation report</p>"
        f"<h1>{escape(study.edition.name)}</h1>"
        f"<p class=sub>{escape(players(study))} · {study.games:,} games</p>"
        f"<p class=how>Play it again: <code>{escape(command)}</code></p></header>"
    )


def players(study: Study) -> str:
    """The table in words: `4 players: greedy × 3, random`."""
    runs = [(bot, len(list(seats))) for bot, seats in groupby(study.bots)]
    named = ", ".join(bot if count == 1 else f"{bot} × {count}" for bot, count in runs)
    return f"{len(study.bots)} players: {named}"


def key_figures(study: Study) -> list[tuple[str, str]]:
    """The numbers that one asks for first."""
    turns, parts = measures.turns(study), measures.parts_of_scores(study)
    first = measures.starters(study)[0]
    points = sum(parts[bot]["total"] for bot in study.bots) / len(study.bots)
    done = sum(parts[bot]["completed"] for bot in study.bots)
    kept = done + sum(parts[bot]["failed"] for bot in study.bots)
    advantage = 100 * (first.value - 1 / len(study.bots))
    return [
        ("turns in a game, all players", f"{measures.mean(turns):.1f}"),
        ("points of a seat", f"{points:.1f}"),
        ("points between the best two", f"{measures.margin(study):.1f}"),
        ("wins of who begins, against an equal share", f"{advantage:+.1f}<small> %</small>"),
        (
            "tickets completed, of those kept",
            f"{100 * done / kept if kept else 0:.0f}<small> %</small>",
        ),
        (
            "routes claimed in a game",
            f"{sum(it.claimed for it in measures.routes(study)):.1f}"
            f"<small> of {len(study.edition.board.routes)}</small>",
        ),
    ]


def between(board: Board, a: str, b: str) -> str:
    """Two cities by their names."""
    return f"{board.city(a).name} – {board.city(b).name}"


def _route(study: Study, measure: RouteMeasure) -> str:
    return f"<b>{escape(between(study.edition.board, measure.route.a, measure.route.b))}</b>"


def _ticket(study: Study, ticket: Ticket) -> str:
    return f"<b>{escape(between(study.edition.board, ticket.a, ticket.b))}</b> ({ticket.points})"


def _notes(study: Study, routes: list[RouteMeasure], tickets: list[TicketMeasure]) -> list[str]:
    """What somebody who designs a board would want to know first."""
    often = sorted(routes, key=lambda it: -it.claimed)
    notes = [
        f"Most wanted: {_route(study, often[0])}, claimed in {often[0].claimed:.0%} of the games. "
        f"Least wanted: {_route(study, often[-1])}, in {often[-1].claimed:.1%}.",
    ]
    rare = [it for it in routes if it.claimed < 0.1]
    if rare:
        many = "One route is" if len(rare) == 1 else f"{len(rare)} of {len(routes)} routes are"
        notes.append(f"{many} claimed in fewer than one game in ten.")
    telling = [it for it in routes if it.worth is not None and it.worth.certain]
    if telling:
        for best, word in (
            (max(telling, key=lambda it: it.worth.value if it.worth else 0), "oftener"),
            (min(telling, key=lambda it: it.worth.value if it.worth else 0), "less often"),
        ):
            assert best.worth is not None
            if (best.worth.value > 0) is (word == "oftener"):
                notes.append(
                    f"Who claims {_route(study, best)} wins {abs(100 * best.worth.value):.1f} "
                    f"games in a hundred {word} than usual."
                )
    first = measures.starters(study)[0]
    equal = 1 / len(study.bots)
    if first.low > equal or first.high < equal:
        word = "more" if first.low > equal else "less"
        notes.append(
            f"Beginning matters: who begins wins {first.value:.1%} of the games, {word} than an "
            f"equal share of {equal:.1%} (95% sure: {first.low:.1%} to {first.high:.1%})."
        )
    else:
        notes.append(
            f"Beginning does not show: who begins wins {first.value:.1%} of the games, an equal "
            f"share being {equal:.1%}."
        )
    known = [it for it in tickets if it.value is not None and it.offered >= 100]
    if known:
        dear = max(known, key=lambda it: it.value or 0)
        poor = min(known, key=lambda it: it.value or 0)
        notes.append(
            f"The best ticket to keep is {_ticket(study, dear.ticket)}: {dear.value:+.1f} points "
            f"on average, completed {dear.completed or 0:.0%} of the time. The worst is "
            f"{_ticket(study, poor.ticket)}: {poor.value:+.1f}."
        )
    called = measures.callers_win(study)
    if called is not None:
        notes.append(f"Who brings on the last round wins {called:.0%} of the games.")
    return notes


def _board(study: Study, routes: list[RouteMeasure]) -> str:
    board = study.edition.board
    return html.section(
        "The board",
        html.figure(
            maps.claimed_map(board, routes), "How often each route is claimed", kind="whole"
        ),
        html.side_by_side(
            html.figure(
                maps.worth_map(board, routes),
                "What claiming it is worth <span>– how much oftener its owner wins</span>",
            ),
            html.figure(
                maps.when_map(board, routes),
                "When it is claimed <span>– on average, of the game’s turns</span>",
            ),
        ),
        kind="board",
    )


def _routes(study: Study, routes: list[RouteMeasure]) -> str:
    board = study.edition.board
    bots = list(measures.seats_of(study))
    several = bots if len(bots) > 1 else []
    head = ["route", "length", "claimed %", *(f"{escape(bot)} %" for bot in several)]
    head += ["when %", "worth %"]
    rows = []
    for it in sorted(routes, key=lambda it: -it.claimed):
        kind = "ferry" if it.route.ferry else "tunnel" if it.route.tunnel else ""
        rows.append(
            [
                html.swatch(
                    between(board, it.route.a, it.route.b),
                    style.ROUTES[it.route.color].fill,
                    kind,
                ),
                html.cell(it.route.length, it.route.length),
                html.bar(it.claimed),
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
    return html.section("Every route", html.halves(head, rows), lead=lead)


def _tickets(study: Study, tickets: list[TicketMeasure]) -> str:
    board = study.edition.board
    points = [
        (it.kept, it.completed, it.ticket.points, it.ticket.long)
        for it in tickets
        if it.kept is not None and it.completed is not None
    ]
    head = ["ticket", "points", "kept %", "done %", "value", "worth %"]
    rows = [
        [
            html.cell(between(board, it.ticket.a, it.ticket.b) + (" (long)" * it.ticket.long)),
            html.cell(it.ticket.points, it.ticket.points),
            html.bar(it.kept),
            html.bar(it.completed),
            html.cell("–", -99) if it.value is None else html.cell(f"{it.value:+.1f}", it.value),
            html.worth(it.worth),
        ]
        for it in sorted(tickets, key=lambda it: -(it.value if it.value is not None else -99))
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
        "the points it brought on average to who kept it, those it cost when it failed counted in. "
        "Worth: as of routes.",
    )


def _scores(study: Study) -> str:
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
            html.figure(charts.score_chart(spreads, low, high, LOWEST), "How they are spread"),
            html.figure(charts.parts_chart(parts), "What they are made of"),
        ),
        lead="Wins are those of one seat, a shared win being a fraction. Done and failed are of "
        "tickets.",
    )


def _course(study: Study) -> str:
    turns = measures.turns(study)
    ends = measures.quantile(turns, 0.001), measures.quantile(turns, 0.999)
    called = measures.callers_win(study)
    lead = (
        f"Half of the games have at most {measures.quantile(turns, 0.5)} turns, nine in ten "
        f"between {measures.quantile(turns, 0.05)} and {measures.quantile(turns, 0.95)}."
    )
    if called is not None:
        lead += f" Who brings on the last round wins {called:.1%}."
    return html.section(
        "Who begins, and how long it takes",
        html.side_by_side(
            html.figure(
                charts.starters_chart(measures.starters(study)),
                "Wins by place in the order of play <span>– with 95% confidence</span>",
            ),
            html.figure(
                charts.turns_chart({"": turns}, *ends, len(study.bots)), "Length of a game"
            ),
        ),
        lead=lead,
    )


def _rules(study: Study) -> str:
    rows = [
        [
            html.cell(it.number),
            html.cell(it.what),
            html.cell(f"{it.times:,.3f}", it.times),
            html.bar(it.games),
        ]
        for it in measures.rare_rules(study)
        if it.times
    ]
    never = [it.what for it in measures.rare_rules(study) if not it.times]
    lead = "How often in a game, and in how many of the games at all."
    if never:
        lead += f" Never happened: {escape('; '.join(never))}."
    return html.section(
        "Rare rules",
        html.table(["rule", "what happened", "times a game", "games %"], rows, kind="words"),
        lead=lead,
    )


def own_statistics(study: Study) -> list[str]:
    """What statistics of people's own have counted."""
    rows = [
        [html.cell(name), html.cell(what), html.cell(value)]
        for name, shown in study.own.items()
        for what, value in shown.items()
    ]
    if not rows:
        return []
    head = ["statistic", "total", "mean of a game"]
    return [html.section("Statistics of your own", html.table(head, rows, kind="words"))]


def _foot() -> str:
    return (
        "<footer><p>Every game was played by the rules engine of Ferrovia from a seed of its own: "
        "the command above plays the same games again, and the number of a game plays it alone "
        "(<code>--first-game N --games 1</code>).</p>"
        "<p>Worth compares a seat with itself, so that a strong bot does not make what it likes "
        "look good. It tells what goes together with winning, which need not be its cause. It is "
        "printed pale where it is less than four standard errors from nothing.</p></footer>"
    )
