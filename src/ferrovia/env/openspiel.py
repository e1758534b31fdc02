"""A game for OpenSpiel, in Python: `load("usa-classic", players=2)`. Needs the extra `openspiel`.

Chance is resolved at the root: its one node chooses among a number of deals, and everything that
chance does later follows from the deal. `resample_from_infostate` draws a whole state that agrees
with what a player sees, which need not be one of those deals. Returns are those of
`ferrovia.env.single.rewards_of`. States and actions read in words; the last line of a state, and an
information state, are digests, since no two may read alike. The structs of OpenSpiel 2 are `Struct`
here, with `to_dict` and `to_json` as its own have: those cannot be made in Python.

OpenSpiel's own IS-MCTS in C++ crashes on games that are written in Python, this one included; the
one in Python (`open_spiel.python.algorithms.ismcts`) plays it.
"""

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import msgspec
import numpy as np

from ferrovia.env.single import SingleGame
from ferrovia.errors import MissingExtra
from ferrovia.game.codec.actions import action_of
from ferrovia.game.codec.lexicon import lexicon_of
from ferrovia.game.summary import summary_text
from ferrovia.game.views import own_state, public_state, view_of
from ferrovia.rules import calls
from ferrovia.rules.state.layout import NONE, RNG_WORDS

try:
    import pyspiel
except ImportError as problem:
    raise MissingExtra("openspiel", problem) from None

NAME = "python_ferrovia"
LONGEST = 3000  # decisions: more than any game takes
_DEFAULTS: dict[str, Any] = {"edition": "usa-classic", "players": 2, "deals": 1000}

_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Ferrovia",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=5,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


@cache
def _table(edition: str, players: int) -> SingleGame:
    """Return the game with which all states of a process are looked at, one after the other."""
    return SingleGame(edition, players)


def _in_words(table: SingleGame, whole: Any, players: Iterable[int]) -> str:
    """Return what everybody may know of a state, and what only some players know."""
    lexicon, state = lexicon_of(table.edition), memoryview(bytearray(whole))
    names = [f"player {player}" for player in range(table.players)]
    lines = [summary_text(view_of(lexicon, state, None), names, None)]
    for player in players:
        view = view_of(lexicon, state, player)
        hand = ", ".join(f"{count} {card}" for card, count in view.hand.items()) or "no cards"
        parts = [f"{names[player]}: {hand}", f"tickets {' '.join(view.tickets) or 'none'}"]
        if view.offer:
            parts.append(f"offered {' '.join(view.offer)}")
        lines.append("; ".join(parts))
    return "\n".join(lines)


class Struct:
    """What stands in a state, an observation or an action, by name."""

    def __init__(self, **content: Any) -> None:
        self._text = msgspec.json.encode(content)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return msgspec.json.decode(self._text, type=dict[str, Any])

    def to_json(self) -> str:
        """Return it as a text."""
        return self._text.decode()


