"""Which bots can play already, where the rules are still being compiled beside the server."""

import asyncio
from collections.abc import Callable, Iterable

from ferrovia.bots.registry import bot_on
from ferrovia.machine.background import BackgroundCompiler, keeps_people_waiting
from ferrovia.server import protocol
from ferrovia.server.logs import note
from ferrovia.server.table.table import Table


def deciding_bot(table: Table, bot: str) -> str:
    """Return the bot that decides at a table under a name (see `bot_on`)."""
    game = table.game
    return bot if game is None else bot_on(bot, game.words, game.players)


class Readiness:
    """Which bots would keep people waiting; without a compiler none.

    If compiling fails, all count as ready: some are slow then, and right.
    """

    def __init__(self, compiler: BackgroundCompiler | None = None) -> None:
        self._compiler = compiler
        self._over = False
        self._stopped = False
        self._step = asyncio.Event()
        self._known: dict[str, bool] = {}
        if compiler is None:
            self._over = True

    def start(self, changed: Callable[[], None], finished: Callable[[], bool]) -> None:
        """Start compiling, from inside an event loop.

        `changed` is called at every step, `finished` at the end; if it returns True this process
        is replaced by its successor, and what waits for compiled rules goes on waiting.
        """
        compiler = self._compiler
        if compiler is None:
            return
        loop = asyncio.get_running_loop()

        def step() -> None:
            if self._stopped:
                return  # its end is no failure
            if compiler.state == "failed":
                note("compiling_failed", done=compiler.done, total=compiler.total)
                self._over = True
            elif compiler.state == "finished":
                self._over = not finished()
            self._known.clear()
            step, self._step = self._step, asyncio.Event()
            step.set()
            changed()

        def from_thread() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(step)

        note("compiling_beside")
        compiler.start(from_thread)

    def stop(self) -> None:
        """End the processes that compile."""
        self._stopped = True
        if self._compiler is not None:
            self._compiler.stop()

    def has(self, bot: str) -> bool:
        """Return whether a bot can play now."""
        if self._over:
            return True
        if bot not in self._known:
            self._known[bot] = not keeps_people_waiting(bot)
        return self._known[bot]

    async def wait_for(self, bot: str) -> None:
        """Return when a bot can play. In a server that is replaced first it never does."""
        while not self.has(bot):
            await self._step.wait()

    def preparing(self, bots: Iterable[str]) -> protocol.Preparing | None:
        """Return which of these bots cannot play yet, and how far it is; None if all can."""
        unready = tuple(bot for bot in bots if not self.has(bot))
        if self._compiler is None or not unready:
            return None
        return protocol.Preparing(
            bots=unready, done=self._compiler.done, total=self._compiler.total
        )
