"""Which way the bundles of routes are bent, so that they keep clear of each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import atan, atan2, hypot, pi, tan

from ferrovia.drawing import sizes
from ferrovia.drawing.sheet.shapes import Box, Point, meet
from ferrovia.drawing.sheet.tracks import ParallelRoutes, Track, Trims, laid

_BENDS = (0.0, 0.05, -0.05, 0.1, -0.1, 0.16, -0.16, 0.22, -0.22, 0.3, -0.3)
_ROUNDS = 3
_FURTHER = tuple((by, 0.0) if end else (0.0, by) for by in range(4, 33, 4) for end in (1, 0))
_BOW = 900.0
_BOTHERS = 1.0  # a bundle in less trouble than this stays as it is


class Bends:
    """Chooses a bend for every bundle; what was once computed is kept for the next choice."""

    def __init__(
        self, bundles: Sequence[ParallelRoutes], places: Sequence[Point], frame: Box, kink: float
    ) -> None:
        """`kink` is the price of a bow of one or two spaces, `_BOW` that of a longer one."""
        self._bundles = bundles
        self._places = places
        self._frame = frame
        self._kink = kink
        self._options = [_BENDS if bundle.bend is None else (bundle.bend,) for bundle in bundles]
        self._chosen = [0] * len(bundles)
        self._candidates: dict[tuple[int, int], _Candidate] = {}
        self._clashes: dict[tuple[int, int, int, int], float] = {}
        self._plates: list[list[Box]] = []
        self._reach = reach = [
            _reach(places[bundle.a], places[bundle.b], bundle) for bundle in bundles
        ]
        self._near = [
            [other for other, box in enumerate(reach) if box.overlap(mine) and other != number]
            for number, mine in enumerate(reach)
        ]

    def settle(self, plates: Sequence[Box] = ()) -> tuple[float, ...]:
        """Return a bend for every bundle, the one that troubles bundles, cities and plates least.

        Starts from the bends chosen before.
        """
        self._plates = [[box for box in plates if box.overlap(mine)] for mine in self._reach]
        for _ in range(_ROUNDS):
            before = list(self._chosen)
            for number in range(len(self._bundles)):
                self._choose(number)
            if self._chosen == before:
                break
        return tuple(
            options[bend] for options, bend in zip(self._options, self._chosen, strict=True)
        )

    def lay(self, bends: Sequence[float], plates: Sequence[Box] = ()) -> list[Track]:
        """Return every bundle as bent; spaces under a plate move along their line, if they can."""
        tracks = []
        for number, trims in enumerate(_trims(self._bundles, self._places, bends)):
            bundle, bend = self._bundles[number], bends[number]
            near = [box for box in plates if box.overlap(self._reach[number])]
            a, b = self._places[bundle.a], self._places[bundle.b]
            best = laid(bundle, a, b, bend, trims)
            least = hidden(best, near)
            for more in _FURTHER if least else ():
                if not bundle.fits(a, b, wider := (trims[0] + more[0], trims[1] + more[1])):
                    continue
                track = laid(bundle, a, b, bend, wider)
                if (under := hidden(track, near)) < least:
                    best, least = track, under
            tracks.append(best)
        return tracks

    def shortage(self, bends: Sequence[float]) -> list[float]:
        """Return how much longer each line would have to be for spaces of the ideal length."""
        trims = _trims(self._bundles, self._places, bends)
        return [
            max(0.0, bundle.row - bundle.room(self._places[bundle.a], self._places[bundle.b], b, t))
            for bundle, b, t in zip(self._bundles, bends, trims, strict=True)
        ]

    def _choose(self, number: int) -> None:
        best, least = self._chosen[number], self._trouble(number, self._chosen[number], 1e9)
        if least <= _BOTHERS:
            return
        for bend in range(len(self._options[number])):
            trouble = self._trouble(number, bend, least)
            if trouble < least - 1e-6:
                best, least = bend, trouble
        self._chosen[number] = best

    def _trouble(self, number: int, bend: int, limit: float) -> float:
        """Return the trouble of a bend, or anything above `limit` when it is more than that."""
        mine = self._candidate(number, bend)
        total = mine.own
        for plate in self._plates[number]:
            total += 15 * mine.under(plate)
        for other in self._near[number]:
            if total > limit:
                break
            its_bend = self._chosen[other]
            theirs = self._candidate(other, its_bend)
            if mine.extent.overlap(theirs.extent):
                key = (number, bend, other, its_bend)
                if key not in self._clashes:
                    clash = mine.clash(theirs)
                    self._clashes[key] = self._clashes[other, its_bend, number, bend] = clash
                total += self._clashes[key]
        return total

    def _candidate(self, number: int, bend: int) -> _Candidate:
        key = number, bend
        if key not in self._candidates:
            bundle = self._bundles[number]
            price = _BOW if max(bundle.lengths) > 2 else self._kink
            self._candidates[key] = _Candidate(
                bundle, self._places, self._options[number][bend], self._frame, price
            )
        return self._candidates[key]


class _Candidate:
    """One way to lay a bundle, with what is needed to compare it with others."""

    def __init__(
        self,
        bundle: ParallelRoutes,
        places: Sequence[Point],
        bend: float,
        frame: Box,
        price: float,
    ) -> None:
        track = laid(bundle, places[bundle.a], places[bundle.b], bend)
        self.beads = [bead for row in track.rows for space in row for bead in space.beads()]
        xs, ys = [x for x, _ in self.beads], [y for _, y in self.beads]
        self.extent = Box(min(xs), min(ys), max(xs), max(ys)).grown(sizes.SPACE_DEPTH / 2 + 1)
        self.own = price * bend * bend + self._city_trouble(bundle, places)
        if not frame.holds(self.extent):
            self.own += 4000

    def clash(self, other: _Candidate) -> float:
        """Return how closely the spaces of both come together; 0 when they keep their distance."""
        clear = sizes.SPACE_DEPTH + 5
        total = 0.0
        box = other.extent.grown(clear)
        for x, y in self.beads:
            if box.left < x < box.right and box.top < y < box.bottom:
                for u, v in other.beads:
                    square = (x - u) * (x - u) + (y - v) * (y - v)
                    if square < clear * clear:
                        total += (clear - square**0.5) ** 2
        return total

    def under(self, plate: Box) -> float:
        """Return how much of the spaces lies under a plate."""
        if not self.extent.overlap(plate):
            return 0.0
        box = plate.grown(sizes.SPACE_DEPTH / 2 + 1)
        return sum(
            min(x - box.left, box.right - x, y - box.top, box.bottom - y, 8.0)
            for x, y in self.beads
            if box.left < x < box.right and box.top < y < box.bottom
        )

    def _city_trouble(self, bundle: ParallelRoutes, places: Sequence[Point]) -> float:
        clear = sizes.CITY + sizes.SPACE_DEPTH / 2 + 4
        box = self.extent.grown(clear)
        total = 0.0
        for number, (x, y) in enumerate(places):
            if number in (bundle.a, bundle.b):
                continue
            if box.left < x < box.right and box.top < y < box.bottom:
                for u, v in self.beads:
                    off = clear - hypot(x - u, y - v)
                    if off > 0:
                        total += 6 * off * off
        return total


def touching(tracks: Sequence[Track], apart: float) -> int:
    """Return how many pairs of spaces of different tracks are less than `apart` from each other."""
    spaces = sorted(
        (space.x, number, space)
        for number, track in enumerate(tracks)
        for row in track.rows
        for space in row
    )
    count = 0
    for at, (x, number, space) in enumerate(spaces):
        mine = space.corners(apart / 2)
        for u, other, its in islice(spaces, at + 1, None):
            if u - x > space.length + its.length:
                break
            if number != other and abs(its.y - space.y) < space.length + its.length:
                count += meet(mine, its.corners(apart / 2))
    return count


def hidden(track: Track, plates: Sequence[Box]) -> int:
    """Return how many of the discs that make up a track's spaces touch a plate."""
    discs = [disc for row in track.rows for space in row for disc in space.discs()]
    return sum(
        box.left - r < x < box.right + r and box.top - r < y < box.bottom + r
        for box in plates
        for x, y, r in discs
    )


