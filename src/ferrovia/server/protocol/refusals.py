"""Refusing what cannot be done: a code for the client, and nothing has changed."""

from ferrovia.errors import FerroviaError
from ferrovia.server.protocol import Code


class Refusal(FerroviaError):
    """A command or request that is refused. `detail` is for developers, in English."""

    def __init__(
        self,
        code: Code,
        detail: str | None = None,
        *,
        reason: str | None = None,
        rule: str | None = None,
    ) -> None:
        super().__init__(code if detail is None else f"{code}: {detail}")
        self.code: Code = code
        self.detail = detail
        self.reason = reason
        self.rule = rule
