"""Pages without the client: plain HTML without scripts, in the language of the browser."""

import base64
import hashlib
import re
from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from ferrovia.languages import LANGUAGES

_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:1.1rem/1.5 system-ui,sans-serif;max-width:38rem;margin:12vh auto;padding:0 1.25rem}"
    "h1{font-size:1.5rem;line-height:1.2}code{font-size:.95em}"
)
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_HEADERS = {
    "cache-control": "no-store",
    "vary": "accept, accept-language",
    "content-security-policy": f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}


def plain_page(language: str, status: int, title: str, body: str) -> Response:
    """Return a page of this title and body, which is HTML."""
    page = (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Ferrovia: {escape(title)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escape(title)}</h1>{body}</body></html>"
    )
    return HTMLResponse(page, status, headers={**_HEADERS, "content-language": language})


def language_of(request: Request) -> str:
    """Return the language that a browser prefers."""
    return preferred(request.headers.get("accept-language", ""))


def preferred(accepted: str) -> str:
    """Return which of our languages an Accept-Language header prefers; English if none."""
    best, most = "en", 0.0
    for part in accepted[:500].split(","):
        name, _, rest = part.strip().partition(";")
        language = name.strip().partition("-")[0].lower()
        weight = re.fullmatch(r"\s*q=([01](?:\.\d{0,3})?)\s*", rest)
        worth = float(weight[1]) if weight else 1.0 if not rest else 0.0
        if language in LANGUAGES and worth > most:
            best, most = language, worth
    return best
