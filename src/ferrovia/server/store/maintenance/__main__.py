"""`python -m ferrovia.server.store.maintenance`: check a store beside its server (see check.py).

The address comes on standard input, since it may hold a password; the report goes to standard
output as JSON.
"""

import os
import sys

import msgspec

from ferrovia.machine.process import collect_little
from ferrovia.server.store.address import open_archive
from ferrovia.server.store.interface import StoreError
from ferrovia.server.store.maintenance.check import check


def main() -> int:
    collect_little()
    if hasattr(os, "nice"):
        os.nice(10)  # the games go first
    try:
        store = open_archive(sys.stdin.read(), "read")
        report = check(store)
        store.close()
    except StoreError as problem:
        sys.stderr.write(str(problem))
        return 1
    sys.stdout.buffer.write(msgspec.json.encode(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
