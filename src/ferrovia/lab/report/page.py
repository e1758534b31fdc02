"""The report of one run."""

from ferrovia.lab.report import html, measures, overview, sections
from ferrovia.lab.report.study import Study


def report(study: Study) -> str:
    """Return the page as HTML; MissingExtra where the library for charts is missing."""
    routes, tickets = measures.routes(study), measures.tickets(study)
    return html.document(
        f"{study.edition.name}: {study.games:,} games",
        [
            overview.heading(study),
            overview.figures(study),
            html.section(
                "What stands out", html.listed(overview.what_stands_out(study, routes, tickets))
            ),
            sections.board_section(study, routes),
            sections.route_section(study, routes),
            sections.ticket_section(study, tickets),
            sections.score_section(study),
            sections.course_section(study),
            sections.rule_section(study),
            *sections.own_statistics(study),
            _foot(),
        ],
    )


def _foot() -> str:
    return (
        "<footer><p>Every game was played by the rules engine of Ferrovia from a seed of its own: "
        "the command above plays the same games again, and the number of a game plays it alone "
        "(<code>--first-game N --games 1</code>).</p>"
        "<p>Worth compares a seat with itself, so that what a strong bot prefers does not look "
        "good for that. It shows what goes together with winning, which need not be its cause. "
        "It is printed pale where it is less than four standard errors from zero.</p></footer>"
    )
