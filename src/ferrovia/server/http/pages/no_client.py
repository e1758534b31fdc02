"""The page of a server that has no client: what is missing, and what to do about it."""

from html import escape

from starlette.requests import Request
from starlette.responses import Response

from ferrovia.languages import catalogue
from ferrovia.machine.browser_game import TO_DO
from ferrovia.server.http.pages.plain_page import language_of, plain_page


async def no_client(request: Request) -> Response:
    """Return the page in the language that the browser prefers; 503, as the game is not ready."""
    language = language_of(request)
    texts = catalogue(language)
    body = (
        f"<p>{escape(texts['server.no_client_reason'])}</p>"
        f"<p>{escape(texts['server.no_client_operators'])} "
        f'<code lang="en">{escape(TO_DO)}</code></p>'
        f"<p>{escape(texts['server.no_client_others'])}</p>"
    )
    return plain_page(language, 503, texts["server.no_client"], body)
