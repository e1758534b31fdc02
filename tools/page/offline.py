"""What a page needs to work without a network: the list of its files, by their contents."""

import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

SERVICE_WORKER = Path(__file__).with_name("service-worker.js")
_PRESSED = (
    ".css",
    ".html",
    ".js",
    ".json",
    ".mjs",
    ".svg",
    ".tsv",
    ".wasm",
    ".webmanifest",
    ".zip",
)


def write_service_worker(folder: Path) -> None:
    """Write the service worker of a page, which knows the digest of every file."""
    files = {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in _files(folder)
        if name != SERVICE_WORKER.name
    }
    listed = json.dumps(files, indent=1, sort_keys=True)
    source = SERVICE_WORKER.read_text(encoding="utf-8")
    (folder / SERVICE_WORKER.name).write_text(
        f"const FILES = {listed};\n{source}", encoding="utf-8"
    )


def press(folder: Path) -> None:
    """Put a packed copy beside every file that becomes smaller, for hosts that pack nothing."""
    for _, path in list(_files(folder)):
        if path.suffix in _PRESSED:
            data = path.read_bytes()
            packed = gzip.compress(data, 9, mtime=0)
            if len(packed) < 0.9 * len(data):
                path.with_name(f"{path.name}.gz").write_bytes(packed)


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        packed_copy = path.suffix == ".gz" and path.with_suffix("").exists()
        if path.is_file() and not packed_copy:
            yield path.relative_to(folder).as_posix(), path
