"""Notify and subscribe: where a player of a slow game wants to be told of their turns (see
lobby/webhooks.py and lobby/push.py), and its host of everybody's.
"""

import re
from urllib.parse import urlsplit

from ferrovia.languages import LANGUAGES
from ferrovia.server.protocol.from_client import Notify, Subscribe
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.context import Context
from ferrovia.server.table.entries import HOST, AnyEntry, HookSet, Subscribed
from ferrovia.server.table.verbs.decide import require_running

HOOKS_SET = 100  # at a table

_PUSH_SERVICES = (
    ".fcm.googleapis.com",
    ".push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
)
"""Hosts of the browsers' push services: a subscription leads to no other."""

_VISIBLE_ASCII = re.compile(r"[!-~]+")


def notify(context: Context, command: Notify) -> list[AnyEntry]:
    """Return the entry for the address at which a seat of a slow game is told of its turns, or its
    host of everybody's.
    """
    table, actor = context.table, context.actor
    if command.table and not actor.host:
        raise Refusal("not_host", "only the host says whom the table calls")
    seat = HOST if command.table else _seat(context)
    if not table.setup.webhooks:
        raise Refusal("webhooks_off", "this table calls no addresses")
    _require_room(context)
    url = "" if command.url is None else checked_url(command.url)
    return [HookSet(at=context.now, by=actor.number, command=command.id, seat=seat, url=url)]


def subscribe(context: Context, command: Subscribe) -> list[AnyEntry]:
    """Return the entry for a browser in which a seat of a slow game is told of its turns."""
    seat = _seat(context)
    if context.table.clock.kind != "slow" or not context.terms.settings.pushes:
        raise Refusal("push_off", "this table tells no browsers")
    _require_room(context)
    host = urlsplit(checked_url(command.endpoint)).hostname or ""
    if not f".{host}".endswith(_PUSH_SERVICES):
        raise Refusal("invalid_address", "this is no push service of a browser")
    if (command.p256dh is None) != (command.auth is None):
        raise Refusal("invalid_address", "a subscription has two keys")
    return [
        Subscribed(
            at=context.now,
            by=seat,
            command=command.id,
            seat=seat,
            endpoint=command.endpoint,
            p256dh=command.p256dh or "",
            auth=command.auth or "",
            language=command.language if command.language in LANGUAGES else LANGUAGES[0],
        )
    ]


def _seat(context: Context) -> int:
    if context.actor.seat is None:
        raise Refusal("not_seated", "spectators have no turn")
    return context.actor.seat


def _require_room(context: Context) -> None:
    require_running(context.table)
    if context.table.talk.hooks_set >= HOOKS_SET:
        raise Refusal("too_many_events", "addresses were set too often at this table")


def checked_url(url: str) -> str:
    """Return an address that may be called; raises `Refusal` for any other."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Refusal("invalid_address", "this is not an address") from None
    host = parts.hostname or ""
    named = "." in host and not host.endswith((".local", ".internal", ".localhost"))
    fine = parts.scheme == "https" and parts.username is None and port in (None, 443) and named
    if not fine or not _VISIBLE_ASCII.fullmatch(url) or _is_number(host):
        raise Refusal("invalid_address", "give an address such as https://example.org/hook")
    return url


def _is_number(host: str) -> bool:
    """Return whether a host is a number in any notation, such as 0x7f.1."""
    return re.fullmatch(r"[0-9a-fx.:\[\]]+", host) is not None and not re.search("[g-wyz]", host)
