"""The HTTP endpoints of analyses: for finished tables, each seat its own."""

import hashlib
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ferrovia.analysis.findings import Analysis
from ferrovia.server import protocol
from ferrovia.server.analysis.desk import Desk
from ferrovia.server.http.answers import (
    answering,
    bearer_token,
    json_response,
    path_table,
    read_body,
)
from ferrovia.server.http.gate import address_of
from ferrovia.server.http.rates import RateLimiters
from ferrovia.server.lobby.tables import Tables
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.settings import Settings
from ferrovia.server.store.address import default_path
from ferrovia.server.store.sqlite.file import analysis_file


class AnalysisEndpoints:
    """One method per endpoint."""

    def __init__(self, tables: Callable[[], Tables], settings: Settings, metrics: Metrics) -> None:
        self._tables = tables
        self._metrics = metrics
        self._rates = RateLimiters(settings.limits.analyses)
        self._desk = Desk(folder_of(settings), worlds=settings.analysis_worlds)

    def routes(self) -> list[Route]:
        """Return the routes of all endpoints."""
        endpoints = [
            ("/api/tables/{table}/analysis", self.report, "GET"),
            ("/api/tables/{table}/analysis", self.ask, "POST"),
            ("/api/tables/{table}/analysis/share", self.share, "POST"),
        ]
        return [
            Route(path, answering(endpoint, self._metrics), methods=[method])
            for path, endpoint, method in endpoints
        ]

    async def close(self) -> None:
        """End what is being made."""
        await self._desk.close()

    async def report(self, request: Request) -> Response:
        """Return how far the analysis of a finished game is, and what it found."""
        return json_response(await self._report(request))

    async def ask(self, request: Request) -> Response:
        """Have the game analysed; with `renew` once more."""
        wanted = await read_body(request, protocol.AskAnalysis)
        table = path_table(request)
        text, record, _ = await self._finished(request)
        if self._desk.newest(table, record) is None or wanted.renew:
            address = address_of(request.scope)
            if not self._rates.take(address, time.monotonic()):
                raise Refusal("too_fast")
            self._desk.ask(table, text, record, wanted.renew, address)
        return json_response(await self._report(request))

    async def share(self, request: Request) -> Response:
        """Open what is said about one's own seat to the others, or close it again."""
        wanted = await read_body(request, protocol.ShareAnalysis)
        _, _, seat = await self._finished(request)
        if seat is None:
            raise Refusal("not_seated", "only who played can share")
        self._desk.share(path_table(request), seat, wanted.share)
        return json_response(await self._report(request))

    async def _finished(self, request: Request) -> tuple[str, str, int | None]:
        """Return the record of a finished game, its hash, and the seat of whoever asks."""
        authority = self._tables().authority(path_table(request))
        source = await authority.film_source(bearer_token(request))
        if source.seat is not None:
            raise Refusal("not_over", "only finished games are analysed")
        actor = (await authority.table()).actor(bearer_token(request))
        text = source.record.text()
        plain = msgspec.structs.replace(
            source.record,
            header=msgspec.structs.replace(source.record.header, practice=msgspec.UNSET),
        )
        seat = None if actor is None else actor.seat
        return text, hashlib.sha256(plain.text().encode()).hexdigest(), seat

    async def _report(self, request: Request) -> protocol.AnalysisReport:
        table = path_table(request)
        _, record, seat = await self._finished(request)
        status, done, total = self._desk.status(table, record)
        shared = self._desk.shared(table)
        found = self._desk.newest(table, record)
        info = await self._tables().authority(table).table()
        bots = {number for number, it in enumerate(info.seats) if it.kind == "bot"}
        open_to = sorted({*bots, *shared, *(() if seat is None else (seat,))})
        return protocol.AnalysisReport(
            status=status,
            done=done,
            total=total,
            seats=tuple(open_to),
            own=seat,
            shared=shared,
            older=self._desk.older(table),
            analysis=None if found is None else _only(found, open_to),
        )


def _only(analysis: Analysis, seats: list[int]) -> Analysis:
    """Return an analysis without what it says about the choices of other seats."""
    return msgspec.structs.replace(
        analysis,
        sheets=tuple(it for it in analysis.sheets if it.seat in seats),
        remarks=tuple(it for it in analysis.remarks if it.seat in seats),
        facts=tuple(it for it in analysis.facts if it.seat in seats),
    )


def folder_of(settings: Settings) -> Path | None:
    """Return where a server keeps its analyses: beside an SQLite store; else nowhere."""
    if settings.store is not None and "://" in settings.store:
        return None
    store = default_path() if settings.store is None else Path(settings.store)
    return analysis_file(store, "").parent
