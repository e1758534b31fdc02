"""Health and metrics, for the people who run the server and their programs.

`/healthz` and `/readyz` say nothing about the games and are open to everybody. The metrics are not:
they have an address of their own or need a token.
"""

import hmac
from collections.abc import Awaitable, Callable

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ferrovia.server.metrics import Metrics
from ferrovia.server.settings import Settings
from ferrovia.server.store import StoreError

_WRONG = {
    "store_full": "the store is full, or its disk cannot be written",
    "store_locked": "another program keeps the store locked",
    "store_unavailable": "the store is lost or does not answer",
    "unreadable_game": "the store is damaged: see ferrovia store check",
}


class Health:
    """The endpoints of health and metrics. `check` raises `StoreError` if no write can be made."""

    def __init__(
        self, check: Callable[[], Awaitable[None]], settings: Settings, metrics: Metrics
    ) -> None:
        self._check = check
        self._metrics = metrics
        self._token = settings.metrics_token

    def routes(self) -> list[Route]:
        """Return the routes at the address of the game."""
        routes = [Route("/healthz", self.alive), Route("/readyz", self.ready)]
        if self._token is not None:
            routes.append(Route("/metrics", self._metrics_for_token))
        return routes

    def app(self) -> Starlette:
        """Return the app for an address of its own."""
        return Starlette(
            routes=[
                Route("/healthz", self.alive),
                Route("/readyz", self.ready),
                Route("/metrics", self.metrics),
            ]
        )

    async def alive(self, _: Request) -> Response:
        """Return that the server is alive: it can answer."""
        return _json({"status": "ok"})

    async def ready(self, _: Request) -> Response:
        """Return whether the server can do its work: a write was made lately, or just now."""
        try:
            await self._check()
        except StoreError as problem:
            about = {"status": "failing", "code": problem.code, "problem": _WRONG[problem.code]}
            return _json(about, 503)
        return _json({"status": "ok"})

    async def metrics(self, _: Request) -> Response:
        """Return the metrics in the text format of Prometheus."""
        return Response(self._metrics.text(), media_type=self._metrics.media_type)

    async def _metrics_for_token(self, request: Request) -> Response:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        assert self._token is not None
        if not hmac.compare_digest(given.encode(), self._token.encode()):
            return _json({"code": "wrong_token"}, 403)
        return await self.metrics(request)


def _json(value: object, status: int = 200) -> Response:
    return Response(
        msgspec.json.encode(value),
        status,
        media_type="application/json",
        headers={"cache-control": "no-store"},
    )
