"""Settings for the whole suite."""

import atexit
import gc
import os
import re
import shutil
import signal
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

# A shell that starts us in the background lets us ignore Ctrl-C, and so would every server here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Silent overwrites become errors: tests have a kernel that checks bounds.
os.environ.setdefault("FERROVIA_KERNEL", "checked")

# Nothing is read from what the person who runs the tests has kept, nor added to it.
os.environ["FERROVIA_DATA"] = tempfile.mkdtemp(prefix="ferrovia-data-")

import pytest
from hypothesis import HealthCheck, settings

from tests.measured import settle_measuring

atexit.register(shutil.rmtree, os.environ["FERROVIA_DATA"], ignore_errors=True)

UNCOMPILED = "uncompiled or inside"  # what is run over the kernel as plain Python

# No test depends on a clock.
settings.register_profile(
    "ferrovia", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.register_profile("explore", settings.get_profile("ferrovia"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ferrovia"))


def pytest_configure(config: pytest.Config) -> None:
    settle_measuring(is_worker=hasattr(config, "workerinput"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where only what runs uncompiled is wanted, files without such a test are not imported."""
    if config.option.markexpr != UNCOMPILED or collection_path.suffix != ".py":
        return None
    source = collection_path.read_text(encoding="utf-8")
    return not ("mark.uncompiled" in source or "mark.inside" in source) or None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of one `xdist_group` run in one process.

    xdist 3.8 says so in a part of a test that pytest 9.2 does not read any more, and then they run
    in all of them (pytest-xdist, issue 1386).
    """
    from ferrovia.kernel.library import COMPILED

    if COMPILED:
        for item in items:
            if item.get_closest_marker("inside"):
                item.add_marker(pytest.mark.skip(reason="runs where the kernel is plain Python"))
    if not getattr(config.option, "loadgroup", False):
        return
    for item in items:
        group = "_".join(sorted({mark.args[0] for mark in item.iter_markers("xdist_group")}))
        if group and not item.nodeid.endswith(f"@{group}"):
            parent: Any = item.parent
            item._id = parent.id.child(f"{item.name}@{group}")  # type: ignore[attr-defined]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """What failed is kept under its name alone: `--last-failed` would not find it by its group."""
    cache = getattr(session.config, "cache", None)  # not with `-p no:cacheprovider`
    if cache is not None and not hasattr(session.config, "workerinput"):
        failed = cache.get("cache/lastfailed", {})
        cache.set("cache/lastfailed", {re.sub(r"@\w+$", "", name): True for name in failed})


@pytest.fixture(autouse=True)
def environment_stays() -> Iterator[None]:
    """A test leaves the environment in which processes of ours start as it was, also where a
    library changes it.
    """
    before = decisive_environment()
    yield
    assert decisive_environment() == before, "the tests that follow would have another environment"


def decisive_environment() -> dict[str, str]:
    """Return what decides how a process of ours starts."""
    decides = ("FERROVIA_", "LD_", "PYTHON")
    return {name: value for name, value in os.environ.items() if name.startswith(decides)}


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is loaded when all is collected stays: the garbage collector need not look at it, and
    among what the tests make it looks less often than usual.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(200_000, 50, 100)
        gc.enable()
