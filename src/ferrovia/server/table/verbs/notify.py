"""Notify: where a player of a slow game wants to be told of their turns (see lobby/webhooks.py)."""

import re
from urllib.parse import urlsplit

from ferrovia.server.protocol.from_client import Notify
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.context import Context
from ferrovia.server.table.entries import AnyEntry, HookSet
from ferrovia.server.table.verbs.decide import require_running

HOOKS_SET = 100  # at a table

_VISIBLE_ASCII = re.compile(r"[!-~]+")


def notify(context: Context, command: Notify) -> list[AnyEntry]:
    """Return the entry for the address at which a seat of a slow game is told of its turns."""
    table, actor = context.table, context.actor
    if actor.seat is None:
        raise Refusal("not_seated", "spectators have no turn")
    if not table.setup.webhooks or table.clock.kind != "slow":
        raise Refusal("webhooks_off", "this table calls no addresses")
    require_running(table)
    if table.talk.hooks_set >= HOOKS_SET:
        raise Refusal("too_many_events", "addresses were set too often at this table")
    url = "" if command.url is None else checked_url(command.url)
    by, seat = actor.number, actor.seat
    return [HookSet(at=context.now, by=by, command=command.id, seat=seat, url=url)]


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
