"""ferrovia boards"""

from dataclasses import asdict
from pathlib import Path

import click

from ferrovia.boards import check, editions, load_edition, pack_names, packs_folder
from ferrovia.cli import options
from ferrovia.cli.group import HelpfulGroup


@click.group(cls=HelpfulGroup, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the editions, and check a board of your own.

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
