"""What the screen shows at one moment, wherever it comes from: a game here, a table, a record."""

from collections.abc import Sequence
from typing import NamedTuple

from ferrovia.boards import Edition
from ferrovia.game.views import OwnState, PublicState
from ferrovia.terminal.text_map import MapState


class Scene(NamedTuple):
    """A moment of a game. `own` is None for a spectator; `log` holds all sentences so
    far; `ended` are the lines of the final score, once there is one.
    """

    edition: Edition
    names: Sequence[str]
    public: PublicState | None
    own: OwnState | None
    log: Sequence[str]
    note: str = ""
    ended: Sequence[str] = ()

    @property
    def actions(self) -> tuple[str, ...]:
        """What may be done now."""
        moves = self.own.moves if self.own is not None else None
        return () if moves is None else moves.actions

    def map_state(self) -> MapState:
        """Return what lies on the map, with letters at the ends of own open tickets."""
        if self.public is None:
            return MapState({}, {}, {})
        owners = {route: seat for seat, it in enumerate(self.public.seats) for route in it.routes}
        stations = {city: seat for seat, it in enumerate(self.public.seats) for city in it.stations}
        return MapState(owners, stations, ticket_marks(self))


def ticket_marks(scene: Scene) -> dict[str, str]:
    """Return a capital letter for both cities of each open ticket of the viewer."""
    marks: dict[str, str] = {}
    if scene.own is None:
        return marks
    shown = [it.id for it in scene.own.tickets if not it.done] + list(scene.own.offer)
    for letter, id in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", shown, strict=False):
        ticket = scene.edition.ticket(id)
        for city in (ticket.a, ticket.b):
            marks.setdefault(city, letter)
    return marks


def matching(actions: Sequence[str], typed: str) -> list[str]:
    """Return the actions that a text can mean: each of its words begins one of theirs, in order.

    So `cl par zur` finds `claim paris-zurich`, and `claim blue blue` what two blue cards can buy.
    """
    wanted = typed.casefold().replace(",", " ").split()
    if not wanted:
        return list(actions)
    exact = [action for action in actions if action == " ".join(wanted)]
    return exact or [action for action in actions if _means(action, wanted)]


def _means(action: str, wanted: Sequence[str]) -> bool:
    parts = action.casefold().replace("-", " ").replace("_", " ").split()
    words = [part for word in wanted for part in word.replace("-", " ").split()]
    at = 0
    for word in words:
        while at < len(parts) and not parts[at].startswith(word):
            at += 1
        if at == len(parts):
            return False
        at += 1
    return True


def why_not(scene: Scene, typed: str) -> str | None:
    """Return the name of the reason why what was typed is not possible, where there is one."""
    moves = scene.own.moves if scene.own is not None else None
    if moves is None:
        return None
    words = typed.split()
    for length in range(len(words), min(len(words), 2) - 1, -1):
        found = matching(list(moves.barred), " ".join(words[:length]))
        if found:
            return moves.barred[found[0]]
    return None
