"""ferrovia learn"""

import os
from pathlib import Path

import click

from ferrovia.cli import options
from ferrovia.errors import MissingExtra


@click.command()
@click.argument("recipe")
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where the run is kept. Without it: learn-RECIPE. A run that is there goes on.",
)
@click.option("--seconds", type=options.Seconds(1), help="How long, instead of the recipe's time.")
@click.option("--device", metavar="NAME", help="cpu or cuda. Without it: cuda if there is a GPU.")
def command(recipe: str, out: Path | None, seconds: float | None, device: str | None) -> None:
    """Train a net by self-play.

    RECIPE is usa, europe, or a TOML file that names the games and the settings. The folder holds
    checkpoints, a log of every tenth iteration (train.jsonl) and the games against the ladder
    (evaluation.jsonl); a run that was cut off goes on where it was. At the end nets/ in it has the
    weights: the bot net plays with them where FERROVIA_NETS names that folder. The recipes are for
    a large GPU: with less memory, and on a CPU, fewer games are played at a time.

    \b
    Examples:
      ferrovia learn usa --seconds 900
      ferrovia learn my-recipe.toml --out night --device cpu
    """
    # Threads of OpenMP that wait for each other take a whole processor each. Where another program
    # wants one too, an update then takes ten times as long. PyTorch reads this when it is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        import torch
    except ImportError:
        raise MissingExtra("learn") from None

    from ferrovia.learn.config import find_recipe, read_recipe
    from ferrovia.learn.ppo import Training

    try:
        path = find_recipe(recipe)
        changes = {} if seconds is None else {"seconds": seconds}
        loaded = read_recipe(path, **changes)
    except ValueError as problem:
        raise click.ClickException(str(problem)) from None
    chosen = device or ("cuda" if torch.cuda.is_available() else "cpu")
    folder = out or Path(f"learn-{loaded.name}")
    Training(loaded, folder, chosen, click.echo).run()
