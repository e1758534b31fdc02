"""Answers of the server that are always the same, as files: a page has them before its server is
there (web/src/page/transport.ts).
"""

import asyncio
from pathlib import Path

from ferrovia.boards import editions
from ferrovia.server.app import create_app
from ferrovia.server.operating_system import operating_system
from ferrovia.server.page.asgi import InProcess
from ferrovia.server.settings import Settings
from ferrovia.tutorial.notes import names


def write(folder: Path, store: Path) -> None:
    """Write the answers into a folder, each under the path that it answers."""
    asyncio.run(_write(folder, store))


async def _write(folder: Path, store: Path) -> None:
    app = InProcess(create_app(Settings(store=str(store)), operating_system()))
    await app.start()
    paths = ["offerings", *(f"tutorials/{name}" for name in names())]
    for edition in editions():
        paths += [f"editions/{edition}", f"editions/{edition}/picture"]
    for path in paths:
        answer = await app.request("GET", f"/api/{path}")
        assert answer.status == 200, (path, answer)
        file = folder / f"{path}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(answer.body)
    await app.stop()
