"""What a server takes from a browser: see system.py."""

from collections.abc import Mapping
from functools import partial

from ferrovia.server.metrics import Metrics
from ferrovia.server.page.workers import (
    RecordWorkers,
    WorkerPool,
    Workers,
    analysis_in,
    workshop_in,
)
from ferrovia.server.rates import Rate
from ferrovia.server.settings import Limits, Settings
from ferrovia.server.store import Store
from ferrovia.server.store.memory import DirectJournal
from ferrovia.server.system import System

_OWN = Rate(burst=1000, per_second=100)

SETTINGS = Settings(
    limits=Limits(
        requests=_OWN,
        creations=_OWN,
        connections=_OWN,
        messages=_OWN,
        messages_of_address=_OWN,
        hints=_OWN,
        arrangements=_OWN,
        histories=_OWN,
        films=_OWN,
        analyses=_OWN,
        workshop=_OWN,
        stored_bytes=Rate(burst=1e12, per_second=1e12),
    ),
    clock_grace=0.0,
)
"""The settings of a server whose only client is whoever owns the device."""


def browser(store: Store, workers: Workers) -> System:
    """Return what a server takes from a browser; its storage and other workers are handed over."""
    return System(
        open_store=lambda _: store,
        journal=DirectJournal,
        bots=lambda settings: WorkerPool(workers, settings.bot_seconds),
        analyst=partial(analysis_in, workers),
        elsewhere=RecordWorkers(workers),
        post=_post,
        workshop=workshop_in(workers),
        own_workshop=workshop_in(workers),
        metrics=Metrics(),
    )


async def _post(host: str, path: str, headers: Mapping[str, str], body: bytes) -> int:
    raise OSError("a page calls no addresses")
