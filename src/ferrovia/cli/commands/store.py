"""ferrovia store"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ferrovia.cli import options
from ferrovia.cli import store_options as stores
from ferrovia.cli.group import HelpfulGroup
from ferrovia.cli.progress import Progress

if TYPE_CHECKING:
    from ferrovia.server.store import Archive, Damage, Stored, StoreReport
    from ferrovia.server.store.maintenance.transfer import Copied

_SHOWN = 20


@click.group(cls=HelpfulGroup, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Back up, restore, check, move and prune the games of a server.

    \b
    Examples:
      ferrovia store check
      ferrovia store backup monday.sqlite
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command("check")
@stores.store
@click.option("--replay", is_flag=True, help="Play every game again by the rules as well.")
@options.as_json
@click.pass_context
def check_store(ctx: click.Context, store: str | None, replay: bool, as_json: bool) -> None:
    """Check a store whole: its files, and every entry of every table against its hash.

    It changes nothing, and works while a server uses the store. The exit status is 1 when
    something is damaged. The digest is the same for the same contents: noted elsewhere, it
    shows later that nothing was rewritten.

    \b
    Examples:
      ferrovia store check
      ferrovia store check --store games.sqlite --replay
      ferrovia store check --store postgresql://club@db/ferrovia --json
    """
    from ferrovia.server.store.maintenance.check import check

    with stores.opened(store, "read") as found, _progress("tables") as progress:
        report = check(found, progress)
        unproved = _replay(found) if replay else []
        name = found.name
    ok = report.ok and not unproved
    if as_json:
        again = [{"table": table, "problem": problem} for table, problem in unproved]
        options.write_json({"ok": ok, "store": name, **asdict(report), "unproved": again})
    else:
        for damage in report.damages[:_SHOWN]:
            click.echo(f"DAMAGED  {_where(damage)}: {damage.problem}")
        for table, problem in unproved[:_SHOWN]:
            click.echo(f"WRONG    table {table}: {problem}")
        hidden = max(0, len(report.damages) - _SHOWN) + max(0, len(unproved) - _SHOWN)
        if hidden:
            click.echo(f"... and {hidden} more (--json has all of them)")
        click.echo(_verdict(name, report, len(unproved)))
    ctx.exit(0 if ok else 1)


def _replay(found: "Archive") -> list[tuple[str, str]]:
    from ferrovia.server.lobby.upkeep import unproved

    with _progress("games") as progress:
        return unproved(found, progress)


def _counts(report: "StoreReport") -> str:
    tables = "1 table" if report.tables == 1 else f"{report.tables} tables"
    return f"{tables}, {report.entries} {'entry' if report.entries == 1 else 'entries'}"


def _verdict(name: str, report: "StoreReport", unproved: int) -> str:
    faults = len(report.damages) + unproved
    verdict = "whole" if not faults else "1 problem" if faults == 1 else f"{faults} problems"
    return f"{name}: {verdict}; {_counts(report)}; digest {report.digest[:32]}"


def _where(damage: "Damage") -> str:
    if damage.table is None:
        return "the store"
    return f"table {damage.table}" + (f", entry {damage.number}" if damage.number else "")


@command.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@stores.store
@options.as_json
def backup_store(file: Path, store: str | None, as_json: bool) -> None:
    """Copy a store into a new SQLite file, even while its server runs, and check the copy.

    It has everything that was accepted before the command began. Nothing is overwritten.

    \b
    Examples:
      ferrovia store backup monday.sqlite
      ferrovia store backup monday.sqlite --store postgresql://club@db/ferrovia
    """
    from ferrovia.server.store.maintenance.transfer import backup

    with stores.explained(), _progress("tables") as progress:
        copied = backup(stores.configured(store), file, progress)
    _report("backed up to", str(file), copied, as_json)


@command.command("restore")
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@stores.store
@options.as_json
def restore_store(file: Path, store: str | None, as_json: bool) -> None:
    """Check a backup and copy it to where there is no store yet.

    Nothing is overwritten: first move the old store away, together with its companions (-wal, -shm,
    .mark, .server).

    \b
    Examples:
      ferrovia store restore monday.sqlite
      ferrovia store restore monday.sqlite --store games.sqlite
      ferrovia store restore monday.sqlite --store postgresql://club@db/empty
    """
    from ferrovia.server.store.address import default_path
    from ferrovia.server.store.maintenance.transfer import restore

    with stores.explained(), _progress("tables") as progress:
        target = stores.configured(store)
        if target is None:
            default_path().parent.mkdir(parents=True, exist_ok=True)
            target = str(default_path())
        copied = restore(file, target, progress)
    _report("restored to", target, copied, as_json)


@command.command("move")
@click.argument("target", metavar="PATH|URL")
@stores.store
@click.option("--salvage", is_flag=True, help="Of a damaged store, copy what is whole.")
@options.as_json
def move_store(target: str, store: str | None, salvage: bool, as_json: bool) -> None:
    """Copy a store to another place or kind: SQLite to PostgreSQL, or back.

    Stop its servers first. The copy is compared with the original, which stays as it is; start the
    server with the new store, and delete the old one when you are satisfied. With --salvage, a
    table that is damaged keeps what came before the damage, and is left out if that cannot be
    played.

    \b
    Examples:
      ferrovia store move postgresql://club@db/ferrovia
      ferrovia store move games.sqlite --store postgresql://club@db/ferrovia
      ferrovia store move mended.sqlite --store games.sqlite --salvage
    """
    from ferrovia.server.store.maintenance.transfer import move

    mend: Any = None
    if salvage:
        from ferrovia.server.lobby.upkeep import summary_of_log

        mend = summary_of_log
    with stores.explained(), _progress("tables") as progress:
        copied = move(stores.configured(store), target, mend, progress)
    _report("copied to", target, copied, as_json)


def _report(done: str, target: str, copied: "Copied", as_json: bool) -> None:
    report = copied.report
    place = target.rpartition("@")[2] if "://" in target else target  # without a password
    if as_json:
        rest = {"cut": list(map(asdict, copied.cut)), "dropped": list(map(asdict, copied.dropped))}
        counts = {"tables": report.tables, "entries": report.entries, "digest": report.digest}
        options.write_json({"ok": True, "target": place, **counts, **rest})
        return
    for damage in copied.cut:
        click.echo(f"CUT      {_where(damage)}: {damage.problem}")
    for damage in copied.dropped:
        click.echo(f"LEFT OUT {_where(damage)}: {damage.problem}")
    click.echo(f"{done} {place}: {_counts(report)}, checked; digest {report.digest[:32]}")


@command.command("prune")
@click.option(
    "--older-than",
    "before",
    required=True,
    callback=stores.age,
    metavar="AGE",
    help="Nothing has happened there for so long: 12h, 90d, 8w, 1y.",
)
@stores.states(("over",))
@click.option("--dry-run", is_flag=True, help="Delete nothing; show what would be deleted.")
@stores.store
@options.as_json
def prune_store(
    before: float, states: tuple[str, ...], dry_run: bool, store: str | None, as_json: bool
) -> None:
    """Delete old tables for good, even while a server runs.

    An SQLite file does not shrink, but reuses the space; `ferrovia store move` writes a smaller
    one.

    \b
    Examples:
      ferrovia store prune --older-than 90d --dry-run
      ferrovia store prune --older-than 1y
      ferrovia store prune --older-than 2w --state waiting --state running
    """
    from ferrovia.server.store.maintenance.prune import expired, prune

    with stores.opened(store, "read" if dry_run else "write") as found:
        tables = expired(found, before, states)
        removed = 0 if dry_run else prune(found, tables)
    entries = sum(stored.number for stored in tables)
    if as_json:
        names = [stored.table for stored in tables]
        found_now = {"found": len(tables), "entries": entries, "tables": names}
        options.write_json({"ok": True, "dry_run": dry_run, "removed": removed, **found_now})
        return
    for stored in tables[:_SHOWN] if dry_run else ():
        click.echo(_line(stored))
    if dry_run and len(tables) > _SHOWN:
        click.echo(f"... and {len(tables) - _SHOWN} more")
    verb = "would be deleted" if dry_run else "deleted"
    count = len(tables) if dry_run else removed
    if count:
        click.echo(f"{count} tables {verb}, with {entries} entries")
    else:
        click.echo("no table is that old: nothing is deleted")


@command.command("nightly")
@stores.config
@options.as_json
def store_nightly(config: str | None, as_json: bool) -> None:
    """Do what a timer does every night: a backup, and delete what the settings let go.

    The settings of the server say what: `backups` is the folder, of which the newest `backups_kept`
    stay; `keep_finished` and `keep_left` say how long games are kept that are over or were left.
    Without them nothing is done. Nothing is deleted unless the backup is whole.

    \b
    Examples:
      ferrovia store nightly
      ferrovia store nightly --config server.toml --json
    """
    from ferrovia.server.configuration import configure
    from ferrovia.server.lobby.nightly import nightly

    with stores.explained():
        night = nightly(configure({}, config).settings, time.time())
    if as_json:
        done = {**asdict(night), "backup": None if night.backup is None else str(night.backup)}
        options.write_json({"ok": True, **done})
        return
    made = "no backup: there is no setting backups" if night.backup is None else str(night.backup)
    click.echo(f"{made}; deleted: {night.tables_deleted} tables, {night.backups_deleted} backups")


def _line(stored: "Stored") -> str:
    summary = stored.summary
    return (
        f"{stored.table:<24} {summary.status:<8} {stored.number:>6}  {stores.when(summary.changed)}"
    )


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show how many of all are done, if it takes long."""
    shown: list[Progress] = []

    def show(done: int, all: int) -> None:
        if not shown or shown[-1].total != all or shown[-1].done > done:
            if shown:
                shown[-1].close()
            shown.append(Progress(what, all))
        shown[-1].advance(done - shown[-1].done)

    try:
        yield show
    finally:
        for one in shown:
            one.close()
