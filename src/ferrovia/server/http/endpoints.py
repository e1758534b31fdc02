"""The HTTP endpoints: offerings, tables and records."""

import asyncio
import hashlib
import time
from collections.abc import Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ferrovia.boards import Edition, edition_document
from ferrovia.drawing.picture import picture_json
from ferrovia.server.http.answers import (
    bearer_token,
    json_response,
    path_table,
    read_body,
    routes_of,
)
from ferrovia.server.http.gate import address_of, site_of_client
from ferrovia.server.http.lan import asked_here, reachable
from ferrovia.server.lobby.tables import Tables
from ferrovia.server.metrics import Metrics
from ferrovia.server.networks import site_of
from ferrovia.server.protocol import from_client, from_server
from ferrovia.server.rates import RateLimiters
from ferrovia.server.refusals import Refusal
from ferrovia.server.settings import Settings
from ferrovia.server.table.room_codes import is_room_code
from ferrovia.server.table.tokens import new_token
from ferrovia.server.table.viewers import view


class Endpoints:
    """One method per endpoint."""

    def __init__(self, tables: Callable[[], Tables], settings: Settings, metrics: Metrics) -> None:
        self._tables = tables
        self._metrics = metrics
        self._creations = RateLimiters(settings.limits.creations)
        self._listings = RateLimiters(settings.limits.listings)
        self._codes = RateLimiters(settings.limits.room_codes)
        self._entries = RateLimiters(settings.limits.entries_asked)
        self._settings = settings

    def routes(self) -> list[Route]:
        """Return the routes of all endpoints."""
        endpoints = [
            ("/api/offerings", self.offerings, "GET"),
            ("/api/packs", self.enter_pack, "POST"),
            ("/api/editions/{edition}", self.edition, "GET"),
            ("/api/editions/{edition}/picture", self.picture, "GET"),
            ("/api/tables", self.listing, "GET"),
            ("/api/tables", self.create, "POST"),
            ("/api/tables/{table}", self.table, "GET"),
            ("/api/tables/{table}/edition", self.edition_of_table, "GET"),
            ("/api/tables/{table}/join", self.join, "POST"),
            ("/api/tables/{table}/decline", self.decline, "POST"),
            ("/api/tables/{table}/token", self.renew, "POST"),
            ("/api/tables/{table}/entry", self.ask_entry, "POST"),
            ("/api/rooms/{code}", self.room, "GET"),
            ("/api/reach", self.reach, "GET"),
            ("/api/push", self.push, "GET"),
            ("/api/tables/{table}/record", self.record, "GET"),
        ]
        return routes_of(endpoints, self._metrics)

    async def offerings(self, request: Request) -> Response:
        """Return what a table can be set up with."""
        return json_response(self._tables().offerings())

    async def enter_pack(self, request: Request) -> Response:
        """Keep the tickets of a box that somebody at this machine enters."""
        if not asked_here(request):
            raise Refusal("no_own_tickets")
        wanted = await read_body(request, from_client.EnterPack)
        tickets = [msgspec.structs.asdict(ticket) for ticket in wanted.tickets]
        catalog = self._tables().catalog
        await asyncio.to_thread(catalog.enter, wanted.pack, tickets)
        return json_response(self._tables().offerings())

    async def picture(self, request: Request) -> Response:
        """Return how an edition's board is drawn: places, spaces, labels, land (laid out once).

        A client keeps it, and asks by its hash whether it is still the same.
        """
        board = self._tables().catalog.find(request.path_params["edition"], ()).board
        drawn = await asyncio.to_thread(picture_json, board)
        tag = f'"{hashlib.sha256(drawn.encode()).hexdigest()[:16]}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(drawn, media_type="application/json", headers=headers)

    async def edition(self, request: Request) -> Response:
        """Return an edition in full: its board, tickets and numbers."""
        packs = tuple(filter(None, request.query_params.get("extras", "").split(",")))
        edition = self._tables().catalog.find(request.path_params["edition"], packs[:8])
        return self._edition(edition)

    async def edition_of_table(self, request: Request) -> Response:
        """Return the edition of a table. A game keeps the tickets that it began with, whatever is
        entered for its packs since.
        """
        table = await self._tables().authority(path_table(request)).table()
        setup = table.setup
        find = self._tables().catalog.find
        return self._edition(
            table.game.edition if table.game else find(setup.edition, setup.extras)
        )

    def _edition(self, edition: Edition) -> Response:
        answer = json_response(edition_document(edition))
        answer.headers["cache-control"] = "no-cache"
        return answer

    async def listing(self, request: Request) -> Response:
        """Return the tables that anybody may find."""
        cards = b",".join(await self._tables().listing())
        return Response(b'{"tables":[' + cards + b"]}", media_type="application/json")

    async def create(self, request: Request) -> Response:
        """Create a table."""
        address = address_of(request.scope)
        if not self._creations.take(address, time.monotonic()):
            raise Refusal("too_fast")
        wanted = await read_body(request, from_client.CreateTable)
        if wanted.listed and not self._listings.take(site_of(address), time.monotonic()):
            raise Refusal("too_fast", "set it up for those who have its link, or later")
        return json_response(
            await self._tables().create(wanted, bearer_token(request), address=address), status=201
        )

    async def table(self, request: Request) -> Response:
        """Return a table, as everybody who has its link may see it."""
        table = await self._tables().authority(path_table(request)).table()
        return json_response(view.table_info(table))

    async def join(self, request: Request) -> Response:
        """Take an open seat. With a token of the client's own, a repetition takes no second one."""
        wanted = await read_body(request, from_client.JoinTable)
        table = path_table(request)
        token = bearer_token(request) or new_token()
        seat = await self._tables().authority(table).join(wanted, token)
        return json_response(from_server.Joined(table=table, seat=seat, token=token))

    async def decline(self, request: Request) -> Response:
        """Give back a seat that is kept for the holder of the token: no rematch."""
        token = bearer_token(request)
        if token is None:
            raise Refusal("wrong_token", "send the token of the seat")
        await self._tables().authority(path_table(request)).decline(token)
        return Response(status_code=204)

    async def renew(self, request: Request) -> Response:
        """Hold a seat with a new token, instead of the one by which it was handed over."""
        token = bearer_token(request)
        if token is None:
            raise Refusal("wrong_token", "send the token of the seat")
        wanted = await read_body(request, from_client.RenewToken)
        await self._tables().authority(path_table(request)).renew(token, wanted.token)
        return Response(status_code=204)

    async def ask_entry(self, request: Request) -> Response:
        """Ask to be let in again at a table for the room."""
        token = bearer_token(request)
        if token is None:
            raise Refusal("wrong_token", "send a token of your own")
        site = site_of_client(request.scope)
        if not self._entries.take(site, time.monotonic()):
            raise Refusal("too_fast")
        wanted = await read_body(request, from_client.AskEntry)
        word = await self._tables().authority(path_table(request)).ask_entry(wanted, token, site)
        return json_response(from_server.EntryWord(word=word))

    async def room(self, request: Request) -> Response:
        """Return the table of a code. Whoever tries many is slowed down."""
        if not self._codes.take(address_of(request.scope), time.monotonic()):
            raise Refusal("too_fast")
        code = request.path_params["code"].upper()
        if not is_room_code(code):
            raise Refusal("no_such_room", "no table with an open door has this code")
        return json_response(from_server.FoundRoom(table=await self._tables().room(code)))

    async def reach(self, request: Request) -> Response:
        """Return where other devices reach this server; only to somebody at the same machine."""
        own = asked_here(request)
        port = (request.scope.get("server") or ("", 0))[1]
        found = await asyncio.to_thread(reachable, self._settings, port) if own else ()
        return json_response(from_server.Reach(addresses=found))

    async def push(self, request: Request) -> Response:
        """Return the key with which browsers subscribe to be told of turns, if this server does."""
        return json_response(from_server.PushKey(key=await self._tables().push_key()))

    async def record(self, request: Request) -> Response:
        """Return the record of the game, as the holder of the token may see it."""
        authority = self._tables().authority(path_table(request))
        text = await authority.record(bearer_token(request))
        if text is None:
            raise Refusal("not_started")
        headers = {"content-disposition": 'attachment; filename="game.jsonl"'}
        return Response(text, media_type="application/jsonl", headers=headers)
