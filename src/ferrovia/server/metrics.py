"""Metrics of the server, in the text format of Prometheus."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

_HELP = {
    "commands_accepted_total": "Commands carried out, by kind.",
    "commands_refused_total": "Commands and requests refused, by code.",
    "bot_decisions_total": "Decisions of bots.",
    "bot_failures_total": "Decisions that a bot did not make in time or made wrongly.",
    "store_errors_total": "Times the store could not be written or read, by code.",
    "connections_refused_total": "Connections refused or closed for want of room or time, by why.",
    "games_resumed_total": "Games taken from the store into memory.",
    "append_seconds": "Time to write and sync a transaction.",
    "command_seconds": "Time from a command to the answer.",
    "resume_seconds": "Time to take a game from the store into memory.",
    "connections": "Open connections.",
    "bot_queue": "Decisions of bots that wait for a process.",
    "viewers": "Open sockets.",
    "tables_awake": "Tables in memory.",
}


class Histogram:
    """Counts of values by bucket, and their sum."""

    def __init__(self) -> None:
        self.counts = [0] * (len(_BOUNDS) + 1)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        self.counts[bisect_left(_BOUNDS, value)] += 1
        self.sum += value


class Metrics:
    """Counters, histograms, and gauges that are read when the metrics are asked for."""

    def __init__(self) -> None:
        self._counters: dict[str, Counter[str]] = {
            name: Counter() for name in _HELP if name.endswith("_total")
        }
        self._histograms = {name: Histogram() for name in _HELP if name.endswith("_seconds")}
        self._gauges: dict[str, Callable[[], float]] = {}

    def count(self, name: str, label: str = "") -> None:
        self._counters[name][label] += 1

    def observe(self, name: str, seconds: float) -> None:
        self._histograms[name].observe(seconds)

    def gauge(self, name: str, ask: Callable[[], float]) -> None:
        self._gauges[name] = ask

    def text(self) -> str:
        """Return all metrics in the text format of Prometheus."""
        lines: list[str] = []
        for name, counter in self._counters.items():
            lines += _head(name, "counter")
            for label, value in sorted(counter.items()) or [("", 0)]:
                labels = f'{{of="{label}"}}' if label else ""
                lines.append(f"ferrovia_{name}{labels} {value}")
        for name, histogram in self._histograms.items():
            lines += _head(name, "histogram")
            total = 0
            for bound, count in zip((*_BOUNDS, "+Inf"), histogram.counts, strict=True):
                total += count
                lines.append(f'ferrovia_{name}_bucket{{le="{bound}"}} {total}')
            lines.append(f"ferrovia_{name}_sum {histogram.sum:.6f}")
            lines.append(f"ferrovia_{name}_count {total}")
        for name, ask in self._gauges.items():
            lines += [*_head(name, "gauge"), f"ferrovia_{name} {ask():g}"]
        return "\n".join(lines) + "\n"


def _head(name: str, kind: str) -> list[str]:
    return [f"# HELP ferrovia_{name} {_HELP[name]}", f"# TYPE ferrovia_{name} {kind}"]
