"""ferrovia bench"""

import click

from ferrovia.cli.compile import ensure_compiled


@click.command()
@click.option("--gpu", "on_gpu", is_flag=True, help="Measure the GPU instead of the CPU.")
def command(on_gpu: bool) -> None:
    """Measure this machine and print the benchmark page as Markdown.

    \b
    Examples:
      ferrovia bench
      ferrovia bench > benchmarks.md
      ferrovia bench --gpu
    """
    from ferrovia.cli import benchmarks
    from ferrovia.machine.benchmarks.gpu import gpu_page
    from ferrovia.machine.benchmarks.page import page
    from ferrovia.machine.compile import EVERYTHING
    from ferrovia.rules.gpu import NoGpu

    if on_gpu:
        try:
            click.echo(gpu_page())
        except NoGpu as problem:
            raise click.ClickException(str(problem)) from None
        return
    ensure_compiled(EVERYTHING)
    click.echo(page(benchmarks.study, benchmarks.start))
