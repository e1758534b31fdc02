"""What is answered where there is nothing: a code to programs, a page to people."""

from html import escape

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route

from ferrovia.languages import catalogue
from ferrovia.server.http.pages.plain_page import language_of, plain_page


async def not_found(request: Request, problem: Exception) -> Response:
    """Answer a request that no endpoint answers: in a browser with a page, else with a code."""
    status = problem.status_code if isinstance(problem, HTTPException) else 500
    if status == 404 and _is_opened(request):
        language = language_of(request)
        texts = catalogue(language)
        start = f"{request.scope.get('root_path', '')}/"
        link = f'<a href="{escape(start)}">{escape(texts["server.not_found_start"])}</a>'
        reason = escape(texts["server.not_found_reason"])
        return plain_page(language, 404, texts["server.not_found"], f"<p>{reason}</p><p>{link}</p>")
    code = b'{"code":"not_found"}' if status in (404, 405) else b'{"code":"bad_message"}'
    headers = {"vary": "accept"} if status == 404 else {}
    if status == 405:
        headers["allow"] = _allowed(request)
    return Response(code, status, headers=headers, media_type="application/json")


def _is_opened(request: Request) -> bool:
    """Return whether a person opens the address in a browser; programs ask for anything."""
    accepted = request.headers.get("accept", "")
    return request.method in ("GET", "HEAD") and "text/html" in accepted


def _allowed(request: Request) -> str:
    """Return the methods of all endpoints at a path; a file has those that read."""
    methods = {
        method
        for route in request.app.routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
        for method in route.methods or ()
    }
    return ", ".join(sorted(methods or {"GET", "HEAD"}))
