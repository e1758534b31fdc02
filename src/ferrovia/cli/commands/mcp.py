"""ferrovia mcp"""

import click

from ferrovia.cli import options


@click.command()
@options.name
@options.seed
def command(name: str, seed: int | None) -> None:
    """Give a language model a seat, over the Model Context Protocol.

    A program that hosts a model starts this command and speaks to it on standard input and output.
    The model begins a game against bots, or joins a table by its link, and plays in words: it sees
    what its seat may know, and the rule when a move is refused. Needs the extra `mcp`.

    \b
    Examples:
      ferrovia mcp                     # in the settings of your program
      ferrovia mcp --name Claudia
    """
    from ferrovia.terminal.model_seat import ModelSeat, server

    server(ModelSeat(name, seed)).run()
