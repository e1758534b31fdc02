"""A table of a server, joined or watched by its link."""

import asyncio
import secrets
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import parse_qs, quote, urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from ferrovia.boards import Edition, Ticket, edition_from_document
from ferrovia.errors import FerroviaError
from ferrovia.game.errors import REASONS
from ferrovia.server.protocol import from_client, from_server
from ferrovia.server.protocol.state import TableInfo
from ferrovia.server.table.tokens import new_token
from ferrovia.terminal.app.scene import Scene
from ferrovia.terminal.sentences import Narrator

_SECONDS = 15.0
_AGAIN_AFTER = 1.5
_FROM_SERVER = msgspec.json.Decoder(from_server.FromServer)

_WORDS = {reason: f"{message} ({rule})" for reason, rule, message in REASONS.values()}

T = TypeVar("T")


class TableProblem(FerroviaError):
    """The table cannot be reached, or refused what was asked for."""


class TableLink:
    """The link of a table, as people pass it on; what stands behind the hash sign is secret."""

    def __init__(self, text: str) -> None:
        parts = urlsplit(text)
        root, slash, table = parts.path.rpartition("table/")
        if parts.scheme not in ("http", "https") or not slash or not table or "/" in table:
            raise TableProblem(f"'{text}' is not the link of a table: https://HOST/table/NAME")
        self.root = f"{parts.scheme}://{parts.netloc}{root}"
        self.table = table
        self.token = next(iter(parse_qs(parts.fragment).get("token", ())), None)

    @property
    def socket(self) -> str:
        """The address of the server's socket."""
        return f"ws{self.root.removeprefix('http')}socket"


class RemoteTable:
    """One viewer of a table: `changed` is called with every scene, `said` with what was refused.

    With a name a free seat is taken, with the token of a seat that seat; with neither, one watches.
    """

    def __init__(self, link: TableLink, name: str | None) -> None:
        self.link = link
        self.token = link.token
        self._name = name
        self._edition: Edition | None = None
        self._state: from_server.State | None = None
        self._happened: list[Any] = []
        self._socket: ClientConnection | None = None

    async def run(self, changed: Callable[[Scene], None], said: Callable[[str], None]) -> None:
        """Stay connected until this is cancelled; TableProblem where it makes no sense."""
        await self._take_seat(said)
        while True:
            try:
                async with connect(
                    self.link.socket, max_size=None, open_timeout=_SECONDS
                ) as socket:
                    self._socket = socket
                    known = 0 if self._state is None else self._state.number
                    hello = from_client.Hello(table=self.link.table, token=self.token, known=known)
                    await socket.send(msgspec.json.encode(hello).decode())
                    async for message in socket:
                        await self._hear(message, changed, said)
            except (ConnectionClosed, OSError, TimeoutError) as problem:
                code = getattr(getattr(problem, "rcvd", None), "code", None)
                if code is not None and code >= 4400:
                    raise TableProblem(f"the table closed the connection ({code})") from None
            self._socket = None
            said("The connection is lost; trying again.")
            await asyncio.sleep(_AGAIN_AFTER)

    async def act(self, action: str) -> None:
        """Send a decision."""
        if self._socket is None or self._state is None:
            raise TableProblem("there is no connection now")
        decide = from_client.Decide(
            id=secrets.token_urlsafe(12), known=self._state.number, action=action
        )
        await self._socket.send(msgspec.json.encode(decide).decode())

    async def _take_seat(self, said: Callable[[str], None]) -> None:
        info = await self._get(f"api/tables/{self.link.table}", TableInfo)
        packs = ",".join(map(quote, info.extras))
        document = await self._get(
            f"api/editions/{quote(info.edition)}{f'?extras={packs}' if packs else ''}", dict
        )
        tickets = tuple(Ticket(set="", big_city=False, **it) for it in document.pop("in_play"))
        del document["twins"], document["big_cities"]  # which follow from the rest
        self._edition = replace(edition_from_document(document), tickets=tickets)
        if self.token is None and self._name and any(it.kind == "open" for it in info.seats):
            token = new_token()
            joined = await self._get(
                f"api/tables/{self.link.table}/join",
                from_server.Joined,
                msgspec.json.encode(from_client.JoinTable(name=self._name)),
                token,
            )
            self.token = joined.token
        elif self.token is None:
            said("You are watching.")

    async def _get(
        self, path: str, kind: type[T], body: bytes | None = None, token: str | None = None
    ) -> T:
        headers = {"content-type": "application/json"}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        request = urllib.request.Request(self.link.root + path, body, headers)

        def fetch() -> bytes:
            with urllib.request.urlopen(request, timeout=_SECONDS) as answer:
                data: bytes = answer.read()
                return data

        try:
            return msgspec.json.decode(await asyncio.to_thread(fetch), type=kind)
        except urllib.error.HTTPError as problem:
            code = _code(problem.read())
            raise TableProblem(f"the server refused: {code}") from None
        except (OSError, msgspec.DecodeError) as problem:
            raise TableProblem(f"{self.link.root} does not answer as a server: {problem}") from None

    async def _hear(
        self, message: str | bytes, changed: Callable[[Scene], None], said: Callable[[str], None]
    ) -> None:
        heard = _FROM_SERVER.decode(message)
        if isinstance(heard, from_server.State):
            self._note(heard)
            changed(self.scene())
        elif isinstance(heard, from_server.Refused):
            said(f"Not allowed: {_WORDS.get(heard.reason or '', heard.reason or heard.code)}.")

    def _note(self, state: from_server.State) -> None:
        self._state = state
        for entry in state.entries:
            self._happened += getattr(entry, "events", ())

    def scene(self) -> Scene:
        """Return the table as it stands."""
        assert self._state is not None
        assert self._edition is not None
        state = self._state
        names = [it.name or it.bot or "…" for it in state.table.seats]
        seat = state.own.seat if state.own is not None else None
        narrator = Narrator(self._edition, names, seat)
        ended = []
        if state.final is not None:
            ended = ["Final score", ""]
            for number, score in enumerate(state.final.result.scores):
                ended.append(f"{narrator.who(number)}: {score.total} points")
        note = "" if state.public is not None else "The game begins when all seats are taken."
        return Scene(
            self._edition,
            narrator.names,
            state.public,
            state.own,
            narrator.narrate(self._happened),
            note,
            ended,
        )


def _code(body: bytes) -> str:
    try:
        return str(msgspec.json.decode(body)["code"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return "no reason was given"
