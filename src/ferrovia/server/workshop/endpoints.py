"""The HTTP endpoints of the workshop. Nothing that is sent is stored, except boards to play on."""

import asyncio
import math
import time
from collections.abc import Callable
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ferrovia.boards import BoardError
from ferrovia.drawing.sheet.geography import Ring, world
from ferrovia.server.http.answers import json_response, read_body, routes_of, while_wanted
from ferrovia.server.http.gate import site_of_client
from ferrovia.server.http.lan import asked_here
from ferrovia.server.lobby.tables import Tables
from ferrovia.server.metrics import Metrics
from ferrovia.server.processes.queue import FairQueue, Standing
from ferrovia.server.protocol.workshop import (
    AnyBoardWork,
    Land,
    OpenBoard,
    OpenedBoard,
    Region,
    Regions,
    SaveFile,
    WorldCities,
    WorldCity,
)
from ferrovia.server.rates import RateLimiters
from ferrovia.server.records.service import placed
from ferrovia.server.refusals import Refusal
from ferrovia.server.settings import Settings
from ferrovia.server.workshop.edited_file import FollowedFile
from ferrovia.server.workshop.process import WorkElsewhere
from ferrovia.server.workshop.works import edition_of
from ferrovia.workshop.generator import SIZES
from ferrovia.workshop.regions import CREDIT, places_called, region_names

_BODY = 20 << 20  # of somebody at this machine
_BODY_OF_STRANGERS = 5 << 20  # as the examples of proxies take it
_AT_ONCE = 2
_WAITING = 20
_WAITING_OF_SITE = 4
_PLACES = 8  # with one name


