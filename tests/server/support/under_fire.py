"""People who play on while their server is killed again and again.

`python -m tests.server.support.under_fire --kills 50` prints what came of it.
"""

import argparse
import itertools
import random
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

import httpx2
from websockets.exceptions import InvalidHandshake

from ferrovia.server.store.address import open_store
from ferrovia.server.table.entries import read_entry
from ferrovia.server.table.resume import resume
from tests.server.support.people import OPEN, PERSON, Closed, Person, bot, create, join
from tests.server.support.processes import Server

_ids = itertools.count(1)

Broken = (Closed, InvalidHandshake, OSError, EOFError, TimeoutError, httpx2.HTTPError)


@dataclass
class Report:
    kills: int = 0
    accepted: int = 0
    games: int = 0
    repeated: int = 0
    unanswered: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)


class Survivor(Person):
    """Repeats a command until there is an answer, whatever happens to the server meanwhile."""

    repeated = 0
    pending: tuple[str, str, int] | None = None

    def play_until(self, enough: threading.Event) -> None:
        while not enough.is_set():
            try:
                if self.socket is None:
                    self.come(known=self.state["number"] if self.state else 0)
                if self.state["table"]["status"] == "over":
                    return
                self._go_on()
            except Broken:
                self.socket = None
                time.sleep(0.02)

    def _go_on(self) -> None:
        if self.pending is None:
            if self.moves is None:
                self.hear("state", "presence")
                return
            self.pending = (f"k{next(_ids)}", self.choose(), self.state["number"])
        else:
            self.repeated += 1
        id, action, known = self.pending
        answer = self.command("decide", id=id, action=action, known=known)
        assert answer["type"] == "accepted" or answer["code"] == "stale", answer
        self.pending = None
        while answer["type"] == "accepted" and self.state["number"] < answer["number"]:
            self.hear("state")


def play_under_fire(kills: int, store: str, tables: int = 3, seed: int = 0) -> Report:
    """Games at several tables while the server is killed at random instants."""
    chance = random.Random(seed)
    enough = threading.Event()
    people: list[Survivor] = []
    server = Server(store).start()

    def keep_playing(number: int) -> None:
        games = 0
        while not enough.is_set():
            try:
                bots = [bot("random")] if number == 0 else []
                made = create(server.address, PERSON, OPEN, *bots, edition="usa")
                joined = join(server.address, made["table"], "Bob")
            except Broken:
                time.sleep(0.02)
                continue
            tokens = (made["held"][0]["token"], joined["token"])
            pair = [
                Survivor(server.address, made["table"], token, seed=number * 100 + games + who)
                for who, token in enumerate(tokens)
            ]
            people.extend(pair)
            games += 1
            threads = [threading.Thread(target=p.play_until, args=(enough,)) for p in pair]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    players = [threading.Thread(target=keep_playing, args=(number,)) for number in range(tables)]
    for player in players:
        player.start()

    def accepted() -> int:
        return sum(len(person.accepted) for person in list(people))

    for shot in range(kills + 1):
        target = accepted() + chance.randrange(1, 60)
        while accepted() < target:
            time.sleep(0.001)
        time.sleep(chance.uniform(0.0, 0.02))
        if shot < kills:
            server.kill()
            server.start()
    enough.set()
    server.kill()  # whoever still waits for an answer goes home without one
    for player in players:
        player.join()
    return _examine(store, people, kills)


def _examine(store: str, people: list[Survivor], kills: int) -> Report:
    """Compare what people were sent with what the log holds."""
    report = Report(kills=kills)
    opened = open_store(store)
    tables = dict.fromkeys(person.table for person in people)
    for table in tables:
        log = opened.entries(table)
        entries = [read_entry(data) for data in log]
        written = Counter(entry.command for entry in entries if entry.command is not None)
        report.twice += [id for id, count in written.items() if count > 1]
        for person in people:
            if person.table != table:
                continue
            report.repeated += person.repeated
            report.unanswered += person.pending is not None
            for id, number in person.accepted.items():
                report.accepted += 1
                if number > len(entries) or entries[number - 1].command != id:
                    report.lost.append(id)
        resumed = resume(table, log)  # every line is proved by the rules and the seed
        assert resumed is not None
        report.games += resumed.status == "over"
    opened.close()
    return report


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=50)
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = play_under_fire(chosen.kills, f"{folder}/games.sqlite", seed=chosen.seed)
    print(report)


if __name__ == "__main__":
    main()
