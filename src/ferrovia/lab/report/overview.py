"""The top of a report: what was played, key figures, and what stands out."""

from html import escape
from itertools import groupby

from ferrovia.boards import Board, Ticket
from ferrovia.lab.report import measures
from ferrovia.lab.report.measures import RouteMeasure, TicketMeasure
from ferrovia.lab.report.study import Study
from ferrovia.lab.run.plan import edition_argument, simulate_command


def heading(study: Study) -> str:
    """Return the heading: what was played, and the command that plays it again."""
    command = simulate_command(
        edition_argument(study.edition),
        study.edition.extras,
        study.bots,
        games=study.games,
        seed=study.seed,
        first=study.first,
    )
    return (
        f"<header><p class=over>Ferrovia · simulation report</p>"
        f"<h1>{escape(study.edition.name)}</h1>"
        f"<p class=sub>{escape(players(study))} · {study.games:,} games</p>"
        f"<p class=how>Play it again: <code>{escape(command)}</code></p></header>"
    )


def players(study: Study) -> str:
    """Return the players in words: `4 players: greedy × 3, random`."""
    runs = [(bot, len(list(seats))) for bot, seats in groupby(study.bots)]
    named = ", ".join(bot if count == 1 else f"{bot} × {count}" for bot, count in runs)
    return f"{len(study.bots)} players: {named}"


def key_figures(study: Study) -> list[tuple[str, str]]:
    """Return the numbers that one asks for first, each with what it is."""
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
        (
            "wins of the first player, against an equal share",
            f"{advantage:+.1f}<small> %</small>",
        ),
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


def what_stands_out(
    study: Study, routes: list[RouteMeasure], tickets: list[TicketMeasure]
) -> list[str]:
    """Return what the designer of a board would want to know first, a sentence each."""
    often = sorted(routes, key=lambda it: -it.claimed)
    notes = [
        f"Most wanted: {_route(study, often[0])}, claimed in {often[0].claimed:.0%} of the games. "
        f"Least wanted: {_route(study, often[-1])}, in {often[-1].claimed:.1%}.",
    ]
    rare = [it for it in routes if it.claimed < 0.1]
    if rare:
        many = "One route is" if len(rare) == 1 else f"{len(rare)} of {len(routes)} routes are"
        notes.append(f"{many} claimed in fewer than one game in ten.")
    certain = [it for it in routes if it.worth is not None and it.worth.certain]
    if certain:
        for best, word in (
            (max(certain, key=lambda it: it.worth.value if it.worth else 0), "more"),
            (min(certain, key=lambda it: it.worth.value if it.worth else 0), "fewer"),
        ):
            assert best.worth is not None
            if (best.worth.value > 0) is (word == "more"):
                notes.append(
                    f"The owner of {_route(study, best)} wins {abs(100 * best.worth.value):.1f} "
                    f"{word} games in a hundred than usual."
                )
    first = measures.starters(study)[0]
    equal = 1 / len(study.bots)
    if first.low > equal or first.high < equal:
        word = "more" if first.low > equal else "less"
        notes.append(
            f"Going first matters: the first player wins {first.value:.1%} of the games, {word} "
            f"than an equal share of {equal:.1%} (95% confidence: {first.low:.1%} to "
            f"{first.high:.1%})."
        )
    else:
        notes.append(
            f"Going first makes no clear difference: the first player wins {first.value:.1%} of "
            f"the games, an equal share being {equal:.1%}."
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
        notes.append(f"The player who triggers the last round wins {called:.0%} of the games.")
    return notes


def between(board: Board, a: str, b: str) -> str:
    """Return two cities by their names."""
    return f"{board.city(a).name} – {board.city(b).name}"


def _route(study: Study, measure: RouteMeasure) -> str:
    return f"<b>{escape(between(study.edition.board, measure.route.a, measure.route.b))}</b>"


def _ticket(study: Study, ticket: Ticket) -> str:
    return f"<b>{escape(between(study.edition.board, ticket.a, ticket.b))}</b> ({ticket.points})"
