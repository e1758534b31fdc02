"""The board file of `ferrovia edit`, which the page and other programs write by turns."""

import hashlib
import threading
from pathlib import Path

from ferrovia.atomic_files import write_atomic
from ferrovia.boards.limits import MAX_BYTES
from ferrovia.server.protocol.workshop import EditedFile, SavedFile
from ferrovia.server.refusals import Refusal


class FollowedFile:
    """A file that need not be there yet. Nothing is written over what the page has not seen."""

    def __init__(self, path: str) -> None:
        self._path = Path(path).resolve()
        self._writing = threading.Lock()  # two pages may write at the same time

    def read(self, known: str) -> EditedFile:
        """Return the file, without its text where that is the version that is known; what is no
        text is empty, and so no board.
        """
        data = self._data()
        version = _version(data)
        if data is None or version == known:
            return EditedFile(name=self._path.name, version=version)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = ""
        return EditedFile(name=self._path.name, version=version, board=text)

    def write(self, text: str, after: str) -> SavedFile:
        """Write a board that was made from the version `after`; raises `Refusal` if it is not the
        one on the disk.
        """
        with self._writing:
            if _version(self._data()) != after:
                raise Refusal("stale", f"{self._path.name} was changed by another program")
            try:
                write_atomic(self._path, text)
            except OSError as problem:
                raise Refusal("store_unavailable", str(problem)) from None
        return SavedFile(version=_version(text.encode()))

    def _data(self) -> bytes | None:
        try:
            with self._path.open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise Refusal("store_unavailable", str(problem)) from None
        if len(data) > MAX_BYTES:
            raise Refusal("too_large", f"{self._path.name} is larger than a board file can be")
        return data


def _version(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()[:16]
