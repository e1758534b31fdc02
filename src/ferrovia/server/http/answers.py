"""What all HTTP endpoints share: how requests are read, and how refusals are answered."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol import from_server
from ferrovia.server.protocol.from_client import MAX_MESSAGE
from ferrovia.server.refusals import Refusal, answer_to
from ferrovia.server.table.tokens import is_table_id, is_token

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]


def routes_of(endpoints: Iterable[tuple[str, Endpoint, str]], metrics: Metrics) -> list[Route]:
    """Return the routes of endpoints, each given with its path and its HTTP method."""
    return [
        Route(path, answering(endpoint, metrics), methods=[method])
        for path, endpoint, method in endpoints
    ]


def answering(endpoint: Endpoint, metrics: Metrics) -> Endpoint:
    """Wrap an endpoint: a refusal becomes its response, and nothing is cached by default."""

    async def answer(request: Request) -> Response:
        try:
            response = await endpoint(request)
        except Refusal as refusal:
            metrics.count("commands_refused_total", refusal.code)
            response = json_response(
                from_server.Problem.of(refusal), answer_to(refusal.code).status
            )
        response.headers.setdefault("cache-control", "no-store")
        return response

    return answer


def json_response(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def path_table(request: Request) -> str:
    """Return the id of a table from a path; what cannot be one is not looked up."""
    table: str = request.path_params["table"]
    if not is_table_id(table):
        raise Refusal("no_such_table", "there is no such table")
    return table


def bearer_token(request: Request) -> str | None:
    """Return the token of the header `Authorization: Bearer …`, or of `Ferrovia-Token`, which
    leaves the other one to the password of a proxy. A token in a URL is not read.
    """
    own = request.headers.get("ferrovia-token")
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if own is not None:
        scheme, token = "bearer", own
    elif scheme.lower() in ("", "basic"):
        return None
    if scheme.lower() != "bearer" or not is_token(token):
        raise Refusal("bad_message", "send Authorization: Bearer and a token of 43 to 64 letters")
    return token


async def read_bytes(request: Request, most: int) -> bytes:
    """Return the body of a request; raises `Refusal` as soon as it is larger than `most` bytes."""
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > most:
            raise Refusal("too_large", f"at most {most} bytes")
    return bytes(data)


async def read_body(request: Request, kind: type[T], most: int = MAX_MESSAGE) -> T:
    """Return the body of a request, read strictly as a type of the protocol."""
    data = await read_bytes(request, most)
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise Refusal("bad_message", str(problem)[:200]) from None


async def while_wanted(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return what work returns; where the client hangs up, nothing more is done for them. The body
    of the request has been read, if it has one.
    """
    doing = asyncio.create_task(work)
    gone = asyncio.create_task(_gone(request))
    try:
        await asyncio.wait((doing, gone), return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise ClientDisconnect
        return doing.result()
    finally:
        for task in (doing, gone):
            task.cancel()
        await asyncio.gather(doing, gone, return_exceptions=True)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
