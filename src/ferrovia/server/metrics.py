"""What a server counts of itself, and where nobody reads it."""

from collections.abc import Callable


class Metrics:
    """Metrics that nobody reads: nothing is counted (see prometheus.py for those that are)."""

    media_type = "text/plain"

    def count(self, name: str, label: str = "") -> None:
        """Count an event; `label` is its kind, where the metric has kinds."""

    def observe(self, name: str, seconds: float) -> None:
        """Count a time."""

    def gauge(self, name: str, ask: Callable[[], float]) -> None:
        """Let a value be asked for by `ask`."""

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return b""
