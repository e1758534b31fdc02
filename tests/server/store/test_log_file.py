"""The store in one file: what is kept when a write breaks off, the room ends or bytes change."""

import io

import pytest

from ferrovia.server.store import Append, StoreDamaged, StoreFull, StoreNewer, TableSummary
from ferrovia.server.store.log_file import LogFileStore

SUMMARY = TableSummary("running", True, 5.0, 7.0, b'{"x":1}')


class Limited(io.BytesIO):
    """A file on a disk that is full at some size; what still fits is written."""

    room = 1 << 20

    def __init__(self, *, tells_errors: bool = False) -> None:
        super().__init__()
        self.tells_errors = tells_errors

    def write(self, data: object, /) -> int:
        assert isinstance(data, bytes)
        if self.tells_errors and self.room - self.tell() < len(data):
            return 2**32 - 8  # as Chromium does
        return super().write(data[: max(0, self.room - self.tell())])


def played() -> tuple[bytes, list[int]]:
    """Return a file with two tables, and how long it was after each write."""
    file = io.BytesIO()
    store = LogFileStore(file)
    sizes = [len(file.getvalue())]
    for batch in (
        [Append("a", 1, (b"one", b"two"), SUMMARY)],
        [Append("a", 3, (b"three",), None), Append("b", 1, (b"other",), SUMMARY)],
        [Append("a", 4, (b"four" * 1000,), None)],
    ):
        assert all(store.append(batch))
        sizes.append(len(file.getvalue()))
    store.keep_analysis("a", b"found", 3)
    store.share_analysis("a", 1, True)
    return file.getvalue(), sizes


def test_everything_is_there_again() -> None:
    data, _ = played()
    store = LogFileStore(io.BytesIO(data))
    assert store.entries("a") == [b"one", b"two", b"three", b"four" * 1000]
    assert store.entries("a", 1, 2) == [b"two", b"three"]
    assert store.entries("b") == [b"other"]
    assert store.due(8.0, 9) == [("a", 7.0), ("b", 7.0)]
    assert (store.analyses("a"), store.shared_analyses("a")) == ([b"found"], [1])
    assert store.report is not None
    assert store.report.ok


def test_wherever_a_write_breaks_off_what_was_confirmed_is_there_and_play_goes_on() -> None:
    data, sizes = played()
    confirmed = [0, 2, 3, 4]
    for end in range(sizes[0], sizes[-1]):
        file = io.BytesIO(data[:end])
        store = LogFileStore(file)
        entries = store.entries("a")
        written = max(number for number, size in enumerate(sizes) if size <= end)
        assert len(entries) >= confirmed[written], end
        assert store.report is not None
        assert store.report.ok, end
        assert store.append([Append("a", len(entries) + 1, (b"next",), None)]) == [True]
        assert LogFileStore(io.BytesIO(file.getvalue())).entries("a") == [*entries, b"next"]


@pytest.mark.parametrize("tells_errors", [False, True])
def test_without_room_nothing_is_written_and_nothing_is_lost(tells_errors: bool) -> None:
    file = Limited(tells_errors=tells_errors)
    store = LogFileStore(file)
    assert store.append([Append("a", 1, (b"one",), SUMMARY)]) == [True]
    for more in range(30):
        file.room = len(file.getvalue()) + more
        with pytest.raises(StoreFull):
            store.append([Append("a", 2, (b"a longer entry" * 9,), None)])
        assert store.entries("a") == [b"one"]
        assert LogFileStore(io.BytesIO(file.getvalue())).entries("a") == [b"one"]
    file.room = 1 << 20
    assert store.append([Append("a", 2, (b"two",), None)]) == [True]
    assert LogFileStore(io.BytesIO(file.getvalue())).entries("a") == [b"one", b"two"]


def test_changed_bytes_are_noticed_and_other_tables_stay() -> None:
    data, sizes = played()
    changed = bytearray(data)
    changed[sizes[1] - 1] ^= 1
    store = LogFileStore(io.BytesIO(bytes(changed)))
    assert store.report is not None
    assert len(store.report.damages) == 1
    assert store.entries("b") == [b"other"]
    with pytest.raises(StoreDamaged):
        store.entries("a")


def test_whichever_byte_changes_everything_behind_it_stays() -> None:
    """A changed length made the rest an end that was not finished, and it was written over."""
    data, sizes = played()
    long = [Append("c", 1, (b"c" * (1 << 20),), SUMMARY), Append("d", 1, (b"last",), SUMMARY)]
    file = io.BytesIO(data)
    LogFileStore(file).append(long)
    data = file.getvalue()
    for at in (*range(sizes[0], sizes[0] + 60), *range(sizes[3] - 2, len(data) - 200, 99_991)):
        for bit in (0, 7):
            changed = bytearray(data)
            changed[at] ^= 1 << bit
            file = io.BytesIO(bytes(changed))
            store = LogFileStore(file)
            assert store.append([Append("e", 1, (b"new",), SUMMARY)]) == [True]
            again = LogFileStore(file)
            assert again.report is not None
            assert len(again.report.damages) == 1, at
            assert (again.entries("d"), again.entries("e")) == ([b"last"], [b"new"])


def test_a_file_of_something_else_or_of_a_newer_version_is_left_alone() -> None:
    for data, problem in ((b"Ferrovia log 2\n...", StoreNewer), (b"a letter", StoreDamaged)):
        file = io.BytesIO(data)
        with pytest.raises(problem):
            LogFileStore(file)
        assert file.getvalue() == data
