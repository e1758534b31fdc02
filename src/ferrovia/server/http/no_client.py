"""The page of a server that has no client: what is missing, and what to do about it.

Its texts are here and not among those of the client, which are missing together with it.
"""

import base64
import hashlib
import re
from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from ferrovia.machine.browser_game import TO_DO

_TEXTS = {
    "en": (
        "There is no game to see here yet",
        "This Ferrovia server is running, and programs can play on it. But it was installed "
        "without the game for the browser, so there is no page to play on.",
        "If you run this server:",
        "If not, please tell the people who do. Your tables and games are not affected.",
    ),
    "es": (
        "Aquí todavía no hay ningún juego que ver",
        "Este servidor de Ferrovia está en marcha y los programas pueden jugar en él. Pero se "
        "instaló sin el juego para el navegador, así que no hay página en la que jugar.",
        "Si administras este servidor:",
        "Si no, avisa a quien lo administra. Tus mesas y partidas no se ven afectadas.",
    ),
    "pt": (
        "Aqui ainda não há nenhum jogo para ver",
        "Este servidor do Ferrovia está em execução e os programas podem jogar nele. Mas foi "
        "instalado sem o jogo para o navegador, por isso não há página onde jogar.",
        "Se administras este servidor:",
        "Se não, avisa quem o administra. As tuas mesas e jogos não são afetados.",
    ),
    "ro": (
        "Aici nu se vede încă niciun joc",
        "Acest server Ferrovia funcționează, iar programele pot juca pe el. A fost însă instalat "
        "fără jocul pentru browser, așa că nu există o pagină pe care să se joace.",
        "Dacă administrezi acest server:",
        "Dacă nu, anunță cine îl administrează. Mesele și jocurile tale nu sunt afectate.",
    ),
}

_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:1.1rem/1.5 system-ui,sans-serif;max-width:38rem;margin:12vh auto;padding:0 1.25rem}"
    "h1{font-size:1.5rem;line-height:1.2}code{font-size:.95em}"
)
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_HEADERS = {
    "cache-control": "no-store",
    "vary": "accept-language",
    "content-security-policy": f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}


async def no_client(request: Request) -> Response:
    """Return the page in the language that the browser prefers; 503, as the game is not ready."""
    language = preferred(request.headers.get("accept-language", ""))
    title, reason, for_operators, for_others = map(escape, _TEXTS[language])
    page = (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Ferrovia: {title}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{title}</h1><p>{reason}</p>"
        f'<p>{for_operators} <code lang="en">{escape(TO_DO)}</code></p>'
        f"<p>{for_others}</p></body></html>"
    )
    return HTMLResponse(page, 503, headers={**_HEADERS, "content-language": language})


def preferred(accepted: str) -> str:
    """Return which of the four languages an Accept-Language header prefers; English if none."""
    best, most = "en", 0.0
    for part in accepted[:500].split(","):
        name, _, rest = part.strip().partition(";")
        language = name.strip().partition("-")[0].lower()
        weight = re.fullmatch(r"\s*q=([01](?:\.\d{0,3})?)\s*", rest)
        worth = float(weight[1]) if weight else 1.0 if not rest else 0.0
        if language in _TEXTS and worth > most:
            best, most = language, worth
    return best
