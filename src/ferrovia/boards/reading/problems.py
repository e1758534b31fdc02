"""The problems of a file, all reported at once, each with what to do about it."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from ferrovia.boards.limits import MAX_PROBLEMS
from ferrovia.boards.reading.lines import Place, locate, spell
from ferrovia.errors import FerroviaError

_LONGEST_SHOWN = 40
_LONGEST_GUESSED = 80
_FEW = 12
_NEAR = 0.7  # of 1: europ is near to europe, and nowhere is not


@dataclass(frozen=True, slots=True)
class FileProblem:
    """One thing that is wrong: where (file, line, JSON path), what, and what to do about it.

    `line` is `None` and `path` empty where there is no text or no single place to point at.
    """

    file: str
    line: int | None
    path: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        parts = [part for part in (where, self.path, self.message) if part]
        return ": ".join(parts) + (f"; {self.hint}" if self.hint else "")


class BoardError(FerroviaError, ValueError):
    """A board, edition or ticket pack that cannot be used. `problems` lists every reason."""

    __module__ = "ferrovia"  # its public name

    def __init__(self, problems: Iterable[FileProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


def refusal(message: str, hint: str = "", *, file: str = "", line: int | None = None) -> BoardError:
    """Return the error for a single problem that has no place inside a document."""
    return BoardError([FileProblem(file, line, "", message, hint)])


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed JSON value, the name to call it by, and the text it was read from, if any."""

    name: str
    value: object
    text: str | None = None


class Findings:
    """Collects the problems of one document, so that a person sees all of them at once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._found: list[tuple[Place, str, str]] = []
        self._places: set[Place] = set()
        self._around: set[Place] = set()
        self._omitted = 0

    def add(
        self,
        place: Place,
        message: str,
        hint: str = "",
        *,
        meant: tuple[str, Iterable[str]] | None = None,
    ) -> None:
        """Note a problem. With `meant=(word, options)` the hint suggests the nearest option."""
        self._places.add(place)
        self._around.update(place[:end] for end in range(len(place)))
        if len(self._found) >= MAX_PROBLEMS:
            self._omitted += 1
            return
        if meant is not None:
            hint = "; ".join(filter(None, (nearest(*meant), hint)))
        self._found.append((place, message, hint))

    def clean(self, *place: str | int) -> bool:
        """Return whether no problem was noted at this place or at anything that holds it."""
        return not any(place[:end] in self._places for end in range(len(place) + 1))

    def untouched(self, *place: str | int) -> bool:
        """Return whether no problem was noted at this place, at what holds it, or inside it."""
        return self.clean(*place) and place not in self._around

    def __bool__(self) -> bool:
        return bool(self._found)

    def problems(self) -> tuple[FileProblem, ...]:
        """Return what was noted, in the order of the lines."""
        if not self._found:
            return ()
        name, text = self._document.name, self._document.text
        lines = None if text is None else locate(text)
        problems = [
            FileProblem(name, lines.line(place) if lines else None, spell(place), message, hint)
            for place, message, hint in self._found
        ]
        problems.sort(key=lambda problem: problem.line or 0)
        if self._omitted:
            problems.append(FileProblem(name, None, "", f"and {self._omitted} more problems"))
        return tuple(problems)

    def raise_any(self) -> None:
        """Raise a `BoardError` if anything was noted."""
        if self._found:
            raise BoardError(self.problems())


def near_miss(word: str, options: Iterable[str]) -> str | None:
    """Return the option that was meant by a mistyped word; None if none is close to it."""
    if len(word) > _LONGEST_GUESSED:
        return None
    close = difflib.get_close_matches(word.lower(), list(options), n=1, cutoff=_NEAR)
    return close[0] if close else None


def nearest(word: str, options: Iterable[str]) -> str:
    """Return a hint for a word that is not one of `options`: the closest one, or all when few."""
    known = list(options)
    meant = near_miss(word, known)
    if meant is not None:
        return f"did you mean '{meant}'?"
    return f"known: {', '.join(known)}" if 0 < len(known) <= _FEW else ""


def shown(value: object) -> str:
    """Return a value as a message quotes it: never long, whatever the file holds."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            cut = value if len(value) <= _LONGEST_SHOWN else value[:_LONGEST_SHOWN] + "…"
            return ascii(cut) if not cut.isprintable() else f"'{cut}'"
        case int():
            return str(value) if abs(value) < 10**15 else "a huge number"
        case float():
            return repr(value)
        case list():
            return "a list"
        case _:
            return "an object"
