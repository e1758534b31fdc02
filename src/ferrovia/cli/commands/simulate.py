"""ferrovia simulate"""

import time
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ferrovia.cli import options, runs
from ferrovia.cli.files import check_folder, check_suffix
from ferrovia.cli.group import INTERRUPTED

if TYPE_CHECKING:
    from ferrovia.lab.accumulators import Accumulator
    from ferrovia.lab.results import Tally
    from ferrovia.lab.run.plan import Plan


@click.command()
@click.argument("edition")
@options.bots("A bot for every seat, separated by commas.", required=True)
@click.option("--games", type=options.WholeNumber(1, 10**9), default=100, show_default=True)
@options.seed
@click.option(
    "--first-game",
    type=options.WholeNumber(0, 10**9),
    default=0,
    metavar="N",
    help="The number of the first game, to play a part of a run again.",
)
@options.out
@options.resume
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Make a page with charts of the run (.html).",
)
@click.option(
    "--stat",
    "statistics",
    multiple=True,
    metavar="MODULE:CLASS",
    help="A statistic of your own; can be given more than once.",
)
@options.workers
@options.ray
@click.option(
    "--record",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the record of every game into this folder.",
)
@click.option(
    "--trajectories",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write what the bots saw and did into this folder (.parquet), to learn from.",
)
@click.option("--overwrite", is_flag=True, help="Replace existing records and runs.")
@options.extras
@options.as_json
@options.verbose
@click.pass_context
def command(
    ctx: click.Context,
    edition: str,
    bots: tuple[str, ...],
    games: int,
    seed: int | None,
    first_game: int,
    out: Path | None,
    resume: bool,
    report: Path | None,
    statistics: tuple[str, ...],
    workers: int,
    ray: str | None,
    folder: Path | None,
    trajectories: Path | None,
    overwrite: bool,
    extras: tuple[str, ...],
    as_json: bool,
    verbose: bool,
) -> None:
    """Let bots play many games and compare them.

    EDITION is the name of one (see ferrovia boards list) or the path of a board file. A bot of
    your own is named module:Class. The bots sit in the order you name them; the first player is
    drawn in every game. Ctrl-C stops after the games in progress and shows what was finished.

    \b
    Examples:
      ferrovia simulate europe --bots greedy,random
      ferrovia simulate usa --bots greedy,greedy,random --games 10000 --workers 4
      ferrovia simulate europe --bots greedy,random --seed 7 --record games
      ferrovia simulate usa --bots greedy,random --seed 7 --first-game 9 --games 1
      ferrovia simulate my-board.json --bots random,random --json
      ferrovia simulate my-board.json --bots greedy,greedy --report page.html
      ferrovia simulate usa --bots greedy,greedy --games 9999 --out night.parquet
      ferrovia simulate usa --bots greedy,greedy --out night.parquet --continue
      ferrovia simulate usa --bots planner,net --trajectories moves
    """
    from ferrovia.atomic_files import write_atomic
    from ferrovia.lab.accumulators import load
    from ferrovia.lab.results import Tally
    from ferrovia.lab.run.plan import Plan
    from ferrovia.lab.run.run_file import head_of

    check_suffix(report, ".html", ".htm")
    check_folder(report)
    runs.find_own_modules()
    loaded = options.load_edition(edition, extras)
    tally = Tally(len(bots))
    with runs.user_errors(edition, extras, verbose=verbose):
        kept = runs.run_file_for(out, resume)
        try:
            own = [load(path) for path in statistics]
            chosen = runs.seed_for(seed, kept, resume)
            plan = Plan(loaded, bots, games, chosen, first_game, folder)
        except ValueError as problem:
            raise runs.unusable(problem, verbose=verbose) from None
        if report is not None:
            from ferrovia.lab.report import charts

            charts.check()
        if trajectories is not None:
            from ferrovia.lab.trajectories import check as check_trajectories

            check_trajectories()
        accumulators = [*own]
        if kept is not None or report is not None:
            from ferrovia.lab.statistics import for_report

            accumulators += for_report()
        if folder is not None:
            _prepare(folder, plan, overwrite or resume)
        head = head_of("simulate", [plan], accumulators)
        file = runs.open_run(kept, head, [games], resume=resume, overwrite=overwrite)
        before = 0 if file is None else sum(map(len, file.done(0)))
        began = time.perf_counter()
        with file or nullcontext():
            stopped = runs.play_all(
                [plan],
                accumulators,
                file,
                lambda batch: tally.add(batch.results),
                workers=workers,
                ray=ray,
            )
            seconds = time.perf_counter() - began
            if file is not None and tally.games:
                runs.write_table(out, file)
        if trajectories is not None and not stopped:
            stopped = runs.write_trajectories(trajectories, plan, workers=workers, ray=ray)
    if as_json:
        options.write_json(_for_programs(plan, tally, own))
    else:
        click.echo("\n".join(_table(plan, tally, own)))
    per_second = (tally.games - before) / seconds
    speed = f"{per_second:,.0f} games" if per_second >= 1.5 else f"{per_second:.1f} games"
    click.echo(f"{speed} per second ({seconds:.1f} s)", err=True)
    if report is not None and tally.games:
        from ferrovia.lab.report import report as page
        from ferrovia.lab.report.study import Study

        write_atomic(report, page(Study.of(plan, accumulators)))
    if not as_json:
        runs.list_files(
            records=folder,
            results=out,
            report=report,
            trajectories=None if stopped else trajectories,
        )
    if stopped:
        ctx.exit(INTERRUPTED)