class FerroviaGame(pyspiel.Game):
    """A game of an edition, or of a board file, for a number of players."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        self.edition, self.seats = str(given["edition"]), int(given["players"])
        self.deals = int(given["deals"])
        table = _table(self.edition, self.seats)
        info = pyspiel.GameInfo(
            num_distinct_actions=table.actions,
            max_chance_outcomes=self.deals,
            num_players=self.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(_TYPE, info, given)

    def new_initial_state(self) -> "FerroviaState":
        return FerroviaState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> "FerroviaObserver":
        return FerroviaObserver(self.edition, self.seats)


class FerroviaState(pyspiel.State):
    """A position: the bytes of the kernel, and what each player did and saw before."""

    def __init__(self, game: FerroviaGame) -> None:
        super().__init__(game)
        self.edition, self.seats, self.deals = game.edition, game.seats, game.deals
        self.whole: Any = None
        self.seat = NONE
        self.legal: list[int] = []
        self.over = False
        self.results: list[float] = [0.0] * self.seats
        self.recalled = [""] * self.seats

    def _looked_at(self) -> SingleGame:
        table = _table(self.edition, self.seats)
        table.state = self.whole
        return table

    def _look(self, table: SingleGame) -> None:
        self.whole = table.state.copy()
        self.seat = table.seat
        self.over = table.seat == NONE
        self.legal = [] if self.over else [int(a) for a in np.flatnonzero(table.mask(self.seat))]
        self.results = table.rewards()

    def current_player(self) -> int:
        if self.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if self.whole is None:
            return int(pyspiel.PlayerId.CHANCE)
        return self.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.legal if player == self.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(deal, 1.0 / self.deals) for deal in range(self.deals)]

    def _apply_action(self, action: int) -> None:
        if self.whole is None:
            table = _table(self.edition, self.seats)
            table.reset(int(action))
        else:
            seen = self.information_state_string(self.seat)
            digest = hashlib.sha256(f"{seen} {action}".encode()).hexdigest()
            self.recalled[self.seat] = digest[:32]
            table = self._looked_at()
            table.play(int(action))
        self._look(table)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE or self.whole is None:
            return f"deal {action}"
        lexicon, state = lexicon_of(self._looked_at().edition), memoryview(bytearray(self.whole))
        return str(action_of(lexicon, state, player, action))

    def action_to_struct(self, player: int, action: int) -> Struct:
        """Return `action`, as `action_to_string` writes it."""
        return Struct(action=self._action_to_string(player, action))

    def struct_to_actions(self, struct: Struct) -> list[int]:
        """Return the action that `action_to_struct` described, of whoever is to act."""
        return [self.string_to_action(self.current_player(), struct.to_dict()["action"])]

    def apply_action_struct(self, struct: Struct) -> None:
        """Carry out the action that a struct describes."""
        for action in self.struct_to_actions(struct):
            self.apply_action(action)

    def to_struct(self) -> Struct:
        """Return `public`, what everybody may know, and `own`, what each player knows besides."""
        return self._struct(range(self.seats))

    def to_observation_struct(self, player: int) -> Struct:
        """Return `public`, what everybody may know, and in `own` what the player knows besides."""
        return self._struct([player])

    def _struct(self, players: Iterable[int]) -> Struct:
        if self.whole is None:
            return Struct(public=None, own=[])
        lexicon, state = lexicon_of(self._looked_at().edition), memoryview(bytearray(self.whole))
        own = [own_state(view_of(lexicon, state, player)) for player in players]
        return Struct(public=public_state(view_of(lexicon, state, None)), own=own)

    def is_terminal(self) -> bool:
        return self.over

    def returns(self) -> list[float]:
        return self.results if self.over else [0.0] * self.seats

    def _view(self, player: int) -> Any:
        view = np.zeros_like(self.whole)
        calls.view(self.whole, player, view)
        return view

    def information_state_string(self, player: int | None = None) -> str:
        """Return a digest of all that a player did and saw: nothing is ever forgotten."""
        player = self.seat if player is None else player
        if self.whole is None:
            return "deal"
        seen = hashlib.sha256(self._view(player).tobytes()).hexdigest()[:32]
        return f"{player} {self.recalled[player]} {seen}"

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> "FerroviaState":
        """Return a state that agrees with what a player sees, the rest drawn at random."""
        other: FerroviaState = self.clone()
        if self.whole is None:
            return other
        rng = np.zeros(RNG_WORDS, np.uint32)
        seed = np.array([int(probability_sampler() * 256) % 256 for _ in range(32)], np.uint8)
        calls.seed_generator(rng, seed, 0)
        table = self._looked_at()
        table.state = table.resample(player_id, rng)
        other._look(table)
        return other

    def __str__(self) -> str:
        if self.whole is None:
            return "before the deal"
        words = _in_words(self._looked_at(), self.whole, range(self.seats))
        return f"{words}\n{hashlib.sha256(self.whole.tobytes()).hexdigest()[:32]}"


class FerroviaObserver:
    """What a player sees as a tensor: the columns of `ferrovia.bots.net.columns`, scaled."""

    def __init__(self, edition: str, players: int) -> None:
        columns = _table(edition, players).columns
        self._scales = columns.scales()
        self.tensor = np.zeros(columns.count, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: FerroviaState, player: int) -> None:
        """Write what a player of a state sees to `tensor`."""
        self.tensor[:] = 0
        if state.whole is not None:
            self.tensor[:] = state._looked_at().observe(player) * self._scales

    def string_from(self, state: FerroviaState, player: int) -> str:
        """Return what a player sees, as text."""
        if state.whole is None:
            return "before the deal"
        return _in_words(state._looked_at(), state.whole, [player])


def load(edition: str = "usa-classic", players: int = 2, deals: int = 1000) -> FerroviaGame:
    """Return a game of an edition, or of the board file at a path."""
    return FerroviaGame({"edition": edition, "players": players, "deals": deals})


pyspiel.register_game(_TYPE, FerroviaGame)
