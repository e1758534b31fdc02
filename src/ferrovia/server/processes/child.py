"""Modules of ours in processes beside the server: for one question, or for one after the other."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from ferrovia.server.processes.messages import HEAD, framed, length_of

_END_SECONDS = 1.5


@dataclass(frozen=True, slots=True)
class CompletedProcess:
    """How such a process ended: its status, and what it wrote."""

    status: int
    out: bytes
    err: bytes


async def ask_module(
    module: str, question: bytes, seconds: float | None = None, *given: str
) -> CompletedProcess:
    """Run `python -m module` with what it is given and a question on its standard input, and return
    how it ended.

    Raises TimeoutError when the seconds have passed. Nothing is left of it, even when we are
    cancelled.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        *given,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,  # Ctrl-C at the terminal is for the server
    )
    try:
        async with asyncio.timeout(seconds):
            out, err = await process.communicate(question)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return CompletedProcess(process.returncode, out, err)


class Resident:
    """A process that answers questions over its pipes, one at a time. It is started at the first
    one, says with its first message that it is ready, and is ended when it takes too long.
    """

    def __init__(self, program: Sequence[str], start_seconds: float) -> None:
        self._program = program
        self._start_seconds = start_seconds
        self._process: asyncio.subprocess.Process | None = None

    @property
    def running(self) -> bool:
        """Whether the process has been started and has not ended."""
        return self._process is not None and self._process.returncode is None

    async def ask(self, question: bytes, seconds: float) -> bytes:
        """Return the answer; raises `TimeoutError` when `seconds` have passed, `OSError` or
        `EOFError` where the process ends.
        """
        process = await self._ready()
        assert process.stdin is not None
        try:
            process.stdin.write(framed(question))
            await process.stdin.drain()
            return await asyncio.wait_for(_read(process), seconds)
        except BaseException:
            await self.end()  # a late answer must not be taken for the answer to the next question
            raise

    async def end(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), _END_SECONDS)
            except TimeoutError:
                process.kill()
                await process.wait()

    async def _ready(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            # A group of its own: Ctrl-C at the terminal is for the server to handle.
            self._process = await asyncio.create_subprocess_exec(
                *self._program,
                stdin=pipe,
                stdout=pipe,
                start_new_session=hasattr(signal, "SIGKILL"),
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
            try:
                await asyncio.wait_for(_read(self._process), self._start_seconds)
            except BaseException:
                await self.end()
                raise
        return self._process


async def _read(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None
    head = await process.stdout.readexactly(HEAD)
    return await process.stdout.readexactly(length_of(head))
