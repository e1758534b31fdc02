"""The analyst of a server: a process for each analysis."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from ferrovia.analysis.findings import Analysis
from ferrovia.server.analysis.worker import AnalysisNews, AnalysisTask
from ferrovia.server.processes.messages import HEAD, length_of, packed

_WORKER = (sys.executable, "-m", "ferrovia.server.analysis.worker")
_SECONDS = 600.0  # without a word, and the process is ended
_NEWS = msgspec.msgpack.Decoder(AnalysisNews)


async def in_process(
    task: AnalysisTask, report: Callable[[int, int], None], program: Sequence[str] = _WORKER
) -> Analysis | None:
    """Return the analysis that a process of its own makes; see `Analyst`."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *program, stdin=pipe, stdout=pipe, start_new_session=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(packed(task))
        await process.stdin.drain()
        while True:
            async with asyncio.timeout(_SECONDS):
                head = await process.stdout.readexactly(HEAD)
                news = _NEWS.decode(await process.stdout.readexactly(length_of(head)))
            if news.analysis is not None or news.problem:
                return news.analysis
            report(news.done, news.total)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
        await process.wait()
