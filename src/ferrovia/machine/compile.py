"""Compiling the rules before they are needed, so that nobody waits without knowing why.

What there is to compile, and what for, is declared beside each function (`entry` in
ferrovia.rules.compiler). As a program, `python -m ferrovia.machine.compile`, it compiles
everything that is not in the cache yet, without a word.
"""

import argparse
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages

from ferrovia import analysis, bots, rules
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.bots.registry import LEVELS, bot_behind
from ferrovia.bots.registry import names as bot_names
from ferrovia.lab.ctrl_c import ctrl_c_ignored
from ferrovia.rules.compiler import COMPILED, Entry, Need, cache_folder, entries

_PACKAGES = (rules.__name__, bots.__name__, analysis.__name__)


def _declared() -> Iterator[Entry]:
    """Import every module of the rules, the bots and the analysis; return what they declare."""
    for package in (rules, bots, analysis):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    for entry in entries():
        if entry.function.__module__.startswith(_PACKAGES):
            yield entry


_ENTRIES = {entry.name: entry for entry in _declared()}


def _needed_for(need: Need) -> tuple[str, ...]:
    return tuple(name for name, entry in _ENTRIES.items() if entry.needed_for & need)


FOR_PLAY = _needed_for(Need.PLAY)
"""What a game in Python needs, beside the bots."""

FOR_REPLAY = _needed_for(Need.REPLAY)
"""What checking a record needs."""

FOR_SERVER = _needed_for(Need.PLAY | Need.REPLAY)
"""What the server needs to play games and to resume them, beside the bots."""

FOR_BATCHES = _needed_for(Need.BATCH)
"""What games inside compiled code need, and writing their records, beside the bots."""

FOR_SEARCH = _needed_for(Need.SEARCH)
"""What a bot that searches needs."""

FOR_NET = _needed_for(Need.NET)
"""What the bot that has learned needs, beside planner."""

FOR_LOOKING_AHEAD = ("look_ahead",)
"""What a net needs that looks ahead."""

FOR_ANALYSIS = ("plant", "try_options", "play_on_from", "play_afresh")
"""What the analysis of a game needs, beside reading its record."""

EVERYTHING = tuple(_ENTRIES)


def for_bots(names: Iterable[str], *, learned: bool = False) -> tuple[str, ...]:
    """Return what these bots need themselves; `learned`: on boards that the nets have learned.

    On others planner plays for a net, and search for one that looks ahead.
    """
    behind = {bot_behind(name) for name in names}
    bots = {name.partition(":")[0] for name in behind}
    looks_ahead = any(name.startswith("net:") for name in behind)
    scripts = bots | {"planner"} if "net" in behind and not learned else bots
    return (
        *(name for name in SCRIPTS if name in scripts),
        *(FOR_NET if "net" in behind else ()),
        *(FOR_LOOKING_AHEAD if looks_ahead else ()),
        *(FOR_SEARCH if "search" in bots or (looks_ahead and not learned) else ()),
    )


FOR_LEVELS = (*FOR_SERVER, *for_bots(LEVELS, learned=True))
"""What the server needs for the levels that people choose from, on boards of ours."""

FOR_TABLES = tuple(dict.fromkeys((*FOR_SERVER, *for_bots(bot_names()))))
"""What people at a table can meet: the server's games, and every bot that can take a seat."""


def for_environments() -> tuple[str, ...]:
    """Return what batches of games for learning need (see ferrovia.env.ahead)."""
    return tuple(entry.name for entry in import_module("ferrovia.env.ahead").declared())


def _entry(name: str) -> Entry:
    if name not in _ENTRIES:
        for_environments()
        _ENTRIES.update({entry.name: entry for entry in entries()})
    return _ENTRIES[name]


def not_compiled(names: Iterable[str]) -> list[str]:
    """Return those of the functions and scripts that are not in the cache on disk yet."""
    return [name for name in names if COMPILED and not _entry(name).is_cached()]


def load(names: Sequence[str], begin: Callable[[str], None] = lambda name: None) -> None:
    """Load functions and scripts from the cache, or compile them, one by one.

    `begin` is called with the name of each before its turn.
    """
    for name in names:
        begin(name)
        _entry(name).load()


def compile_missing(names: Sequence[str], done: Callable[[str], None]) -> None:
    """Compile functions and scripts into the cache on disk, in a process beside this one.

    `done` is called with the name of each that is ready. Where no cache can be written they are
    compiled in this process, for it alone.

    One process and not one for every processor: nearly all of them build on the same inner
    functions, which two would compile twice, for half as much work again and a quarter less time.
    """
    names = sorted(names, key=_place)
    if len(names) < 2 or cache_folder() is None:
        for name in names:
            load([name])
            done(name)
        return
    pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    others = set(multiprocessing.active_children())
    try:
        with ctrl_c_ignored():  # in the middle of its imports it would end with a traceback
            futures = [(pool.submit(load, [name]), name) for name in names]
        for future, name in futures:
            future.result()
            done(name)
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _place(name: str) -> tuple[bool, int]:
    """Return when the turn of a function comes: the levels first, and among both these and the
    others rules, scripts, what looks ahead.
    """
    looks_ahead = name in (*FOR_SEARCH, *FOR_NET, *FOR_LOOKING_AHEAD, *FOR_ANALYSIS)
    return name not in FOR_LEVELS, 2 if looks_ahead else int(name in SCRIPTS)


def main(arguments: Sequence[str] | None = None) -> None:
    """Compile everything, the bots that people choose from first."""
    parser = argparse.ArgumentParser(description="Compile the rules into the cache.")
    parser.add_argument("--levels", action="store_true", help="only what the levels need")
    parser.add_argument("--tables", action="store_true", help="... and all bots at tables")
    parser.add_argument(
        "--background",
        action="store_true",
        help="at the lowest priority, with its progress on stdout: DONE of TOTAL",
    )
    chosen = parser.parse_args(arguments)
    names = FOR_TABLES if chosen.tables else (*for_bots(LEVELS), *EVERYTHING)
    if chosen.levels:
        names = FOR_LEVELS
    if not chosen.background:
        load(names)
        return
    if hasattr(os, "nice"):
        os.nice(19)
    missing = not_compiled(names)
    places = iter(range(len(missing) + 1))

    def show(_done: str = "") -> None:
        with suppress(OSError):  # whoever has started us has gone: what we do is still of use
            print(f"{next(places)} of {len(missing)}", flush=True)

    show()
    compile_missing(missing, show)
    load(names)  # a proof: whoever follows relies on it


if __name__ == "__main__":
    main()
