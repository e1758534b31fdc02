"""A small disk that can be filled, and emptied again."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WITHOUT_DISK = "only root on Linux can mount a disk of memory, which a full disk is tested with"

_PIECE = bytes(1 << 16)


class SmallDisk:
    """A file system of its own, in memory, at a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Take all the room that is left."""
        with self._ballast.open("ab", buffering=0) as file:
            size = len(_PIECE)
            while size:
                try:
                    file.write(_PIECE[:size])
                except OSError as problem:
                    if problem.errno != errno.ENOSPC:
                        raise
                    size //= 2

    def free(self) -> None:
        """Give the room back."""
        self._ballast.unlink(missing_ok=True)


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[SmallDisk | None]:
    """Mount a small disk at a folder while a block runs; None: that is not possible here."""
    if sys.platform != "linux" or os.geteuid() != 0:
        yield None
        return
    options = ["-t", "tmpfs", "-o", f"size={megabytes}m,mode=0755", "ferrovia-tests"]
    mounted = subprocess.run(["mount", *options, str(folder)], capture_output=True)
    if mounted.returncode:
        yield None
        return
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
