"""ferrovia boards"""

import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ferrovia.boards import check, editions, load_edition, pack_names, packs_folder
from ferrovia.cli import options
from ferrovia.cli.group import HelpfulGroup

if TYPE_CHECKING:
    from ferrovia.workshop.network import Network


@click.group(cls=HelpfulGroup, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the editions; make, check, convert and study boards of your own.

    \b
    Examples:
      ferrovia boards list
      ferrovia boards check my-board.json
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command("list")
@options.as_json
def list_editions(as_json: bool) -> None:
    """List the editions that come with Ferrovia, and your ticket packs.

    \b
    Examples:
      ferrovia boards list
      ferrovia boards list --json
    """
    known = [load_edition(id) for id in editions()]
    if as_json:
        found = [
            {
                "id": one.id,
                "name": one.name,
                "board": one.board.id,
                "seats": list(one.seats),
                "tickets": len(one.tickets),
                "stations": one.stations,
            }
            for one in known
        ]
        options.write_json({"editions": found, "packs": list(pack_names())})
        return
    click.echo("edition       board   players  tickets  stations  name")
    for one in known:
        players = f"{one.seats[0]}-{one.seats[1]}"
        click.echo(
            f"{one.id:<13} {one.board.id:<7} {players:>7}  {len(one.tickets):>7}"
            f"  {one.stations:>8}  {one.name}"
        )
    packs = ", ".join(pack_names()) or "none"
    click.echo(f"ticket packs in {packs_folder()}: {packs}")


@command.command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@options.as_json
@click.pass_context
def check_file(ctx: click.Context, file: Path, as_json: bool) -> None:
    """Check a board file: every problem with its line, and the board in numbers.

    The exit status is 1 when the board cannot be played; warnings do not count.

    \b
    Examples:
      ferrovia boards check my-board.json
      ferrovia boards check my-board.json --json
    """
    report = check(file)
    if as_json:
        options.write_json({"ok": report.ok, **asdict(report)})
    else:
        click.echo(str(report))
    ctx.exit(0 if report.ok else 1)


@command.command("make")
@click.argument("region")
@click.option(
    "--size",
    type=click.Choice(["small", "medium", "large"]),
    default="medium",
    show_default=True,
    help="16 cities for up to three players, 26 for four, or 40 for five.",
)
@click.option("--name", default="", help="What it is called; by default after the region.")
@options.seed
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
def make(region: str, size: str, name: str, seed: int | None, output: Path | None) -> None:
    """Make a balanced board of a region of the world, ready to play.

    REGION is a country by its English name or code, several with + between them, a continent, or
    a box south,west,north,east in degrees. The same region, size and seed give the same board.

    \b
    Examples:
      ferrovia boards make portugal --seed 7
      ferrovia boards make spain+portugal --size large -o iberia.json
      ferrovia boards make europe --size large --seed 3 -o new.json
    """
    from ferrovia.workshop.generator import make_board

    chosen = secrets.randbelow(10**6) if seed is None else seed
    edition = make_board(region, size, chosen, name)  # type: ignore[arg-type]
    _write_board(output or Path(f"{edition.board.id}.json"), edition.document())


@command.command("import")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    required=True,
)
@click.pass_context
def import_files(ctx: click.Context, files: tuple[Path, ...], output: Path) -> None:
    """Make a board file of tables (CSV), GeoJSON, or a map of the map editor.

    Tables of cities, routes and tickets are given together. What was left out is said, and so
    is what is wrong with the board that comes out; the exit status is 1 if it cannot be played.

    \b
    Examples:
      ferrovia boards import cities.csv routes.csv tickets.csv -o mine.json
      ferrovia boards import map.json -o mine.json
    """
    from ferrovia.workshop.exchange.read import MOST_BYTES, read_foreign

    data = {}
    for path in files:
        with path.open("rb") as stream:
            data[str(path)] = stream.read(MOST_BYTES + 1)
    found = read_foreign(data)
    for note in found.notes:
        click.echo(f"note     {note}", err=True)
    _write_board(output, found.document)
    report = check(output)
    click.echo(str(report))
    ctx.exit(0 if report.ok else 1)


