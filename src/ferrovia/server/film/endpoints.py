"""The HTTP endpoints of films: of tables, and of records that people send."""

import asyncio
import gzip
import time
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ferrovia.server.film.fork import beginning
from ferrovia.server.film.interludes import interludes_of
from ferrovia.server.http.answers import (
    bearer_token,
    json_response,
    path_table,
    read_body,
    read_bytes,
    routes_of,
    while_wanted,
)
from ferrovia.server.http.gate import address_of, site_of_client
from ferrovia.server.lobby.tables import Tables
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol.from_client import ForkGame
from ferrovia.server.rates import RateLimiters
from ferrovia.server.records.pictures import END
from ferrovia.server.records.service import RecordService
from ferrovia.server.records.source import MAX_RECORD, Source, has_own_board, source_of_text
from ferrovia.server.records.works import AnyWork, DrawPicture, MakeFilm
from ferrovia.server.refusals import Refusal
from ferrovia.server.settings import Settings
from ferrovia.server.table.authority import Past

_PACKED_FROM = 4096  # bytes


class FilmEndpoints:
    """One method per endpoint. Nothing that is sent here is stored."""

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
        self._rates = RateLimiters(settings.limits.films)
        self._creations = RateLimiters(settings.limits.creations)

    def routes(self) -> list[Route]:
        """Return the routes of all endpoints."""
        endpoints = [
            ("/api/tables/{table}/film", self.film_of_table, "GET"),
            ("/api/tables/{table}/picture", self.picture_of_table, "GET"),
            ("/api/films", self.film_of_record, "POST"),
            ("/api/films/picture", self.picture_of_record, "POST"),
            ("/api/forks", self.fork, "POST"),
        ]
        return routes_of(endpoints, self._metrics)

    async def film_of_table(self, request: Request) -> Response:
        """Return the film of a table's game, as the holder of the token may see it."""
        site = self._limit(request)
        asked, more = _film(request), request.query_params.get("interludes") == "yes"
        past = await self._past(path_table(request), bearer_token(request), log=more)
        source = _source(past)
        eyes = source.eyes(asked.eyes)

        async def make() -> bytes:
            found = (lambda: interludes_of(past, eyes)) if more else tuple
            beside = await self._records.do(found, site)
            return await self._records.do_for_table(asked, source, site, beside)

        shown = await while_wanted(request, make())
        answer = await _packed(request, shown, "application/json")
        if source.seat is None:  # nothing is kept of a game that is still going on
            answer.headers["cache-control"] = "no-cache"
        return answer

    async def film_of_record(self, request: Request) -> Response:
        """Return the film of the record in the body, once the rules have proved it."""
        return await self._of_record(request, _film(request), "application/json")

    async def picture_of_table(self, request: Request) -> Response:
        """Return the picture of a turn of a table's game, or a clip of some turns, as SVG."""
        site, asked = self._limit(request), _picture(request)
        source = _source(await self._past(path_table(request), bearer_token(request)))
        drawn = await while_wanted(request, self._records.do_for_table(asked, source, site))
        return await _packed(request, drawn, "image/svg+xml")

    async def picture_of_record(self, request: Request) -> Response:
        """Return the same for the record in the body."""
        return await self._of_record(request, _picture(request), "image/svg+xml")

    async def _of_record(self, request: Request, work: AnyWork, kind: str) -> Response:
        site = self._limit(request)
        record = await read_bytes(request, MAX_RECORD)
        shown = await while_wanted(request, self._records.do_for_sent(work, record, site))
        return await _packed(request, shown, kind)

    async def fork(self, request: Request) -> Response:
        """Create a practice table that goes on from a moment of a finished game."""
        site = site_of_client(request.scope)
        if not self._creations.take(site, time.monotonic()):
            raise Refusal("too_fast")
        wanted = await read_body(request, ForkGame, 2 * MAX_RECORD)
        catalog = self._tables().catalog
        if wanted.table is not None:
            source = _source(await self._past(wanted.table, None))
        elif wanted.record is not None:
            text = wanted.record.encode()
            source = await self._records.do(lambda: source_of_text(text), site)
            if has_own_board(source, catalog):
                raise Refusal("no_such_edition", "this server does not offer the board")
        else:
            raise Refusal("bad_message", "name a table, or send a record")
        begun = await self._records.do(lambda: beginning(source, wanted, catalog), site)
        address = address_of(request.scope)
        created = await self._tables().fork(begun, bearer_token(request), address)
        return json_response(created, 201)

    async def _past(self, table: str, token: str | None, *, log: bool = False) -> Past:
        return await self._tables().authority(table).past(token, log=log)

    def _limit(self, request: Request) -> str:
        """Count a request, and return for whom."""
        site = site_of_client(request.scope)
        if not self._rates.take(site, time.monotonic()):
            raise Refusal("too_fast")
        return site


def _source(past: Past) -> Source:
    """Return the source of a table's film."""
    seat = past.actor.seat if past.record.result is None else None
    return Source(past.record, seat, trusted=True)


def _film(request: Request) -> MakeFilm:
    asked = request.query_params
    return MakeFilm(eyes=asked.get("view"), until=asked.get("until"))


def _picture(request: Request) -> DrawPicture:
    asked = request.query_params
    return DrawPicture(
        at=asked.get("at", END), since=asked.get("since"), names=asked.get("names") != "no"
    )


async def _packed(request: Request, body: bytes, kind: str) -> Response:
    """Return a response, compressed where the client can read that."""
    headers: dict[str, Any] = {"vary": "accept-encoding"}
    if len(body) >= _PACKED_FROM and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        body = await asyncio.to_thread(gzip.compress, body, 5)
    return Response(body, media_type=kind, headers=headers)
