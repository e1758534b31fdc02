"""The HTTP endpoints of counting a game on a table: its score, its picture, and counts that
several people enter together.

Nothing is stored: what is entered together is kept in memory for a while, and by every device.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ferrovia.boards import Edition
from ferrovia.drawing import Strip, draw
from ferrovia.game.count import Count, count_game, lay
from ferrovia.server.http.answers import json_response, read_body, routes_of
from ferrovia.server.http.gate import site_of_client
from ferrovia.server.lobby.tables import Tables
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol.count import CountChange, CountTable, ShareCount, SharedCount
from ferrovia.server.rates import RateLimiters
from ferrovia.server.records.service import RecordService
from ferrovia.server.refusals import Refusal
from ferrovia.server.settings import Settings
from ferrovia.server.table.tokens import is_table_id

_MOST = 300  # counts; those changed last
_MOST_OF_SITE = 30  # begun there
_KEYS = 600  # of one of them: more than a board has routes, cities and tickets
_BODY = 1 << 16
_WIDTH = 1200
_SHORTEST_NAME = 16  # of a count: whoever has the name can read and change it


class CountEndpoints:
    """One method per endpoint."""

    def __init__(
        self,
        tables: Callable[[], Tables],
        records: RecordService,
        settings: Settings,
        metrics: Metrics,
    ) -> None:
        self._tables = tables
        self._records = records
        self._metrics = metrics
        self._rates = RateLimiters(settings.limits.counts)
        self._shared: OrderedDict[str, _Changes] = OrderedDict()

    def routes(self) -> list[Route]:
        """Return the routes of all endpoints."""
        endpoints = [
            ("/api/counts", self.score, "POST"),
            ("/api/counts/picture", self.picture, "POST"),
            ("/api/counts/shared/{name}", self.share, "POST"),
        ]
        return routes_of(endpoints, self._metrics)

    async def score(self, request: Request) -> Response:
        """Return the score of what lies on the table, and what cannot lie there."""
        asked, edition, site = await self._read(request)
        return json_response(await self._records.do(partial(_count, edition, asked), site))

    async def picture(self, request: Request) -> Response:
        """Return the table as a picture with names and totals, as SVG."""
        asked, edition, site = await self._read(request)
        drawn = await self._records.do(partial(_picture, edition, asked), site)
        return Response(drawn, media_type="image/svg+xml")

    async def share(self, request: Request) -> Response:
        """Take in what one person entered, and return what is new to them."""
        name = request.path_params["name"]
        if not is_table_id(name) or len(name) < _SHORTEST_NAME:
            raise Refusal("not_found", "there is no such count")
        site = self._limit(request)
        asked = await read_body(request, ShareCount, _BODY)
        changes = self._shared.get(name)
        if changes is None:
            self._make_room(site)
            changes = self._shared[name] = _Changes(site)
        self._shared.move_to_end(name)
        if asked.since > changes.number:
            return json_response(SharedCount(number=changes.number, changes=()))
        changes.take(asked.changes)
        return json_response(SharedCount(number=changes.number, changes=changes.after(asked.since)))

    def _make_room(self, site: str) -> None:
        """Forget a count for a new one: of a site that has begun many, its own."""
        own = [name for name, changes in self._shared.items() if changes.site == site]
        if len(own) >= _MOST_OF_SITE:
            del self._shared[own[0]]
        elif len(self._shared) >= _MOST:
            self._shared.popitem(last=False)

    async def _read(self, request: Request) -> tuple[CountTable, Edition, str]:
        """Return what is asked, of which edition, and for whom."""
        site = self._limit(request)
        asked = await read_body(request, CountTable, _BODY)
        edition = self._tables().catalog.find(asked.edition, asked.extras)
        try:
            edition.check_seats(len(asked.seats))
        except ValueError as problem:
            raise Refusal("invalid_setup", str(problem)) from None
        return asked, edition, site

    def _limit(self, request: Request) -> str:
        """Count a request, and return for whom."""
        site = site_of_client(request.scope)
        if not self._rates.take(site, time.monotonic()):
            raise Refusal("too_fast")
        return site


class _Changes:
    """The latest change of every key, each with its number; `site` is where they were begun."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.number = 0
        self._latest: dict[str, tuple[int, CountChange]] = {}

    def take(self, changes: Sequence[CountChange]) -> None:
        if len(self._latest.keys() | {change.key for change in changes}) > _KEYS:
            raise Refusal("too_large", f"at most {_KEYS} things in a count")
        for change in changes:
            self.number += 1
            self._latest.pop(change.key, None)
            self._latest[change.key] = self.number, change

    def after(self, number: int) -> tuple[CountChange, ...]:
        return tuple(change for at, change in self._latest.values() if at > number)


def _count(edition: Edition, asked: CountTable) -> Count:
    return count_game(edition, [seat.counted() for seat in asked.seats])


def _picture(edition: Edition, asked: CountTable) -> str:
    game, _ = lay(edition, [seat.counted() for seat in asked.seats])
    table, result = game.view(None), game.result()
    names = [
        f"{seat.name} {score.total}" for seat, score in zip(asked.seats, result.scores, strict=True)
    ]
    return draw(
        edition.board,
        owners=table.owners,
        stations={city: seat for seat in range(len(names)) for city in table.of(seat).stations},
        player_colors=[seat.color for seat in asked.seats],
        width=_WIDTH,
        strip=Strip(names, []),
    )
