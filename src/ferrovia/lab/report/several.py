"""Several runs side by side: a board with two, three and four players, or three drafts of it."""

from collections.abc import Sequence
from html import escape

from ferrovia.lab.report import html, maps, measures
from ferrovia.lab.report.key_figures import key_figures
from ferrovia.lab.report.overview import players
from ferrovia.lab.report.sections import route_cell
from ferrovia.lab.report.study import Study

_INTERVAL = "Behind each figure is its 95% confidence interval."


def several(studies: Sequence[Study]) -> str:
    """Return the page as HTML; MissingExtra where the library for charts is missing."""
    names = _names(studies)
    rows = "".join(
        f"<p class=sub><b>{escape(name)}</b> · {escape(it.edition.name)}, "
        f"{escape(players(it))} · {it.games:,} games, seed {it.seed}</p>"
        for it, name in zip(studies, names, strict=True)
    )
    title = ", ".join(names)
    heading = (
        f"<header><p class=over>Ferrovia · {len(studies)} simulations side by side</p>"
        f"<h1>{escape(title)}</h1>{rows}</header>"
    )
    parts = [heading, _figures(studies, names), *_boards(studies, names)]
    return html.document(title, parts)


def _names(studies: Sequence[Study]) -> list[str]:
    """Return what to call them: by their files, or by who played."""
    files = [it.file.stem for it in studies if it.file is not None]
    return files if len(set(files)) == len(studies) else [players(it) for it in studies]


def _figures(studies: Sequence[Study], names: Sequence[str]) -> str:
    rows = [
        [
            html.cell(figures[0].what),
            *(
                f"<td>{it.html} <small>{it.estimate.low:.1f} to {it.estimate.high:.1f}</small></td>"
                for it in figures
            ),
        ]
        for figures in zip(*map(key_figures, studies), strict=True)
    ]
    table = html.table(["", *map(escape, names)], rows, kind="large")
    return html.section("In figures", table, lead=_INTERVAL)


def _boards(studies: Sequence[Study], names: Sequence[str]) -> list[str]:
    """Return a map of each, in the same colours, and the routes that all have."""
    # If one of them closes doubles, the halves of others cannot be compared with its halves.
    whole = any(map(measures.closes_doubles, studies))
    found = [measures.routes(it, whole_doubles=whole) for it in studies]
    most = max((it.claimed.value for routes in found for it in routes), default=1.0)
    drawn = [
        html.figure(maps.claimed_map(it.edition.board, routes, most), escape(name))
        for it, routes, name in zip(studies, found, names, strict=True)
    ]
    sections = [html.section("How often each route is claimed", html.side_by_side(*drawn))]
    by_id = [{it.route.id: it for it in routes} for routes in found]
    common = [id for id in by_id[0] if all(id in routes for routes in by_id)]
    if common:
        spread = {
            id: max(values) - min(values)
            for id in common
            for values in [[routes[id].claimed.value for routes in by_id]]
        }
        rows = [
            [
                route_cell(studies[0], by_id[0][id]),
                *(html.bar(routes[id].claimed.value, max(1.0, most)) for routes in by_id),
            ]
            for id in sorted(common, key=lambda id: -spread[id])
        ]
        unit = "claims in 100 games" if most > 1 else "claimed in % of the games"
        table = html.halves([f"route, {unit}", *map(escape, names)], rows)
        lead = "Those that differ most come first."
        sections.append(html.section("Every route", table, lead=lead))
    return sections
