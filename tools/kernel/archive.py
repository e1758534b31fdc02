"""The archive of the libraries for every system, which is committed and goes into every wheel."""

import io
import json
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from ferrovia.atomic_files import write_atomic
from ferrovia.kernel_libraries import FOLDER, MANIFEST, digest, fit, read_manifest, read_source

FILE = Path(__file__).with_name("libraries.tar.xz")


def pack(folder: Path, file: Path = FILE) -> None:
    """Write the files of a folder into an archive: the same bytes for the same files."""
    with tarfile.open(file, "w:xz", preset=9, format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(folder.iterdir()):
            info = tarfile.TarInfo(path.name)
            data = path.read_bytes()
            info.size, info.mode = len(data), 0o644
            tar.addfile(info, io.BytesIO(data))


def manifest() -> dict[str, Any]:
    """Return what the build says of the libraries in the archive; empty if there is no archive."""
    if not FILE.is_file():
        return {}
    with tarfile.open(FILE) as tar:
        member = tar.extractfile(MANIFEST.name)
        assert member is not None
        found: dict[str, Any] = json.loads(member.read())
    return found


def unpack() -> None:
    """Put what is in the archive where the package looks for it, unless it is there."""
    if not _is_unpacked():
        _unpack()
    settle()


def _is_unpacked() -> bool:
    """Return whether the libraries of the archive, and no others, are where they belong."""
    found, inside = read_manifest(MANIFEST), manifest()
    if not found or found | {"sources": inside["sources"]} != inside:
        return False
    there = {path.name: digest(path.read_bytes()) for path in FOLDER.iterdir() if path != MANIFEST}
    return there == inside.get("libraries")


def _unpack() -> None:
    with tempfile.TemporaryDirectory() as folder, tarfile.open(FILE) as tar:
        for member in tar:
            data = tar.extractfile(member)
            assert data is not None
            (Path(folder) / Path(member.name).name).write_bytes(data.read())
        place(Path(folder))


def settle() -> None:
    """Let the manifest name the sources as they stand, where comments alone have changed: then no
    process that starts has to look for what their code is.
    """
    found = read_manifest(MANIFEST)
    if not fit(found):
        return
    sources = {
        name: [digest(read_source(name)), code] for name, (_, code) in found["sources"].items()
    }
    if sources != found["sources"]:
        write_atomic(MANIFEST, text_of(found | {"sources": sources}))


def text_of(manifest: dict[str, Any]) -> str:
    """Return a manifest as it stands in its file."""
    return json.dumps(manifest, indent=1, sort_keys=True) + "\n"


def place(folder: Path) -> None:
    """Put libraries where the package looks for them, the manifest last."""
    FOLDER.mkdir(exist_ok=True)
    MANIFEST.unlink(missing_ok=True)
    for path in sorted(folder.iterdir(), key=lambda path: path.name == MANIFEST.name):
        whole = FOLDER / f"{path.name}.new"  # a library that is in use stays as it is
        whole.write_bytes(path.read_bytes())
        whole.replace(FOLDER / path.name)
    kept = {path.name for path in folder.iterdir()}
    for path in FOLDER.iterdir():
        if path.name not in kept:
            path.unlink()
