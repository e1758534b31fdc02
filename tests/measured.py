"""How slipcover measures the tests and the servers that they start.

A probe that has seen its line is taken out again. Until Python 3.12 that means to look through all
functions of all modules, which takes longer than the probes do: here it is done seldom.
"""

import os
import secrets
import sys

PROBE_HITS = 10_000  # of one probe, until all that have seen their line are taken out


def settle_measuring(*, is_worker: bool) -> None:
    """Tell slipcover, if it measures this process, how to do so."""
    for finder in sys.meta_path:
        if (slipcover := getattr(finder, "sci", None)) is not None:
            slipcover.d_miss_threshold = PROBE_HITS
            if is_worker:  # files that nobody imports are added once, by who starts the workers
                slipcover.source = None


def measured_python() -> list[str]:
    """Return how Python is started: where the tests are measured, so is the new process."""
    if "SLIPCOVER_ENABLED" not in os.environ:
        return [sys.executable]
    report = f".coverage/server-{secrets.token_hex(8)}.json"
    where = ["--source", os.environ["SLIPCOVER_SOURCE"], "--omit", os.environ["SLIPCOVER_OMIT"]]
    how = ["--sigterm", "--threshold", str(PROBE_HITS), "--json", "--out", report]
    return [sys.executable, "-m", "slipcover", *where, *how]
