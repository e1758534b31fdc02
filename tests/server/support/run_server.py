"""A server process for the tests: settings as JSON in, its address on stdout."""

import sys

import msgspec

from ferrovia.server import Settings, serve
from ferrovia.server.http.listen import PortTaken
from ferrovia.server.store import StoreError


def main() -> int:
    settings = msgspec.json.decode(sys.argv[1], type=Settings)
    try:
        serve(settings, ready=lambda address: print(f"READY {address}", flush=True))
    except (StoreError, PortTaken) as problem:
        print(f"REFUSED {problem}", flush=True)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
