"""What a viewer is sent arrives in order, whether it is written at once or has to wait."""

import asyncio

from ferrovia.server.protocol.refusals import Close
from ferrovia.server.settings import Limits
from ferrovia.server.table.audience import Viewer


class Line:
    """A socket that can be written to at once, or not at the moment."""

    def __init__(self) -> None:
        self.got: list[bytes] = []
        self.open = True

    def write(self, frame: bytes) -> bool:
        if self.open:
            self.got.append(frame)
        return self.open


def test_a_frame_is_written_at_once_where_that_is_possible() -> None:
    line, viewer = Line(), Viewer(None, Limits())
    viewer.write = line.write
    viewer.send_frame(b"1")
    viewer.send_frame(b"2")
    assert line.got == [b"1", b"2"]


def test_no_frame_overtakes_one_that_waits_or_is_being_sent() -> None:
    async def send() -> list[bytes]:
        line, viewer = Line(), Viewer(None, Limits())
        viewer.send_frame(b"1")  # before there is a socket to write to
        viewer.write = line.write
        viewer.send_frame(b"2")
        for expected in (b"1", b"2"):
            assert await viewer.next_frame() == expected
            line.got.append(expected)
        viewer.send_frame(b"3")  # 2 is being sent at this moment
        assert line.got == [b"1", b"2"]
        sending = asyncio.create_task(viewer.next_frame())
        assert await sending == b"3"
        line.got.append(b"3")
        idle = asyncio.create_task(viewer.next_frame())
        await asyncio.sleep(0)
        viewer.send_frame(b"4")
        line.open = False
        viewer.send_frame(b"5")
        line.open = True
        viewer.send_frame(b"6")  # 5 waits
        assert await idle == b"5"
        line.got.append(b"5")
        assert await viewer.next_frame() == b"6"
        line.got.append(b"6")
        return line.got

    assert asyncio.run(send()) == [b"1", b"2", b"3", b"4", b"5", b"6"]


def test_nothing_is_written_to_a_viewer_who_is_closed() -> None:
    async def send() -> None:
        line, viewer = Line(), Viewer(None, Limits())
        viewer.write = line.write
        viewer.close(Close.REPLACED)
        viewer.send_frame(b"1")
        assert await viewer.next_frame() is None
        assert line.got == []

    asyncio.run(send())


def test_a_reader_who_stops_reading_is_closed_when_the_queue_is_full() -> None:
    line, viewer = Line(), Viewer(None, Limits(waiting_frames=10))
    viewer.write = line.write
    line.open = False
    for _ in range(11):
        viewer.send_frame(b"-")
    assert viewer.closed == Close.TOO_SLOW
    assert line.got == []
