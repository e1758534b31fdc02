"""The word of the house: one secret for all who may use a private server, asked once a browser.

Whoever has said it gets a cookie, which comes with every request and every socket from then on. It
follows from the word and a secret of the store, so that all its servers know it, and whoever only
guesses the word cannot make it. The pages say nothing of anybody and are open.
"""

import hashlib
import hmac
import time
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.requests import Request, cookie_parser
from starlette.responses import Response
from starlette.routing import Route

from ferrovia.server.http.answers import read_body, routes_of
from ferrovia.server.http.gate import RefusedAddresses, Scope, site_of_client
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol.from_client import SayWord
from ferrovia.server.rates import Rate, RateLimiters
from ferrovia.server.refusals import Code, Refusal
from ferrovia.server.settings import Settings

COOKIE = "ferrovia_word"
PATH = "/api/word"
_YEAR = 365 * 86400
_TRIES = Rate(burst=10, per_second=0.1)


class HouseWord:
    """Knows who has said the word; nobody has to where there is none."""

    def __init__(
        self,
        key: Callable[[], bytes],
        settings: Settings,
        refused: RefusedAddresses,
        metrics: Metrics,
    ) -> None:
        self._refused = refused
        self._key = key
        self._word = settings.word
        self._path = f"{settings.prefix}/"
        self._secure = (settings.public_url or "").startswith("https:")
        self._tries = RateLimiters(_TRIES)
        self._metrics = metrics

    def routes(self) -> list[Route]:
        """Return the route over which the word is said."""
        return routes_of([(PATH, self.say, "POST")], self._metrics)

    def refusal_of(self, scope: Scope) -> Code | None:
        """Return why a request is refused; None where it needs no word, or has it."""
        path = scope["path"].removeprefix(self._path.rstrip("/"))
        if self._word is None or path == PATH or not path.startswith(("/api/", "/socket")):
            return None
        cookie = cookie_parser(Headers(scope=scope).get("cookie", "")).get(COOKIE, "")
        return None if _same(cookie, self._kept(self._word)) else "word_needed"

    async def say(self, request: Request) -> Response:
        """Give whoever says the word a cookie that says so; only wrong words are counted."""
        said = await read_body(request, SayWord)
        site, now = site_of_client(request.scope), time.monotonic()
        if not self._tries.allows(site, now):
            raise Refusal("too_fast")
        if self._word is None or not _same(said.word.strip(), self._word):
            self._tries.take(site, now)
            self._refused.note(request.scope, "wrong_word")
            raise Refusal("wrong_word", "it is not the word of this server")
        answer = Response(status_code=204)
        answer.set_cookie(
            COOKIE,
            self._kept(self._word),
            max_age=_YEAR,
            path=self._path,
            secure=self._secure,
            httponly=True,
            samesite="lax",
        )
        return answer

    def _kept(self, word: str) -> str:
        """Return what a browser keeps: another word makes it void."""
        return hmac.digest(self._key(), word.encode(), hashlib.sha256).hex()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode())
