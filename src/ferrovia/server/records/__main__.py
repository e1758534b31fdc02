"""The process that works on records: `python -m ferrovia.server.records`.

It answers orders over its pipes, one after the other; with `once`, the one that is its whole
standard input. It gives way to everything else on the machine.
"""

import os
import sys

from ferrovia.machine.process import collect_little
from ferrovia.server.processes.messages import HEAD, framed, length_of
from ferrovia.server.records.service import answer


def main() -> None:
    collect_little()
    if hasattr(os, "nice"):
        os.nice(10)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    if sys.argv[1:] == ["once"]:
        sink.write(answer(source.read()))
        return
    sink.write(framed(b""))  # ready
    sink.flush()
    while len(head := source.read(HEAD)) == HEAD:
        sink.write(framed(answer(source.read(length_of(head)))))
        sink.flush()


if __name__ == "__main__":
    main()
