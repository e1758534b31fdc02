"""ferrovia score"""

from pathlib import Path

import click

from ferrovia.cli import options


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--names", callback=options.words, default="", help="Who plays, by seat, with commas."
)
@options.as_json
def command(file: Path, names: tuple[str, ...], as_json: bool) -> None:
    """Count a game that lies on the table, or any position: the exact final score.

    FILE is a position as text: the edition, and for each player routes, stations and tickets. The
    page for counting writes such a file.

    \b
    Examples:
      ferrovia score evening.txt
      ferrovia score evening.txt --names Ana,Rui,Marta
      ferrovia score evening.txt --json
    """
    import msgspec

    from ferrovia.game import read_position
    from ferrovia.game.finale import finale_of
    from ferrovia.game.position import MAX_LENGTH, PositionError
    from ferrovia.terminal.final_scores import longest_route_lines, score_lines

    with file.open("rb") as stream:
        text = stream.read(4 * MAX_LENGTH + 1).decode(errors="replace")
    try:
        game = read_position(text)
    except PositionError as problem:
        raise click.UsageError(f"{file}: {problem}") from None
    if names and len(names) != game.players:
        raise click.UsageError(f"--names has {len(names)} names for {game.players} players")
    finale = finale_of(game.lexicon, game.state)
    if as_json:
        options.write_json(msgspec.to_builtins({"result": game.result(), "finale": finale}))
        return
    click.echo("\n".join([*score_lines(game, names), *longest_route_lines(game, finale, names)]))
