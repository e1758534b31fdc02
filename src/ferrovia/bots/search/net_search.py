"""The bot `net` with a budget looks ahead: `net:1s`, `net:400`, `net:800 plays, 1s`.

Without one it is what the net thinks first. On a board that it has not learned, `net:1s` is
`search:1s`.
"""

from array import array
from collections.abc import Sequence

from ferrovia.bots.bot import Bot
from ferrovia.bots.kernel.kernel_bot import KernelBot
from ferrovia.bots.net.columns import layout
from ferrovia.bots.net.net_bot import NetBot, has_learned
from ferrovia.bots.net.reward import distances
from ferrovia.bots.net.weight_file import activations_for, net_for, weights_of
from ferrovia.bots.search.budget import SearchBudget, read_budget
from ferrovia.bots.search.lookahead import SIGHT, look_ahead, sight_for
from ferrovia.bots.search.root import Root
from ferrovia.bots.search.search_bot import SearchBot
from ferrovia.bots.search.workspace import NODE, Workspace, make_workspace
from ferrovia.game.codec.lexicon import Lexicon
from ferrovia.kernel import Buffer, Ints, Pack
from ferrovia.rules.state.layout import PAY, SECOND, STATE

ARMS = 8  # options that take part, at most
TRIES = 12  # iterations that there must be for each
TURNS = 6  # own turns to look ahead

_TO_THE_END = 1 << 12  # turns: more than any game has
_GAMES = 32  # that a chance of winning is taken from

# The part of the budget for small decisions.
_PARTS = {SECOND: 1 / 2, PAY: 1 / 4}


def part_of(budget: SearchBudget, phase: int, players: int) -> tuple[float, float]:
    """Return the iterations and the seconds for a decision in a phase."""
    part = _PARTS.get(phase, 1.0)
    return part * budget.iterations_with(players), part * budget.seconds


def arms_for(iterations: float) -> int:
    """Return how many options take part at most."""
    return max(2, int(min(iterations / TRIES, ARMS)))


class NetTerms:
    """The constants of looking ahead with the net (see `halving.HalvingConstants`)."""

    prior_visits = 12.0
    spread = 0.04
    clear = 0.02
    certain: float | None = 2.5


class ByNet(NetTerms):
    """Options by the net's policy, tried by looking ahead with it."""

    def __init__(
        self, workspaces: list[Pack[Workspace]], lexicon: Lexicon, players: int, turns: int = TURNS
    ) -> None:
        board = lexicon.edition.board.id
        weights = weights_of(net_for(board, players)).of
        self.workspaces = workspaces
        ways = distances(lexicon.edition)
        self._sights = [
            Pack(SIGHT, sight_for(weights, activations_for(weights), layout(board), ways, turns))
            for _ in workspaces
        ]

    def value_wins(self) -> None:
        """Value a finished game by the win alone, as a share, less that of equal players."""
        rewards = array("i", [0, 500_000, 0])
        self._sights = [
            Pack(SIGHT, sight._replace(weights=sight.weights._replace(rewards=rewards)))
            for sight in (pack.of for pack in self._sights)
        ]

    def plant(self, core: int, book: Buffer, view: Buffer, seat: int, most: int) -> Sequence[float]:
        workspace = self.workspaces[core]
        count = look_ahead(book, view, seat, array("q"), most, 0, workspace, self._sights[core])
        return workspace.of.weights[:count].tolist()

    def grow(
        self,
        core: int,
        book: Buffer,
        view: Buffer,
        seat: int,
        arms: Ints,
        first: int,
        worlds: int,
    ) -> None:
        look_ahead(book, view, seat, arms, first, worlds, self.workspaces[core], self._sights[core])


class NetSearchBot(KernelBot):
    """A bot that looks ahead with the net, at one seat of one game.

    Unless the time is up first, its decisions depend on the view, the seed and the budget alone.
    """

    def __init__(self, name: str, budget: SearchBudget, seed: bytes) -> None:
        super().__init__(name)
        self._budget, self._seed = budget, seed
        self._method: ByNet | None = None
        self._other: SearchBot | None = None

    def small_decision(self, lexicon: Lexicon, seen: Buffer, seat: int) -> int:
        s = STATE.of(seen)
        if self._method is None and self._other is None:
            if has_learned(lexicon, s.players):
                workspaces = [make_workspace(self._seed) for _ in range(self._budget.cores)]
                self._method = ByNet(workspaces, lexicon, s.players)
            else:
                self._other = SearchBot(self.name, self._budget, self._seed)
        if self._other is not None:
            return self._other.small_decision(lexicon, seen, seat)
        assert self._method is not None
        phase, players = s.phase, s.players
        iterations, seconds = part_of(self._budget, phase, players)
        root = Root(lexicon.book, seen, seat, self._method, arms_for(iterations))
        root.search(iterations, seconds)
        return root.action


def chance_of_winning(lexicon: Lexicon, view: Buffer, seat: int, action: int) -> float | None:
    """Return the share of games that the net wins for a seat after an action, from its view.

    It plays them to the end in worlds that agree with the view. None on a board that it has not
    learned.
    """
    players = STATE.of(view).players
    if not has_learned(lexicon, players):
        return None
    method = ByNet([make_workspace(bytes(32))], lexicon, players, turns=_TO_THE_END)
    method.value_wins()
    method.plant(0, lexicon.book, view, seat, 1)
    node = NODE.of(method.workspaces[0].of.nodes, 1)
    node.action = action
    method.grow(0, lexicon.book, view, seat, array("q", [1]), 0, _GAMES)
    return node.total / node.visits + 1 / players


def make_net(options: str, seed: bytes) -> Bot:
    """Return the bot `net`; with options (see budget.py) it looks ahead."""
    if not options:
        return NetBot(seed)
    return NetSearchBot(f"net:{options}", read_budget(options), seed)
