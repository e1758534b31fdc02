"""ferrovia tournament"""

import math
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ferrovia.cli import options, runs
from ferrovia.cli.files import check_folder, check_suffix
from ferrovia.cli.group import INTERRUPTED

if TYPE_CHECKING:
    from ferrovia.lab.tournament.tournament import Standings


@click.command()
@click.argument("edition")
@options.bots("The bots, separated by commas; one of your own is module:Class.", required=True)
@click.option(
    "--seats",
    type=options.WholeNumber(2, 6),
    default=2,
    show_default=True,
    help="How many at a table.",
)
@click.option(
    "--games",
    type=options.WholeNumber(2, 10**6),
    default=400,
    show_default=True,
    help="For each pair.",
)
@options.seed
@click.option(
    "--anchor",
    metavar="BOT=ELO",
    help="The bot whose rating is fixed. By default greedy, or the first bot, is 1000.",
)
@options.out
@options.resume
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the matrix (.svg or .png).",
)
@options.workers
@options.ray
@options.extras
@options.as_json
@options.verbose
@click.pass_context
def command(
    ctx: click.Context,
    edition: str,
    bots: tuple[str, ...],
    seats: int,
    games: int,
    seed: int | None,
    anchor: str | None,
    out: Path | None,
    resume: bool,
    picture: Path | None,
    workers: int,
    ray: str | None,
    extras: tuple[str, ...],
    as_json: bool,
    verbose: bool,
) -> None:
    """Let every bot play every other, and rate them.

    All pairs play the same seeds, each twice with the seats swapped; with four seats each bot of a
    pair has two of them; with three or five they take turns at having one more. Ctrl-C stops after
    the games in progress and shows the standings.

    \b
    Examples:
      ferrovia tournament usa-classic --bots random,greedy,wary,racer
      ferrovia tournament europe --bots greedy,planner,search:400 --seats 4
      ferrovia tournament usa --bots greedy,racer --anchor racer=1146
      ferrovia tournament usa --bots greedy,racer --picture league.svg
      ferrovia tournament usa --bots greedy,my_bots:Mine --seed 7 --out a.run
      ferrovia tournament usa --bots greedy,my_bots:Mine --out a.run --continue
    """
    from ferrovia.lab.run.run_file import head_of
    from ferrovia.lab.tournament.tournament import Standings, Tournament

    check_suffix(picture, ".svg", ".png")
    check_folder(picture)
    runs.find_own_modules()
    loaded = options.load_edition(edition, extras)
    with runs.user_errors(edition, extras, verbose=verbose):
        kept = runs.run_file_for(out, resume)
        try:
            chosen = runs.seed_for(seed, kept, resume)
            tournament = Tournament(loaded, bots, games, chosen, seats)
            fixed, at = _anchor(anchor, bots)
        except ValueError as problem:
            raise runs.unusable(problem, verbose=verbose) from None
        plans = tournament.plans
        head = head_of("tournament", plans, ())
        halves = [plan.games for plan in plans]
        file = runs.open_run(kept, head, halves, resume=resume)
        standings = Standings(tournament)
        began = time.perf_counter()
        with file or nullcontext():
            stopped = runs.play_all(plans, (), file, standings.add, workers=workers, ray=ray)
            if file is not None and standings.games:
                runs.write_table(out, file)
            seconds = time.perf_counter() - began
    if as_json:
        options.write_json(
            {
                "edition": loaded.id,
                "extras": list(loaded.extras),
                "seats": seats,
                "seed": chosen,
                "anchor": {"bot": bots[fixed], "elo": at},
                **(standings.summary(fixed, at) if standings.games else {"games": 0}),
            }
        )
    elif standings.games == 0:
        click.echo("no game was finished")
    else:
        click.echo("\n".join(_lines(standings, fixed, at)))
    click.echo(f"{standings.games:,} games in {seconds:.1f} s", err=True)
    if picture is not None and standings.games:
        _draw(picture, standings, fixed, at)
    if not as_json:
        runs.list_files(games=out, picture=picture)
    if stopped:
        ctx.exit(INTERRUPTED)


def _anchor(named: str | None, bots: tuple[str, ...]) -> tuple[int, float]:
    if named is None:
        return (bots.index("greedy") if "greedy" in bots else 0), 1000.0
    bot, equals, elo = named.rpartition("=")
    if not equals or bot not in bots:
        raise ValueError(
            f"--anchor is one of the bots and its rating, as greedy=1000, not '{named}'"
        )
    try:
        rating = float(elo)
    except ValueError:
        rating = math.nan
    if not math.isfinite(rating):
        raise ValueError(f"--anchor: '{elo}' is not a rating")
    return bots.index(bot), rating


def _title(standings: "Standings") -> str:
    what = standings.tournament
    return f"{what.edition.name}, {what.seats} players, {what.games} games a pair, seed {what.seed}"


def _lines(standings: "Standings", anchor: int, at: float) -> list[str]:
    bots = standings.tournament.bots
    ranking = standings.ranking(anchor, at)
    order = [n for n, _ in ranking]
    width = max(3, *map(len, bots))
    asked = standings.tournament.games * len(standings.tournament.pairs)
    lines = [_title(standings)]
    if standings.games < asked:
        lines.append(f"{standings.games} of {asked} games are played")
    columns = [max(5, len(bots[n])) for n in order]
    names = "  ".join(f"{bots[n]:>{wide}}" for n, wide in zip(order, columns, strict=True))
    lines += ["", f"{'':<{width}}   elo    ±  {names}"]
    for n, rating in ranking:
        elo = f"{rating.elo:.0f}" if rating else "–"
        error = f"{rating.margin:.0f}" if rating and n != anchor else ""
        cells = []
        for other, wide in zip(order, columns, strict=True):
            share = None if n == other else standings.share(n, other)
            cells.append(f"{'' if share is None else f'{share.value:.1%}':>{wide}}")
        lines.append(f"{bots[n]:<{width}}  {elo:>4}  {error:>3}  {'  '.join(cells)}".rstrip())
    lines += ["", f"{'':<{width}}  points   kept   done  turns"]
    for n in order:
        points, kept, done, turns = standings.means(n).values()
        lines.append(
            f"{bots[n]:<{width}}  {points:>6.1f}  {kept:>5.2f}  {done:>5.2f}  {turns:>5.1f}"
        )
    lines += ["", "share of the games won, with its 95% confidence interval"]
    for place, n in enumerate(order):
        for other in order[place + 1 :]:
            share = standings.share(n, other)
            if share is not None:
                pair = f"{bots[n]} against {bots[other]}"
                lines.append(
                    f"  {pair:<{2 * width + 9}}  {share.value:>6.1%}"
                    f"  {share.low:.1%} to {share.high:.1%}"
                )
    if standings.one_sided:
        lines += [
            "",
            "Some bot has won, or lost, everything: a drawn game was added to every pair.",
        ]
    return lines


def _draw(path: Path, standings: "Standings", anchor: int, at: float) -> None:
    from ferrovia.atomic_files import write_atomic
    from ferrovia.drawing import png
    from ferrovia.lab.tournament.matrix import matrix_svg

    svg = matrix_svg(standings, _title(standings), anchor, at)
    if path.suffix.lower() == ".svg":
        write_atomic(path, svg)
        return
    png(svg, path, 1600)
