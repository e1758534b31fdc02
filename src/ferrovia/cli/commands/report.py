"""ferrovia report"""

from pathlib import Path

import click

from ferrovia.cli import runs
from ferrovia.cli.files import check_folder, check_suffix


@click.command()
@click.argument(
    "results",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option("--compare", is_flag=True, help="Compare two runs, or more side by side.")
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The page to write (.html). By default it is named after the results.",
)
def command(results: tuple[Path, ...], compare: bool, out: Path | None) -> None:
    """Make a page with charts from the results of simulate.

    RESULTS is what simulate wrote with --out: the run (.run), or the table next to it. The page is
    self-contained, for the browser and for the printer. --compare takes two runs: of two boards,
    two editions or two tables of bots; or more, such as those with two, three and four players.

    \b
    Examples:
      ferrovia report night.run
      ferrovia report night.parquet --out europe.html
      ferrovia report --compare before.run after.run
      ferrovia report --compare two.run three.run four.run
    """
    from ferrovia.atomic_files import write_atomic
    from ferrovia.lab.report import comparison, report, several
    from ferrovia.lab.report.study import Study

    if compare != (len(results) > 1):
        raise click.UsageError(
            "--compare needs two runs or more"
            if compare
            else "one run at a time, or several with --compare"
        )
    check_suffix(out, ".html", ".htm")
    check_folder(out)
    page = out or Path("-and-".join(path.stem for path in results)).with_suffix(".html")
    with runs.user_errors():
        studies = [Study.read(path) for path in results]
        if len(studies) > 2:
            write_atomic(page, several(studies))
        else:
            write_atomic(page, comparison(*studies) if compare else report(*studies))
    click.echo(f"{page}")
