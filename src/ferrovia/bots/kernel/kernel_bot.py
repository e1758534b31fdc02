"""Bots that decide inside compiled code: the kernel's small decisions made into whole actions."""

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.kernel.scripts import SCRIPTS, decide_by, script
from ferrovia.game import Action, View
from ferrovia.game.actions import PayTunnel
from ferrovia.game.codec.actions import cards_of_payment, paid_action, plain_action, price, target
from ferrovia.game.codec.lexicon import Buffer, Lexicon
from ferrovia.rules import calls
from ferrovia.rules.chapters.actions import ONLY_LOCOMOTIVES
from ferrovia.rules.compiler import direct
from ferrovia.rules.state.layout import PAY, RNG_WORDS, STATE, TUNNEL

_WAYS = 128  # more than the ways to pay for anything


class KernelBot(ABC):
    """A bot at one seat of one game that decides by the small decisions of the kernel."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._seat: int | None = None

    @abstractmethod
    def small_decision(self, words: Lexicon, seen: Buffer, seat: int) -> int:
        """Return a legal decision of a seat that may act, from its view."""

    def decide(self, view: View) -> Action:
        """Return a legal action of the view's seat; ValueError if none is awaited of it."""
        seen = view.buffer.copy()
        s = seen.view(STATE)[0]
        if view.seat is None or view.seat not in view.awaited:
            raise ValueError("no decision is awaited of this seat")
        self._sit_down(view.seat)
        code = self.small_decision(view.words, seen, view.seat)
        chosen = target(view.words, code)
        if chosen is not None:
            payment = self._payment(view.words, seen, view.seat, chosen)
            cards = cards_of_payment(payment, price(view.words, seen, view.seat, chosen))
            return paid_action(view.words, chosen, cards)
        if s.phase == TUNNEL and code >= ONLY_LOCOMOTIVES:
            return PayTunnel(cards_of_payment(code, int(s.extra)))
        return plain_action(view.words, code)

    def _sit_down(self, seat: int) -> None:
        """Take a seat at the first decision; ValueError at another one later."""
        if self._seat is None:
            self._seat = seat
        elif self._seat != seat:
            raise ValueError(f"this bot sits at seat {self._seat}, not {seat}")

    def _payment(self, words: Lexicon, seen: Buffer, seat: int, chosen: int) -> int:
        """Return how to pay for a route or city; as in the kernel, one way needs no decision."""
        ways = np.empty(_WAYS, np.int16)
        if calls.payments(words.book, seen, seat, chosen, ways) == 1:
            return int(ways[0])
        s = seen.view(STATE)[0]
        s.phase, s.pending = PAY, chosen
        return self.small_decision(words, seen, seat)


class ScriptedBot(KernelBot):
    """The scripted bot of a kind.

    With the seed of the game it plays as the same kind does in `arena.play_games`. `plan` is its
    memory: what it last planned.
    """

    def __init__(self, kind: int, seed: bytes) -> None:
        super().__init__(SCRIPTS[kind])
        self._kind = kind
        self._seed = np.frombuffer(seed, np.uint8).copy()
        self.plan = np.zeros(PLAN.itemsize, np.uint8)
        self._rng: npt.NDArray[np.uint32] | None = None

    def small_decision(self, words: Lexicon, seen: Buffer, seat: int) -> int:
        if self._rng is None:
            self._rng = np.zeros(RNG_WORDS, np.uint32)
            calls.seed_generator(self._rng, self._seed, 1 + seat)
        decide = direct(decide_by.__name__)
        return int(decide(script(self._kind), words.book, seen, seat, self.plan, self._rng))
