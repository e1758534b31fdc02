"""What it costs to write an entry: CPU of `Store.append`, by the entries of a transaction.

`python -m tests.server.append_cost /dev/shm/cost.sqlite` writes to a new store there; in a file
system in memory the disk costs nothing. `postgresql://…` is the address of an empty database.
"""

import argparse
import os
import time

from ferrovia.server.store import Append, Store, TableSummary
from ferrovia.server.store.address import open_store

GAMES = 250
ENTRIES = 3_072


def cost(store: Store, together: int) -> float:
    """Return the CPU seconds of an entry, with `together` of them, of other games, in a
    transaction.
    """
    entry = os.urandom(125).hex().encode()
    running = TableSummary("running", False, 1.0, None, b"")
    names = [f"{together:03d}-{game:020d}" for game in range(GAMES)]
    store.append([Append(name, 1, (entry,), running) for name in names])
    began = time.process_time()
    for first in range(0, ENTRIES, together):
        places = range(first, first + together)
        batch = [Append(names[at % GAMES], at // GAMES + 2, (entry,), None) for at in places]
        assert all(store.append(batch))
    return (time.process_time() - began) / ENTRIES


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("store", help="the address of a store that does not exist yet")
    store = open_store(options.parse_args().store)
    for together in (1, 3, 64):
        microseconds = 1e6 * cost(store, together)
        print(f"{together} in a transaction: {microseconds:.0f} µs of CPU for an entry")
    store.close()


if __name__ == "__main__":
    main()
