"""ferrovia analyse"""

from pathlib import Path

import click
import msgspec

from ferrovia.cli import options
from ferrovia.cli.files import read_record, wrong_line
from ferrovia.cli.progress import progress


@click.command()
@click.argument(
    "file", metavar="RECORD", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--seat",
    "seats",
    multiple=True,
    type=options.WholeNumber(0, 5),
    metavar="N",
    help="Only this seat, from 0 on; can be given several times.",
)
@click.option(
    "--worlds",
    type=options.WholeNumber(10, 100_000),
    metavar="N",
    help="Worlds in which a choice is tried. By default as many as take about half a minute.",
)
@click.option(
    "--seconds",
    type=options.Seconds(1),
    metavar="S",
    help="When to stop. By default 30 with two seats, else 60.",
)
@options.seed
@click.option("--renew", is_flag=True, help="Analyse again, and keep the older result too.")
@options.as_json
@click.pass_context
def command(
    ctx: click.Context,
    file: Path,
    seats: tuple[int, ...],
    worlds: int | None,
    seconds: float | None,
    seed: int | None,
    renew: bool,
    as_json: bool,
) -> None:
    """Find out where the result of a finished game came from.

    Every choice is judged by what its player knew: it is tried, together with its alternatives, in
    the same worlds that fit that knowledge. Remarks are made only where the difference is certain.
    The result is kept next to the record, as RECORD.analysis.json (without .jsonl).

    \b
    Examples:
      ferrovia analyse game.jsonl
      ferrovia analyse game.jsonl --seat 0
      ferrovia analyse game.jsonl --renew --worlds 2000 --seconds 300
    """
    from ferrovia.analysis.analysis import SEED, analyse, budget_for, record_hash
    from ferrovia.analysis.analysis_file import (
        AnalysisError,
        place_beside,
        read_analyses,
        write_analyses,
    )
    from ferrovia.analysis.findings import Budget
    from ferrovia.game import Game, RecordError
    from ferrovia.game.chance.seeds import seed_bytes
    from ferrovia.terminal.analysis_lines import analysis_lines

    try:
        game = Game.from_record(read_record(file))
    except RecordError as problem:
        click.echo(wrong_line(file, problem))
        ctx.exit(1)
    if not game.over:
        raise click.UsageError(f"{file}: the game is not over; only finished games are analysed")
    if any(seat >= game.players for seat in seats):
        raise click.UsageError(f"the seats of this game are 0 to {game.players - 1}")
    place = place_beside(file)
    try:
        kept = read_analyses(place)
    except AnalysisError as problem:
        raise click.ClickException(f"{problem}; move it elsewhere to analyse again") from None
    analysis = None if renew else kept.newest(record_hash(game))
    if analysis is None:
        usual = budget_for(game.players)
        budget = Budget(worlds or usual.worlds, seconds or usual.seconds)
        with progress("games played on", 1) as shown:

            def report(done: int, total: int) -> None:
                shown.total = total
                shown.advance(done - shown.done)

            chosen = SEED if seed is None else seed_bytes(seed)
            analysis = analyse(game, budget, chosen, report)
        write_analyses(place, kept.with_newer(analysis))
    if as_json:
        options.write_json(msgspec.to_builtins(analysis))
    else:
        click.echo("\n".join(analysis_lines(game, analysis, seats or None)))
