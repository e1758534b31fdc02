"""ferrovia replay"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ferrovia.cli import options
from ferrovia.cli.files import place_and_reason, read_record, record_files, wrong_line
from ferrovia.cli.progress import progress
from ferrovia.cli.screen import require_textual, watch_record

if TYPE_CHECKING:
    from ferrovia.game import Game, RecordError


@click.command()
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE...",
    type=click.Path(exists=True, path_type=Path),
)
@click.option("--turns", is_flag=True, help="Print the game turn by turn.")
@click.option("--watch", is_flag=True, help="Watch one game on a screen, step by step.")
@options.as_json
@click.pass_context
def command(
    ctx: click.Context, files: tuple[Path, ...], turns: bool, watch: bool, as_json: bool
) -> None:
    """Check recorded games against the rules, and read them.

    Every event is checked against the rules, every card against the seed, and the score is counted
    again. A record that breaks a rule is refused with the line and the rule, and the exit status is
    1. A folder stands for all the records (*.jsonl) in it. Watching needs the extra `terminal`.

    \b
    Examples:
      ferrovia replay game.jsonl
      ferrovia replay --turns game.jsonl
      ferrovia replay --watch game.jsonl
      ferrovia replay games/ --json
    """
    from ferrovia.game import Game, RecordError

    paths = record_files(files)
    if watch:
        if len(paths) != 1 or turns or as_json:
            raise click.UsageError("--watch shows one game, and nothing else")
        require_textual()
        watch_record(paths[0])
        return
    reports: list[dict[str, Any]] = []
    refused = 0
    with progress("records", len(paths)) as shown:
        for path in paths:
            try:
                game = Game.from_record(read_record(path))
            except RecordError as problem:
                refused += 1
                reports.append(_refusal(path, problem))
                if not as_json:
                    click.echo(wrong_line(path, problem))
            else:
                reports.append(_report(path, game))
                if not as_json:
                    click.echo("\n".join(_lines(path, game, turns)))
            shown.advance()
    if as_json:
        options.write_json(reports)
    elif len(paths) > 1:
        click.echo(f"{len(paths) - refused} of {len(paths)} records are right")
    ctx.exit(1 if refused else 0)


def _refusal(path: Path, problem: "RecordError") -> dict[str, Any]:
    return {
        "file": str(path),
        "ok": False,
        "line": problem.line,
        "rule": problem.rule,
        "message": place_and_reason(path, problem)[1],
    }


def _report(path: Path, game: "Game") -> dict[str, Any]:
    scores = game.result() if game.over else None
    return {
        "file": str(path),
        "ok": True,
        "edition": game.edition.id,
        "players": list(game.names),
        "turns": game.view(None).turns,
        "over": game.over,
        "points": [score.total for score in scores.scores] if scores else None,
        "winners": list(scores.winners) if scores else None,
        "shuffle": _shuffle(game),
    }


def _shuffle(game: "Game") -> dict[str, Any] | None:
    """Return who had a part in the shuffle, as the record proves it; None if it does not say."""
    shuffle = game.shuffle
    if shuffle is None:
        return None
    parts = [it.player for it in shuffle.players if it.part is not None]
    missing = [it.player for it in shuffle.players if it.part is None]
    return {"method": shuffle.method, "players": parts, "missing": missing}


def _shuffle_line(game: "Game", names: Sequence[str]) -> str:
    """Return who had a part in the shuffle, in words; empty if the record does not say."""
    from ferrovia.game.chance.shuffle import GIVEN

    shuffle = _shuffle(game)
    if shuffle is None:
        return ""
    if shuffle["method"] == GIVEN:
        return "shuffle: the seed was given by whoever set the table up"
    line = "shuffle: mixed from the parts of "
    line += ", ".join(["the server", *(names[seat] for seat in shuffle["players"])])
    if shuffle["missing"]:
        line += "; not revealed in time: " + ", ".join(names[seat] for seat in shuffle["missing"])
    return line


def _lines(path: Path, game: "Game", turns: bool) -> list[str]:
    from ferrovia.terminal.final_scores import score_lines
    from ferrovia.terminal.narration import turn_lines
    from ferrovia.terminal.sentences import distinct

    report, names = _report(path, game), distinct(game.names)
    if game.over:
        scores = ", ".join(map("{} {}".format, names, report["points"]))
        winners = " and ".join(names[seat] for seat in report["winners"])
        verdict = f"right; {scores}; won by {winners}"
    else:
        verdict = "right so far; the game is not over"
    lines = [f"{path}: {verdict} ({game.edition.id}, {report['turns']} turns)"]
    if shuffle := _shuffle_line(game, names):
        lines.append(f"{path}: {shuffle}")
    if turns:
        lines += ["", *turn_lines(game), ""]
        if game.over:
            lines += [*score_lines(game), ""]
    return lines
