"""ferrovia bench"""

import click

from ferrovia.cli.compile import ensure_compiled
from ferrovia.cli.progress import progress_of_steps


@click.command()
@click.option("--gpu", "on_gpu", is_flag=True, help="Measure the GPU instead of the CPU.")
@click.option("--quick", is_flag=True, help="Measure the rules alone, in a minute or so.")
def command(on_gpu: bool, quick: bool) -> None:
    """Measure this machine and print the benchmark page as Markdown.

    \b
    Examples:
      ferrovia bench
      ferrovia bench --quick
      ferrovia bench > benchmarks.md
      ferrovia bench --gpu
    """
    from ferrovia.cli import benchmarks
    from ferrovia.machine import compile
    from ferrovia.machine.benchmarks.gpu import gpu_page
    from ferrovia.machine.benchmarks.page import page, sections
    from ferrovia.rules.gpu import NoGpu

    if on_gpu:
        try:
            click.echo(gpu_page())
        except NoGpu as problem:
            raise click.ClickException(str(problem)) from None
        return
    parts = sections(benchmarks.study, benchmarks.start, benchmarks.cold_start, quick=quick)
    if quick:
        ensure_compiled((*compile.FOR_PLAY, *compile.FOR_REPLAY, *compile.FOR_BATCHES, "random"))
    else:
        ensure_compiled(compile.EVERYTHING)
    with progress_of_steps(len(parts)) as done:
        written = page(parts, done)
    click.echo(written)
