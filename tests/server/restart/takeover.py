"""A bot's decision whose server dies before it is made: another server makes it.

`python -m tests.server.restart.takeover --times 5` prints how long players wait for it.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

from tests.server.conftest import Cluster, binaries
from tests.server.support.people import PERSON, Person, bot, create
from tests.server.support.processes import Server

PACE = 0.8  # as it is by default: the bot has not answered when its server dies


def take_over(
    url: str, level: str = "conductor", *, warm: bool = True, **settings: object
) -> float:
    """Kill a server while a bot is to decide; return the seconds until its decision is seen at
    another one. `warm`: bots have played there before.
    """
    with (
        Server(url, bot_pace=PACE, **settings) as one,
        Server(url, bot_pace=PACE, **settings) as two,
    ):
        if warm:
            _bot_decides(two, level)
        made = create(one.address, PERSON, bot(level), edition="usa", first=0)
        token = made["held"][0]["token"]
        ada = Person(one.address, made["table"], token).come()
        watching = Person(two.address, made["table"], token).come()
        assert ada.command("decide", action=ada.choose())["type"] == "accepted"
        decided = ada.accepted.popitem()[1]
        one.kill()
        killed = time.perf_counter()
        while watching.state["number"] <= decided or not _by_bot(watching, level):
            watching.hear("state")
        return time.perf_counter() - killed


def _by_bot(person: Person, level: str) -> bool:
    return any(entry["entry"] == "decided" and entry["bot"] == level for entry in person.entries)


def _bot_decides(server: Server, level: str) -> None:
    made = create(server.address, PERSON, bot(level), edition="usa")
    person = Person(server.address, made["table"], made["held"][0]["token"]).come()
    while not _by_bot(person, level):
        person.hear("state")
    person.go()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--times", type=int, default=5)
    options.add_argument("--level", default="conductor")
    options.add_argument(
        "--cold", action="store_true", help="no bot has played at the other server"
    )
    chosen = options.parse_args()
    found = binaries()
    assert found is not None, "PostgreSQL is not installed here"
    with tempfile.TemporaryDirectory(prefix="ferrovia-postgresql-") as folder:
        os.chmod(folder, 0o755)
        cluster = Cluster(found, Path(folder))
        try:
            url = cluster.database()
            took = [take_over(url, chosen.level, warm=not chosen.cold) for _ in range(chosen.times)]
        finally:
            cluster.stop()
    took.sort()
    print(f"{chosen.level}: {took[len(took) // 2]:.1f} s median, {took[-1]:.1f} s at most")


if __name__ == "__main__":
    main()
