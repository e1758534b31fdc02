"""The command line: `main` is the command `ferrovia`."""

import click

from ferrovia import __version__
from ferrovia.cli.group import LazyGroup


@click.group(
    "ferrovia",
    cls=LazyGroup,
    commands_in="ferrovia.cli.commands",
    commands={
        "play": "Play in the browser, or as text in the terminal.",
        "terminal": "Play on a screen in the terminal.",
        "mcp": "Give a language model a seat, over the Model Context Protocol.",
        "serve": "Serve games to people anywhere.",
        "store": "Back up, restore, check, move and prune the games of a server.",
        "tables": "List, show, moderate, close and export the tables of a server.",
        "simulate": "Let bots play many games and compare them.",
        "tournament": "Let every bot play every other, and rate them.",
        "report": "Make a page with charts from the results of simulate.",
        "learn": "Train a net by self-play.",
        "replay": "Check recorded games against the rules, and read them.",
        "analyse": "Find out where the result of a finished game came from.",
        "score": "Count a game that lies on the table.",
        "season": "Compute the standings of a club's season from its records.",
        "show": "Draw a board or a recorded game as a picture.",
        "boards": "List the editions; make, check, convert and study boards of your own.",
        "edit": "Edit a board file of your own in the browser.",
        "doctor": "Check that everything works on this machine.",
    },
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
)
@click.version_option(__version__, "-V", "--version", prog_name="ferrovia")
def main() -> None:
    """Ferrovia: the railway board games, complete and exact.

    \b
    Start here:
      ferrovia play                                 a game in your browser
      ferrovia play --text                          a game against a bot, right here
      ferrovia simulate europe --bots greedy,random which bot is better?
      ferrovia show europe                          the board as a picture
      ferrovia COMMAND --help                       every command, with examples
    """
