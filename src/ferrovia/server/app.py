"""The ASGI app, assembled from its parts."""

import re
from collections.abc import AsyncIterator, Callable, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from ferrovia.server.analysis.endpoints import AnalysisEndpoints
from ferrovia.server.counts import CountEndpoints
from ferrovia.server.film.endpoints import FilmEndpoints
from ferrovia.server.http.bodies import Receive
from ferrovia.server.http.connections import Connections
from ferrovia.server.http.endpoints import Endpoints
from ferrovia.server.http.gate import App, Gate, RefusedAddresses, Scope, Send
from ferrovia.server.http.health import Health
from ferrovia.server.http.pages.no_client import no_client
from ferrovia.server.http.pages.not_found import not_found
from ferrovia.server.http.sockets import Sockets
from ferrovia.server.http.word import HouseWord
from ferrovia.server.lessons import LessonEndpoints
from ferrovia.server.lobby.tables import Tables
from ferrovia.server.records.service import RecordService
from ferrovia.server.settings import Settings
from ferrovia.server.system import System
from ferrovia.server.workshop.endpoints import WorkshopEndpoints


def create_app(
    settings: Settings,
    system: System | None = None,
    opened: Callable[[Tables], None] = lambda tables: None,
    connections: Connections | None = None,
    metrics_port: int | None = None,
) -> App:
    """Return the server as an ASGI app, which opens its store when it starts and closes it last.

    `system` is what it runs on, an operating system if nothing else is named; `opened` is called
    with the tables when they are there; `connections` are those of the web server, where it is
    ours, and on `metrics_port` it serves only health and metrics (see run.py).
    """
    if system is None:
        from ferrovia.server.operating_system import operating_system  # which a page has not

        system = operating_system()
    on, metrics = system, system.metrics
    running: list[Tables] = []

    def tables() -> Tables:
        return running[0]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        store = on.open_store(settings)
        bots = on.bots(settings)
        found = Tables(settings, store, metrics, on.journal, bots, on.post, on.workshop)
        running.append(found)
        await tables().open()
        opened(tables())
        try:
            yield
        finally:
            await analyses.close()
            await on.elsewhere.close()
            await tables().close()
            running.clear()

    endpoints = Endpoints(tables, settings, metrics)
    records = RecordService(lambda: tables().catalog, on.elsewhere, settings)
    films = FilmEndpoints(tables, records, settings, metrics)
    analyses = AnalysisEndpoints(tables, records, settings, metrics, on.analyst)
    lessons = LessonEndpoints(metrics)
    workshop = WorkshopEndpoints(tables, settings, metrics, on.workshop, on.own_workshop)
    counts = CountEndpoints(tables, records, settings, metrics)
    sockets = Sockets(tables, settings, metrics, connections)
    health = Health(lambda: tables().check(), settings, metrics)
    refused = RefusedAddresses(settings)
    word = HouseWord(lambda: tables().word_key, settings, refused, metrics)
    routes: list[BaseRoute] = [
        *word.routes(),
        *health.routes(),
        *endpoints.routes(),
        *films.routes(),
        *analyses.routes(),
        *lessons.routes(),
        *counts.routes(),
        *workshop.routes(),
        WebSocketRoute("/socket", sockets.serve),
        *_client(settings.web),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: not_found})
    gate = Gate(cast(App, app), settings, refused, connections, word.refusal_of)
    if metrics_port is None:
        return gate
    return _by_port(gate, metrics_port, cast(App, health.app()))


def _by_port(app: App, port: int, other: App) -> App:
    """Return an app that leaves what comes to a port to another one."""

    async def choose(scope: Scope, receive: Receive, send: Send) -> None:
        to_other = scope["type"] == "http" and (scope.get("server") or ("", 0))[1] == port
        await (other if to_other else app)(scope, receive, send)

    return choose


_PAGES = ("/", "/table/{table}")


def _client(web: str | None) -> list[BaseRoute]:
    """Return routes for the built client: its files, and its one page at all of its paths.

    Where there is no client, a page at the same paths says so.
    """
    if web is None or not Path(web, "index.html").is_file():
        return [Route(path, no_client) for path in _PAGES]
    folder = Path(web)

    async def page(_: Request) -> Response:
        return FileResponse(folder / "index.html", headers={"cache-control": "no-cache"})

    return [
        *(Route(path, page) for path in _PAGES),
        Mount("/", _Files(directory=folder)),
    ]


_HASHED = re.compile(r"assets/.*-[\w-]{8}\.\w+")  # as the build names them


class _Files(StaticFiles):
    """Files whose name has a hash of their contents are cached for ever; others are revalidated."""

    async def get_response(self, path: str, scope: MutableMapping[str, Any]) -> Response:
        response = await super().get_response(path, scope)
        kept = "public, max-age=31536000, immutable" if _HASHED.fullmatch(path) else "no-cache"
        response.headers["cache-control"] = kept
        return response
