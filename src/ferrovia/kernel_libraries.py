"""The libraries of the kernel: where they are, and whether they were made from these sources.

A package that was installed is what it is. In a checkout somebody may have changed a rule since,
and new rules never run with old machine code.
"""

import hashlib
import io
import json
import tokenize
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
        if digest(data := _read(name)) != whole and code_digest(data) != code
    ]


def _read(name: str) -> bytes:
    try:
        return (PACKAGE.parents[1] / name).read_bytes()
    except FileNotFoundError:
        return b""


def digest(data: bytes) -> str:
    """Return a short name for the exact contents of a file."""
    return hashlib.sha256(data).hexdigest()[:16]


def code_digest(data: bytes) -> str:
    """Return a short name for what a source does: without comments, docstrings and blank lines."""
    if b"\0" in data:
        return digest(data)
    kept: list[str] = []
    begins = True  # whether a text here is a statement of its own: a docstring
    try:
        for token in tokenize.tokenize(io.BytesIO(data).readline):
            if token.type in (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING):
                continue
            if not (begins and token.type == tokenize.STRING):
                kept.append("\n" if token.type == tokenize.NEWLINE else token.string)
            begins = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    except (SyntaxError, tokenize.TokenError):
        return digest(data)
    return digest("".join(kept).encode())
