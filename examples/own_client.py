"""Play at a server as a client of its own: HTTP to set up a table, a WebSocket to play.

ferrovia serve                                         (in another terminal)
python own_client.py http://127.0.0.1:8765/
"""

import json
import random
import sys
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import connect


def post(url: str, body: dict[str, Any]) -> Any:
    """Send JSON by HTTP, and return the JSON of the answer."""
    request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request) as answer:
        return json.load(answer)


address = sys.argv[1] if sys.argv[1:] else "http://127.0.0.1:8765/"
seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "bot": "greedy"}]
made = post(f"{address}api/tables", {"edition": "usa", "seats": seats})
token = made["held"][0]["token"]  # this secret is the seat: who has it plays it

with connect(address.replace("http", "ws", 1) + "socket") as socket:
    socket.send(json.dumps({"type": "hello", "table": made["table"], "token": token, "known": 0}))
    chance, waiting, last = random.Random(7), False, 0
    state: Any = None
    while state is None or state["final"] is None:
        message = json.loads(socket.recv())
        if message["type"] == "state":  # always whole: nothing has to be put together
            state = message
        elif message["type"] == "accepted":
            waiting, last = False, message["number"]
        elif message["type"] == "refused":
            sys.exit(f"refused: {message['code']}")
        if state is None or waiting or state["number"] < last or not state["own"]["moves"]:
            continue
        moves = state["own"]["moves"]["actions"]  # the server knows the rules: these are legal
        claims = [move for move in moves if move.startswith("claim")]
        command = {"type": "decide", "id": f"after-{state['number']}", "known": state["number"]}
        socket.send(json.dumps({**command, "action": chance.choice(claims or moves)}))
        waiting = True

for seat, score in zip(state["table"]["seats"], state["final"]["result"]["scores"], strict=True):
    print(f"{seat['name'] or seat['bot']}: {score['total']} points")
