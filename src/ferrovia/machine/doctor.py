"""What this machine has of all that Ferrovia uses, and what to do about what is missing."""

import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal, NamedTuple

from ferrovia import __version__
from ferrovia.data_folder import NoHome, data_folder
from ferrovia.errors import EXTRAS, MissingExtra, install_command

_LITTLE_SPACE = 100 << 20  # bytes: what a club plays in a year


class Finding(NamedTuple):
    """The state of one thing: `fail` only for what a game cannot do without, `none` for what is not
    there and that most people do not need."""

    what: str
    state: Literal["ok", "warn", "fail", "none"]
    found: str
    to_do: str = ""


def look_over(look: Callable[[str], None] = lambda what: None) -> Iterator[Finding]:
    """Yield the state of everything, in the order in which a person should put it right.

    `look` is called with the name of each thing before it is looked at.
    """
    looks: tuple[Callable[[], Finding], ...] = (
        _python,
        _processors,
        _kernel,
        _game,
        _browser_game,
        _data_folder,
        _packs,
        _gpu,
    )
    for find in looks:
        look(find.__name__.strip("_").replace("_", " "))
        yield find()
    for extra, (what, library) in EXTRAS.items():
        yield _extra(what, library, extra)


def _python() -> Finding:
    found = f"Ferrovia {__version__}, Python {platform.python_version()}, {platform.platform()}"
    return Finding("versions", "ok", found)


def _processors() -> Finding:
    affinity = getattr(os, "sched_getaffinity", None)
    usable = len(affinity(0)) if affinity else os.cpu_count() or 1
    return Finding("processors", "ok", f"{usable} to use, of {os.cpu_count()}")


def _kernel() -> Finding:
    from ferrovia.kernel.library import FOUND

    if FOUND.how == "machine code":
        return Finding("kernel", "ok", f"machine code, proved ({FOUND.file})")
    how = "WebAssembly" if FOUND.how == "wasm" else "plain Python, which is slow"
    return Finding("kernel", "warn", f"{how}: {FOUND.why}", _faster(FOUND.how))


def _faster(how: str) -> str:
    """Return what to do about a kernel that is slower than it could be."""
    if how == "wasm":
        return "nothing; but please tell us of this system, so that there is a library for it"
    return f"WebAssembly is many times faster: {_install('wasm')}"


def _game() -> Finding:
    """Play and replay a short game, the whole way that a real one goes."""
    try:
        seconds = seconds_of_short_game()
    except Exception as problem:
        return Finding("game", "fail", f"a game cannot be played: {problem!r}", "report this")
    return Finding("game", "ok", f"started and replayed in {seconds:.2f} s")


def seconds_of_short_game() -> float:
    """Start a game, play it for two decisions and replay it; return how long that took."""
    from ferrovia.game import Game

    began = time.perf_counter()
    game = Game("usa", 2, seed=1)
    for seat in (0, 1):
        game.play(seat, game.legal_actions(seat)[-1])
    Game.from_record(game.record().text())
    return time.perf_counter() - began


def _browser_game() -> Finding:
    from ferrovia.machine.browser_game import TO_DO, client_folder

    folder = client_folder()
    if folder is not None:
        return Finding("browser game", "ok", folder)
    return Finding(
        "browser game", "warn", "not built: play is the text game, and serve has no page", TO_DO
    )


def _gpu() -> Finding:
    from ferrovia.kernel import gpu

    to_do = f"only needed for batches on a GPU, where there is one: {_install('gpu')}"
    try:
        return Finding("gpu", "ok", gpu.device_name())
    except (gpu.NoGpu, MissingExtra) as problem:
        return Finding("gpu", "none", str(problem), to_do)
    except Exception as problem:  # of the driver, which has many
        return Finding("gpu", "warn", f"not usable: {problem}", to_do)


def _data_folder() -> Finding:
    """Return whether games can be kept: by writing into the folder, or where it would be made."""
    to_do = "set FERROVIA_DATA to a folder that can be written to, with some space"
    try:
        folder = data_folder()
    except NoHome as problem:
        return Finding("data folder", "fail", str(problem), to_do)
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(bytes(1 << 16))
        free = shutil.disk_usage(there).free
    except OSError as problem:
        return Finding("data folder", "fail", f"{folder}: {problem.strerror}", to_do)
    if free < _LITTLE_SPACE:
        return Finding("data folder", "warn", f"{folder}: {free >> 20} MiB are left", to_do)
    return Finding("data folder", "ok", str(folder))


def _packs() -> Finding:
    from ferrovia.boards import BoardError, load_pack, pack_names, packs_folder

    broken = []
    try:
        folder = packs_folder()
        names = pack_names()
    except NoHome as problem:
        return Finding("ticket packs", "warn", str(problem))
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
        return Finding(what, "none", "not installed", _install(extra))


def _install(extra: str) -> str:
    """Return the command that installs an extra for this Python."""
    return f"{Path(sys.executable).name} -m {install_command(extra)}"
