"""The elements of a page, as HTML."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from ferrovia import __version__
from ferrovia.lab.report.measures import Worth
from ferrovia.lab.tournament.intervals import Estimate


def document(title: str, body: Iterable[str]) -> str:
    """Return a self-contained page."""
    folder = files(__package__)
    look = (folder / "page.css").read_text(encoding="utf-8")
    sorting = (folder / "page.js").read_text(encoding="utf-8")
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta name="generator" content="Ferrovia {__version__}">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{look}</style>",
            "</head>",
            "<body>",
            *body,
            f"<script>\n{sorting}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def section(title: str, *parts: str, lead: str = "", kind: str = "") -> str:
    """Return a section with a heading and a first sentence."""
    words = f"<p class=lead>{lead}</p>" if lead else ""
    return f'<section class="{kind}"><h2>{escape(title)}</h2>{words}{"".join(parts)}</section>'


def figure(content: str, caption: str, kind: str = "") -> str:
    """Return a picture with a caption above it."""
    return f'<figure class="{kind}"><figcaption>{caption}</figcaption>{content}</figure>'


def side_by_side(*parts: str) -> str:
    """Return things side by side where there is room."""
    return f'<div class="pair">{"".join(parts)}</div>'


def figures(numbers: Iterable[tuple[str, str]]) -> str:
    """Return a row of numbers, each with its label."""
    cells = "".join(
        f"<div><dt>{escape(what)}</dt><dd>{value}</dd></div>" for what, value in numbers
    )
    return f"<dl class=figures>{cells}</dl>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """Return a table; its cells are HTML as `cell`, `bar` and others return it."""
    heads = "".join(f"<th>{one}</th>" for one in head)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return (
        f'<div class="scroll"><table class="{kind}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def halves(head: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    """Return a long table in two halves side by side."""
    middle = -(-len(rows) // 2)
    return side_by_side(table(head, rows[:middle], kind), table(head, rows[middle:], kind))


def cell(text: object, by: float | None = None) -> str:
    """Return a cell; `by` is the number to sort it by."""
    order = "" if by is None else f' data-by="{by:g}"'
    return f"<td{order}>{escape(str(text))}</td>"


def swatch(text: str, colors: Sequence[str], kind: str = "") -> str:
    """Return a cell with patches of colour, a name, and the kind of thing it is."""
    behind = f" <small>{escape(kind)}</small>" if kind else ""
    patches = "".join(f'<i class="swatch" style="background:{color}"></i>' for color in colors)
    return f"<td>{patches}{escape(text)}{behind}</td>"


def bar(value: float | None, most: float = 1.0, parts: Sequence[float] = ()) -> str:
    """Return a cell with a share of 1 as a percentage over a bar, and the parts it is a sum of."""
    if value is None:
        return '<td data-by="-1">–</td>'
    width = 100 * min(value / most, 1.0) if most else 0
    sum_of = " + ".join(f"{100 * part:.1f}" for part in parts)
    text = f"<small>{sum_of}</small> " * (len(parts) > 1) + f"{100 * value:.1f}"
    return f'<td class="bar" style="--w:{width:.1f}%" data-by="{value:g}">{text}</td>'


def number(value: Estimate | None) -> str:
    """Return a cell with a number that can be negative."""
    return cell("–", -99) if value is None else cell(f"{value.value:+.1f}", value.value)


def change(value: Estimate | None, factor: float = 1.0) -> str:
    """Return a cell with a change and its interval; pale where it may be chance."""
    if value is None:
        return '<td data-by="0">–</td>'
    kind = ("up" if value.value > 0 else "down") if value.certain else "pale"
    middle, low, high = (f"{factor * part + 0.0:+.1f}" for part in value)
    return (
        f'<td class="{kind}" data-by="{value.value:g}">{middle} <small>{low} to {high}</small></td>'
    )


def worth(value: Worth | None) -> str:
    """Return a cell with what something is worth for winning; pale where it may be chance."""
    if value is None:
        return '<td data-by="-9">–</td>'
    kind = ("up" if value.value > 0 else "down") if value.certain else "pale"
    return f'<td class="{kind}" data-by="{value.value:g}">{100 * value.value:+.1f}</td>'


def listed(lines: Iterable[str]) -> str:
    """Return sentences as a list."""
    return f"<ul class=notes>{''.join(f'<li>{line}</li>' for line in lines)}</ul>"
