"""ferrovia season"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ferrovia.cli import options
from ferrovia.cli.files import check_folder, check_suffix, read_record

if TYPE_CHECKING:
    from ferrovia.lab.season import StandingsRow

_SECONDS = 15.0


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="A page, or a CSV file."
)
@options.as_json
def command(file: Path, output: Path | None, as_json: bool) -> None:
    """Compute the standings of a club's season from its records.

    FILE names the games: records as files, or the links of finished tables. There are no accounts:
    who is in it is who played under a name, and the rules prove every score.

    \b
    Examples:
      ferrovia season winter.toml
      ferrovia season winter.toml -o winter.html
      ferrovia season winter.toml -o winter.csv
    """
    import msgspec

    from ferrovia.atomic_files import write_atomic
    from ferrovia.lab import season as seasons

    check_folder(output)
    if output is not None:
        check_suffix(output, ".html", ".csv")
    try:
        season = seasons.read_season(file.read_text(encoding="utf-8"))
        games = [seasons.played(season, where, _record(file, where)) for where in season.games]
    except UnicodeDecodeError:
        raise click.UsageError(f"{file}: is not UTF-8 text; save the file as UTF-8") from None
    except seasons.SeasonError as problem:
        raise click.UsageError(f"{file}: {problem}") from None
    found = seasons.standings(season, games)
    if output is not None:
        html = output.suffix.lower() == ".html"
        write_atomic(output, seasons.page(season, games, found) if html else _csv(found))
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(found), ensure_ascii=False))
        return
    width = max((len(it.name) for it in found), default=0)
    click.echo(f"{season.name}: {len(games)} games\n")
    click.echo(f"    {'':<{width}}  games  wins  points    mean  best   elo")
    for place, it in enumerate(found, start=1):
        elo = f"{it.elo:>5.0f}" if it.elo is not None else "    –"
        click.echo(
            f"{place:>2}. {it.name:<{width}}{it.games:>7}{it.wins:>6}{it.points:>8g}"
            f"{it.mean:>8.1f}{it.best:>6} {elo}"
        )


def _record(file: Path, where: str) -> bytes:
    """Return a record, from beside the file of the season or from the server of a table."""
    import urllib.request

    from ferrovia.game.records.record import MAX_BYTES

    if not where.startswith(("http://", "https://")):
        path = file.parent / where
        if not path.is_file():
            raise click.UsageError(f"{file}: there is no record {where}")
        return read_record(path)
    root, there, table = where.partition("/table/")
    if not there:
        raise click.UsageError(f"{file}: {where} is not the link of a table")
    address = f"{root}/api/tables/{table.partition('#')[0]}/record"
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as answer:
            data: bytes = answer.read(MAX_BYTES + 1)
    except (OSError, ValueError) as problem:
        raise click.ClickException(f"{where}: {problem}") from None
    return data


def _csv(found: "Sequence[StandingsRow]") -> str:
    import csv
    import io

    import msgspec

    rows = [msgspec.to_builtins(it) for it in found]
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0].keys() if rows else ("name",), lineterminator="\n")
    writer.writeheader()
    # A spreadsheet takes a name that begins like this for a formula.
    writer.writerows(
        {**row, "name": f"'{row['name']}" if row["name"][:1] in "=+-@" else row["name"]}
        for row in rows
    )
    return text.getvalue()
