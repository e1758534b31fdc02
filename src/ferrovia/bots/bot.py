"""The protocol of a bot."""

from typing import Protocol

from ferrovia.game import Action, View


class Bot(Protocol):
    """A player at one seat of one game.

    It is given views of its own seat, never the state, so it cannot know more than a person there.
    """

    @property
    def name(self) -> str:
        """The name that `make` knows it by, options included."""
        ...

    def decide(self, view: View) -> Action:
        """Return a legal action for a view of a seat whose decision is awaited.

        Two bots with the same name and seed that were shown the same views decide the same.
        """
        ...
