"""The top of a report: what was played, key figures, and what stands out."""

from html import escape
from itertools import groupby

from ferrovia.boards import Board, Ticket
from ferrovia.lab.report import html, measures
from ferrovia.lab.report.key_figures import key_figures
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


def figures(study: Study) -> str:
    """Return the key figures in a row."""
    return html.figures((figure.what, figure.html) for figure in key_figures(study))


def what_stands_out(
    study: Study, routes: list[RouteMeasure], tickets: list[TicketMeasure]
) -> list[str]:
    """Return what the designer of a board would want to know first, a sentence each."""
    often = sorted(routes, key=lambda it: -it.claimed.value)
    most, least = often[0], often[-1]
    notes = [
        f"Most wanted: {_route(study, most)}, claimed in {most.claimed.value:.0%} of the games. "
        f"Least wanted: {_route(study, least)}, in {least.claimed.value:.1%}.",
    ]
    rare = [it for it in routes if it.claimed.value < 0.1]
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
    known = [
        (it.value.value, it.completed.value, it.ticket)
        for it in tickets
        if it.value is not None and it.completed is not None and it.offered >= 100
    ]
    if known:
        value, completed, best_ticket = max(known, key=lambda it: it[0])
        worst, _, worst_ticket = min(known, key=lambda it: it[0])
        notes.append(
            f"The best ticket to keep is {_ticket(study, best_ticket)}: {value:+.1f} points "
            f"on average, completed {completed:.0%} of the time. The worst is "
            f"{_ticket(study, worst_ticket)}: {worst:+.1f}."
        )
    called = measures.callers_win(study)
    if called is not None:
        notes.append(f"The player who triggers the last round wins {called:.0%} of the games.")
    return notes


def between(board: Board, a: str, b: str) -> str:
    """Return the names of two cities, joined by a dash."""
    return f"{board.city(a).name} – {board.city(b).name}"


def _route(study: Study, measure: RouteMeasure) -> str:
    return f"<b>{escape(between(study.edition.board, measure.route.a, measure.route.b))}</b>"


def _ticket(study: Study, ticket: Ticket) -> str:
    return f"<b>{escape(between(study.edition.board, ticket.a, ticket.b))}</b> ({ticket.points})"
