"""What a viewer is sent arrives in order, and a reader who stops reading is not waited for."""

import asyncio

from ferrovia.server.refusals import Close
from ferrovia.server.settings import Limits
from ferrovia.server.table.viewers.audience import Viewer


def test_frames_arrive_in_order() -> None:
    async def send() -> None:
        viewer = Viewer(None, Limits())
        viewer.send_frame(b"1")
        viewer.send_frame(b"2")
        assert [await viewer.next_frame() for _ in range(2)] == [b"1", b"2"]

    asyncio.run(send())


def test_nothing_is_sent_to_a_viewer_who_is_closed() -> None:
    async def send() -> None:
        viewer = Viewer(None, Limits())
        viewer.send_frame(b"1")
        viewer.close(Close.REPLACED)
        viewer.send_frame(b"2")
        assert await viewer.next_frame() is None

    asyncio.run(send())


def test_a_reader_who_stops_reading_is_closed_when_the_queue_is_full() -> None:
    viewer = Viewer(None, Limits(waiting_frames=10))
    for _ in range(11):
        viewer.send_frame(b"-")
    assert viewer.closed == Close.TOO_SLOW
