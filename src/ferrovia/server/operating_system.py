"""What a server takes from an operating system: see system.py."""

from ferrovia.server.analysis.process import in_process as analyse_in_process
from ferrovia.server.bots.pool import BotPool
from ferrovia.server.bots.process_pool import ProcessPool
from ferrovia.server.lobby.public_internet import post
from ferrovia.server.prometheus import PrometheusMetrics
from ferrovia.server.records.service import RecordProcesses
from ferrovia.server.settings import Settings
from ferrovia.server.store import Store
from ferrovia.server.store.address import open_store
from ferrovia.server.store.journal import ThreadJournal
from ferrovia.server.system import System
from ferrovia.server.workshop.process import in_process as work_in_process
from ferrovia.server.workshop.process import in_thread as work_in_thread


def operating_system() -> System:
    """Return what a server takes from an operating system."""
    return System(
        open_store=_open_store,
        journal=ThreadJournal,
        bots=_bots,
        analyst=analyse_in_process,
        elsewhere=RecordProcesses(),
        post=post,
        workshop=work_in_process,
        own_workshop=work_in_thread,
        metrics=PrometheusMetrics(),
    )


def _open_store(settings: Settings) -> Store:
    return open_store(settings.store)


def _bots(settings: Settings) -> BotPool:
    return ProcessPool(settings.bot_workers, settings.bot_seconds, settings.programs, settings.bots)
