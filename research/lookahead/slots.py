"""Slots: options that are played on by the net in lockstep, each in a world of its own.

It is `_try` of ferrovia.bots.search.lookahead for many options at once: the option, then the net's
decisions for every seat, until the seat's own turn has come round a few times. A slot that is done
keeps its game as it is then until its worth is taken.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from ferrovia.bots.net.inference import Weights
from ferrovia.bots.search.lookahead import worth_ahead, worth_of_end
from ferrovia.bots.search.rollout import BLOCKS
from ferrovia.env.batch import BatchEnv, Kind
from ferrovia.kernel import kernel
from ferrovia.learn.lockstep import Lockstep
from ferrovia.rules.state.chance import ALL_USED, COUNTER, USED
from ferrovia.rules.state.layout import NONE, OVER, SEATS, STATE, TURN
from research.compiled import compiled
from research.lookahead.whole_net import WholeNet

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Numbers = Any


class Tries(NamedTuple):
    """What is to be tried: by try, but for the worlds."""

    worlds: npt.NDArray[np.uint8]  # states
    world: Ints  # its place among them
    action: Ints
    seat: Ints  # that chooses it
    kind: Ints  # of game, as in `kinds`


class Slots:
    """Room for a number of tries at the same time, of games on one board.

    `turns` is how many of its own turns a seat looks ahead.
    """

    def __init__(
        self, kinds: Sequence[Kind], count: int, weights: Weights, turns: int, device: str
    ) -> None:
        env = BatchEnv(kinds, np.zeros(count, np.int64), key=0, device=device)
        self.count, self._turns, self._rewards = count, turns, np.asarray(weights.rewards)
        self._lock, self._net = Lockstep(env), WholeNet(weights, device)
        ids = list(dict.fromkeys(kind.edition.id for kind in kinds))
        self._book_of = np.array([ids.index(kind.edition.id) for kind in kinds])
        self._players = np.array([kind.players for kind in kinds])
        self._device = device

        def tensor(kind: torch.dtype, value: int = 0) -> torch.Tensor:
            return torch.full((count,), value, dtype=kind, device=device)

        self._full = tensor(torch.bool)  # filled, and not taken yet
        self._open = tensor(torch.bool)  # not done
        self._ahead = tensor(torch.bool)  # done because the seat's own turn has come
        self._seat, self._until = tensor(torch.int32), tensor(torch.int16)
        self._first = tensor(torch.int64, NONE)  # what is tried, until it is played
        self._expected = tensor(torch.float64)
        self._phase = self._lock.field("phase")[:, 0]
        self._turns_begun = self._lock.field("turns")[:, 0]
        self._rng = self._lock.field("rng")
        self._phase.fill_(OVER)
        self.free: Ints = np.arange(count)[::-1].copy()

    def fill(self, tries: Tries) -> Ints:
        """Put tries into free slots, of which there must be enough; return the slots."""
        count = len(tries.world)
        slots, self.free = self.free[len(self.free) - count :], self.free[: len(self.free) - count]

        def there(array: npt.ArrayLike) -> torch.Tensor:
            return torch.as_tensor(np.ascontiguousarray(array)).to(self._device)

        at, world = there(slots), there(tries.world)
        worlds = there(tries.worlds)
        lock = self._lock
        lock.array("whole")[at] = worlds[world]
        lock.array("book_of")[at] = there(self._book_of[tries.kind])
        lock.array("players")[at] = there(self._players[tries.kind])
        begun = tries.worlds.view(STATE.dtype)["turns"].reshape(-1)[tries.world]
        until = begun + self._turns * self._players[tries.kind]
        self._until[at] = there(np.minimum(until, np.iinfo(np.int16).max).astype(np.int16))
        self._seat[at] = there(tries.seat.astype(np.int32))
        self._first[at] = there(tries.action)
        self._open[at] = True
        self._full[at] = True
        return slots

    @torch.no_grad()
    def run(self, steps: int) -> None:
        """Play on; on a GPU this returns at once."""
        lock = self._lock
        for _ in range(steps):
            lock.observe()
            decisions, expected = self._net(lock.obs)
            over = lock.seats == NONE
            ahead = self._open & ~over & (lock.seats == self._seat) & (self._phase == TURN)
            ahead &= self._turns_begun >= self._until
            torch.where(ahead, expected, self._expected, out=self._expected)
            self._ahead |= ahead
            self._open &= ~(over | ahead)
            self._phase.masked_fill_(ahead, OVER)  # so that it stands still
            begun = self._turns_begun.clone()
            lock.step(torch.where(self._first == NONE, decisions, self._first))
            self._first.fill_(NONE)
            # As `play_on` does: every turn has randomness of its own.
            turned = self._turns_begun != begun
            counter = self._turns_begun.to(torch.int32) * BLOCKS
            self._rng[:, COUNTER] = torch.where(turned, counter, self._rng[:, COUNTER])
            self._rng[:, USED].masked_fill_(turned, ALL_USED)

    @torch.no_grad()
    def take(self) -> tuple[Ints, Floats]:
        """Return the slots that are done, and what each is worth to its seat; they are free then.

        What each is worth is what it is to the bot.
        """
        lock = self._lock
        at = torch.nonzero(self._full & ~self._open)[:, 0]
        slots: Ints = at.cpu().numpy()
        if len(slots) == 0:
            return slots, np.zeros(0)
        ahead = self._ahead[at]
        self._phase[at] = torch.where(ahead, TURN, OVER).to(self._phase.dtype)
        out = torch.zeros((len(slots), 1 + SEATS), dtype=torch.float64, device=self._device)
        share = lock.env.array
        lock.env.stand(share(at), float(self._rewards[2]) / 1e6, share(out))
        expected = self._expected[at].cpu().numpy() / self._net.unit
        seats, players = self._seat[at].cpu().numpy(), lock.array("players")[at].cpu().numpy()
        found = np.zeros(len(slots))
        compiled(_value)(out.cpu().numpy(), seats, players, expected, self._rewards, found)
        self._phase[at] = OVER
        self._full[at] = False
        self._ahead[at] = False
        self.free = np.concatenate([self.free, slots])
        return slots, found


@kernel
def _value(
    stands: Numbers, seats: Ints, players: Ints, expected: Floats, rewards: Numbers, out: Floats
) -> None:
    """Write what games are worth to a seat each, as they stand (see `BatchEnv.stand`).

    `expected` counts where a game is not over, as what the seat still expects.
    """
    for i in range(out.shape[0]):
        each, seat, count = stands[i, 1:], int(seats[i]), int(players[i])
        if stands[i, 0] == NONE:
            out[i] = worth_ahead(each, count, seat, expected[i], rewards)
        else:
            out[i] = worth_of_end(each, int(stands[i, 0]), count, seat, rewards)
