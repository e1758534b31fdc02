"""The HTTP endpoints of the workshop. Nothing that is sent is stored, except boards to play on."""

import asyncio
import math
import time
from collections.abc import Callable

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
)
from ferrovia.server.rates import RateLimiters
from ferrovia.server.records.service import placed
from ferrovia.server.refusals import Refusal
from ferrovia.server.settings import Settings
from ferrovia.server.workshop.process import WorkElsewhere
from ferrovia.server.workshop.works import edition_of
from ferrovia.workshop.regions import CREDIT, region_names

_BODY = 20 << 20
_AT_ONCE = 2
_WAITING = 20
_WAITING_OF_SITE = 4


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
        self._rates = RateLimiters(settings.limits.workshop)
        self._places = FairQueue(_AT_ONCE, _WAITING, _WAITING_OF_SITE)

    def routes(self) -> list[Route]:
        """Return the routes of all endpoints."""
        endpoints = [
            ("/api/workshop/regions", self.regions, "GET"),
            ("/api/workshop/land", self.land, "GET"),
            ("/api/workshop/works", self.work, "POST"),
            ("/api/workshop/boards", self.open, "POST"),
        ]
        return routes_of(endpoints, self._metrics)

    async def regions(self, request: Request) -> Response:
        """Return the regions of which boards can be made."""
        found = await asyncio.to_thread(region_names)
        regions = tuple(Region(word=word, name=name) for word, name in found)
        return json_response(Regions(regions=regions, credit=CREDIT))

    async def land(self, request: Request) -> Response:
        """Return the coasts and lakes of a box `south,west,north,east`."""
        self._limit(request)
        south, west, north, east = _box(request.query_params.get("box", ""))
        found = await asyncio.to_thread(_land, south, west, north, east)
        answer = json_response(found)
        answer.headers["cache-control"] = "public, max-age=86400"
        return answer

    async def work(self, request: Request) -> Response:
        """Do something with a board that is sent."""
        site = self._limit(request)
        work: AnyBoardWork = await read_body(request, AnyBoardWork, _BODY)  # type: ignore[arg-type]
        doing = (self._own if asked_here(request) else self._strangers)(work)
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

    def _limit(self, request: Request) -> str:
        """Count a request, and return for whom."""
        site = site_of_client(request.scope)
        if not self._rates.take(site, time.monotonic()):
            raise Refusal("too_fast")
        return site


def _box(text: str) -> tuple[float, float, float, float]:
    try:
        south, west, north, east = (float(part) for part in text.split(","))
    except ValueError:
        raise Refusal("bad_message", "a box is south,west,north,east") from None
    if not (-90 <= south < north <= 90 and -200 <= west < east <= 200):
        raise Refusal("bad_message", "a box is south,west,north,east in degrees")
    return south, west, north, east


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
