"""The libraries of the kernel: where they are, and whether they were made from these sources.

A package that was installed is what it is. In a checkout somebody may have changed a rule since,
and new rules never run with old machine code.
"""

import hashlib
import io
import json
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent
FOLDER = PACKAGE / "kernel" / "libraries"
MANIFEST = FOLDER / "manifest.json"

BUILD = PACKAGE.parents[1] / "tools" / "kernel"
"""Where a checkout has what builds the libraries; an installed package has nothing there."""


def read_manifest(path: Path = MANIFEST) -> dict[str, Any]:
    """Return what the build says of its libraries; empty if there are none."""
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return found


def fit(manifest: dict[str, Any]) -> bool:
    """Return whether there are libraries, and they were made from the sources of this checkout."""
    return bool(manifest) and not changed_since(manifest)


def changed_since(manifest: dict[str, Any]) -> list[str]:
    """Return the files of this checkout whose code is not what the libraries were made from."""
    return [
        name
        for name, (whole, code) in manifest.get("sources", {}).items()
        if digest(data := read_source(name)) != whole and code_digest(data) != code
    ]


def read_source(name: str) -> bytes:
    """Return a file of this checkout by its name in a manifest; empty if it is gone."""
    try:
        return (PACKAGE.parents[1] / name).read_bytes()
    except FileNotFoundError:
        return b""


def digest(data: bytes) -> str:
    """Return a short name for the exact contents of a file."""
    return hashlib.sha256(data).hexdigest()[:16]


def code_digest(data: bytes) -> str:
    """Return a short name for what a source does: without comments, docstrings and blank lines.

    It is the same in every version of Python.
    """
    if b"\0" in data:
        return digest(data)
    kept: list[str] = []
    begins = True  # whether a text here is a statement of its own: a docstring
    try:
        for kind, text in _tokens(data):
            if kind in (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING):
                continue
            if not (begins and kind == tokenize.STRING):
                kept.append("\n" if kind == tokenize.NEWLINE else text)
            begins = kind in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    except (SyntaxError, UnicodeError, tokenize.TokenError):
        return digest(data)
    return digest("".join(kept).encode())


def _tokens(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the tokens of a source. A formatted string is one, as it was before Python 3.12."""
    inside: list[tuple[int, int]] = []  # where the formatted strings begin that are open
    for token in tokenize.tokenize(io.BytesIO(data).readline):
        name = tokenize.tok_name[token.type]
        if name in ("FSTRING_START", "TSTRING_START"):
            inside.append(token.start)
        elif name in ("FSTRING_END", "TSTRING_END"):
            begin = inside.pop()
            if not inside:
                yield tokenize.STRING, _between(data, begin, token.end)
        elif not inside:
            yield token.type, token.string


def _between(data: bytes, begin: tuple[int, int], end: tuple[int, int]) -> str:
    """Return the text of a source between two places, as tokens have them."""
    lines = data.decode().split("\n")[begin[0] - 1 : end[0]]
    lines[-1] = lines[-1][: end[1]]
    lines[0] = lines[0][begin[1] :]
    return "\n".join(lines)
