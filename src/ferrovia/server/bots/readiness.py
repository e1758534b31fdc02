"""Which bots can play already, where the rules are still being compiled beside the server."""

import asyncio
from collections.abc import Callable, Iterable

from ferrovia.machine.background import BackgroundCompiler, needs_compiled_rules
from ferrovia.server import protocol
from ferrovia.server.logs import note


class Readiness:
    """The state of a server that has begun uncompiled; without a compiler everything is ready.

    If compiling fails, everything counts as ready: bots that search are slow then, and right.
    """

    def __init__(self, compiler: BackgroundCompiler | None = None) -> None:
        self._compiler = compiler
        self._over = asyncio.Event()
        self._stopped = False
        if compiler is None:
            self._over.set()

    def start(self, changed: Callable[[], None], finished: Callable[[], None]) -> None:
        """Start compiling, from inside an event loop.

        `changed` is called at every step, `finished` when compiled rules are there for the
        successor of this process.
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
                self._over.set()
            changed()
            if compiler.state == "finished":
                finished()

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
        return self._over.is_set() or not needs_compiled_rules(bot)

    async def wait_for(self, bot: str) -> None:
        """Return when a bot can play. In a server that is replaced first it never does."""
        if not self.has(bot):
            await self._over.wait()

    def preparing(self, bots: Iterable[str]) -> protocol.Preparing | None:
        """Return which of these bots cannot play yet, and how far it is; None if all can."""
        if self._over.is_set() or self._compiler is None:
            return None
        return protocol.Preparing(
            bots=tuple(bot for bot in bots if not self.has(bot)),
            done=self._compiler.done,
            total=self._compiler.total,
        )
