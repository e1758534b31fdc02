"""The file of analyses of a record: `game.jsonl` has `game.analysis.json`, the newest first."""

from pathlib import Path

import msgspec

from ferrovia.analysis.findings import Analysis
from ferrovia.atomic_files import atomic
from ferrovia.errors import FerroviaError

VERSION = 1
MAX_BYTES = 32 << 20
MOST = 8  # analyses that are kept of one record


class AnalysisError(FerroviaError, ValueError):
    """A file with analyses that cannot be read."""


class KeptAnalyses(msgspec.Struct, frozen=True):
    """The analyses of one record, the newest first."""

    analyses: tuple[Analysis, ...] = ()
    version: int = VERSION
    kind: str = "ferrovia analyses"

    def newest(self, record: str) -> Analysis | None:
        """Return the newest analysis of the record with this hash."""
        return next((it for it in self.analyses if it.record == record), None)

    def with_newer(self, analysis: Analysis) -> "KeptAnalyses":
        """Return the same with another analysis in front; the older ones stay."""
        return KeptAnalyses((analysis, *self.analyses)[:MOST])


def place_beside(record: Path) -> Path:
    """Return where the analyses of a record are kept."""
    return record.with_name(f"{record.name.removesuffix('.jsonl')}.analysis.json")


def read_analyses(path: Path) -> KeptAnalyses:
    """Return the analyses of a file, none if there is no file; AnalysisError if it is broken."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return KeptAnalyses()
    if len(data) > MAX_BYTES:
        raise AnalysisError(f"{path}: a file of analyses has at most {MAX_BYTES >> 20} MiB")
    return decode_analyses(data, str(path))


def decode_analyses(data: bytes, name: str) -> KeptAnalyses:
    """Return the analyses of a text; AnalysisError, with this name, if it cannot be read."""
    try:
        kept = msgspec.json.decode(data, type=KeptAnalyses)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise AnalysisError(
            f"{name} holds no analyses that this program reads: {problem}"
        ) from None
    if kept.version != VERSION:
        raise AnalysisError(f"{name} has version {kept.version}; this program reads {VERSION}")
    return kept


def encode_analyses(kept: KeptAnalyses) -> bytes:
    """Return analyses as the text of their file."""
    return msgspec.json.encode(kept)


def write_analyses(path: Path, kept: KeptAnalyses) -> None:
    """Write analyses to a file, whole or not at all."""
    with atomic(path) as unfinished:
        unfinished.write_bytes(encode_analyses(kept))
