"""The process that works on one record with a board of its own, read from its standard input."""

import sys

from ferrovia.machine.process import collect_little
from ferrovia.server.records.service import answer

if __name__ == "__main__":
    collect_little()
    sys.stdout.buffer.write(answer(sys.stdin.buffer.read()))
