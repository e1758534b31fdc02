"""The probe of a store: whether it takes a write, found out by making one."""

import asyncio
import time
from collections.abc import Callable

from ferrovia.server.store.interface import StoreError, StoreGone


class StoreProbe:
    """Knows whether a write was made lately, and makes one when somebody asks and none was.

    Nobody waits longer than `seconds` for the answer. What was found out is the answer for `fresh`
    seconds, so that asking often costs the store nothing.
    """

    def __init__(
        self, probe: Callable[[], None], *, seconds: float = 2.0, fresh: float = 1.0
    ) -> None:
        self._probe = probe
        self._seconds = seconds
        self._fresh = fresh
        self._written = -fresh
        self._failed = -fresh
        self._problem: StoreError | None = None
        self._probing: asyncio.Task[None] | None = None

    def note_written(self) -> None:
        """Note that a write was made."""
        self._written = time.monotonic()

    async def check(self) -> None:
        """Return if the store takes writes; raises `StoreError` if it does not."""
        now = time.monotonic()
        if self._problem is not None and now - self._failed < self._fresh:
            raise self._problem
        if now - self._written < self._fresh:
            return
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(asyncio.to_thread(self._probe))
        try:
            await asyncio.wait_for(asyncio.shield(self._probing), self._seconds)
        except TimeoutError:
            self._fail(StoreGone(f"the store has not answered within {self._seconds:g} seconds"))
        except StoreError as problem:
            self._fail(problem)
        else:
            self._problem = None
            self.note_written()

    def _fail(self, problem: StoreError) -> None:
        self._problem, self._failed = problem, time.monotonic()
        raise problem
