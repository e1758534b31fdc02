"""The bot `net`: the first thought of a net that learned by self-play."""

from typing import NamedTuple

from ferrovia.bots.kernel.kernel_bot import KernelBot, ScriptedBot
from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.bots.net.columns import layout
from ferrovia.bots.net.inference import Weights, decide_by_net
from ferrovia.bots.net.weight_file import boards, net_for, shared_activations, weights_of
from ferrovia.game.codec.lexicon import Lexicon
from ferrovia.kernel import Buffer, Pack
from ferrovia.rules.state.layout import STATE


class _Knowledge(NamedTuple):
    slots: int
    others: int
    name: str
    weights: Pack[Weights]


def has_learned(lexicon: Lexicon, players: int) -> bool:
    """Return whether there are weights for such a game."""
    board = lexicon.edition.board
    if board.id not in boards():
        return False
    columns = layout(board.id)
    return (
        board == columns.of
        and lexicon.tables.max_offer <= columns.offer
        and players <= columns.others + 1
    )


class NetBot(KernelBot):
    """The learned player at one seat of one game; planner on a board that it has not learned.

    It leaves nothing to chance.
    """

    def __init__(self, seed: bytes) -> None:
        super().__init__("net")
        self._plan = PLAN.new()
        self._planner = ScriptedBot(SCRIPTS.index("planner"), seed)
        self._knowledge: _Knowledge | None = None

    def small_decision(self, lexicon: Lexicon, seen: Buffer, seat: int) -> int:
        if self._knowledge is None:
            players = STATE.of(seen).players
            if not has_learned(lexicon, players):
                return self._planner.small_decision(lexicon, seen, seat)
            board = lexicon.edition.board.id
            columns, name = layout(board), net_for(board, players)
            self._knowledge = _Knowledge(columns.offer, columns.others, name, weights_of(name))
        slots, others, name, weights = self._knowledge
        activations = shared_activations(name)
        return decide_by_net(
            lexicon.book, seen, seat, slots, others, self._plan, weights, activations
        )
