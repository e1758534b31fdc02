"""A server for the browser tests: a store of its own, on a free port; its address and the
number of its process on stdout.

All its games at tables that are not listed are shuffled alike (with `--seed ""` as everywhere
else), its bots answer at once, hints are those of the quickest bot, and nobody comes too fast.
`--days` names a file with the days by which its clock is ahead, `--webhooks` one to which calls are
written instead of being sent.
"""

import argparse
import hashlib
import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from ferrovia.server import Settings, operating_system, serve
from ferrovia.server.bots import hints
from ferrovia.server.lobby import tables, webhooks
from ferrovia.server.protocol.from_client import CreateTable
from ferrovia.server.rates import Rate
from ferrovia.server.settings import Limits
from ferrovia.server.store.clock import StoreClock
from ferrovia.server.table import alarm

CLIENT = Path(__file__).parents[5] / "src" / "ferrovia" / "server" / "client"
AT_ONCE = Rate(burst=1e9, per_second=1e9)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def note_call(file: Path) -> webhooks.Post:
    """Return a function that writes a call to a file, a line each."""

    async def post(host: str, path: str, headers: Mapping[str, str], body: bytes) -> int:
        with file.open("a") as calls:
            calls.write(f"{host}{path} {body.decode()}\n")
        return 200

    return post


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--store", required=True)
    parser.add_argument("--port", type=int)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--prefix")
    parser.add_argument("--seed", default="ferrovia")
    parser.add_argument("--pace", type=float, default=0.0)
    parser.add_argument("--patience", type=float, default=0.0)
    parser.add_argument("--reveal", type=float, default=20.0)
    parser.add_argument("--board", action="append", default=[])
    parser.add_argument("--days", type=Path)
    parser.add_argument("--webhooks", type=Path)
    asked = parser.parse_args()
    if asked.seed:
        seed = hashlib.sha256(asked.seed.encode()).hexdigest()
        create = tables.create

        def alike(request: CreateTable, *rest: Any) -> Any:
            # A table with a seed of its own cannot be listed.
            return create(request if request.listed else replace(request, seed=seed), *rest)

        patch.object(tables, "create", alike).start()
    if asked.days:
        now = StoreClock.now
        ahead = asked.days
        patch.object(
            StoreClock, "now", lambda clock: now(clock) + 86400 * float(ahead.read_text())
        ).start()
        patch.object(alarm, "_LONGEST_WAIT", 0.2).start()
    if asked.webhooks:
        patch.object(operating_system, "post", note_call(asked.webhooks)).start()
    patch.object(hints, "level_names", lambda: ("greedy",)).start()
    port = asked.port or free_port()
    public = None if asked.prefix is None else f"http://127.0.0.1:{port}{asked.prefix}"
    limits = Limits(
        requests=AT_ONCE,
        creations=AT_ONCE,
        connections=AT_ONCE,
        messages=AT_ONCE,
        messages_of_address=AT_ONCE,
        hints=AT_ONCE,
    )
    settings = Settings(
        store=asked.store,
        web=str(CLIENT),
        host=asked.host,
        port=port,
        public_url=public,
        boards=tuple(asked.board),
        bot_pace=asked.pace,
        patience=asked.patience,
        reveal_seconds=asked.reveal,
        entry_seconds=0.0,
        shortest_turn=1,
        clock_grace=0.0,
        analysis_worlds=40,
        webhooks=asked.webhooks is not None,
        limits=limits,
    )
    serve(settings, ready=lambda address: print(f"READY {address} {os.getpid()}", flush=True))


if __name__ == "__main__":
    main()
