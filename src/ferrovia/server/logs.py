"""Structured logs: one JSON object a line, without secrets.

A line has named fields only. Fields whose name suggests a secret are masked, and of a table's id
only the beginning is written, by which nobody can find the table.
"""

import logging
import sys
import time
from datetime import UTC, datetime
from math import inf
from typing import Any

import msgspec

_LOGGER = logging.getLogger("ferrovia.server")
_SECRET = ("token", "seed", "hand", "ticket", "action", "authorization")


def note(event: str, *, level: int = logging.INFO, **fields: Any) -> None:
    """Log an event with its fields."""
    if _LOGGER.isEnabledFor(level):
        _LOGGER.log(level, event, extra={"fields": fields})


def note_failure(event: str, **fields: Any) -> None:
    """Log an error of our own, with its traceback."""
    _LOGGER.error(event, exc_info=True, extra={"fields": fields})


_last_noted: dict[tuple[str, str], tuple[float, int]] = {}


def note_seldom(
    event: str, *, why: str, seconds: float = 60.0, level: int = logging.WARNING, **fields: Any
) -> None:
    """Log an event that may come in storms: the first, and then one line a minute for all."""
    now = time.monotonic()
    last, times = _last_noted.get((event, why), (-inf, 0))
    if now - last < seconds:
        _last_noted[event, why] = (last, times + 1)
        return
    _last_noted[event, why] = (now, 0)
    if times:
        fields["times"] = times + 1
    note(event, level=level, why=why, **fields)


def note_store_error(code: str, problem: object, **fields: Any) -> None:
    """Log that the store cannot do its work: an error, seldom, however many people meet it."""
    note_seldom("store_error", why=code, level=logging.ERROR, problem=str(problem), **fields)


class JsonLines(logging.Formatter):
    """Formats the records of any logger as JSON lines."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        for name, value in getattr(record, "fields", {}).items():
            if any(secret in name for secret in _SECRET):
                line[name] = "(secret)"
            elif name == "table":
                line[name] = str(value)[:6]
            else:
                line[name] = value
        if record.exc_info and record.exc_info[0] is not None:
            line["problem"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


# What uvicorn logs of requests that no well-meaning program sends, and asyncio of people who are
# gone. They are counted elsewhere.
_NONSENSE = (
    "socket.send() raised exception.",
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
    "ASGI callable returned without completing handshake.",
)


def _is_our_business(record: logging.LogRecord) -> bool:
    return record.msg not in _NONSENSE


def log_to_stderr(level: int = logging.INFO) -> None:
    """Send our own log, and warnings of libraries, to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    _LOGGER.setLevel(level)
    # At INFO uvicorn logs paths and queries, which may identify tables.
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets"):
        logging.getLogger(name).setLevel(logging.WARNING)
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addFilter(_is_our_business)
