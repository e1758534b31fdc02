"""The search as a bot: `search`, `search:0.5s`, `search:400`, `search:1000, 1s, 2 cores`."""

from ferrovia.bots.kernel.kernel_bot import KernelBot
from ferrovia.bots.search.budget import SearchBudget, read_budget
from ferrovia.bots.search.root import ARMS, TRIES, ByPlanner, Root
from ferrovia.bots.search.workspace import make_workspace
from ferrovia.game.codec.lexicon import Lexicon
from ferrovia.kernel import Buffer
from ferrovia.rules.state.layout import PAY, SECOND, STATE

# The part of the budget for small decisions, and the fewest options. How to pay is left to the
# prior where the budget does not suffice for two.
_PARTS = {SECOND: (1 / 4, 2), PAY: (1 / 8, 1)}


class SearchBot(KernelBot):
    """A searching bot at one seat of one game.

    Unless the time is up first, its decisions depend on the view, the seed and the budget alone.
    """

    def __init__(self, name: str, budget: SearchBudget, seed: bytes) -> None:
        super().__init__(name)
        self._budget = budget
        self._method = ByPlanner([make_workspace(seed) for _ in range(budget.cores)])

    def small_decision(self, lexicon: Lexicon, seen: Buffer, seat: int) -> int:
        s = STATE.of(seen)
        part, fewest = _PARTS.get(s.phase, (1.0, 2))
        iterations = part * self._budget.iterations_with(s.players)
        seconds = part * self._budget.seconds
        arms = max(fewest, int(min(iterations / TRIES, ARMS)))
        root = Root(lexicon.book, seen, seat, self._method, arms)
        root.search(iterations, seconds)
        return root.action


def make_search(options: str, seed: bytes) -> SearchBot:
    """Return the bot `search` with these options (see budget.py)."""
    name = f"search:{options}" if options else "search"
    return SearchBot(name, read_budget(options), seed)
