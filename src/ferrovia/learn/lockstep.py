"""A batch of games and the tensors of one step of it."""

import torch

from ferrovia.env.batch import BatchEnv
from ferrovia.kernel.record import SIZES
from ferrovia.rules.state.layout import SEATS, STATE

_INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


class Lockstep:
    """What all games of a batch show, and what is decided in them, one step at a time."""

    def __init__(self, env: BatchEnv) -> None:
        self.env = env

        def zeros(kind: torch.dtype, *shape: int) -> torch.Tensor:
            return torch.zeros((1, *shape), dtype=kind, device=env.device)

        games, share = env.games, env.array
        self._obs = zeros(torch.uint8, env.columns.count, games)
        self._seats = zeros(torch.int32, games)
        self._pilots = zeros(torch.uint8, games)
        self._scripted = zeros(torch.int64, games)
        self._actions = zeros(torch.int64, games)
        self._rewards = zeros(torch.float32, games)
        self._dones = zeros(torch.uint8, games)
        self._lasts = zeros(torch.float32, games, SEATS)
        self._seen = (
            share(self._obs),
            share(self._seats),
            share(self._pilots),
            share(self._scripted),
        )
        self._stepped = share(self._actions), share(self._rewards), share(self._dones)
        self._finished = share(self._lasts), share(self._dones)
        # By game: what its seat sees (columns first), the seat, who decides for it, what planner
        # would do, what its action brought, whether the game is over, each seat's last reward.
        self.obs, self.seats, self.pilots = self._obs[0], self._seats[0], self._pilots[0]
        self.scripted, self.rewards = self._scripted[0], self._rewards[0]
        self.dones, self.lasts = self._dones[0], self._lasts[0]

    def reset(self) -> None:
        """Begin all games."""
        self.env.reset()

    def observe(self) -> None:
        """Write what is to be decided, by whom, and what that seat sees."""
        self.env.observe(*self._seen, 0)

    def decide_by(self, name: str, wanted: torch.Tensor, number: int) -> None:
        """Write what a script does to `scripted`, where `wanted` (uint8, by game) is a number."""
        self.env.decide_by(name, self.env.array(wanted), number, self._seen[3], 0)

    def step(self, actions: torch.Tensor, point: float = 0.0, partial: float = 0.0) -> None:
        """Carry out an action in every game that is not over."""
        self._actions[0] = actions
        self.env.step(*self._stepped, 0, point, partial, rewarded=point != 0.0)

    def finish(self, point: float, win: float) -> None:
        """Score the games that are over (`dones`, `lasts`) and begin their next episodes."""
        self._dones.zero_()
        self.env.finish(*self._finished, 0, point, win)

    def array(self, name: str) -> torch.Tensor:
        """Return an array of the batch as a tensor that is not copied."""
        return torch.as_tensor(self.env.arrays[name], device=self.env.device)

    def field(self, name: str) -> torch.Tensor:
        """Return a field of all states as whole numbers of its size, not copied: (games, items)."""
        field = STATE.fields[name]
        assert isinstance(field.kind, str)
        size = SIZES[field.kind]
        whole = self.array("whole").view(_INTEGERS[size])
        return whole[:, field.begin // size : (field.begin + field.size) // size]
