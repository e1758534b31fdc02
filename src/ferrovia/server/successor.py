"""The successor of a server: a process with compiled rules that goes on where another one stopped.

`hand_over` is called by a server that has begun uncompiled, once it has closed its store. The
listening socket stays open all the time: whoever connects meanwhile waits, and is not refused. The
log brings every game back, and clients connect again by themselves. As a program,
`python -m ferrovia.server.successor`, it is that successor.
"""

import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from ferrovia.server.settings import Settings

_COMMAND = (sys.executable, "-m", "ferrovia.server.successor")
_VARIABLE = "FERROVIA_SUCCESSOR"  # of the environment, which other users cannot read
_INTERRUPTED = 130


def hand_over(settings: "Settings", listening: socket.socket, log_level: int) -> NoReturn:
    """Let the successor serve on this socket, in the place of this process."""
    import msgspec

    from ferrovia.machine.background import compiled_environment
    from ferrovia.machine.process import replace_process, wait_for

    task = {"settings": settings, "log_level": log_level, "socket": listening.fileno()}
    environment = compiled_environment() | {_VARIABLE: msgspec.json.encode(task).decode()}
    share: Any = getattr(listening, "share", None)
    if share is None:
        listening.set_inheritable(True)
        replace_process(_COMMAND, environment)
    # Windows: sockets are shared with a process by its id.
    child = subprocess.Popen(_COMMAND, env=environment, stdin=subprocess.PIPE)
    assert child.stdin is not None
    with child.stdin:
        child.stdin.write(share(child.pid))
    listening.close()
    sys.exit(wait_for(child))


def _received(number: int) -> socket.socket:
    """Return the listening socket that we were handed."""
    from_share: Any = getattr(socket, "fromshare", None)
    if from_share is not None:
        found: socket.socket = from_share(sys.stdin.buffer.read())
    else:
        found = socket.socket(fileno=number)
        found.set_inheritable(False)
    found.setblocking(False)
    return found


def main() -> None:
    """Serve as our predecessor did, until SIGINT or SIGTERM."""
    # Out of the environment at once: bots are programs of others.
    task = os.environ.pop(_VARIABLE)
    import msgspec

    from ferrovia.errors import FerroviaError
    from ferrovia.machine.background import compiler_beside
    from ferrovia.server.run import serve
    from ferrovia.server.settings import Settings

    read = msgspec.json.decode(task)
    settings = msgspec.convert(read["settings"], Settings)
    try:
        serve(
            settings,
            listening=_received(read["socket"]),
            log_level=read["log_level"],
            compiler=compiler_beside(uncompiled=False),
        )
    except FerroviaError as problem:
        sys.exit(f"ferrovia: {problem}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
