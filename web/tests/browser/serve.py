"""A server for the browser tests: a store of its own, on a free port; its address on stdout."""

import os
import sys
import tempfile
from pathlib import Path

from ferrovia.server import Settings, serve

CLIENT = Path(__file__).parents[3] / "src" / "ferrovia" / "server" / "client"


def main() -> None:
    store = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp() + "/games.sqlite"
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 18900
    prefix = os.environ.get("PREFIX")
    public = None if prefix is None else f"http://127.0.0.1:{port}{prefix}"
    settings = Settings(store=store, web=CLIENT, port=port, bot_pace=0.02, public_url=public)
    serve(
        settings,
        next_free_port=len(sys.argv) <= 2,
        ready=lambda address: print(f"READY {address}", flush=True),
    )


if __name__ == "__main__":
    main()