class WorkshopEndpoints:
    """One method per endpoint.

    What somebody at this machine asks for may take its time; a stranger's board could take any
    amount of it, and is worked on where it is ended.
    """

    def __init__(
        self,
        tables: Callable[[], Tables],
        settings: Settings,
        metrics: Metrics,
        strangers: WorkElsewhere,
        own: WorkElsewhere,
    ) -> None:
        self._tables = tables
        self._settings = settings
        self._metrics = metrics
        self._strangers, self._own = strangers, own
        self._file = None if settings.edited is None else FollowedFile(settings.edited)
        self._rates = RateLimiters(settings.limits.workshop)
        self._places = FairQueue(_AT_ONCE, _WAITING, _WAITING_OF_SITE)

    def routes(self) -> list[Route]:
        """Return the routes of all endpoints."""
        endpoints = [
            ("/api/workshop/regions", self.regions, "GET"),
            ("/api/workshop/places", self.places, "GET"),
            ("/api/workshop/land", self.land, "GET"),
            ("/api/workshop/works", self.work, "POST"),
            ("/api/workshop/boards", self.open, "POST"),
            ("/api/workshop/file", self.file, "GET"),
            ("/api/workshop/file", self.save, "POST"),
        ]
        return routes_of(endpoints, self._metrics)

    async def regions(self, request: Request) -> Response:
        """Return the regions of which boards can be made."""
        found = await asyncio.to_thread(region_names)
        regions = tuple(Region(word=word, name=name) for word, name in found)
        sizes = {str(size): numbers.seats for size, numbers in SIZES.items()}
        return json_response(Regions(regions=regions, sizes=sizes, credit=CREDIT))

    async def places(self, request: Request) -> Response:
        """Return cities by the beginning of their names, those near a place first."""
        self._limit(request)
        near = request.query_params.get("near", "")
        called = request.query_params.get("called", "")
        at = _numbers(near, 2, "near is latitude,longitude") if near else None
        found = await asyncio.to_thread(
            places_called, called, None if at is None else (at[0], at[1]), _PLACES
        )
        return json_response(
            WorldCities(
                cities=tuple(
                    WorldCity(name=it.name, lat=it.lat, lon=it.lon, country=it.country)
                    for it in found
                )
            )
        )

    async def land(self, request: Request) -> Response:
        """Return the coasts and lakes of a box `south,west,north,east`."""
        standing = Standing(0, self._limit(request))
        box = _box(request.query_params.get("box", ""))
        found = await placed(self._places, standing, asyncio.to_thread(_land, *box))
        answer = json_response(found)
        answer.headers["cache-control"] = "public, max-age=86400"
        return answer

    async def work(self, request: Request) -> Response:
        """Do something with a board that is sent."""
        site = self._limit(request)
        here = asked_here(request)
        most = _BODY if here else _BODY_OF_STRANGERS
        work: AnyBoardWork = await read_body(request, AnyBoardWork, most)  # type: ignore[arg-type]
        doing = (self._own if here else self._strangers)(work)
        placed_work = placed(self._places, Standing(0, site), doing, alone=True)
        made = await while_wanted(request, placed_work)
        return Response(made, media_type="application/json")

    async def open(self, request: Request) -> Response:
        """Offer a board of one's own, to play on it: for somebody at this machine, or where the
        server allows it.
        """
        self._limit(request)
        if not (asked_here(request) or self._settings.own_boards):
            raise Refusal("no_own_boards")
        wanted = await read_body(request, OpenBoard, _BODY)
        try:
            edition = await asyncio.to_thread(edition_of, wanted.board)
        except BoardError as problem:
            raise Refusal("invalid_board", str(problem)[:2000]) from None
        id = await asyncio.to_thread(self._tables().catalog.open, edition)
        return json_response(OpenedBoard(edition=id), 201)

    async def file(self, request: Request) -> Response:
        """Return the file of `ferrovia edit`, for somebody at this machine."""
        known = request.query_params.get("known", "")
        return json_response(await asyncio.to_thread(self._edited(request).read, known))

    async def save(self, request: Request) -> Response:
        """Write it."""
        edited = self._edited(request)
        wanted = await read_body(request, SaveFile, _BODY)
        return json_response(await asyncio.to_thread(edited.write, wanted.board, wanted.after))

    def _edited(self, request: Request) -> FollowedFile:
        if self._file is None or not asked_here(request):
            raise Refusal("not_found", "no file is edited here")
        return self._file

    def _limit(self, request: Request) -> str:
        """Count a request, and return for whom."""
        site = site_of_client(request.scope)
        if not self._rates.take(site, time.monotonic()):
            raise Refusal("too_fast")
        return site


def _box(text: str) -> tuple[float, float, float, float]:
    south, west, north, east = _numbers(text, 4, "a box is south,west,north,east")
    if not (-90 <= south < north <= 90 and -200 <= west < east <= 200):
        raise Refusal("bad_message", "a box is south,west,north,east in degrees")
    return south, west, north, east


def _numbers(text: str, count: int, otherwise: str) -> list[float]:
    with suppress(ValueError):
        numbers = [float(part) for part in text.split(",")]
        if len(numbers) == count and all(map(math.isfinite, numbers)):
            return numbers
    raise Refusal("bad_message", otherwise)


def _land(south: float, west: float, north: float, east: float) -> Land:
    detail = math.hypot(north - south, east - west) / 900

    def inside(rings: tuple[Ring, ...]) -> tuple[tuple[float, ...], ...]:
        return tuple(
            tuple(round(value, 2) for point in _thin(ring, detail) for value in point)
            for ring in rings
            if ring.extent.left < east
            and ring.extent.right > west
            and ring.extent.top < north
            and ring.extent.bottom > south
            and max(ring.extent.width, ring.extent.height) > detail
        )

    return Land(land=inside(world().land), lakes=inside(world().lakes))


def _thin(ring: Ring, detail: float) -> list[tuple[float, float]]:
    kept: list[tuple[float, float]] = []
    for point in ring.points:
        if not kept or abs(point[0] - kept[-1][0]) + abs(point[1] - kept[-1][1]) >= detail:
            kept.append(point)
    return kept