def _reach(a: Point, b: Point, bundle: ParallelRoutes) -> Box:
    """Return everything that the bundle may cover with any bend."""
    most = max(_BENDS) if bundle.bend is None else abs(bundle.bend)
    aside = hypot(b[0] - a[0], b[1] - a[1]) * most + bundle.half_width + 2
    box = Box(min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))
    return box.grown(aside)


def _trims(
    bundles: Sequence[ParallelRoutes], places: Sequence[Point], bends: Sequence[float]
) -> list[Trims]:
    """Return how far from its cities each bundle must begin, so that neighbours do not touch."""
    leaving: dict[int, list[tuple[float, float, int, int]]] = {}
    for number, (bundle, bend) in enumerate(zip(bundles, bends, strict=True)):
        (ax, ay), (bx, by) = places[bundle.a], places[bundle.b]
        straight, swing = atan2(by - ay, bx - ax), atan(3 * bend)
        half = bundle.half_width + 1
        leaving.setdefault(bundle.a, []).append(((straight - swing) % _TURN, half, number, 0))
        leaving.setdefault(bundle.b, []).append(((straight + pi + swing) % _TURN, half, number, 1))
    trims = [[0.0, 0.0] for _ in bundles]
    for fan in leaving.values():
        fan.sort()
        for (one, half, i, end), (two, half_2, j, end_2) in zip(
            fan, fan[1:] + fan[:1], strict=True
        ):
            between = (two - one) % _TURN
            if i == j or between >= pi:
                continue
            need = (half + half_2) / 2 / max(tan(between / 2), 0.1)
            trims[i][end] = max(trims[i][end], need)
            trims[j][end_2] = max(trims[j][end_2], need)
    return [(head, tail) for head, tail in trims]


_TURN = 2 * pi
