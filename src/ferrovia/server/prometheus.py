"""Metrics of the server, for Prometheus."""

from collections.abc import Callable

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from ferrovia.server.metrics import Metrics

disable_created_metrics()  # type: ignore[no-untyped-call]  # series that nobody needs

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

_COUNTERS = {
    "bot_decisions_total": "Decisions of bots.",
    "bot_failures_total": "Decisions that a bot did not make in time or made wrongly.",
    "games_resumed_total": "Games taken from the store into memory.",
}
_COUNTERS_OF = {
    "commands_accepted_total": "Commands carried out, by kind.",
    "commands_refused_total": "Commands and requests refused, by code.",
    "store_errors_total": "Times the store could not be written or read, by code.",
    "connections_refused_total": "Connections refused or closed for want of room or time, by why.",
}
_HISTOGRAMS = {
    "append_seconds": "Time to write and sync a transaction.",
    "command_seconds": "Time from a command to the answer.",
    "resume_seconds": "Time to take a game from the store into memory.",
    "bot_wait_seconds": "Time that a decision of a bot waits for a process.",
}
_GAUGES = {
    "viewers": "Open sockets.",
    "connections": "Open connections.",
    "tables_awake": "Tables in memory.",
    "awake_bytes": "Bytes of the logs of tables in memory.",
    "store_damages": "Damages that the check of the store at the start has found.",
    "bot_queue": "Decisions of bots that wait for a process.",
}


class PrometheusMetrics(Metrics):
    """Counters, histograms, and gauges that are read when the metrics are asked for.

    Each server has a registry of its own, so that several can run in one process.
    """

    media_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        name = "ferrovia_{}".format
        self._counters = {
            key: Counter(name(key), about, registry=self._registry)
            for key, about in _COUNTERS.items()
        }
        self._counters_of = {
            key: Counter(name(key), about, ["of"], registry=self._registry)
            for key, about in _COUNTERS_OF.items()
        }
        self._histograms = {
            key: Histogram(name(key), about, buckets=_BOUNDS, registry=self._registry)
            for key, about in _HISTOGRAMS.items()
        }
        # By name and label: to look a child up by its labels takes a lock and a tuple each time.
        self._children: dict[tuple[str, str], Counter] = {}

    def count(self, name: str, label: str = "") -> None:
        counter = self._children.get((name, label))
        if counter is None:
            found = self._counters_of.get(name)
            counter = self._counters[name] if found is None else found.labels(label)
            self._children[name, label] = counter
        counter.inc()

    def observe(self, name: str, seconds: float) -> None:
        self._histograms[name].observe(seconds)

    def gauge(self, name: str, ask: Callable[[], float]) -> None:
        Gauge(f"ferrovia_{name}", _GAUGES[name], registry=self._registry).set_function(ask)

    def text(self) -> bytes:
        return generate_latest(self._registry)
