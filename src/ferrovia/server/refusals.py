"""Refusals: every code, and how HTTP and the socket express it. Nothing has changed then."""

from typing import Final, Literal, NamedTuple

from ferrovia.errors import FerroviaError

Code = Literal[
    "bad_message",
    "too_large",
    "too_fast",
    "too_many_events",
    "no_such_table",
    "no_such_seat",
    "no_such_edition",
    "no_such_pack",
    "no_such_bot",
    "wrong_token",
    "word_needed",
    "wrong_word",
    "not_seated",
    "not_host",
    "invalid_name",
    "invalid_setup",
    "stale",
    "ahead",
    "invalid_action",
    "illegal_action",
    "not_started",
    "already_started",
    "game_over",
    "not_over",
    "paused",
    "not_paused",
    "not_agreed",
    "no_more_pauses",
    "away",
    "not_away",
    "no_stand_in",
    "not_waiting_long",
    "not_awaited",
    "no_hint",
    "hints_off",
    "wrong_part",
    "seat_taken",
    "color_taken",
    "seat_kept",
    "table_full",
    "no_spectators",
    "nothing_to_undo",
    "uncovered",
    "undo_asked",
    "not_asked",
    "locked",
    "not_a_room",
    "seat_present",
    "no_such_room",
    "webhooks_off",
    "push_off",
    "invalid_address",
    "no_chat",
    "muted",
    "invalid_text",
    "no_such_line",
    "already_reported",
    "unreadable_game",
    "invalid_record",
    "invalid_board",
    "no_own_boards",
    "no_own_tickets",
    "store_full",
    "store_locked",
    "store_unavailable",
    "foreign_origin",
    "foreign_host",
    "not_found",
    "internal",
]
"""Why something is refused, for clients; docs/protocol.md says when each is used."""


class Close:
    """Why a socket is closed. Codes from 4000 on are ours, named after an HTTP status."""

    INTERNAL: Final = 1011
    RESTART: Final = 1012
    TOO_SLOW: Final = 1013
    BAD_MESSAGE: Final = 4400
    WRONG_TOKEN: Final = 4403
    NO_TABLE: Final = 4404
    NO_HELLO: Final = 4408
    REPLACED: Final = 4409
    TOO_FAST: Final = 4429


class StatusCodes(NamedTuple):
    """The status of an HTTP response, and the code that closes a socket whose hello is refused."""

    status: int = 422
    close: int = Close.BAD_MESSAGE


_ANSWERS: Final[dict[Code, StatusCodes]] = {
    "bad_message": StatusCodes(400),
    "wrong_token": StatusCodes(403, Close.WRONG_TOKEN),
    "word_needed": StatusCodes(403),
    "wrong_word": StatusCodes(403),
    "no_spectators": StatusCodes(403, Close.WRONG_TOKEN),
    "foreign_origin": StatusCodes(403),
    "no_such_table": StatusCodes(404, Close.NO_TABLE),
    "not_found": StatusCodes(404),
    "not_started": StatusCodes(409),
    "not_over": StatusCodes(409),
    "already_started": StatusCodes(409),
    "seat_taken": StatusCodes(409),
    "seat_kept": StatusCodes(409),
    "table_full": StatusCodes(409),
    "locked": StatusCodes(409),
    "seat_present": StatusCodes(409),
    "no_such_room": StatusCodes(404),
    "too_large": StatusCodes(413),
    "foreign_host": StatusCodes(421),
    "too_fast": StatusCodes(429),
    "internal": StatusCodes(500),
    "unreadable_game": StatusCodes(503),
    "store_locked": StatusCodes(503),
    "store_unavailable": StatusCodes(503),
    "store_full": StatusCodes(507),
}


def answer_to(code: Code) -> StatusCodes:
    """Return how HTTP and the socket express a code; most are 422, and 4400 at the hello."""
    return _ANSWERS.get(code, StatusCodes())


class Refusal(FerroviaError):
    """A command or request that is refused. `detail` is for developers, in English; `line` is that
    of a record.
    """

    def __init__(
        self,
        code: Code,
        detail: str | None = None,
        *,
        reason: str | None = None,
        rule: str | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(code if detail is None else f"{code}: {detail}")
        self.code: Code = code
        self.detail = detail
        self.reason = reason
        self.rule = rule
        self.line = line
