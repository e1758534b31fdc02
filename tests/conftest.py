"""Settings for the whole suite."""

import os
import signal
from pathlib import Path

# A shell that starts us in the background lets us ignore Ctrl-C, and so would every server here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Silent overwrites become errors: the kernel is compiled with bounds checks for tests.
os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")

import pytest
from hypothesis import HealthCheck, settings

# No test depends on a clock.
settings.register_profile(
    "ferrovia", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.register_profile("explore", settings.get_profile("ferrovia"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ferrovia"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where only what runs uncompiled is wanted, files without such a test are not imported."""
    if config.option.markexpr != "uncompiled" or collection_path.suffix != ".py":
        return None
    return "uncompiled" not in collection_path.read_text(encoding="utf-8") or None
