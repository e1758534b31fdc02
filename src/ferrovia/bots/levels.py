"""The four levels that people choose from (docs/strength.md has what is known of them)."""

from dataclasses import dataclass

from ferrovia.bots.bot import Bot
from ferrovia.game import Action, View

LEVELS = {
    "passenger": "passenger",
    "conductor": "greedy",
    "driver": "planner",
    "director": "search:400 plays, 1s",
}
"""The bot behind every level, weakest first."""


def bot_behind(name: str) -> str:
    """The bot that a name stands for: another one if it is the name of a level."""
    return LEVELS.get(name, name)


@dataclass(frozen=True)
class AtLevel:
    """A bot under the name of a level."""

    name: str
    bot: Bot

    def decide(self, view: View) -> Action:
        return self.bot.decide(view)
