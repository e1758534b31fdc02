"""Let a language model sit at the table: any command that reads a question and prints an answer.

ferrovia tournament usa --bots "model_bot:Model:llm -m NAME,greedy" --games 4

The model is told in words what its seat may know, and its legal moves. It has three tries for each
move, and is told why when one is refused; then a random legal move is made for it.
"""

import random
import shlex
import subprocess

from ferrovia.game import Action, InvalidAction, View, read_action
from ferrovia.terminal.model_seat import in_words

TRIES = 3
QUESTION = """You play a railway board game. Answer with one of the legal moves, and nothing else:
for a claim the route and one way to pay, such as: claim paris-zurich blue blue locomotive

{position}
{refused}
Your move:"""


class Model:
    """A bot that asks a command, which is given as its option."""

    name = "model"

    def __init__(self, options: str, seed: bytes) -> None:
        self._command = shlex.split(options)
        self._chance = random.Random(seed)

    def decide(self, view: View) -> Action:
        """Return what the model has answered, if it is legal in one of its tries."""
        legal, refused = view.legal_actions(), ""
        for _ in range(TRIES):
            question = QUESTION.format(position=in_words(view), refused=refused)
            answer = subprocess.run(
                self._command, input=question, capture_output=True, text=True, check=True
            )
            said = (answer.stdout.strip().splitlines() or [""])[-1].strip().casefold()
            try:
                action = read_action(said)
            except InvalidAction as problem:
                refused = f"\n'{said}' cannot be read: {problem}."
                continue
            if action in legal:
                return action
            refused = f"\n'{said}' is none of the legal moves."
        return self._chance.choice(legal)
