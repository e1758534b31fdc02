"""The HTTP endpoints of analyses: for finished tables, each seat its own, and for sent records."""

import asyncio
import hashlib
import re
import time
from collections.abc import Callable

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ferrovia.analysis.findings import Analysis
from ferrovia.server import protocol
from ferrovia.server.analysis.analyses import Analyses, Found
from ferrovia.server.film.proof import Proved, proof
from ferrovia.server.film.screening import beside
from ferrovia.server.film.source import MAX_RECORD, has_own_board, source_of_text
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

_HASH = re.compile(r"[0-9a-f]{64}")


class AnalysisEndpoints:
    """One method per endpoint."""

    def __init__(self, tables: Callable[[], Tables], settings: Settings, metrics: Metrics) -> None:
        self._tables = tables
        self._metrics = metrics
        self._rates = RateLimiters(settings.limits.analyses)
        self._films = RateLimiters(settings.limits.films)
        self._worlds = settings.analysis_worlds
        self._room = asyncio.Semaphore(1)  # for the proof of records
        self._opened: Analyses | None = None

    @property
    def _analyses(self) -> Analyses:
        if self._opened is None:  # the store is opened after the endpoints
            self._opened = Analyses(self._tables().store, worlds=self._worlds)
        return self._opened

    def routes(self) -> list[Route]:
        """Return the routes of all endpoints."""
        endpoints = [
            ("/api/tables/{table}/analysis", self.report, "GET"),
            ("/api/tables/{table}/analysis", self.ask, "POST"),
            ("/api/tables/{table}/analysis/share", self.share, "POST"),
            ("/api/films/analysis", self.ask_for_record, "POST"),
            ("/api/films/analysis/{record}", self.report_of_record, "GET"),
        ]
        return routes_of(endpoints, self._metrics)

    async def close(self) -> None:
        """End what is being made."""
        if self._opened is not None:
            await self._opened.close()

    async def report(self, request: Request) -> Response:
        """Return how far the analysis of a finished game is, and what it found."""
        return json_response(await self._report(request))

    async def ask(self, request: Request) -> Response:
        """Have the game analysed; with `renew` once more."""
        wanted = await read_body(request, protocol.AskAnalysis)
        table = path_table(request)
        text, record, _ = await self._finished(request)
        await self._ask(request, table, text, record, wanted.renew)
        return json_response(await self._report(request))

    async def share(self, request: Request) -> Response:
        """Open what is said about one's own seat to the others, or close it again."""
        wanted = await read_body(request, protocol.ShareAnalysis)
        _, _, seat = await self._finished(request)
        if seat is None:
            raise Refusal("not_seated", "only who played can share")
        await self._analyses.share(path_table(request), seat, wanted.share)
        return json_response(await self._report(request))

    async def ask_for_record(self, request: Request) -> Response:
        """Have the record in the body analysed, once the rules have proved it; `?renew=yes`: once
        more.
        """
        if not self._films.take(address_of(request.scope), time.monotonic()):
            raise Refusal("too_fast")
        data = await read_bytes(request, MAX_RECORD)
        proved = await self._prove(data)
        if not proved.over:
            raise Refusal("not_over", "only finished games are analysed")
        renew = request.query_params.get("renew") == "yes"
        await self._ask(request, None, data.decode(), proved.record, renew)
        return json_response(await self._report_of_record(request, proved.record))

    async def report_of_record(self, request: Request) -> Response:
        """Return how far the analysis of a record that was sent is, by its hash."""
        record = request.path_params["record"]
        if not _HASH.fullmatch(record):
            raise Refusal("not_found", "a record is named by its SHA-256")
        return json_response(await self._report_of_record(request, record))

    async def _prove(self, data: bytes) -> Proved:
        """Return what the text of a record proves to be; one with a board of its own is replayed in
        a process of its own. Raises `Refusal`.
        """
        async with self._room:
            source = await run_in_threadpool(source_of_text, data)
            if not has_own_board(source, self._tables().catalog):
                return await run_in_threadpool(proof, source)
            return msgspec.json.decode(await beside("proof", data, {}), type=Proved)

    async def _ask(
        self, request: Request, table: str | None, text: str, record: str, renew: bool
    ) -> None:
        found = await self._analyses.find(table, record)
        if found.status in ("waiting", "running") or (found.kept and not renew):
            return
        address = address_of(request.scope)
        if not self._rates.take(address, time.monotonic()):
            raise Refusal("too_fast")
        await self._analyses.ask(table, text, record, renew=renew, address=address)

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
        shared = await self._analyses.shared(table)
        info = await self._tables().authority(table).table()
        bots = {number for number, it in enumerate(info.seats) if it.kind == "bot"}
        open_to = sorted({*bots, *shared, *(() if seat is None else (seat,))})
        found = await self._analyses.find(table, record)
        return _answer(request, found, record, open_to, own=seat, shared=shared)

    async def _report_of_record(self, request: Request, record: str) -> protocol.AnalysisReport:
        """Return the report for whoever has the file of a record: it speaks of all seats."""
        found = await self._analyses.find(None, record)
        seats = [it.seat for it in found.kept[0].sheets] if found.kept else []
        return _answer(request, found, record, seats)


def _answer(
    request: Request,
    found: Found,
    record: str,
    seats: list[int],
    own: int | None = None,
    shared: tuple[int, ...] = (),
) -> protocol.AnalysisReport:
    """Return the report of what was found, for somebody who may see these seats; `?older=1` asks
    for the analysis before the newest.
    """
    wanted = request.query_params.get("older", "0")
    at = int(wanted) if wanted.isdecimal() and len(wanted) <= 2 else 0
    chosen = found.kept[min(at, len(found.kept) - 1)] if found.kept else None
    return protocol.AnalysisReport(
        status=found.status,
        done=found.done,
        total=found.total,
        seats=tuple(seats),
        own=own,
        shared=shared,
        older=max(0, len(found.kept) - 1),
        analysis=None if chosen is None else _only(chosen, seats),
        record=record,
    )


def _only(analysis: Analysis, seats: list[int]) -> Analysis:
    """Return an analysis without what it says about the choices of other seats."""
    return msgspec.structs.replace(
        analysis,
        sheets=tuple(it for it in analysis.sheets if it.seat in seats),
        remarks=tuple(it for it in analysis.remarks if it.seat in seats),
        facts=tuple(it for it in analysis.facts if it.seat in seats),
    )