def _prepare(folder: Path, plan: "Plan", overwrite: bool) -> None:
    """Create the folder, and make sure that no record is overwritten."""
    from ferrovia.lab.run.records import recorded

    folder.mkdir(parents=True, exist_ok=True)
    there = recorded(folder, plan.edition.id, len(plan.bots), plan.seed)
    lost = [game for game in sorted(there) if game in plan.numbers]
    if lost and not overwrite:
        path = plan.path_of(lost[0])
        raise click.UsageError(f"{path} exists already: choose another folder or --overwrite")


def _for_programs(plan: "Plan", tally: "Tally", own: "Iterable[Accumulator]") -> dict[str, Any]:
    return {
        "edition": plan.edition.id,
        "extras": list(plan.edition.extras),
        "bots": list(plan.bots),
        "seed": plan.seed,
        "first_game": plan.first,
        "asked": plan.games,
        **tally.summary(plan.bots),
        "statistics": {one.id: one.summary(tally.games) for one in own if tally.games},
    }


def _table(plan: "Plan", tally: "Tally", own: "Iterable[Accumulator]") -> list[str]:
    from ferrovia.lab.results import PER_SEAT

    asked = f" of {plan.games}" if tally.games < plan.games else ""
    games = "1 game" if tally.games == 1 else f"{tally.games}{asked} games"
    lines = [f"{plan.edition.name}, {len(plan.bots)} players, {games}, seed {plan.seed}", ""]
    if tally.games == 0:
        return [*lines, "no game was finished"]
    width = max(3, *map(len, plan.bots))
    head = "wins  points  routes  tickets  stations  bonus   done  failed"
    lines.append(f"seat  {'bot':<{width}}  {head}")
    for seat, bot in enumerate(plan.bots):
        means = {name: tally.mean(name, seat) for name in PER_SEAT}
        lines.append(
            f"{seat:>4}  {bot:<{width}}  {tally.win_share(seat):>4.0%}  {means['total']:>6.1f}"
            f"  {means['routes']:>6.1f}  {means['tickets']:>7.1f}  {means['stations']:>8.1f}"
            f"  {means['bonus']:>5.1f}  {means['completed']:>5.2f}  {means['failed']:>6.2f}"
        )
    turns, decisions = tally.turns / tally.games, tally.decisions / tally.games
    lines += ["", f"a game: {turns:.1f} turns, {decisions:.1f} decisions"]
    for one in own:
        lines += ["", f"{one.id}, means of a game"]
        lines += [f"  {name}: {value}" for name, value in one.summary(tally.games).items()]
    return lines
