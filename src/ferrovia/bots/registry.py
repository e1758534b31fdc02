"""Bots by name, and the levels that people choose from (see docs/strength.md)."""

from collections.abc import Callable
from dataclasses import dataclass

from ferrovia.boards import near_miss
from ferrovia.bots import program
from ferrovia.bots.bot import Bot
from ferrovia.bots.kernel.kernel_bot import KernelBot, ScriptedBot
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.bots.program import ProgramBot
from ferrovia.bots.search import make_net, make_search
from ferrovia.bots.sociable import SociableBot
from ferrovia.game import Action, View
from ferrovia.game.chance.seeds import seed_bytes

Maker = Callable[[str, bytes], Bot]
"""Makes a bot from its options, which may be empty, and its seed; ValueError if they are wrong."""

_makers: dict[str, Maker] = {}

LEVELS = {
    "passenger": "passenger",
    "conductor": "greedy",
    "stoker": "stoker",
    "driver": "planner",
    "director": "net:1600 plays, 1s",
}
"""The bot behind every level, weakest first."""

_STYLE = "sociable"
SOCIABLE = (f"driver:{_STYLE}", f"director:{_STYLE}")
"""The levels that lay nothing for a long time, as bots that claim as they go."""


def register(name: str, maker: Maker) -> None:
    """Register a bot under a name for `make`. ValueError if there is one already."""
    if name in _makers or name == program.PREFIX or ":" in name:
        raise ValueError(f"'{name}' is taken or has a colon in it")
    _makers[name] = maker


def names() -> tuple[str, ...]:
    """Return the names of all bots, without options."""
    return tuple(_makers)


def make(name: str, seed: bytes | int) -> Bot:
    """Return a bot for one seat of one game.

    `name` is one of `names()`, and options of that bot may follow a colon. `seed` is 32 bytes, or a
    whole number that fits into them; bots at one table can share it, since each seat has a random
    stream of its own. Where bots are not trusted it must not be the seed of the game.
    `program:COMMAND` is a program of its own (see docs/programs.md): never let strangers choose it.
    """
    plain, _, options = name.partition(":")
    if plain == program.PREFIX:
        return ProgramBot(options, seed_bytes(seed))
    if plain not in _makers:
        meant = near_miss(plain, _makers)
        known = f"did you mean {meant}?" if meant else f"there are {', '.join(_makers)}"
        raise ValueError(f"there is no bot '{plain}'; {known}")
    return _makers[plain](options, seed_bytes(seed))


def script_kind(name: str) -> int | None:
    """Return the kind of script behind a name, for compiled code; None if it is no script."""
    behind = bot_behind(name)
    return SCRIPTS.index(behind) if behind in SCRIPTS else None


def _script(kind: int) -> Maker:
    def maker(options: str, seed: bytes) -> Bot:
        if options:
            raise ValueError(f"the bot {SCRIPTS[kind]} has no options; what is '{options}'?")
        return ScriptedBot(kind, seed)

    return maker


def _level(name: str) -> Maker:
    def maker(options: str, seed: bytes) -> Bot:
        bot = make(bot_behind(name), seed)
        styled = f"{name}:{options}"
        if styled in SOCIABLE and isinstance(bot, KernelBot):
            return SociableBot(styled, bot, seed)
        if options:
            styles = f"no option but {_STYLE}" if f"{name}:{_STYLE}" in SOCIABLE else "no options"
            raise ValueError(f"the level {name} has {styles}; what is '{options}'?")
        return AtLevel(name, bot)

    return maker


def bot_behind(name: str) -> str:
    """Return the bot that a name stands for: another one if it is the name of a level."""
    return LEVELS.get(name, name)


@dataclass(frozen=True)
class AtLevel:
    """A bot under the name of a level."""

    name: str
    bot: Bot

    def decide(self, view: View) -> Action:
        return self.bot.decide(view)


for _kind, _name in enumerate(SCRIPTS):
    register(_name, _script(_kind))
register("net", make_net)
register("search", make_search)
for _name in LEVELS:
    if _name not in SCRIPTS:
        register(_name, _level(_name))
