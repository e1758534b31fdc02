"""The HTTP endpoints of analyses: for finished tables, each seat its own, and for sent records."""

import hashlib
import re
import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ferrovia.analysis.findings import Analysis
from ferrovia.server.analysis.analyses import Analyses, AnalysisStatus, Analyst
from ferrovia.server.http.answers import (
    bearer_token,
    json_response,
    path_table,
    read_body,
    read_bytes,
    routes_of,
    while_wanted,
)
from ferrovia.server.http.gate import site_of_client
from ferrovia.server.lobby.tables import Tables
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol import from_client, from_server
from ferrovia.server.rates import RateLimiters
from ferrovia.server.records.proof import Proved
from ferrovia.server.records.service import RecordService
from ferrovia.server.records.source import MAX_RECORD
from ferrovia.server.records.works import Prove
from ferrovia.server.refusals import Refusal
from ferrovia.server.settings import Settings

_HASH = re.compile(r"[0-9a-f]{64}")


class _Finished(NamedTuple):
    """The finished game of a table: its record, the hash by which its analyses are known, the seat
    of whoever asks (None: a spectator), and those of bots.
    """

    table: str
    text: str
    record: str
    seat: int | None
    bots: set[int]


class AnalysisEndpoints:
    """One method per endpoint."""

    def __init__(
        self,
        tables: Callable[[], Tables],
        records: RecordService,
        settings: Settings,
        metrics: Metrics,
        analyst: Analyst,
    ) -> None:
        self._analyst = analyst
        self._tables = tables
        self._records = records
        self._metrics = metrics
        self._rates = RateLimiters(settings.limits.analyses)
        self._films = RateLimiters(settings.limits.films)
        self._worlds = settings.analysis_worlds
        self._opened: Analyses | None = None

    @property
    def _analyses(self) -> Analyses:
        if self._opened is None:  # the store is opened after the endpoints
            self._opened = Analyses(self._tables().store, self._analyst, self._worlds)
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
        return json_response(await self._report(request, await self._finished(request)))

    async def ask(self, request: Request) -> Response:
        """Have the game analysed; with `renew` once more."""
        wanted = await read_body(request, from_client.AskAnalysis)
        game = await self._finished(request)
        await self._ask(request, game.table, game.text, game.record, wanted.renew)
        return json_response(await self._report(request, game))

    async def share(self, request: Request) -> Response:
        """Open what is said about one's own seat to the others, or close it again."""
        wanted = await read_body(request, from_client.ShareAnalysis)
        game = await self._finished(request)
        if game.seat is None:
            raise Refusal("not_seated", "only people who played can share")
        await self._analyses.share(game.table, game.seat, wanted.share)
        return json_response(await self._report(request, game))

    async def ask_for_record(self, request: Request) -> Response:
        """Have the record in the body analysed, once the rules have proved it; `?renew=yes`: once
        more.
        """
        site = site_of_client(request.scope)
        if not self._films.take(site, time.monotonic()):
            raise Refusal("too_fast")
        data = await read_bytes(request, MAX_RECORD)
        proved = await while_wanted(request, self._prove(data, site))
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

    async def _prove(self, data: bytes, site: str) -> Proved:
        """Return what the text of a record proves to be; raises `Refusal`."""
        proved = await self._records.do_for_sent(Prove(), data, site)
        return msgspec.json.decode(proved, type=Proved)

    async def _ask(
        self, request: Request, table: str | None, text: str, record: str, renew: bool
    ) -> None:
        found = await self._analyses.find(table, record)
        if found.status in ("waiting", "running") or (found.kept and not renew):
            return
        site = site_of_client(request.scope)
        if not self._rates.take(site, time.monotonic()):
            raise Refusal("too_fast")
        await self._analyses.ask(table, text, record, renew=renew, site=site)

    async def _finished(self, request: Request) -> _Finished:
        """Return the finished game of a table; raises `Refusal` for one that is not."""
        table = path_table(request)
        past = await self._tables().authority(table).past(bearer_token(request))
        if past.record.result is None:
            raise Refusal("not_over", "only finished games are analysed")
        header = msgspec.structs.replace(past.record.header, practice=msgspec.UNSET)
        plain = msgspec.structs.replace(past.record, header=header)
        return _Finished(
            table,
            past.record.text(),
            hashlib.sha256(plain.text().encode()).hexdigest(),
            past.actor.seat,
            {number for number, it in enumerate(past.table.seats) if it.kind == "bot"},
        )

    async def _report(self, request: Request, game: _Finished) -> from_server.AnalysisReport:
        shared = await self._analyses.shared(game.table)
        own = () if game.seat is None else (game.seat,)
        open_to = sorted({*game.bots, *shared, *own})
        found = await self._analyses.find(game.table, game.record)
        return _answer(request, found, game.record, open_to, own=game.seat, shared=shared)

    async def _report_of_record(self, request: Request, record: str) -> from_server.AnalysisReport:
        """Return the report for whoever has the file of a record: it speaks of all seats."""
        found = await self._analyses.find(None, record)
        seats = [it.seat for it in found.kept[0].sheets] if found.kept else []
        return _answer(request, found, record, seats)


def _answer(
    request: Request,
    found: AnalysisStatus,
    record: str,
    seats: list[int],
    own: int | None = None,
    shared: tuple[int, ...] = (),
) -> from_server.AnalysisReport:
    """Return the report of what was found, for somebody who may see these seats; `?older=1` asks
    for the analysis before the newest.
    """
    wanted = request.query_params.get("older", "0")
    at = int(wanted) if wanted.isdecimal() and len(wanted) <= 2 else 0
    chosen = found.kept[min(at, len(found.kept) - 1)] if found.kept else None
    return from_server.AnalysisReport(
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
