"""ferrovia simulate"""

import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ferrovia.cli import options
from ferrovia.cli.compiling import ensure_compiled
from ferrovia.cli.group import INTERRUPTED
from ferrovia.cli.interrupts import stopped_gently
from ferrovia.cli.progress import progress

if TYPE_CHECKING:
    from ferrovia.lab.plan import Plan
    from ferrovia.lab.results import Tally


@click.command()
@click.argument("edition")
@click.option(
    "--bots",
    callback=options.words,
    required=True,
    metavar="NAMES",
    help="A bot for every seat, with commas between.",
)
@click.option("--games", type=click.IntRange(1, 10**9), default=100, show_default=True)
@options.seed
@click.option(
    "--first-game",
    type=click.IntRange(0, 10**9),
    default=0,
    metavar="N",
    help="The number of the first game, to play a part of a run again.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    help="Processes to play in; the results are the same.",
)
@click.option(
    "--record",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the record of every game into this folder.",
)
@click.option("--overwrite", is_flag=True, help="Replace records that are there already.")
@options.extras
@options.as_json
@click.pass_context
def command(
    ctx: click.Context,
    edition: str,
    bots: tuple[str, ...],
    games: int,
    seed: int | None,
    first_game: int,
    workers: int,
    folder: Path | None,
    overwrite: bool,
    extras: tuple[str, ...],
    as_json: bool,
) -> None:
    """Let bots play many games and compare them.

    EDITION is the name of one (see ferrovia boards list) or the path of a board file. Seats are
    as you name them; who begins is drawn anew in every game. Ctrl-C stops after the games in
    progress and shows what was finished.

    \b
    Examples:
      ferrovia simulate europe --bots greedy,random
      ferrovia simulate usa --bots greedy,greedy,random --games 10000 --workers 4
      ferrovia simulate europe --bots greedy,random --seed 7 --record games
      ferrovia simulate europe --bots greedy,random --seed 7 --first-game 123 --games 1
      ferrovia simulate my-board.json --bots random,random --json
    """
    from ferrovia.lab import warmup
    from ferrovia.lab.plan import Plan
    from ferrovia.lab.results import Tally
    from ferrovia.lab.simulation import WorkerLost, simulate, stop_switch

    loaded = options.load_edition(edition, extras)
    seed = secrets.randbits(32) if seed is None else seed
    try:
        plan = Plan(loaded, bots, games, seed, first_game, folder)
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None
    if folder is not None:
        _prepare(folder, plan, overwrite)
    games_need = warmup.FOR_BATCHES if plan.compiled else warmup.FOR_PLAY
    ensure_compiled((*games_need, *warmup.for_bots(bots)))
    tally, stop = Tally(len(bots)), stop_switch(workers)
    began = time.perf_counter()
    try:
        with progress("games", games) as shown, stopped_gently(stop.set):
            for results in simulate(plan, workers, stop):
                tally.add(results)
                shown.advance(len(results))
    except WorkerLost as problem:
        raise click.ClickException(str(problem)) from None
    seconds = time.perf_counter() - began
    if as_json:
        options.write_json(_for_programs(plan, tally, seconds))
    else:
        click.echo("\n".join(_table(plan, tally, seconds)))
    if stop.is_set():
        ctx.exit(INTERRUPTED)


def _prepare(folder: Path, plan: "Plan", overwrite: bool) -> None:
    """Make the folder, and see to it that no record is lost."""
    from ferrovia.lab.recording import recorded

    folder.mkdir(parents=True, exist_ok=True)
    there = recorded(folder, plan.edition.id, len(plan.bots), plan.seed)
    lost = [game for game in sorted(there) if game in plan.numbers]
    if lost and not overwrite:
        path = plan.path_of(lost[0])
        raise click.UsageError(f"{path} is there already: choose another folder or --overwrite")


def _for_programs(plan: "Plan", tally: "Tally", seconds: float) -> dict[str, Any]:
    return {
        "edition": plan.edition.id,
        "extras": list(plan.edition.extras),
        "bots": list(plan.bots),
        "seed": plan.seed,
        "first_game": plan.first,
        "asked": plan.games,
        **tally.summary(plan.bots),
        "timing": {
            "seconds": round(seconds, 3),
            "games_per_second": round(tally.games / seconds, 1),
        },
    }


def _table(plan: "Plan", tally: "Tally", seconds: float) -> list[str]:
    asked = f" of {plan.games}" if tally.games < plan.games else ""
    games = "1 game" if tally.games == 1 else f"{tally.games}{asked} games"
    lines = [f"{plan.edition.name}, {len(plan.bots)} players, {games}, seed {plan.seed}", ""]
    if tally.games == 0:
        return [*lines, "no game was finished"]
    width = max(3, *map(len, plan.bots))
    head = "wins  points  routes  tickets  stations  bonus   done  failed"
    lines.append(f"seat  {'bot':<{width}}  {head}")
    for seat, bot in enumerate(plan.bots):
        means = {name: tally.mean(name, seat) for name in tally.sums}
        lines.append(
            f"{seat:>4}  {bot:<{width}}  {tally.win_share(seat):>4.0%}  {means['total']:>6.1f}"
            f"  {means['routes']:>6.1f}  {means['tickets']:>7.1f}  {means['stations']:>8.1f}"
            f"  {means['bonus']:>5.1f}  {means['completed']:>5.2f}  {means['failed']:>6.2f}"
        )
    turns, decisions = tally.turns / tally.games, tally.decisions / tally.games
    lines += ["", f"a game: {turns:.1f} turns, {decisions:.1f} decisions"]
    lines.append(f"{tally.games / seconds:,.0f} games per second ({seconds:.1f} s)")
    if plan.folder is not None:
        lines.append(f"records in {plan.folder}")
    return lines
