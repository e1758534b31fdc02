"""What people did and saw, and the checker that compares all of it with the log.

The checker knows nothing of servers. A command that was accepted is in the log, once, at the number
of the answer; one that was refused for good is not; one without an answer is there at most once. Of
two commands at a table, the one that was answered before the other was sent comes first. Every
viewer has seen the entries in the order of the log, without a gap, and no two saw different things.
"""

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ferrovia.server.table.entries import read_entry


@dataclass
class Operation:
    """A command: when it was first sent, when it was answered, and how."""

    table: str
    id: str
    sent: float
    answered: float | None = None
    number: int | None = None
    refused: str = ""


@dataclass
class History:
    """Operations of all people, of each viewer the entries by their numbers, what was shown to one
    viewer twice and differently, and how often a command could not be carried out now, by the code.
    """

    operations: list[Operation] = field(default_factory=list)
    seen: list[tuple[str, str, dict[int, Any]]] = field(default_factory=list)
    contradictions: list[str] = field(default_factory=list)
    put_off: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, table: str, id: str) -> Operation:
        operation = Operation(table, id, time.monotonic())
        with self._lock:
            self.operations.append(operation)
        return operation

    def put_off_again(self, code: str) -> None:
        with self._lock:
            self.put_off[code] += 1

    def view(self, table: str, viewer: str) -> dict[int, Any]:
        """Return where a viewer writes down what they see."""
        entries: dict[int, Any] = {}
        with self._lock:
            self.seen.append((table, viewer, entries))
        return entries


@dataclass
class Verdict:
    """What the checker has found; each list is empty if all is well."""

    answered: int = 0
    refused: int = 0
    unanswered: int = 0
    viewed: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    refused_and_done: list[str] = field(default_factory=list)
    out_of_order: list[str] = field(default_factory=list)
    differently_seen: list[str] = field(default_factory=list)

    @property
    def problems(self) -> list[str]:
        return [
            f"{kind}: {one}"
            for kind in ("lost", "twice", "refused_and_done", "out_of_order", "differently_seen")
            for one in getattr(self, kind)
        ]


def check(history: History, logs: dict[str, list[bytes]]) -> Verdict:
    """Compare a history with the logs of its tables."""
    verdict = Verdict()
    for table, log in logs.items():
        entries = [read_entry(data) for data in log]
        commands = [entry.command for entry in entries]
        count = Counter(id for id in commands if id is not None)
        verdict.twice += [id for id, times in count.items() if times > 1]
        here = [one for one in history.operations if one.table == table]
        for one in here:
            _check_operation(one, commands, verdict)
        _check_order([one for one in here if one.number is not None], verdict)
        kinds = [type(entry).__name__.lower() for entry in entries]
        views = [(who, seen) for where, who, seen in history.seen if where == table]
        _check_views(table, kinds, views, verdict)
    verdict.differently_seen += history.contradictions
    known = logs.keys()
    verdict.lost += [one.id for one in history.operations if one.table not in known and one.number]
    return verdict


def _check_operation(one: Operation, commands: list[str | None], verdict: Verdict) -> None:
    if one.number is not None:
        verdict.answered += 1
        if one.number > len(commands) or commands[one.number - 1] != one.id:
            verdict.lost.append(one.id)
    elif one.refused:
        verdict.refused += 1
        if one.id in commands:
            verdict.refused_and_done.append(f"{one.id} ({one.refused})")
    else:
        verdict.unanswered += 1


def _check_order(answered: list[Operation], verdict: Verdict) -> None:
    """Whoever was answered before another sent has the smaller number."""
    by_answer = sorted(answered, key=lambda one: one.answered or 0.0)
    done, latest = 0, 0
    for one in sorted(answered, key=lambda one: one.sent):
        while done < len(by_answer) and (by_answer[done].answered or 0.0) < one.sent:
            latest = max(latest, by_answer[done].number or 0)
            done += 1
        if (one.number or 0) <= latest:
            verdict.out_of_order.append(one.id)


def _check_views(
    table: str, kinds: list[str], views: list[tuple[str, dict[int, Any]]], verdict: Verdict
) -> None:
    for who, seen in views:
        verdict.viewed += len(seen)
        if seen and sorted(seen) != list(range(1, max(seen) + 1)):
            verdict.differently_seen.append(f"{table} {who}: a gap")
        for number, entry in seen.items():
            kind = entry["entry"].replace("_", "")
            if number > len(kinds) or kinds[number - 1] != kind:
                verdict.differently_seen.append(f"{table} {who}: {number} is not in the log")
    for place, (who, seen) in enumerate(views):
        for other, also in views[place + 1 :]:
            for number in seen.keys() & also.keys():
                if not agree(seen[number], also[number]):
                    verdict.differently_seen.append(f"{table} {who}, {other}: {number}")


def agree(one: Any, other: Any) -> bool:
    """Whether two people may have been shown the same thing: what is hidden from one is null."""
    if one is None or other is None:
        return True
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(agree(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(agree, one, other))
    return bool(one == other)
