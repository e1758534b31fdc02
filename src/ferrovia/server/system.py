"""What a server takes from the system that it runs on.

All of it is here, so that the same app runs where there are no threads, processes, sockets and
files, as in a page: something else does the same there. Threads are taken from the event loop alone
(`run_in_executor`, through `asyncio.to_thread`); one without threads does the work at once.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ferrovia.server.analysis.analyses import Analyst
from ferrovia.server.bots.pool import BotPool
from ferrovia.server.lobby.webhooks import Post
from ferrovia.server.metrics import Metrics
from ferrovia.server.records.service import Elsewhere
from ferrovia.server.settings import Settings
from ferrovia.server.store import Journal, Store
from ferrovia.server.store.interface import Took
from ferrovia.server.workshop.process import WorkElsewhere


@dataclass(frozen=True)
class System:
    """How a store is opened and written to, where bots decide, analyses are made and records with
    boards of their own are handled, how addresses of players are called, where the workshop works
    for strangers and for whoever is at the machine, and what is counted.
    """

    open_store: Callable[[Settings], Store]
    journal: Callable[[Store, Took], Journal]
    bots: Callable[[Settings], BotPool]
    analyst: Analyst
    elsewhere: Elsewhere
    post: Post
    workshop: WorkElsewhere
    own_workshop: WorkElsewhere
    metrics: Metrics
