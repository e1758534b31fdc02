"""Pictures of a moment of a film, and clips of some of its turns, from the one drawing.

Their words need no language: names, numbers of turns, cities and points.
"""

from collections.abc import Sequence

from ferrovia.drawing import Appearance, Caption, Clip, Strip, draw
from ferrovia.drawing.clip import length
from ferrovia.game import Game, PublicView, events
from ferrovia.game.records.steps import Step
from ferrovia.server.records.source import Source, step_named
from ferrovia.server.refusals import Refusal

WIDTH = 1200
END = "99999"
"""As a turn: the last one that there is."""
_BEAT = 1.1  # seconds between two things that appear
MAX_SHOWN = 120
"""The most routes and stations that appear in a clip."""


def picture(
    source: Source, at: str = END, since: str | None = None, *, names: bool = True
) -> bytes:
    """Return the picture of a turn, or a clip of the turns after `since` up to it, as SVG."""
    game, steps = source.replayed
    last = step_named(steps, at)
    first = last if since is None else step_named(steps, since)
    if first > last:
        raise Refusal("bad_message", "a clip ends after it begins")
    before = PublicView(game.lexicon, steps[first].state)
    clip, captions = _clip(game, steps, first, last, names)
    stations = {city: seat for seat in range(game.players) for city in before.of(seat).stations}
    strip = Strip([_name(game, seat) if names else "" for seat in range(game.players)], captions)
    return draw(
        game.edition.board,
        owners=before.owners,
        stations=stations,
        player_colors=source.record.header.colors or game.edition.player_colors,
        highlight=() if since is not None else _fallen(game.events, steps, last),
        width=WIDTH,
        clip=clip if since is not None else None,
        strip=strip,
    ).encode()


def _name(game: Game, seat: int) -> str:
    name = game.names[seat]
    return name.removeprefix("bot:")


def _fallen(happened: Sequence[events.Event], steps: Sequence[Step], at: int) -> list[str]:
    """Return the routes and cities that fell in a step."""
    step = steps[at]
    found = []
    for event in happened[step.first : step.end]:
        if isinstance(event, events.Claim):
            found.append(event.route)
        elif isinstance(event, events.Station):
            found.append(event.city)
    return found


def _clip(
    game: Game, steps: Sequence[Step], first: int, last: int, names: bool
) -> tuple[Clip, list[Caption]]:
    """Return what appears after one step up to another, and the captions; that of the end where
    nothing does.
    """
    board = game.edition.board
    city_names = {city.id: city.name for city in board.cities}
    routes: dict[str, Appearance] = {}
    stations: dict[str, Appearance] = {}
    captions = [Caption(0.0, f"{steps[first].turn}")]
    now = 0.8
    for step in steps[first + 1 : last + 1]:
        for event in game.events[step.first : step.end]:
            if isinstance(event, events.Claim):
                route = board.route(event.route)
                routes[event.route] = Appearance(event.player, now)
                what = f"{city_names[route.a]} – {city_names[route.b]} +{event.points}"
            elif isinstance(event, events.Station):
                stations[event.city] = Appearance(event.player, now)
                what = city_names[event.city]
            else:
                continue
            who = _name(game, event.player) if names else str(event.player + 1)
            captions.append(Caption(now, f"{step.turn} · {who} · {what}"))
            now += _BEAT
            if len(captions) > MAX_SHOWN:
                raise Refusal("too_large", f"at most {MAX_SHOWN} routes in a clip")
    return Clip(routes, stations, length(now)), captions
