"""Typed reading of JSON objects that notes problems instead of stopping at the first."""

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, TypeGuard

from ferrovia.boards.reading.lines import Place
from ferrovia.boards.reading.problems import Findings, shown

CITY_ID: Final = "a-z0-9_"
NAME_ID: Final = "a-z0-9_-"
TICKET_ID: Final = "a-z0-9_:-"
MAX_WORD: Final = 100
MAX_TEXT: Final = 60
MAX_NOTE: Final = 1000

_ABSENT: Final = object()


class Members:
    """The members of one JSON object.

    Each method takes one key, checks its value and returns it. When the value is wrong or missing
    a problem is noted and a stand-in of the right type is returned, so that reading goes on;
    whoever started the reading must end it with `findings.raise_any()`. `finish` reports the
    keys that nobody asked for.
    """

    def __init__(self, value: object, place: Place, findings: Findings) -> None:
        self.place = place
        self.findings = findings
        self._known: dict[str, None] = {}
        self._broken = not isinstance(value, dict)
        self._members: dict[str, object] = value if isinstance(value, dict) else {}
        if self._broken:
            findings.add(place, f"must be an object {{…}}, not {shown(value)}")

    def has(self, key: str) -> bool:
        """Return whether the key is given; it counts as known from now on."""
        self._known[key] = None
        return key in self._members

    def integer(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number from `low` to `high`."""
        value = self._take(key, default)
        if value is _ABSENT:
            return low
        return integer(value, (*self.place, key), low, high, self.findings)

    def number(self, key: str, low: float, high: float) -> float:
        """Return a finite number from `low` to `high`."""
        value = self._take(key, None)
        if value is _ABSENT:
            return low
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            self._wrong(key, f"must be a number, not {shown(value)}")
        elif not low <= value <= high:
            self._wrong(key, f"must be from {low:g} to {high:g}, not {shown(value)}")
        else:
            return float(value)
        return low

    def flag(self, key: str, default: bool) -> bool:
        """Return `true` or `false`."""
        value = self._take(key, default)
        if isinstance(value, bool):
            return value
        self._wrong(key, f"must be true or false, not {shown(value)}")
        return default

    def word(self, key: str, letters: str, default: str | None = None) -> str:
        """Return an id of `letters` (the inside of a character class); a default is not checked."""
        if default is not None and not self.has(key):
            return default
        value = self._take(key, None)
        return "" if value is _ABSENT else self._as_word(key, value, letters)

    def text(self, key: str, default: str | None = None, longest: int = MAX_TEXT) -> str:
        """Return a line of printable text; a default is not checked."""
        if default is not None and not self.has(key):
            return default
        value = self._take(key, None)
        if value is _ABSENT:
            return ""
        if not isinstance(value, str):
            self._wrong(key, f"must be text, not {shown(value)}")
            return ""
        if not value.strip() or len(value) > longest or not value.isprintable():
            self._wrong(key, f"must be 1 to {longest} printable characters, not {shown(value)}")
        return value

    def choice(self, key: str, options: Sequence[str], default: str | None = None) -> str:
        """Return one of `options`."""
        value = self._take(key, default)
        if value is _ABSENT:
            return ""
        return self._as_choice((*self.place, key), value, options)

    def choices(self, key: str, options: Sequence[str], default: Iterable[str]) -> tuple[str, ...]:
        """Return a list of different `options`, in the order given."""
        if not self.has(key):
            return tuple(default)
        chosen: list[str] = []
        for index, value in enumerate(self.array(key, len(options))):
            word = self._as_choice((*self.place, key, index), value, options)
            if word and word in chosen:
                self.findings.add((*self.place, key, index), f"'{word}' is named twice")
            chosen.append(word)
        return tuple(chosen)

    def array(self, key: str, most: int) -> list[object]:
        """Return a list of at most `most` values; those beyond are not read."""
        value = self._take(key, None)
        if value is _ABSENT:
            return []
        if not isinstance(value, list | tuple):
            self._wrong(key, f"must be a list […], not {shown(value)}")
            return []
        if len(value) > most:
            self._wrong(key, f"holds {len(value)} entries; at most {most} are possible")
        return list(value[:most])

    def inner(self, key: str) -> "Members":
        """Return the members of an object inside this one; an empty object when it is not given."""
        value = self._members[key] if self.has(key) else {}
        return Members(value, (*self.place, key), self.findings)

    def finish(self) -> None:
        """Report every key that no method has asked for, but those of other programs (`x-…`)."""
        for key in self._members:
            if key not in self._known and not str(key).startswith("x-"):
                place = (*self.place, key if isinstance(key, str) else shown(key))
                self.findings.add(place, "is not a known key", meant=(str(key), self._known))

    def _take(self, key: str, default: object) -> object:
        if self.has(key):
            return self._members[key]
        if default is not None:
            return default
        if not self._broken:
            self._wrong(key, "is missing")
        return _ABSENT

    def _wrong(self, key: str, message: str, hint: str = "") -> None:
        self.findings.add((*self.place, key), message, hint)

    def _as_word(self, key: str, value: object, letters: str) -> str:
        if not isinstance(value, str):
            self._wrong(key, f"must be text, not {shown(value)}")
            return ""
        if len(value) > MAX_WORD:
            self._wrong(key, f"is longer than {MAX_WORD} characters")
            return ""
        if not re.fullmatch(f"[{letters}]+", value):
            signs = " ".join(letters.removeprefix("a-z0-9"))
            hint = f"for example '{_slug(value, letters)}'" if _slug(value, letters) else ""
            message = f"{shown(value)} may hold only the letters a to z, digits and {signs}"
            self._wrong(key, message, hint)
        return value

    def _as_choice(self, place: Place, value: object, options: Sequence[str]) -> str:
        if isinstance(value, str) and value in options:
            return value
        word = value if isinstance(value, str) else ""
        self.findings.add(place, f"{shown(value)} is not possible here", meant=(word, options))
        return ""


def integer(value: object, place: Place, low: int, high: int, findings: Findings) -> int:
    """Return a whole number from `low` to `high`; note anything else and return `low`."""
    if isinstance(value, bool) or not isinstance(value, int):
        findings.add(place, f"must be a whole number, not {shown(value)}")
    elif not low <= value <= high:
        findings.add(place, f"must be from {low} to {high}, not {shown(value)}")
    else:
        return value
    return low


def _slug(text: str, letters: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(f"[^{letters}]+", "_", plain).strip("_")


_NAME = re.compile(r"[a-z0-9_-]{1,100}")


def is_name(value: object) -> TypeGuard[str]:
    """Return whether a text is a plain word, as the names of editions and packs are.

    Everything else, also every `Path`, is a path: `./word` names the file `word`.
    """
    return isinstance(value, str) and _NAME.fullmatch(value) is not None
