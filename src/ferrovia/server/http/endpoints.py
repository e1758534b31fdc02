"""The HTTP interface: setting up, listing, joining, records, health and metrics."""

import hashlib
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ferrovia.drawing.picture import picture_json
from ferrovia.game.describing import edition_document
from ferrovia.server import protocol
from ferrovia.server.http.gate import address_of
from ferrovia.server.http.rates import Meters
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol import MAX_MESSAGE, view
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.settings import Settings
from ferrovia.server.store import StoreError
from ferrovia.server.table.tables import Tables
from ferrovia.server.table.tokens import is_token, new_token

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]

_STATUS: dict[str, int] = {
    "bad_message": 400,
    "too_large": 413,
    "too_fast": 429,
    "wrong_token": 403,
    "no_spectators": 403,
    "no_such_table": 404,
    "not_started": 409,
    "already_started": 409,
    "seat_taken": 409,
    "table_full": 409,
    "unreadable_game": 503,
    "store_full": 507,
    "store_locked": 503,
    "store_unavailable": 503,
    "internal": 500,
}


class Endpoints:
    """One method per address."""

    def __init__(self, tables: Callable[[], Tables], settings: Settings, metrics: Metrics) -> None:
        self._tables = tables
        self._metrics = metrics
        self._creations = Meters(settings.limits.creations)

    def routes(self) -> list[Route]:
        at = [
            ("/api/offerings", self.offerings, "GET"),
            ("/api/editions/{edition}", self.edition, "GET"),
            ("/api/editions/{edition}/picture", self.picture, "GET"),
            ("/api/tables", self.listing, "GET"),
            ("/api/tables", self.create, "POST"),
            ("/api/tables/{table}", self.table, "GET"),
            ("/api/tables/{table}/join", self.join, "POST"),
            ("/api/tables/{table}/record", self.record, "GET"),
            ("/healthz", self.health, "GET"),
            ("/metrics", self.metrics, "GET"),
        ]
        return [Route(path, self._guarded(ask), methods=[method]) for path, ask, method in at]

    async def offerings(self, request: Request) -> Response:
        """What a table can be set up with."""
        return _json(self._tables().catalog.offerings())

    async def picture(self, request: Request) -> Response:
        """How an edition's board is drawn: places, spaces, labels, land (laid out once).

        A client keeps it, and asks by its hash whether it is still the same.
        """
        board = self._tables().catalog.find(request.path_params["edition"], ()).board
        drawn = await run_in_threadpool(picture_json, board)
        tag = f'"{hashlib.sha256(drawn.encode()).hexdigest()[:16]}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(drawn, media_type="application/json", headers=headers)

    async def edition(self, request: Request) -> Response:
        """An edition whole: its board, tickets and numbers."""
        packs = tuple(filter(None, request.query_params.get("extras", "").split(",")))
        edition = self._tables().catalog.find(request.path_params["edition"], packs[:8])
        return _json(edition_document(edition))

    async def listing(self, request: Request) -> Response:
        """The tables that anybody may find."""
        cards = b",".join(await self._tables().listing())
        return Response(b'{"tables":[' + cards + b"]}", media_type="application/json")

    async def create(self, request: Request) -> Response:
        """Set up a table."""
        if not self._creations.take(address_of(request.scope), time.monotonic()):
            raise Refusal("too_fast")
        wish = await _body(request, protocol.CreateTable)
        return _json(await self._tables().found(wish, _token(request)), status=201)

    async def table(self, request: Request) -> Response:
        """A table, as everybody who has its link may know it."""
        table = await self._tables().authority(request.path_params["table"]).look()
        return _json(view.table_info(table))

    async def join(self, request: Request) -> Response:
        """Take an open seat. With a token of one's own, a repetition takes no second one."""
        wish = await _body(request, protocol.JoinTable)
        table = request.path_params["table"]
        token = _token(request) or new_token()
        seat = await self._tables().authority(table).join(wish, token)
        return _json(protocol.Joined(table=table, seat=seat, token=token))

    async def record(self, request: Request) -> Response:
        """The record of the game, as the holder of the token may have it."""
        authority = self._tables().authority(request.path_params["table"])
        text = await authority.record(_token(request))
        if text is None:
            raise Refusal("not_started")
        headers = {"content-disposition": 'attachment; filename="game.jsonl"'}
        return Response(text, media_type="application/jsonl", headers=headers)

    async def health(self, request: Request) -> Response:
        """Whether the server can do its work: the store answers."""
        try:
            await self._tables().check()
        except StoreError as problem:
            return _json({"status": "failing", "code": problem.code}, status=503)
        return _json({"status": "ok"})

    async def metrics(self, request: Request) -> Response:
        return Response(self._metrics.text(), media_type="text/plain; version=0.0.4")

    def _guarded(self, ask: Endpoint) -> Endpoint:
        async def answer(request: Request) -> Response:
            try:
                response = await ask(request)
            except Refusal as refusal:
                self._metrics.count("commands_refused_total", refusal.code)
                problem = protocol.Problem(code=refusal.code, detail=refusal.detail)
                response = _json(problem, status=_STATUS.get(refusal.code, 422))
            response.headers.setdefault("cache-control", "no-store")
            return response

        return answer


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def _token(request: Request) -> str | None:
    """The token of the header `Authorization: Bearer …`; never one of a URL."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not is_token(token):
        raise Refusal("bad_message", "Authorization: Bearer, and a token of 43 to 64 letters")
    return token


async def _body(request: Request, kind: type[T]) -> T:
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > MAX_MESSAGE:
            raise Refusal("too_large", f"at most {MAX_MESSAGE} bytes")
    try:
        return msgspec.json.decode(bytes(data), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise Refusal("bad_message", str(problem)[:200]) from None
