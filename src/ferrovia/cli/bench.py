"""ferrovia bench"""

import click

from ferrovia.cli.compiling import ensure_compiled


@click.command()
def command() -> None:
    """Measure this machine and print the benchmark page as Markdown.

    \b
    Examples:
      ferrovia bench
      ferrovia bench > benchmarks.md
    """
    from ferrovia.lab.benchmarks import page
    from ferrovia.lab.warmup import EVERYTHING

    ensure_compiled(EVERYTHING)
    click.echo(page())
