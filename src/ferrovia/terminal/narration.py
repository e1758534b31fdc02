"""A whole game as text, turn by turn."""

from ferrovia.game import Game
from ferrovia.game.records.turns import split_turns
from ferrovia.terminal.screens import paragraph
from ferrovia.terminal.sentences import Narrator


def turn_lines(game: Game) -> list[str]:
    """Return the game as lines to read: the set-up, then one numbered entry for each turn."""
    narrator = Narrator(game.edition, game.names)
    setup, turns = split_turns(game.events, game.players, len(game.edition.deals))
    lines = [line for sentence in narrator.narrate(setup) for line in paragraph(sentence, "    ")]
    for number, turn in enumerate(turns, start=1):
        lines += paragraph(f"{number:>3}. {' '.join(narrator.narrate(turn))}", "     ")
    return lines
