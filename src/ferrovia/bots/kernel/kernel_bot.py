"""Bots that decide inside compiled code: the kernel's small decisions made into whole actions."""

from abc import ABC, abstractmethod
from array import array

from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.kernel.scripts import SCRIPTS, decide_by
from ferrovia.game import Action, View
from ferrovia.game.codec.actions import action_of, target, ways_to_pay
from ferrovia.game.codec.lexicon import Lexicon
from ferrovia.kernel import Buffer, Ints
from ferrovia.rules import calls
from ferrovia.rules.state.layout import PAY, RNG_WORDS, STATE


class KernelBot(ABC):
    """A bot at one seat of one game that decides by the small decisions of the kernel."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._seat: int | None = None

    @abstractmethod
    def small_decision(self, lexicon: Lexicon, seen: Buffer, seat: int) -> int:
        """Return a legal decision of a seat that may act, from its view."""

    def decide(self, view: View) -> Action:
        """Return a legal action of the view's seat; ValueError if none is awaited of it."""
        seen = view.buffer.copy()
        if view.seat not in view.awaited:
            raise ValueError("no decision is awaited of this seat")
        self._sit_down(view.seat)
        code = self.small_decision(view.lexicon, seen, view.seat)
        chosen = target(view.lexicon, code)
        payment = None if chosen is None else self._payment(view.lexicon, seen, view.seat, chosen)
        return action_of(view.lexicon, seen, view.seat, code, payment)

    def _sit_down(self, seat: int) -> None:
        """Take a seat at the first decision; ValueError at another one later."""
        if self._seat is None:
            self._seat = seat
        elif self._seat != seat:
            raise ValueError(f"this bot sits at seat {self._seat}, not {seat}")

    def _payment(self, lexicon: Lexicon, seen: Buffer, seat: int, chosen: int) -> int:
        """Return how to pay for a route or city; as in the kernel, one way needs no decision."""
        ways = ways_to_pay(lexicon, seen, seat, chosen)
        if len(ways) == 1:
            return ways[0]
        s = STATE.of(seen)
        s.phase, s.pending = PAY, chosen
        return self.small_decision(lexicon, seen, seat)


class ScriptedBot(KernelBot):
    """The scripted bot of a kind.

    With the seed of the game it plays as the same kind does in `arena.play_games`. `plan` is its
    memory: what it last planned.
    """

    def __init__(self, kind: int, seed: bytes) -> None:
        super().__init__(SCRIPTS[kind])
        self._kind = kind
        self._seed = seed
        self.plan = PLAN.new()
        self._rng: Ints | None = None

    def small_decision(self, lexicon: Lexicon, seen: Buffer, seat: int) -> int:
        if self._rng is None:
            self._rng = array("I", bytes(4 * RNG_WORDS))
            calls.seed_generator(self._rng, self._seed, 1 + seat)
        return decide_by(self._kind, lexicon.book, seen, seat, self.plan, self._rng)
