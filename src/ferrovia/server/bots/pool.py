"""Where bots decide: outside the server's process, which asks and goes on."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from ferrovia.bots.why import Why
from ferrovia.server.bots.question import BotQuestion
from ferrovia.server.processes.queue import Standing


class BotChoice(NamedTuple):
    """What a bot chose, None if it failed or did not choose in time; when a process was free for
    the question, in the time of the event loop, and how many seconds it took from then on. `first`:
    that time is no measure, because the bot had to be loaded. `why`: what speaks for it, if asked.
    """

    action: str | None
    began: float
    took: float
    first: bool = False
    why: Why | None = None


class BotPool(Protocol):
    """Answers questions, each when it is its turn."""

    @property
    def waiting(self) -> int:
        """How many questions wait for their turn."""

    async def ask(
        self, question: BotQuestion, standing: Callable[[], Standing] = Standing
    ) -> BotChoice:
        """Return what a bot chooses, when it is the turn of who asks (see queue.py)."""

    async def close(self) -> None:
        """End what decides; questions that still wait are answered with None."""
