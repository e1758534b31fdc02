"""The HTTP endpoints of learning to play: tutorials, and a puzzle a day."""

import asyncio
import time
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ferrovia.puzzles.collection import all_puzzles, number_of
from ferrovia.server.http.answers import json_response, routes_of
from ferrovia.server.http.gate import address_of
from ferrovia.server.logs import note
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol import from_server
from ferrovia.server.rates import Rate, RateLimiters
from ferrovia.server.refusals import Refusal
from ferrovia.tutorial.notes import builtin

_REPORTS = Rate(burst=5, per_second=0.02)


class LessonEndpoints:
    """One method per endpoint. Nothing here depends on a table."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._reports = RateLimiters(_REPORTS)

    def routes(self) -> list[Route]:
        """Return the routes of all endpoints."""
        endpoints = [
            ("/api/tutorials/{name}", self.tutorial, "GET"),
            ("/api/puzzles/{number}", self.puzzle, "GET"),
            ("/api/puzzles/{number}/report", self.report, "POST"),
        ]
        return routes_of(endpoints, self._metrics)

    async def tutorial(self, request: Request) -> Response:
        """Return a tutorial that comes with the server."""
        try:
            notes, record = builtin(request.path_params["name"])
        except KeyError:
            raise Refusal("not_found", "there is no such tutorial") from None
        return json_response(from_server.Tutorial(notes=notes, record=record))

    async def puzzle(self, request: Request) -> Response:
        """Return a puzzle by its number, or `today` that of the day."""
        puzzles = await asyncio.to_thread(all_puzzles)
        today = number_of(datetime.now(UTC).date())
        wanted = request.path_params["number"]
        number = today if wanted == "today" else _number(wanted, len(puzzles))
        return json_response(
            from_server.PosedPuzzle(
                number=number, today=today, count=len(puzzles), puzzle=puzzles[number]
            )
        )

    async def report(self, request: Request) -> Response:
        """Note that somebody finds a puzzle wrong, for the people who run the server."""
        if not self._reports.take(address_of(request.scope), time.monotonic()):
            raise Refusal("too_fast")
        puzzles = await asyncio.to_thread(all_puzzles)
        number = _number(request.path_params["number"], len(puzzles))
        note("puzzle_reported", puzzle=puzzles[number].id)
        return Response(status_code=204)


def _number(text: str, count: int) -> int:
    if not (text.isdecimal() and len(text) <= 6 and int(text) < count):
        raise Refusal("not_found", "there is no such puzzle")
    return int(text)
