"""Whether the libraries for Windows prove themselves under Wine: see README.md."""

import base64
import hashlib
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

from ferrovia.kernel_libraries import FOLDER, read_manifest

HERE = Path(__file__).parent


def main() -> int:
    wine = sys.argv[1] if len(sys.argv) > 1 else "wine64"
    calls = read_manifest()["proof"]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        program, given, done = (Path(folder) / name for name in ("windows.exe", "given", "done"))
        compiler = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", "-O1"]
        subprocess.run([*compiler, HERE / "windows.c", "-o", program], check=True)
        given.write_bytes(b"".join([struct.pack("<q", len(calls)), *map(packed, calls)]))
        for library in sorted(FOLDER.glob("windows-*.dll")):
            done.unlink(missing_ok=True)
            ran = subprocess.run([wine, program, library, given, done])
            found = digests(calls, done.read_bytes()) if ran.returncode == 0 else []
            proved = found == [call["digest"] for call in calls]
            print(library.name, "proved" if proved else f"NOT proved (status {ran.returncode})")
            bad += not proved
    return bad


def packed(call: dict[str, Any]) -> bytes:
    """Return a call as windows.c reads it."""
    parts = [call["entry"].encode().ljust(64, b"\0"), struct.pack("<q", len(call["given"]))]
    for data, kind, shape in call["given"]:
        memory = memory_of(data)
        shape4 = [*shape, 1, 1, 1, 1][:4]
        parts.append(struct.pack("<7q", len(memory), struct.calcsize(kind), len(shape), *shape4))
        parts.append(memory)
    return b"".join(parts)


def memory_of(data: str) -> bytes:
    return zlib.decompress(base64.b64decode(data))


def digests(calls: list[dict[str, Any]], done: bytes) -> list[str]:
    """Return the digest of every call's memory, which stands one after another."""
    found, at = [], 0
    for call in calls:
        size = sum(len(memory_of(data)) for data, _, _ in call["given"])
        found.append(hashlib.sha256(done[at : at + size]).hexdigest())
        at += size
    return found


if __name__ == "__main__":
    sys.exit(main())
