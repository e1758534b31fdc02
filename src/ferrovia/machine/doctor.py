"""What this machine has of all that Ferrovia uses, and what to do about what is missing."""

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal, NamedTuple

from ferrovia import __version__

EXTRAS = (
    ("png pictures", "resvg-py", "png"),
    ("reports", "matplotlib", "report"),
    ("terminal screens", "textual", "terminal"),
    ("parquet", "pyarrow", "parquet"),
    ("postgresql", "psycopg", "postgresql"),
    ("ray", "ray", "ray"),
    ("learning", "torch", "learn"),
    ("gymnasium", "gymnasium", "gymnasium"),
    ("pettingzoo", "pettingzoo", "pettingzoo"),
    ("openspiel", "open_spiel", "openspiel"),
)
"""What only some people need: its name for them, the library, and the extra that installs it."""


class Finding(NamedTuple):
    """The state of one thing: `fail` only for what a game cannot do without."""

    what: str
    state: Literal["ok", "warn", "fail"]
    found: str
    to_do: str = ""


def look_over(look: Callable[[str], None] = lambda what: None) -> Iterator[Finding]:
    """Yield the state of everything, in the order in which a person should put it right.

    `look` is called with the name of each thing before it is looked at.
    """
    looks: tuple[Callable[[], Finding], ...] = (
        _python,
        _numba,
        _processors,
        _cache,
        _compiled,
        _game,
        _browser_game,
        _gpu,
        _packs,
    )
    for find in looks:
        look(find.__name__.strip("_").replace("_", " "))
        yield find()
    for extra in EXTRAS:
        yield _extra(*extra)


def _python() -> Finding:
    found = f"Ferrovia {__version__}, Python {platform.python_version()}, {platform.platform()}"
    return Finding("versions", "ok", found)


def _numba() -> Finding:
    from ferrovia.rules.compiler import COMPILED

    found = ", ".join(f"{name} {version(name)}" for name in ("numba", "numpy"))
    if COMPILED:
        return Finding("compiler", "ok", found)
    return Finding(
        "compiler",
        "warn",
        f"{found}, switched off by NUMBA_DISABLE_JIT: everything is slow",
        "unset NUMBA_DISABLE_JIT",
    )


def _processors() -> Finding:
    affinity = getattr(os, "sched_getaffinity", None)
    usable = len(affinity(0)) if affinity else os.cpu_count() or 1
    return Finding("processors", "ok", f"{usable} to use, of {os.cpu_count()}")


def _cache() -> Finding:
    from ferrovia.rules.compiler import cache_folder

    folder = cache_folder()
    if folder is not None:
        return Finding("cache", "ok", str(folder.parent))
    return Finding(
        "cache",
        "warn",
        "no folder can be written: the rules are compiled every time",
        "set FERROVIA_CACHE to a folder that you can write to",
    )


def _compiled() -> Finding:
    from ferrovia.machine.compile import EVERYTHING, not_compiled

    missing = not_compiled(EVERYTHING)
    if not missing:
        return Finding("rules", "ok", "compiled")
    done, total = len(EVERYTHING) - len(missing), len(EVERYTHING)
    return Finding(
        "rules",
        "warn",
        f"{done} of {total} functions are compiled; not yet: {', '.join(missing)}",
        "nothing: people play at once, and they are compiled meanwhile; "
        "or now, by ferrovia doctor --compile",
    )


def _game() -> Finding:
    """Play and replay a short game, the whole way that a real one goes.

    Where the rules are not compiled yet another process does so uncompiled: nobody waits.
    """
    from ferrovia.machine.compile import FOR_SERVER, not_compiled

    missing = not_compiled(FOR_SERVER)
    try:
        seconds = _seconds_elsewhere() if missing else seconds_of_short_game()
    except Exception as problem:
        return Finding("game", "fail", f"a game cannot be played: {problem!r}", "report this")
    how = ", uncompiled" if missing else ""
    return Finding("game", "ok", f"started and replayed in {seconds:.2f} s{how}")


def seconds_of_short_game() -> float:
    """Start a game, play it for two decisions and replay it; return how long that took."""
    from ferrovia.game import Game

    began = time.perf_counter()
    game = Game("usa", 2, seed=1)
    for seat in (0, 1):
        game.play(seat, game.legal_actions(seat)[-1])
    Game.from_record(game.record().text())
    return time.perf_counter() - began


def _seconds_elsewhere() -> float:
    """Return the same from a process that does not compile."""
    from ferrovia.machine.background import UNCOMPILED

    program = f"from {__name__} import seconds_of_short_game as play; print(play())"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, UNCOMPILED: "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1:])
    return float(done.stdout)


def _browser_game() -> Finding:
    from ferrovia.machine.browser_game import TO_DO, client_folder

    folder = client_folder()
    if folder is not None:
        return Finding("browser game", "ok", folder)
    return Finding(
        "browser game", "warn", "not built: play is the text game, and serve has no page", TO_DO
    )


def _gpu() -> Finding:
    from ferrovia.rules import gpu

    to_do = f"only needed for batches on a GPU, where there is one: {_install('gpu')}"
    try:
        return Finding("gpu", "ok", gpu.device_name())
    except gpu.NoGpu as problem:
        return Finding("gpu", "warn", str(problem), to_do)
    except Exception as problem:  # of the driver, which has many
        return Finding("gpu", "warn", f"not usable: {problem}", to_do)


def _packs() -> Finding:
    from ferrovia.boards import BoardError, load_pack, pack_names, packs_folder

    folder = packs_folder()
    broken = []
    try:
        names = pack_names()
    except OSError as problem:
        return Finding("ticket packs", "warn", f"{folder}: {problem.strerror}", "see FERROVIA_DATA")
    for name in names:
        try:
            load_pack(name)
        except BoardError as problem:
            broken.append(str(problem.problems[0]))
    found = f"{', '.join(names) or 'none'} in {folder}"
    if broken:
        return Finding("ticket packs", "warn", found, "; ".join(broken))
    return Finding("ticket packs", "ok", found)


def _extra(what: str, library: str, extra: str) -> Finding:
    """Return whether something is installed that only some people need."""
    try:
        return Finding(what, "ok", f"{library} {version(library)}")
    except PackageNotFoundError:
        return Finding(what, "warn", "not installed", _install(extra))


def _install(extra: str) -> str:
    """Return the command that installs an extra for this Python."""
    return f"{Path(sys.executable).name} -m pip install 'ferrovia[{extra}]'"
