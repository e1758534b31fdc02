"""A module of ours that answers one question in a process of its own."""

import asyncio
import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CompletedProcess:
    """How such a process ended: its status, and what it wrote."""

    status: int
    out: bytes
    err: bytes


async def ask_module(
    module: str, question: bytes, seconds: float | None = None
) -> CompletedProcess:
    """Run `python -m module` with a question on its standard input, and return how it ended.

    Raises TimeoutError when they are over. The process is gone afterwards, even if we are
    cancelled.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
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