@command.command("export")
@click.argument("board")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="PATH", required=True)
def export(board: str, output: Path) -> None:
    """Write a board for other programs: GeoJSON (.geojson), or tables (a folder for CSV files).

    \b
    Examples:
      ferrovia boards export mine.json -o mine.geojson
      ferrovia boards export europe -o tables
    """
    from ferrovia.workshop.exchange.geojson import geojson_of
    from ferrovia.workshop.exchange.tables import tables_of

    edition = options.load_edition(board)
    if output.suffix == ".geojson":
        text = json.dumps(geojson_of(edition), ensure_ascii=False, indent=1) + "\n"
        output.write_text(text, encoding="utf-8")
        click.echo(str(output))
        return
    if output.suffix:
        raise click.UsageError(f"{output} must end in .geojson, or be a folder for tables")
    output.mkdir(exist_ok=True)
    for name, table in tables_of(edition).items():
        path = output / name
        path.write_text(table, encoding="utf-8", newline="")
        click.echo(str(path))


@command.command("report")
@click.argument("board")
@options.as_json
def report(board: str, as_json: bool) -> None:
    """Show a board as a network, compared with the printed boards.

    \b
    Examples:
      ferrovia boards report my-board.json
      ferrovia boards report europe --json
    """
    import msgspec

    from ferrovia.workshop.network import network_of

    edition = options.load_edition(board)
    mine = network_of(edition)
    if as_json:
        options.write_json(msgspec.to_builtins(mine))
        return
    others = [network_of(load_edition(id)) for id in ("usa", "europe")]
    click.echo(f"{'':<40}{edition.id:>14}{'usa':>10}{'europe':>10}")
    for name, values in _rows([mine, *others]):
        click.echo(f"{name:<40}{values[0]:>14}{values[1]:>10}{values[2]:>10}")
    for id in mine.cuts:
        click.echo(f"warning  at tables of two or three the map falls apart without {id}")


