"""Bots that people bring: named by where they are found, or offered by a package.

Naming a bot here runs code of that name, so never pass on a name that a stranger has typed.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from inspect import signature
from typing import Any

from ferrovia.bots import program
from ferrovia.bots.bot import Bot
from ferrovia.bots.registry import Maker, make, names
from ferrovia.game.chance.seeds import seed_bytes

GROUP = "ferrovia.bots"
"""The entry points by which a package offers bots: a name, and a maker or class as for a path."""


def bring(name: str, seed: bytes | int) -> Bot:
    """Return a bot for one seat of one game: a known one, one of a package, or `module:Class`.

    Known are those of `make`; an installed package can offer others. Options may follow another
    colon. The class, or any function, is called with the options and the 32 bytes of the seed, or
    with nothing. ValueError, with a reason, where no bot can be made.
    """
    plain, _, options = name.partition(":")
    if plain in names() or plain == program.PREFIX:
        return make(name, seed)
    if plain in _offered():
        return _offered()[plain](options, seed_bytes(seed))
    module, _, rest = name.partition(":")
    attribute, _, options = rest.partition(":")
    if not attribute or not all(part.isidentifier() for part in module.split(".")):
        return make(name, seed)  # which raises the error
    return _maker_at(module, attribute)(options, seed_bytes(seed))


@cache
def _offered() -> dict[str, Maker]:
    """Return the makers of all bots that installed packages offer."""
    return {it.name: _maker(_loader(it), it.name) for it in entry_points(group=GROUP)}


def _loader(point: Any) -> Callable[[], Any]:
    def load() -> Any:
        try:
            return point.load()
        except (ImportError, AttributeError) as problem:
            raise ValueError(f"the bot '{point.name}' cannot be loaded: {problem}") from None

    return load


@cache
def _maker_at(module: str, attribute: str) -> Maker:
    """Return the maker at `module:attribute`; ValueError if there is none."""
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError as problem:
        raise ValueError(f"there is no bot and no module '{problem.name}'") from None
    except ValueError as problem:  # or it would be taken for one of ours
        raise ValueError(
            f"the module '{module}' cannot be imported: {type(problem).__name__}: {problem}; "
            f"a program that plays is named 'program:python {module}.py'"
        ) from problem
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise ValueError(f"the module '{module}' has no '{attribute}'")
        found = getattr(found, part)
    return _maker(lambda: found, f"{module}:{attribute}")


def _maker(load: Callable[[], Any], name: str) -> Maker:
    """Return a maker from anything that makes a bot, loaded when it is first needed."""

    def maker(options: str, seed: bytes) -> Bot:
        made = load()
        if not callable(made):
            raise ValueError(f"'{name}' makes no bots: it is {made!r}")
        if _takes(made, options, seed):
            bot: Bot = made(options, seed)
        elif not _takes(made):
            raise ValueError(f"'{name}' must be called with options and seed, or with nothing")
        elif options:
            raise ValueError(f"the bot {name} has no options; what is '{options}'?")
        else:
            bot = made()
        if not callable(getattr(bot, "decide", None)):
            raise ValueError(f"'{name}' makes no bots: {bot!r} cannot decide")
        return bot

    return maker


def _takes(function: Any, *arguments: Any) -> bool:
    """Return whether a function or class can be called with these arguments."""
    if isinstance(function, type) and function.__init__ is Bot.__init__:  # type: ignore[misc]
        return not arguments  # which says that it takes anything, as in every protocol
    try:
        signature(function).bind(*arguments)
    except (TypeError, ValueError):
        return False
    return True
