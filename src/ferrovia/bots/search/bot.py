"""The search as a bot: `search`, `search:0.5s`, `search:400`, `search:1s, 2 cores`."""

from ferrovia.bots.scripted import ScriptedBot
from ferrovia.bots.scripts import GREEDY, SCRIPTS
from ferrovia.bots.search.desk import make_desk
from ferrovia.bots.search.halving import ARMS, SUBSETS, TRIES, Root
from ferrovia.bots.search.limits import Limits, read_limits
from ferrovia.bots.search.rollout import SCOUT
from ferrovia.game.lexicon import Buffer, Lexicon
from ferrovia.rules.layout import KEEP, PAY, START, STATE

_PAYMENT = 8  # how to pay is searched for an eighth of the limit


class SearchBot(ScriptedBot):
    """A searching bot at one seat of one game.

    With a limit in iterations its decisions depend on the view, the seed and the limits alone.
    """

    def __init__(self, name: str, limits: Limits, seed: bytes) -> None:
        super().__init__(GREEDY, seed)
        self.name = name
        self._limits = limits
        self._desks = [make_desk(seed) for _ in range(limits.cores)]
        script = SCOUT if limits.rollouts == "scout" else SCRIPTS.index(limits.rollouts)
        for desk in self._desks:
            desk.kinds[:] = script

    def _small_decision(self, words: Lexicon, seen: Buffer, seat: int) -> int:
        phase = seen.view(STATE)[0].phase
        iterations, seconds = self._limits.iterations, self._limits.seconds
        arms = SUBSETS if phase in (START, KEEP) else ARMS
        if phase == PAY:
            seconds /= _PAYMENT
        if iterations is not None:
            if phase == PAY:
                iterations = -(-iterations // _PAYMENT)
            arms = min(arms, max(2, iterations // TRIES))
        root = Root(words.book, seen, seat, self._desks, arms)
        if iterations is None:
            root.search_for(seconds)
        else:
            root.search(iterations)
        return root.action


def make_search(options: str, seed: bytes) -> SearchBot:
    """The bot `search` with these options (see limits.py)."""
    name = f"search:{options}" if options else "search"
    return SearchBot(name, read_limits(options), seed)
