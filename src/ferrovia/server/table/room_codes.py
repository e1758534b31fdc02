"""A table for the room: its code, by which phones find it, and the words that devices show."""

import hashlib

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels: no words; nothing that looks like another
CODE_LENGTH = 6


def room_code(table: str) -> str:
    """Return the six letters of a table; always the same, and the id does not follow from them."""
    return _letters(b"room", table, CODE_LENGTH)


def is_room_code(text: str) -> bool:
    """Return whether a text has the form of a code."""
    return len(text) == CODE_LENGTH and set(text) <= set(LETTERS)


def device_word(token_hash: str) -> str:
    """Return the four letters that a device shows while it asks to be let in."""
    return _letters(b"device", token_hash, 4)


def _letters(about: bytes, text: str, count: int) -> str:
    digest = hashlib.sha256(b"ferrovia " + about + b"\0" + text.encode()).digest()
    number = int.from_bytes(digest, "big")
    letters = []
    for _ in range(count):
        number, letter = divmod(number, len(LETTERS))
        letters.append(LETTERS[letter])
    return "".join(letters)
