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

from ferrovia.server import protocol
from ferrovia.server.film.fork import beginning
from ferrovia.server.film.pictures import picture
from ferrovia.server.film.screening import Asked, beside, screening
from ferrovia.server.film.source import MAX_RECORD, Source, has_own_board, source_of_text
from ferrovia.server.http.answers import (
    bearer_token,
    json_response,
    path_table,
    read_body,
    read_bytes,
    routes_of,
)
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
        self._creations = RateLimiters(settings.limits.creations)
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._beside = asyncio.Semaphore(1)

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
        source = await self._source(request)
        asked = _asked(request)
        authority, token = self._tables().authority(path_table(request)), bearer_token(request)
        beside_it = await authority.interludes(token) if asked.interludes else lambda _: ()
        catalog = self._tables().catalog
        async with self._room:
            film = await run_in_threadpool(screening, source, asked, catalog, beside_it)
        answer = _packed(request, film, "application/json")
        if source.seat is None:  # nothing of a game that goes on is kept anywhere
            answer.headers["cache-control"] = "no-cache"
        return answer

    async def film_of_record(self, request: Request) -> Response:
        """Return the film of the record in the body, once the rules have proved it."""
        self._limit(request)
        data = await read_bytes(request, MAX_RECORD)
        asked, catalog = _asked(request), self._tables().catalog
        film = await self._of_record(
            data, "film", asked, lambda source: screening(source, asked, catalog)
        )
        return _packed(request, film, "application/json")

    async def picture_of_table(self, request: Request) -> Response:
        """Return the picture of a turn of a table's game, or a clip of some turns, as SVG."""
        source = await self._source(request)
        asked = _asked_picture(request)
        async with self._room:
            drawn = await run_in_threadpool(lambda: picture(source, **asked))
        return _packed(request, drawn.encode(), "image/svg+xml")

    async def picture_of_record(self, request: Request) -> Response:
        """Return the same for the record in the body."""
        self._limit(request)
        data, asked = await read_bytes(request, MAX_RECORD), _asked_picture(request)
        drawn = await self._of_record(
            data, "picture", asked, lambda source: picture(source, **asked).encode()
        )
        return _packed(request, drawn, "image/svg+xml")

    async def fork(self, request: Request) -> Response:
        """Create a practice table that goes on from a moment of a finished game."""
        address = address_of(request.scope)
        if not self._creations.take(address, time.monotonic()):
            raise Refusal("too_fast")
        wanted = await read_body(request, protocol.ForkGame, 2 * MAX_RECORD)
        catalog = self._tables().catalog
        if wanted.table is not None:
            source = await self._tables().authority(wanted.table).film_source(None)
        elif wanted.record is not None:
            source = await run_in_threadpool(source_of_text, wanted.record.encode())
            if has_own_board(source, catalog):
                raise Refusal("no_such_edition", "this server does not offer the board")
        else:
            raise Refusal("bad_message", "name a table, or send a record")
        async with self._room:
            begun = await run_in_threadpool(beginning, source, wanted, catalog)
        made = await self._tables().fork(begun, bearer_token(request), address)
        return json_response(made, 201)

    async def _of_record(
        self, data: bytes, work: str, asked: Any, do: Callable[[Source], bytes]
    ) -> bytes:
        """Return what is made of a record; one with a board of its own in a process of its own."""
        async with self._room:
            source = await run_in_threadpool(source_of_text, data)
            if not has_own_board(source, self._tables().catalog):
                return await run_in_threadpool(do, source)
        async with self._beside:
            return await beside(work, data, msgspec.to_builtins(asked))

    async def _source(self, request: Request) -> Source:
        self._limit(request)
        authority = self._tables().authority(path_table(request))
        return await authority.film_source(bearer_token(request))

    def _limit(self, request: Request) -> None:
        if not self._rates.take(address_of(request.scope), time.monotonic()):
            raise Refusal("too_fast")


def _asked(request: Request) -> Asked:
    asked = request.query_params
    return Asked(
        eyes=asked.get("view"),
        until=asked.get("until"),
        interludes=asked.get("interludes") == "yes",
    )


def _asked_picture(request: Request) -> dict[str, Any]:
    asked = request.query_params
    return {
        "at": asked.get("at", "99999"),
        "since": asked.get("since"),
        "names": asked.get("names") != "no",
    }


def _packed(request: Request, body: bytes, kind: str) -> Response:
    """Return a response, compressed where the client can read that."""
    headers: dict[str, Any] = {"vary": "accept-encoding"}
    if len(body) >= _PACKED_FROM and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        body = gzip.compress(body, 5)
    return Response(body, media_type=kind, headers=headers)