@command.command("tickets")
@click.argument("board", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@options.seed
@click.option("--count", type=options.WholeNumber(1, 150), help="By default 1.1 for a city.")
@click.option(
    "--style",
    type=click.Choice(["balanced", "short", "long"]),
    default="balanced",
    show_default=True,
)
@click.option("--keep", callback=options.words, default="", help="Ids of tickets to keep.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
def tickets(
    board: Path,
    seed: int | None,
    count: int | None,
    style: str,
    keep: tuple[str, ...],
    output: Path | None,
) -> None:
    """Search tickets for a board: worth the shortest way, and spread well over the map.

    The board with its new tickets is written to the file that -o names; without it they are
    shown only. Tickets to keep stay as they are, values made by hand included.

    \b
    Examples:
      ferrovia boards tickets my-board.json --seed 3
      ferrovia boards tickets my-board.json --seed 3 --style long -o new.json
    """
    from ferrovia.workshop.ticket_search import search_tickets

    edition = load_edition(board)
    known = {ticket.id: ticket for ticket in edition.board.tickets}
    for id in keep:
        if id not in known:
            raise click.UsageError(f"--keep: there is no ticket '{id}'")
    deck = search_tickets(
        edition.board,
        edition.trains,
        secrets.randbelow(10**6) if seed is None else seed,
        keep=[known[id] for id in keep],
        count=count,
        style=style,  # type: ignore[arg-type]
    )
    for ticket in deck:
        click.echo(f"{ticket.points:>3}  {ticket.id}")
    if output is not None:
        document = json.loads(board.read_text(encoding="utf-8-sig"))
        document["tickets"] = [asdict(ticket) for ticket in deck]
        _write_board(output, document)


@command.command("print")
@click.argument("board")
@click.option(
    "--what",
    type=click.Choice(["board", "tickets", "cards"]),
    default="board",
    show_default=True,
)
@click.option(
    "--layout",
    type=click.Choice(["one", "panels", "full", "sheets", "single"]),
    help="Of a board: one sheet of paper, equal panels at full size, or the full size whole."
    " Of tickets and cards: sheets to be cut, or single cards for a print shop.",
)
@click.option(
    "--paper",
    type=click.Choice(["a4", "a3", "letter", "tabloid"]),
    default="a4",
    show_default=True,
)
@click.option(
    "--long-side",
    type=options.WholeNumber(100, 3000),
    metavar="MM",
    help="Of the board at full size. By default as long as it is with spaces of 20 mm.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    required=True,
)
def print_board(
    board: str, what: str, layout: str | None, paper: str, long_side: int | None, output: Path
) -> None:
    """Print a board, its tickets or train cards: a PDF (.pdf), or SVG with text as paths (.svg).

    Every sheet has cut marks, its number, and a word that names this version of the board; the
    first has a ruler of 100 mm. Tickets and cards have a front, a back and a bleed of 3 mm. Several
    sheets of SVG are files with a number. PDF needs the extra `print`.

    \b
    Examples:
      ferrovia boards print my-board.json -o board.svg
      ferrovia boards print my-board.json --layout panels --paper a3 -o panels.pdf
      ferrovia boards print my-board.json --what tickets -o tickets.pdf
    """
    from ferrovia.atomic_files import atomic, write_atomic
    from ferrovia.workshop.print.paper import as_svg
    from ferrovia.workshop.print.pdf import pdf_of
    from ferrovia.workshop.print.prints import LAYOUTS, print_of

    edition = options.load_edition(board)
    try:
        made = print_of(
            edition,
            what,  # type: ignore[arg-type]
            layout or LAYOUTS[what][0],  # type: ignore[index]
            paper,  # type: ignore[arg-type]
            long_side,
        )
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None
    if output.suffix == ".pdf":
        with atomic(output) as unfinished:
            unfinished.write_bytes(pdf_of(made))
        click.echo(f"{output}: {len(made.sheets)} sheets")
        return
    if output.suffix != ".svg":
        raise click.UsageError(f"{output} must end in .pdf or .svg")
    for number in range(len(made.sheets)):
        several = len(made.sheets) > 1
        path = output.with_stem(f"{output.stem}-{number + 1}") if several else output
        write_atomic(path, as_svg(made, number))
        click.echo(str(path))


@command.command("schema")
def schema() -> None:
    """Write the JSON Schema of board files, which editors use to check and complete them.

    \b
    Examples:
      ferrovia boards schema > board.schema.json
    """
    from ferrovia.workshop.board_file import board_schema

    options.write_json(board_schema())


def _rows(found: "Sequence[Network]") -> Iterator[tuple[str, list[str]]]:
    """Return the rows of a report: what they say, and the values of each board."""

    def percent(value: float | None) -> str:
        return "–" if value is None else f"{value:.0%}"

    yield "cities", [str(one.cities) for one in found]
    yield "pairs of neighbours, of them double", [f"{one.pairs}, {one.doubles}" for one in found]
    yield "spaces", [str(one.spaces) for one in found]
    yield (
        "routes of a colour",
        [_span([it.routes for it in one.colors[:-1]]) for one in found],
    )
    yield (
        "spaces of a colour",
        [_span([it.spaces for it in one.colors[:-1]]) for one in found],
    )
    yield (
        "grey routes, spaces",
        [f"{one.colors[-1].routes}, {one.colors[-1].spaces}" for one in found],
    )
    yield (
        "cities with one, two neighbours",
        [f"{len(one.ends)}, {len(one.corners)}" for one in found],
    )
    yield "longest of the shortest ways", [str(one.longest_way) for one in found]
    yield "tickets", [str(one.tickets) for one in found]
    yield "tickets worth the shortest way", [str(one.by_shortest) for one in found]
    yield "cities named by tickets", [str(one.named) for one in found]
    yield (
        "use of doubles against singles",
        ["–" if one.load is None else f"{one.load:.2f}" for one in found],
    )
    yield "pairs on no ticket's way", [percent(one.unused) for one in found]


def _span(values: Sequence[int]) -> str:
    return str(values[0]) if len(set(values)) == 1 else f"{min(values)}-{max(values)}"


def _write_board(path: Path, document: dict[str, Any]) -> None:
    from ferrovia.atomic_files import write_atomic
    from ferrovia.workshop.board_file import board_text

    write_atomic(path, board_text(document))
    click.echo(str(path))
