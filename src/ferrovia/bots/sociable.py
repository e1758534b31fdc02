"""The sociable style: a bot that claims as it goes, where a stronger one would go on drawing cards.

Good play is often to lay nothing for a long time and then everything at once, which is poor company
for who sits at the same table. The style has no memory: it reads the hand.
"""

from ferrovia.bots.kernel.kernel_bot import KernelBot, ScriptedBot
from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.game.codec.actions import legal_codes, target
from ferrovia.game.codec.lexicon import Lexicon
from ferrovia.game.scores import members
from ferrovia.kernel import Buffer
from ferrovia.rules.chapters.actions import DRAW_TICKETS
from ferrovia.rules.state.layout import NONE, STATE, TURN

FULL = 16  # cards in the hand


class SociableBot(KernelBot):
    """A bot that decides as another one does, except that with a full hand it draws no more cards
    while it can claim a route that planner means to take for its tickets: it claims the longest.
    """

    def __init__(self, name: str, bot: KernelBot, seed: bytes) -> None:
        super().__init__(name)
        self._bot = bot
        self._planner = ScriptedBot(SCRIPTS.index("planner"), seed)

    def small_decision(self, lexicon: Lexicon, seen: Buffer, seat: int) -> int:
        chosen = self._bot.small_decision(lexicon, seen, seat)
        s = STATE.of(seen)
        full = s.phase == TURN and s.turns_left == NONE and sum(s.hand[seat]) >= FULL
        if not full or chosen >= DRAW_TICKETS:
            return chosen
        self._planner.small_decision(lexicon, seen, seat)
        tree = set(members(PLAN.of(self._planner.plan).tree))
        lengths = {
            code: lexicon.lengths[route]
            for code in legal_codes(lexicon, seen, seat)
            if (route := target(lexicon, code)) in tree
        }
        return max(lengths, key=lengths.__getitem__, default=chosen)
