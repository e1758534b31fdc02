"""Reading an untrusted JSON file: missing, huge, hostile or merely mistyped."""

import json
import os
import re
import stat
from pathlib import Path

from ferrovia.boards.limits import MAX_BYTES, MAX_DEPTH
from ferrovia.boards.reading.lines import locate
from ferrovia.boards.reading.problems import Document, Findings, refusal

# An unfinished string matches too: the search stays linear on hostile texts.
_STRING_OR_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{]|[\]}]', re.DOTALL)
_LONGEST_INTEGER = 18


def read_document(path: str | os.PathLike[str]) -> Document:
    """Return the contents of a JSON file of at most 1 MiB.

    Raises a `BoardError` that says why it cannot be read.
    """
    file = Path(path)
    name = str(file)
    if "\0" in name:
        raise refusal("a path cannot hold a zero character", file=name.replace("\0", "?"))
    try:
        mode = file.stat().st_mode
        if stat.S_ISDIR(mode):
            raise refusal("is a folder, not a file", "give the path of a .json file", file=name)
        if not stat.S_ISREG(mode):
            raise refusal("is not an ordinary file", file=name)
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        hint = "check the spelling of the path"
        raise refusal("there is no such file", hint, file=name) from error
    except OSError as error:
        raise refusal(f"cannot be read: {error.strerror}", file=name) from error
    if len(data) > MAX_BYTES:
        raise refusal(f"is larger than {MAX_BYTES // 1024} KiB", "no board is", file=name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refusal(
            "is not UTF-8 text", "save the file as UTF-8", file=name, line=line
        ) from error
    return parse_document(text, name)


def parse_document(text: str, name: str) -> Document:
    """Return JSON text as a document; refuses deep nesting and repeated keys."""
    _refuse_depth(text, name)
    repeats: list[bool] = []

    def unpack(pairs: list[tuple[str, object]]) -> dict[str, object]:
        members = dict(pairs)
        if len(members) < len(pairs):
            repeats.append(True)
        return members

    try:
        value = json.loads(text, object_pairs_hook=unpack, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise refusal(
            f"is not valid JSON: {error.msg} (column {error.colno})",
            "look for a missing or extra comma, quote or bracket here or just before",
            file=name,
            line=error.lineno,
        ) from error
    document = Document(name, value, text)
    if repeats:
        findings = Findings(document)
        for place in locate(text).repeated:
            findings.add(place, "is given twice", "keep one of the two")
        findings.raise_any()
    return document


def _integer(digits: str) -> int:
    """Return a whole number; one of too many digits is cut, and is still out of every range."""
    return int(digits[: _LONGEST_INTEGER + 1])


def _refuse_depth(text: str, name: str) -> None:
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        first = match.group()[0]
        if first in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                line = text.count("\n", 0, match.start()) + 1
                raise refusal(
                    f"is nested more than {MAX_DEPTH} levels deep",
                    "a board needs four",
                    file=name,
                    line=line,
                )
        elif first in "]}":
            depth -= 1
