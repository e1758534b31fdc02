"""ferrovia tables"""

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ferrovia.cli import options
from ferrovia.cli import store_options as stores
from ferrovia.cli.files import check_new
from ferrovia.cli.group import HelpfulGroup
from ferrovia.cli.progress import progress

if TYPE_CHECKING:
    from ferrovia.server.store import Archive

_table = click.argument("table")


@click.group(cls=HelpfulGroup, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List, show, moderate, close and export the tables of a server.

    \b
    Examples:
      ferrovia tables list
      ferrovia tables show Xq3b
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command("list")
@stores.states(stores.STATES)
@click.option("--name", metavar="TEXT", help="Only tables at which such a name sits.")
@click.option("--limit", default=50, show_default=True, type=options.WholeNumber(1, 1_000_000))
@stores.store
@options.as_json
def list_tables(
    states: tuple[str, ...], name: str | None, limit: int, store: str | None, as_json: bool
) -> None:
    """List tables, the most recently active first.

    Whoever knows the id of a table can find it: the list is for the people who run the server.

    \b
    Examples:
      ferrovia tables list
      ferrovia tables list --state running --limit 10
      ferrovia tables list --name ada --json
    """
    from ferrovia.server.lobby.upkeep import describe, latest

    with stores.opened(store, "read") as found:
        tables = latest(found, states, None if name else limit)
        described = [describe(found, stored) for stored in tables]
    if name:
        wanted = name.casefold()
        described = [
            one for one in described if any(wanted in player.casefold() for player in one.players)
        ][:limit]
    if as_json:
        options.write_json([asdict(one) for one in described])
        return
    click.echo(f"{'table':<24} {'state':<8} {'entries':>7}  {'last entry':<16}  edition, players")
    for one in described:
        about = one.problem or f"{one.edition}: {', '.join(one.players)}"
        click.echo(
            f"{one.table:<24} {one.status:<8} {one.entries:>7}  {stores.when(one.changed)}  {about}"
        )


@command.command("show")
@_table
@stores.store
@options.as_json
def show_table(table: str, store: str | None, as_json: bool) -> None:
    """Show a table: who sits there, its clock, and what happened besides moves.

    The beginning of the id is enough. What is hidden in the game is not shown.

    \b
    Examples:
      ferrovia tables show Xq3b
      ferrovia tables show Xq3b --json
    """
    import msgspec

    from ferrovia.server.lobby.upkeep import arranged, find, history
    from ferrovia.server.table.viewers import view

    with stores.opened(store, "read") as found:
        stored = find(found, table)
        shown = arranged(found, stored.table)
        lines = history(found, stored.table)
    info = msgspec.to_builtins(view.table_info(shown))
    if as_json:
        events = [{"number": number, "at": at, "entry": kind} for number, at, kind in lines]
        more = {"entries": shown.number, "changed": shown.changed, "history": events}
        options.write_json({**info, **more})
        return
    click.echo(f"table    {shown.id}")
    click.echo(f"state    {info['status']}" + (", paused" if info["paused"] else ""))
    click.echo(f"edition  {info['edition']}" + "".join(f" + {name}" for name in info["extras"]))
    clock = info["clock"]
    unit = {"live": "seconds a turn", "slow": "days a turn"}.get(clock["kind"], "")
    click.echo(f"clock    {clock['turn']} {unit}" if unit else "clock    none")
    click.echo(f"listed   {'yes' if info['listed'] else 'no'}")
    click.echo(f"entries  {shown.number}, the last {stores.when(shown.changed)}")
    for number, seat in enumerate(info["seats"]):
        who = seat["name"] or (f"bot:{seat['bot']}" if seat["bot"] else "(open)")
        click.echo(f"seat {number}   {who}" + (" (away)" if seat["away"] else ""))
    for number, at, kind in lines:
        click.echo(f"{number:>8} {at}  {kind}")


@command.command("close")
@_table
@click.option("--why", default="", metavar="TEXT", help="A note that is kept in the log.")
@stores.store
@options.as_json
def close_table(table: str, why: str, store: str | None, as_json: bool) -> None:
    """Close a table for good: nobody can play there any more, and it is no longer listed.

    It also works while a server runs, which notices within a second or two. The table is kept;
    `ferrovia tables delete` deletes it.

    \b
    Examples:
      ferrovia tables close Xq3b
      ferrovia tables close Xq3b --why "an abusive name"
    """
    from ferrovia.server.lobby.upkeep import close, find

    with stores.opened(store, "write") as found:
        stored = find(found, table)
        closed = close(found, stored.table, why, time.time())
    _report(stored.table, "closed", closed, "was over already", as_json)


@command.command("talk")
@_table
@stores.store
@options.as_json
def show_talk(table: str, store: str | None, as_json: bool) -> None:
    """Show what was said at a table, with the number of every line.

    \b
    Examples:
      ferrovia tables talk Xq3b
    """
    from ferrovia.server.lobby.moderation import talk
    from ferrovia.server.lobby.upkeep import find

    with stores.opened(store, "read") as found:
        lines = talk(found, find(found, table).table)
    if as_json:
        options.write_json([asdict(line) for line in lines])
        return
    if not lines:
        click.echo("nothing was said at this table", err=True)
    for line in lines:
        who = f"{line.name} (spectator)" if line.seat is None else f"{line.name} (seat {line.seat})"
        gone = "  [withheld]" if line.withheld else ""
        click.echo(f"{line.number:>6} {stores.when(line.at)}  {who}: {line.text}{gone}")


@command.command("reports")
@click.option("--all", "everything", is_flag=True, help="Also those that are settled.")
@stores.store
@options.as_json
def list_reports(everything: bool, store: str | None, as_json: bool) -> None:
    """List what people reported: lines of chat and names, the latest first.

    A report is settled when the line is withheld, its speaker muted, or the table over.

    \b
    Examples:
      ferrovia tables reports
      ferrovia tables reports --all --json
    """
    from ferrovia.server.lobby.moderation import complaints

    with stores.opened(store, "read") as found:
        listed = [one for one in complaints(found) if everything or not one.done]
    if as_json:
        options.write_json([asdict(one) for one in listed])
        return
    if not listed:
        click.echo("nothing is reported" + ("" if everything else " that is not settled"), err=True)
    for one in listed:
        seat = "spectator" if one.seat is None else f"seat {one.seat}"
        what = f"line {one.line}: {one.text}" if one.line is not None else "the name"
        settled = "  [settled]" if one.done else ""
        click.echo(
            f"{one.table:<24} {stores.when(one.at)}  {one.by} times  "
            f"{one.name} ({seat}), {what}{settled}"
        )


@command.command("mute")
@_table
@click.argument("seat")
@stores.store
@options.as_json
def mute_seat(table: str, seat: str, store: str | None, as_json: bool) -> None:
    """Mute a seat, or all `spectators`, at a table; players can go on playing.

    It also works while a server runs, as `ferrovia tables close` does.

    \b
    Examples:
      ferrovia tables mute Xq3b 1
      ferrovia tables mute Xq3b spectators
    """
    from ferrovia.server.lobby.moderation import mute
    from ferrovia.server.lobby.upkeep import find

    if seat != "spectators" and not seat.isdecimal():
        raise click.BadParameter("give the number of a seat, or 'spectators'")
    with stores.opened(store, "write") as found:
        stored = find(found, table)
        number = None if seat == "spectators" else int(seat)
        muted = mute(found, stored.table, number, time.time())
    _report(stored.table, "muted", muted, "was muted already", as_json)


@command.command("withhold")
@_table
@click.argument("line", type=options.WholeNumber(1, 1_000_000_000))
@stores.store
@options.as_json
def withhold_line(table: str, line: int, store: str | None, as_json: bool) -> None:
    """Withhold a line of chat, by its number: it is no longer shown to anybody.

    It stays in the log of the table, for the people who run the server.

    \b
    Examples:
      ferrovia tables withhold Xq3b 57
    """
    from ferrovia.server.lobby.moderation import withhold
    from ferrovia.server.lobby.upkeep import find

    with stores.opened(store, "write") as found:
        stored = find(found, table)
        done = withhold(found, stored.table, line, time.time())
    _report(stored.table, "withheld", done, "was withheld already", as_json)


@command.command("seat")
@_table
@click.argument("seat", type=options.WholeNumber(0, 9))
@stores.store
@options.as_json
def give_seat_again(table: str, seat: int, store: str | None, as_json: bool) -> None:
    """Give a seat again to somebody who has lost it with their browser.

    Prints the end of a link: put it after the address of your server, and send it to nobody else.
    The old secret of the seat is void.

    \b
    Examples:
      ferrovia tables seat Xq3b 0
    """
    from ferrovia.server.lobby.upkeep import find, give_seat

    with stores.opened(store, "write") as found:
        stored = find(found, table)
        token = give_seat(found, stored.table, seat, time.time())
    link = f"table/{stored.table}#token={token}"
    if as_json:
        options.write_json({"ok": True, "table": stored.table, "seat": seat, "link": link})
    else:
        click.echo(link)


@command.command("delete")
@_table
@stores.store
@options.as_json
def delete_table(table: str, store: str | None, as_json: bool) -> None:
    """Delete a table with everything that was said and played there. There is no way back.

    It has to be over: close it first.

    \b
    Examples:
      ferrovia tables delete Xq3b
    """
    from ferrovia.server.lobby.upkeep import delete, find

    with stores.opened(store, "write") as found:
        stored = find(found, table)
        if stored.summary.status != "over":
            raise click.ClickException(
                f"{stored.table} is not over; `ferrovia tables close {stored.table[:8]}` ends it"
            )
        deleted = delete(found, stored)
    _report(stored.table, "deleted", deleted, "was changed just now; try again", as_json)


def _report(table: str, done: str, changed: bool, already: str, as_json: bool) -> None:
    """Print what was done to a table, or that it was so already."""
    if as_json:
        options.write_json({"ok": True, "table": table, done: changed})
    else:
        click.echo(f"{table}: {done if changed else already}")


@command.command("export")
@click.argument("table", required=False)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE|FOLDER",
    help="A new file for one table, a folder for all; without it, standard output.",
)
@click.option("--all", "everything", is_flag=True, help="Every finished game, into a folder.")
@stores.store
def export_table(table: str | None, out: Path | None, everything: bool, store: str | None) -> None:
    """Write the record of a game, as anybody may download it.

    The record of a running game holds only what the public may know. With --all, the records of all
    finished games are written, each to a file named after its table; one that exists stays.

    \b
    Examples:
      ferrovia tables export Xq3b > game.jsonl
      ferrovia tables export Xq3b -o game.jsonl
      ferrovia tables export --all -o games
    """
    if (table is None) != everything or (everything and out is None):
        raise click.UsageError("name a table, or give --all and a folder with -o")
    with stores.opened(store, "read") as found:
        if table is None:
            assert out is not None
            _export_all(found, out)
            return
        text = _record(found, table)
    if out is None:
        click.echo(text, nl=False)
        return
    check_new(out)
    out.write_text(text, encoding="utf-8")
    click.echo(f"the record is in {out}", err=True)


def _record(found: "Archive", table: str) -> str:
    from ferrovia.server.lobby.upkeep import find, record

    stored = find(found, table)
    text = record(found, stored.table)
    if text is None:
        raise click.ClickException(f"the game at table {stored.table} has not begun")
    return text


def _export_all(found: "Archive", folder: Path) -> None:
    from ferrovia.errors import FerroviaError
    from ferrovia.server.lobby.upkeep import latest, record

    folder.mkdir(parents=True, exist_ok=True)
    tables = latest(found, ("over",), None)
    written = failed = 0
    with progress("records", len(tables)) as shown:
        for stored in tables:
            path = folder / f"{stored.table}.jsonl"
            try:
                text = None if path.exists() else record(found, stored.table)
            except FerroviaError as problem:
                click.echo(f"{stored.table}: {problem}", err=True)
                failed += 1
                text = None
            if text is not None:
                path.write_text(text, encoding="utf-8")
                written += 1
            shown.advance()
    click.echo(f"{written} records written to {folder}")
    if failed:
        raise click.ClickException(f"{failed} tables could not be read: ferrovia store check")
