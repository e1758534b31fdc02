"""Statistics over many games: a hook for every moment of a game, and sums that can be added up.

class LongRoutes(Accumulator):
    def start(self, game):
        self.length = {route.id: route.length for route in game.edition.board.routes}

    def event(self, event):
        if isinstance(event, Claim) and self.length[event.route] >= 6:
            self.totals["long routes"] += 1
"""

from collections.abc import Iterable
from copy import copy
from functools import cached_property
from importlib import import_module
from types import SimpleNamespace
from typing import Any, ClassVar, Self

from ferrovia.game.events import Event
from ferrovia.game.scores import Result
from ferrovia.lab.games import Games, PlayedGame

_NUMBER = SimpleNamespace(kind="f")  # of what is no array


class Totals(dict[str, Any]):
    """Sums by name: whole numbers, or arrays of them, so that no order of adding changes them."""

    def __missing__(self, name: str) -> int:
        return 0

    def add(self, other: "Totals") -> None:
        """Add the sums of other games; TypeError for what is not a whole number."""
        for name, value in other.items():
            if not isinstance(value, int) and getattr(value, "dtype", _NUMBER).kind not in "biu":
                raise TypeError(f"totals are whole numbers, and {name!r} is {value!r}")
            self[name] = self[name] + value


class Accumulator:
    """A statistic. Subclass it, and count into `totals` in the hooks that you need.

    For every game `start` is called once, then `event` for everything that happens, then `end`.
    Other attributes are the object's own, for what it notes about a game; `totals` are added up
    over batches, processes and machines.
    """

    id: ClassVar[str]
    """The name under which run files keep it. `module:Class`, as `load` takes it, unless the class
    sets a name of its own, which then stays when its module moves.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "id" not in cls.__dict__:
            cls.id = f"{cls.__module__}:{cls.__qualname__}"

    @cached_property
    def totals(self) -> Totals:
        """What was counted so far, by name."""
        return Totals()

    def start(self, game: PlayedGame) -> None:
        """Called when a game begins, with its edition, its bots, its number and its seed."""

    def event(self, event: Event) -> None:
        """Called for every event of the game record; nothing is hidden."""

    def end(self, result: Result) -> None:
        """Called when the game is over, with the scores by seat and the winners."""

    def games(self, games: Games) -> None:
        """Count a batch. Statistics that must be fast override this and work on its arrays."""
        for game in games:
            self.start(game)
            for event in game.events:
                self.event(event)
            self.end(game.result)

    def summary(self, games: int) -> dict[str, Any]:
        """Return what to show: the mean of every total over the games."""
        return {
            name: round(mean, 6)
            if isinstance(mean := value / games, float)
            else mean.round(6).tolist()
            for name, value in sorted(self.totals.items())
        }

    def fresh(self) -> Self:
        """Return the same statistic with nothing counted."""
        other = copy(self)
        other.__dict__.pop("totals", None)
        return other


def load(path: str) -> Accumulator:
    """Return the accumulator that `module:Class` names; ValueError if there is none."""
    module, _, name = path.partition(":")
    if not module or not name:
        raise ValueError(f"'{path}' is not of the form module:Class")
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError as problem:
        raise ValueError(f"there is no module '{problem.name}'") from None
    for part in name.split("."):
        found = getattr(found, part, None)
    if not (isinstance(found, type) and issubclass(found, Accumulator)):
        raise ValueError(f"'{name}' of the module '{module}' is not a subclass of Accumulator")
    return found()


def merge(into: Iterable[Accumulator], totals: Iterable[Totals]) -> None:
    """Add the totals of some games to accumulators, one each."""
    for accumulator, more in zip(into, totals, strict=True):
        accumulator.totals.add(more)
