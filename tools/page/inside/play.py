"""Run by the page's own Python while it is packed: a bit of everything that its server does.

So it is known what of the standard library is used.
"""

# ruff: noqa: F401, F704

import asyncio
import importlib
import io
import json
import pkgutil
import sys
import traceback

sys.path.insert(0, "/ferrovia")

import msgspec
import pyodide.ffi

from ferrovia.server.app import create_app
from ferrovia.server.page import jobs, main
from ferrovia.server.page.asgi import InProcess
from ferrovia.server.page.browser import SETTINGS, browser
from ferrovia.server.store.log_file import LogFileStore


class _Here:
    async def ask(self, job, body, seconds, heard):
        return jobs.do(job, body, heard)


async def _ask(path, body=None, kind="json", method="POST"):
    headers = [("authorization", "Bearer " + "A" * 43)]
    if body is None:
        return await app.request("GET", f"/api/{path}", headers)
    headers.append(("content-type", f"application/{kind}"))
    return await app.request("POST", f"/api/{path}", headers, body)


settings = msgspec.structs.replace(SETTINGS, bot_pace=0.0)
app = InProcess(create_app(settings, browser(LogFileStore(io.BytesIO()), _Here())))
await app.start()
bots = [{"kind": "bot", "bot": bot} for bot in ("net", "driver", "passenger")]
wanted = json.dumps({"edition": "usa", "seats": bots}).encode()
table = json.loads((await _ask("tables", wanted)).body)["table"]
viewer = app.open(lambda text: None, lambda code: None)  # bots alone play while somebody looks on
viewer.say(json.dumps({"type": "hello", "table": table, "token": None}))
async with asyncio.timeout(300):
    while json.loads((await _ask(f"tables/{table}")).body)["status"] != "over":
        await asyncio.sleep(0.1)
record = (await _ask(f"tables/{table}/record")).body
fork = {"at": "5", "seat": 0, "name": "Ada", "bot": "driver", "table": table}
for path in (
    *("offerings", "editions/usa", "editions/usa/picture", "tutorials/europe", "puzzles/today"),
    *("tables", "nothing", f"tables/{table}/film", f"tables/{table}/picture?at=5"),
    *("workshop/regions", "workshop/places?called=porto", "workshop/land?box=36,-10,43,-6"),
):
    answer = await _ask(path)
    assert answer.status == (404 if path == "nothing" else 200), (path, answer)
for package in ("analysis", "drawing", "puzzles", "server.workshop", "tutorial", "workshop"):
    top = importlib.import_module(f"ferrovia.{package}")
    for module in pkgutil.walk_packages(top.__path__, f"{top.__name__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


async def _work(work, **given):
    answer = await _ask("workshop/works", json.dumps({"work": work, **given}).encode())
    assert answer.status == 200, (work, answer)
    return json.loads(answer.body)


assert (await _ask("workshop/regions")).status == 200
assert (await _ask("workshop/land?box=36,-10,44,4")).status == 200
board = (await _work("make", region="portugal", size="small"))["board"]
for work in ("check", "draw", "tickets"):
    await _work(work, board=board)
for form in ("tables", "geojson"):
    await _work("read", files=(await _work("export", board=board, form=form))["files"])
await _work("playtest", board=board, players=2, games=10, level="passenger")
await _work("print", board=board, form="svg", what="board", layout="one")
assert (await _ask("films", record, "jsonl")).status == 200
assert (await _ask("forks", json.dumps(fork).encode())).status == 201
assert (await _ask("films", b"no record", "jsonl")).status >= 400


async def _work(**work):
    answer = await _ask("workshop/works", json.dumps(work).encode())
    assert answer.status == 200, (work["work"], answer)
    return json.loads(answer.body)


board = (await _work(work="make", region="portugal", size="small"))["board"]
for work in (
    *({"work": "check"}, {"work": "draw"}, {"work": "tickets"}),
    *({"work": "playtest", "players": 2, "games": 10}, {"work": "export", "form": "geojson"}),
    *({"work": "print", "what": what, "layout": "single"} for what in ("tickets", "cards")),
    {"work": "print", "what": "board", "layout": "one"},
):
    await _work(board=board, **work)
await _work(work="read", files=(await _work(work="export", board=board, form="tables"))["files"])
assert (await _ask("workshop/boards", json.dumps({"board": board}).encode())).status == 201
made = {"edition": "made-small-1-romania", "seats": bots[1:]}
assert (await _ask("tables", json.dumps(made).encode())).status == 201
seats = [{"routes": ["paris-zurich"], "name": "Ada"}, {"routes": [], "name": "Bob"}]
count = json.dumps({"edition": "europe", "seats": seats}).encode()
for path in ("counts", "counts/picture"):
    answer = await _ask(path, count)
    assert answer.status == 200, (path, answer)
try:
    raise ValueError
except ValueError:
    traceback.format_exc()
