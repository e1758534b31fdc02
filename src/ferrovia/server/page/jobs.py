"""What a worker of a page does for the server of the page: see `Workers`."""

from collections.abc import Callable

import msgspec

from ferrovia.server.analysis.worker import AnalysisNews, AnalysisTask, work
from ferrovia.server.bots.question import BotQuestion
from ferrovia.server.bots.worker import answer as decide
from ferrovia.server.page.workers import Job
from ferrovia.server.records.service import answer as show
from ferrovia.server.workshop.process import answer as work_on

_QUESTION = msgspec.msgpack.Decoder(BotQuestion)
_TASK = msgspec.msgpack.Decoder(AnalysisTask)
_WRITE = msgspec.msgpack.encode


def do(job: Job, body: bytes, say: Callable[[bytes], None]) -> bytes:
    """Do a job and return its answer; `say` is called with what there is to say on the way."""
    match job:
        case "decide":
            return _WRITE(decide(_QUESTION.decode(body)))
        case "show":
            return show(body)
        case "work":
            return work_on(body)
        case "analyse":
            last = AnalysisNews()

            def tell(news: AnalysisNews) -> None:
                nonlocal last
                last = news
                say(_WRITE(news))

            work(_TASK.decode(body), tell)
            return _WRITE(last)
