"""The HTTP endpoints of films: of tables, and of records that people send."""

import asyncio
import gzip
import time
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ferrovia.server.film.screening import Asked, beside, screening
from ferrovia.server.film.source import MAX_RECORD, Source, has_own_board, source_of_text
from ferrovia.server.http.answers import answering, bearer_token, path_table, read_bytes
from ferrovia.server.http.gate import address_of
from ferrovia.server.http.rates import RateLimiters
from ferrovia.server.lobby.tables import Tables
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.settings import Settings

_AT_ONCE = 2  # films that are made at the same time
_PACKED_FROM = 4096  # bytes


class FilmEndpoints:
    """One method per endpoint. Nothing that is sent here is stored."""

    def __init__(self, tables: Callable[[], Tables], settings: Settings, metrics: Metrics) -> None:
        self._tables = tables
        self._metrics = metrics
        self._rates = RateLimiters(settings.limits.films)
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._beside = asyncio.Semaphore(1)

    def routes(self) -> list[Route]:
        """Return the routes of all endpoints."""
        endpoints = [
            ("/api/tables/{table}/film", self.film_of_table, "GET"),
            ("/api/films", self.film_of_record, "POST"),
        ]
        return [
            Route(path, answering(endpoint, self._metrics), methods=[method])
            for path, endpoint, method in endpoints
        ]

    async def film_of_table(self, request: Request) -> Response:
        """Return the film of a table's game, as the holder of the token may see it."""
        source = await self._source(request)
        asked = _asked(request)
        async with self._room:
            film = await run_in_threadpool(screening, source, asked, self._tables().catalog)
        return _packed(request, film, "application/json")

    async def film_of_record(self, request: Request) -> Response:
        """Return the film of the record in the body, once the rules have proved it."""
        self._limit(request)
        data = await read_bytes(request, MAX_RECORD)
        asked = _asked(request)
        return _packed(request, await self._of_record(data, asked), "application/json")

    async def _of_record(self, data: bytes, asked: Asked) -> bytes:
        catalog = self._tables().catalog
        async with self._room:
            source = await run_in_threadpool(source_of_text, data)
            if not has_own_board(source, catalog):
                return await run_in_threadpool(screening, source, asked, catalog)
        async with self._beside:
            return await beside("film", data, msgspec.to_builtins(asked))

    async def _source(self, request: Request) -> Source:
        self._limit(request)
        authority = self._tables().authority(path_table(request))
        return await authority.film_source(bearer_token(request))

    def _limit(self, request: Request) -> None:
        if not self._rates.take(address_of(request.scope), time.monotonic()):
            raise Refusal("too_fast")


def _asked(request: Request) -> Asked:
    return Asked(eyes=request.query_params.get("view"), until=request.query_params.get("until"))


def _packed(request: Request, body: bytes, kind: str) -> Response:
    """Return a response, compressed where the client can read that."""
    headers: dict[str, Any] = {"vary": "accept-encoding"}
    if len(body) >= _PACKED_FROM and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        body = gzip.compress(body, 5)
    return Response(body, media_type=kind, headers=headers)
