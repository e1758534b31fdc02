"""Secret tokens: whoever has one holds its seat. Only their hashes are stored."""

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode

_FORM = re.compile(r"[A-Za-z0-9_-]{43,64}")
_TABLE_FORM = re.compile(r"[A-Za-z0-9_-]{1,64}")


def new_token() -> str:
    """Return a token that nobody can guess: 256 random bits."""
    return secrets.token_urlsafe(32)


def is_token(text: str) -> bool:
    """Return whether a text has the form of a token."""
    return _FORM.fullmatch(text) is not None


def token_hash(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def matches(token: str, stored: str) -> bool:
    """Return whether a token has this hash; takes the same time for any answer."""
    return hmac.compare_digest(token_hash(token), stored)


def derived_token(token: str, *more: bytes) -> str:
    """Return a token that is always the same for another one, and worthless without that."""
    digest = hmac.digest(token.encode(), b"\0".join((b"ferrovia seat", *more)), hashlib.sha256)
    return urlsafe_b64encode(digest).rstrip(b"=").decode()


def new_part() -> str:
    """Return the server's part in the shuffle of a game: 256 random bits, in hex."""
    return secrets.token_hex(32)


def new_table_id() -> str:
    """Return the id of a new table; whoever knows it can find the table, so nobody can guess it.

    A command that is given the id does not mistake it for an option.
    """
    while (table := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return table


def is_table_id(text: str) -> bool:
    """Return whether a text has the form of a table's id."""
    return _TABLE_FORM.fullmatch(text) is not None


def derived_table_id(*secret: bytes) -> str:
    """Return the id of a table that is always the same for the same secrets."""
    digest = hashlib.sha256(b"\0".join((b"ferrovia table", *secret))).digest()
    return urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()
