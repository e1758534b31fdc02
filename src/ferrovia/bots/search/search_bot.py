"""The search as a bot: `search`, `search:0.5s`, `search:400`, `search:1000, 1s, 2 cores`."""

from ferrovia.bots.kernel.kernel_bot import KernelBot
from ferrovia.bots.search.budget import Limits, read_limits
from ferrovia.bots.search.root import ARMS, TRIES, Root
from ferrovia.bots.search.workspace import make_desk
from ferrovia.game.codec.lexicon import Buffer, Lexicon
from ferrovia.rules.state.layout import PAY, SECOND, STATE

# The part of the limit that small decisions are searched for, and the fewest options. How to pay
# is left to the prior where the limit does not suffice for two.
_PARTS = {SECOND: (1 / 4, 2), PAY: (1 / 8, 1)}


class SearchBot(KernelBot):
    """A searching bot at one seat of one game.

    Unless the time is up first, its decisions depend on the view, the seed and the limits alone.
    """

    def __init__(self, name: str, limits: Limits, seed: bytes) -> None:
        super().__init__(name)
        self._limits = limits
        self._desks = [make_desk(seed) for _ in range(limits.cores)]

    def _small_decision(self, words: Lexicon, seen: Buffer, seat: int) -> int:
        s = seen.view(STATE)[0]
        part, fewest = _PARTS.get(int(s.phase), (1.0, 2))
        iterations = part * self._limits.iterations_with(int(s.players))
        seconds = part * self._limits.seconds
        arms = max(fewest, int(min(iterations / TRIES, ARMS)))
        root = Root(words.book, seen, seat, self._desks, arms)
        root.search(iterations, seconds)
        return root.action


def make_search(options: str, seed: bytes) -> SearchBot:
    """The bot `search` with these options (see budget.py)."""
    name = f"search:{options}" if options else "search"
    return SearchBot(name, read_limits(options), seed)
