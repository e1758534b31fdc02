"""ferrovia show"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ferrovia.cli import options
from ferrovia.cli.files import check_suffix, place_and_reason, read_record

if TYPE_CHECKING:
    from ferrovia.game import Game


@click.command()
@click.argument("what", metavar="EDITION|BOARD|RECORD")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="A file that ends in .svg or .png, or - for SVG on standard output.",
)
@click.option("--width", type=options.WholeNumber(200, 10_000), default=1200, show_default=True)
@click.option(
    "--turn",
    type=options.WholeNumber(0),
    metavar="N",
    help="For a record: the board after N turns. By default at the end.",
)
def command(what: str, output: str | None, width: int, turn: int | None) -> None:
    """Draw a board or a recorded game as a picture.

    Give the name of an edition, or the path of a board file or a record (.jsonl). The picture is
    written to this folder under the same name, or to the file that -o names.

    \b
    Examples:
      ferrovia show europe
      ferrovia show usa -o usa.png --width 2400
      ferrovia show my-board.json -o - > board.svg
      ferrovia show game.jsonl --turn 40 -o middle.svg
    """
    if output is not None and output != "-":
        check_suffix(Path(output), ".svg", ".png")
    if what.endswith(".jsonl"):
        name, svg = Path(what).stem, _record_svg(Path(what), width, turn)
    elif turn is not None:
        raise click.UsageError("--turn is for records (.jsonl)")
    else:
        from ferrovia.drawing import draw

        edition = options.load_edition(what)
        name, svg = edition.id, draw(edition.board, width=width)
    if output == "-":
        click.echo(svg)
        return
    path = Path(output or f"{name}.svg")
    _write(path, svg, width)
    click.echo(f"{path}")


def _record_svg(path: Path, width: int, turn: int | None) -> str:
    from ferrovia.game import Game, RecordError

    data = read_record(path)
    try:
        game = Game.from_record(data)
    except RecordError as problem:
        raise click.ClickException(": ".join(place_and_reason(path, problem))) from None
    return game.svg(width=width) if turn is None else _svg_after(game, turn, width)


def _svg_after(game: "Game", turn: int, width: int) -> str:
    from ferrovia.drawing import draw
    from ferrovia.game import events
    from ferrovia.game.records.turns import split_turns

    _, turns = split_turns(game.events, game.players, len(game.edition.deals))
    if turn > len(turns):
        raise click.UsageError(f"the game has {len(turns)} turns, not {turn}")
    happened = [event for part in turns[:turn] for event in part]
    return draw(
        game.edition.board,
        owners={it.route: it.player for it in happened if isinstance(it, events.Claim)},
        stations={it.city: it.player for it in happened if isinstance(it, events.Station)},
        player_colors=game.edition.player_colors,
        width=width,
    )


def _write(path: Path, svg: str, width: int) -> None:
    if path.suffix.lower() == ".svg":
        path.write_text(svg, encoding="utf-8", newline="\n")
    else:
        from ferrovia.drawing import png

        png(svg, path, width)
