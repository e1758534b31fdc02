"""A process that shows one record with a board of its own: a request on its standard input."""

import sys

from ferrovia.machine.process import collect_little
from ferrovia.server.film.screening import answer

if __name__ == "__main__":
    collect_little()
    sys.stdout.buffer.write(answer(sys.stdin.buffer.read()))
