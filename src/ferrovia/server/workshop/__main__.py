"""The process that does one work on a board, read from its standard input."""

import sys

from ferrovia.machine.process import collect_little
from ferrovia.server.workshop.process import answer

if __name__ == "__main__":
    collect_little()
    sys.stdout.buffer.write(answer(sys.stdin.buffer.read()))
