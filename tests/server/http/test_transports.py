"""Messages that are written at once have the form that the WebSocket library gives them."""

import pytest
from websockets.frames import Frame, Opcode

from ferrovia.server.http.transports import text_frame


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65535, 65536, 200_000])
def test_a_text_frame_is_that_of_the_library(length: int) -> None:
    message = b"x" * length
    assert text_frame(message) == Frame(Opcode.TEXT, message).serialize(mask=False)
