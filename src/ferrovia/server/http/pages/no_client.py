"""The page of a server that has no client: what is missing, and what to do about it.

Its texts are here and not among those of the client, which are missing together with it.
"""

from html import escape

from starlette.requests import Request
from starlette.responses import Response

from ferrovia.machine.browser_game import TO_DO
from ferrovia.server.http.pages.plain_page import in_all_languages, language_of, plain_page

_TEXTS = in_all_languages(
    {
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
            "Acest server Ferrovia funcționează, iar programele pot juca pe el. A fost însă "
            "instalat fără jocul pentru browser, așa că nu există o pagină pe care să se joace.",
            "Dacă administrezi acest server:",
            "Dacă nu, anunță cine îl administrează. Mesele și jocurile tale nu sunt afectate.",
        ),
    },
    __name__,
)


async def no_client(request: Request) -> Response:
    """Return the page in the language that the browser prefers; 503, as the game is not ready."""
    language = language_of(request)
    title, *texts = _TEXTS[language]
    reason, for_operators, for_others = map(escape, texts)
    body = (
        f"<p>{reason}</p>"
        f'<p>{for_operators} <code lang="en">{escape(TO_DO)}</code></p>'
        f"<p>{for_others}</p>"
    )
    return plain_page(language, 503, title, body)
