"""City names on their plates: how large a plate is, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from unicodedata import category, east_asian_width, normalize

from ferrovia.boards.settled import SIDES
from ferrovia.drawing import sizes
from ferrovia.drawing.sheet.coverage import Coverage, Disc
from ferrovia.drawing.sheet.shapes import Box, Point

# Advance widths of a grotesque, in ems. Names are drawn to the width computed here, whatever
# the font at hand (see `svg`), so these only have to be near.
_WIDTHS = {
    **dict.fromkeys("ijl'.,:;|!I ", 0.28),
    **dict.fromkeys("frt-()[]", 0.37),
    **dict.fromkeys("mwMW@%&", 0.88),
    **dict.fromkeys("sckvxyzJ", 0.53),
}
_DIRECTIONS = 24
_STEPS = {side: _DIRECTIONS * number // 8 for number, side in enumerate(SIDES)}
_GAPS = (2.5, 6.0, 10.0, 15.0, 20.0, 27.0)
_ROUNDS = 6
_SPACE = 25.0  # the price of covering one cell of a space


def text_width(text: str) -> float:
    """Return the width at which `text` is drawn in the size of a city's name."""
    ems = 0.0
    for letter in normalize("NFD", text):
        if category(letter) == "Mn":
            continue
        if east_asian_width(letter) in "WF":
            ems += 1.0
        elif letter in _WIDTHS:
            ems += _WIDTHS[letter]
        else:
            ems += 0.69 if letter.isupper() else 0.58
    return max(ems, 0.5) * sizes.LETTER


@dataclass(frozen=True)
class Label:
    """A name and the plate it stands on."""

    text: str
    box: Box


Choice = tuple[float, Box]  # a price and a plate


class Plates:
    """Finds a plate for every name near its place, inside the frame."""

    def __init__(
        self, names: Sequence[str], places: Sequence[Point], frame: Box, sides: Sequence[str]
    ) -> None:
        """`sides`: where names have to stand, as `City.side`."""
        self._names = names
        self._frame = frame
        self._places = places
        self._cities = Coverage(frame, [(x, y, sizes.CITY + 1) for x, y in places])
        self._options = [
            self._priced(city, _around(name, side))
            for city, (name, side) in enumerate(zip(names, sides, strict=True))
        ]
        reach = [_whole(choices) for choices in self._options]
        self._near = [
            [other for other, box in enumerate(reach) if box.overlap(mine) and other != city]
            for city, mine in enumerate(reach)
        ]

    def settle(self, obstacles: Iterable[Disc]) -> list[Label]:
        """Return the best plates where `obstacles` are the discs that make up the spaces.

        Plates avoid each other first, then cities, then spaces. Deterministic.
        """
        spaces = Coverage(self._frame, obstacles)
        options = [
            sorted(
                ((price + _SPACE * spaces.under(box), box) for price, box in choices),
                key=lambda choice: choice[0],
            )
            for choices in self._options
        ]
        chosen = [choices[0][1] for choices in options]
        for _ in range(_ROUNDS):
            before = list(chosen)
            for city, choices in enumerate(options):
                chosen[city] = _best(choices, [chosen[other] for other in self._near[city]])
            if chosen == before:
                break
        return [Label(name, box) for name, box in zip(self._names, chosen, strict=True)]

    def _priced(self, city: int, offsets: Iterable[Point]) -> list[Choice]:
        """Return plates whose middle is `offsets` from the city, with the price of each."""
        x, y = self._places[city]
        half = min(_half_width(self._names[city]), self._frame.width / 2)
        tall = sizes.PLATE_HEIGHT / 2
        strangers = [
            place
            for other, place in enumerate(self._places)
            if other != city and abs(place[0] - x) < 2 * half + 90 and abs(place[1] - y) < 110
        ]
        choices = []
        for dx, dy in offsets:
            u, v = x + dx, y + dy
            box = _inside(Box(u - half, v - tall, u + half, v + tall), self._frame)
            own = _distance(box, (x, y))
            price = 2 * own + abs(dy) / 6 + (2 if dx < 0 else 0) + (1 if dy > 0 else 0)
            # A name must not seem to be that of another city.
            closest = min([_distance(box, place) for place in strangers], default=own + 99)
            price += 10 * max(0.0, own + 8 - closest) + (100 if closest < own else 0)
            price += 25 * self._cities.under(box)
            choices.append((price, box))
        return choices


def _half_width(name: str) -> float:
    return text_width(name) / 2 + sizes.PLATE_PADDING


def _around(name: str, side: str) -> Iterator[Point]:
    """Yield where a plate is tried: sliding around circles about its city, touching them."""
    half, tall = _half_width(name), sizes.PLATE_HEIGHT / 2
    steps = (_STEPS[side] + by for by in (0, 1, -1)) if side else range(_DIRECTIONS)
    directions = tuple(steps)
    for gap in _GAPS:
        away = sizes.CITY + gap
        for step in directions:
            angle = 2 * pi * step / _DIRECTIONS
            c, s = cos(angle), sin(angle)
            yield c * away + _lean(c) * half, s * away + _lean(s) * tall


def _best(choices: Sequence[Choice], others: Sequence[Box]) -> Box:
    """Return the plate that costs least next to the others; `choices` are sorted by price."""
    grown = [box.grown(2) for box in others]
    best, least = choices[0][1], float("inf")
    for price, box in choices:
        if price >= least:
            break
        total = price + 40 * sum(map(box.overlap, grown))
        if total < least:
            best, least = box, total
    return best


def _whole(choices: Sequence[Choice]) -> Box:
    """Return the box around all choices."""
    return Box(
        min(box.left for _, box in choices),
        min(box.top for _, box in choices),
        max(box.right for _, box in choices),
        max(box.bottom for _, box in choices),
    )


def _lean(part: float) -> float:
    return max(-1.0, min(1.0, part * 1.5))


def _inside(box: Box, frame: Box) -> Box:
    dx = max(0.0, frame.left - box.left) - max(0.0, box.right - frame.right)
    dy = max(0.0, frame.top - box.top) - max(0.0, box.bottom - frame.bottom)
    if not dx and not dy:
        return box
    return Box(box.left + dx, box.top + dy, box.right + dx, box.bottom + dy)


def _distance(box: Box, point: Point) -> float:
    x, y = point
    return hypot(max(box.left - x, x - box.right, 0.0), max(box.top - y, y - box.bottom, 0.0))
