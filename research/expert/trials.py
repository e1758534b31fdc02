"""What options are worth: positions of games that the net plays, each option played on by the net.

The deck of a game has no order: cards are drawn when they are needed. So a position can go on in
many ways from the same state, and over all positions that games come to, what is hidden is as
likely as it can be: no worlds need to be dealt. The options of a position meet the same chance, and
a trial ends after some own turns, with what the net still expects then.
"""

from typing import NamedTuple

import torch

from ferrovia.env.batch import BatchEnv
from ferrovia.learn.config import Recipe
from ferrovia.learn.league import games_by_weight
from ferrovia.learn.lockstep import Lockstep
from ferrovia.learn.net import Net
from ferrovia.rules.state.chance import ALL_USED, STREAM, USED
from ferrovia.rules.state.layout import NONE, PAY, TURN

OPTIONS = 8  # of a position, at most
UNLIKELY = 7.0  # an option less likely than the best by this power of e is not tried
NEVER = -1e9  # the logarithm of the chance of an option that there is not
_APART = 5  # steps between two looks at the same games
_SCORE_EVERY = 8  # steps between looking for trials whose game is over


class Tried(NamedTuple):
    """Positions, by row, and what their options are worth."""

    obs: torch.Tensor  # columns, uint8
    actions: torch.Tensor  # by option
    chances: torch.Tensor  # logarithms by the net that played, NEVER where there is no option
    gains: torch.Tensor  # by option, as compared with the mean of all by their chances
    errors: torch.Tensor  # standard errors of the gains
    values: torch.Tensor  # that mean

    def picked(self, rows: torch.Tensor) -> "Tried":
        """Return some of the positions."""
        return Tried(*(each[rows] for each in self))

    @staticmethod
    def joined(parts: "list[Tried]") -> "Tried":
        return Tried(*(torch.cat(each) for each in zip(*parts, strict=True)))


class Trials:
    """Games of a net, and room to try a number of their options at the same time."""

    def __init__(
        self, recipe: Recipe, device: str, *, games: int, slots: int, worlds: int, turns: int
    ) -> None:
        self.recipe, self.worlds, self.turns = recipe, worlds, turns
        kinds, kind_of = games_by_weight(recipe, games)
        self._most = max(kind.players for kind in kinds)
        self.games = Lockstep(BatchEnv(kinds, kind_of, key=recipe.seed + 1000, device=device))
        kinds, kind_of = games_by_weight(recipe, slots - slots % worlds)
        self.slots = Lockstep(BatchEnv(kinds, kind_of, key=recipe.seed + 2000, device=device))
        self.games.reset()
        self.slots.reset()

    @torch.no_grad()
    def play_games(self, net: Net, steps: int) -> None:
        """Go on with the games, each decision at random by the net's policy."""
        games, recipe = self.games, self.recipe
        for _ in range(steps):
            games.observe()
            logits, _ = net(games.obs)
            noise = torch.empty_like(logits).exponential_().log_()
            games.step((logits - noise).argmax(-1), recipe.point[1], recipe.partial)
            games.finish(recipe.point[1], recipe.win[1])

    @torch.no_grad()
    def collect(self, net: Net) -> Tried:
        """Play on, and try the options of as many positions as there is room for.

        A position counts if more than one option is likely enough. Payments are left out: planner's
        plan for one is that of the turn before, which a copy of the state does not have.
        """
        self.play_games(net, _APART)
        games = self.games
        games.observe()
        chances = torch.log_softmax(net(games.obs)[0], -1)
        best = chances.max(-1, keepdim=True).values
        planner = games.scripted.clamp(min=0)[:, None]
        likely = chances.gather(1, planner).maximum(best - UNLIKELY)
        rank = chances.scatter(1, planner, likely)  # what planner would do takes part
        found = rank.topk(min(OPTIONS, rank.shape[1]), dim=-1)
        listed = (found.values >= best - UNLIKELY) & games.obs.t().gather(1, found.indices).bool()
        phase = games.field("phase")[:, 0]
        counts = torch.where((games.seats != NONE) & (phase != PAY), listed.sum(-1), 0)
        roots = torch.nonzero(counts > 1)[:, 0]
        roots = roots[torch.randperm(len(roots), device=roots.device)]
        room = self.slots.env.games // self.worlds
        roots = roots[counts[roots].cumsum(0) <= room]
        listed, actions = listed[roots], found.indices[roots]
        places = torch.nonzero(listed)
        worth = self._try(net, roots[places[:, 0]], actions[listed])
        all_worth = torch.zeros((*listed.shape, self.worlds), device=worth.device)
        all_worth[listed] = worth
        logs = found.values[roots].masked_fill(~listed, NEVER)
        share = torch.softmax(logs, -1)[..., None]
        mean = (share * all_worth).sum(1, keepdim=True)
        apart = torch.where(listed[..., None], all_worth - mean, 0.0)
        return Tried(
            games.obs[:, roots].t().contiguous(),
            actions,
            logs,
            apart.mean(-1),
            apart.std(-1) / self.worlds**0.5,
            mean.mean((1, 2)),
        )

    def _fork(self, roots: torch.Tensor) -> torch.Tensor:
        """Copy each position into as many slots as there are worlds; return the seats to act.

        Slots that are left over play the first.
        """
        slots, games, worlds = self.slots, self.games, self.worlds
        source = roots.new_full((slots.env.games,), int(roots[0]))
        source[: len(roots) * worlds] = roots.repeat_interleave(worlds)
        for name in ("whole", "held", "book_of", "players"):
            slots.array(name).copy_(games.array(name)[source])
        chance = torch.randint(1, 1 << 30, (games.env.games, worlds), device=source.device)
        world = torch.arange(len(source), device=source.device) % worlds
        numbers = slots.field("rng")
        numbers[:, STREAM + 1] = chance[source, world].to(torch.int32)
        numbers[:, USED] = ALL_USED
        return games.seats[source].clone()

    @torch.no_grad()
    def _try(self, net: Net, roots: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
        """Return what actions in positions are worth to those who choose them, for each world."""
        slots, recipe, worlds = self.slots, self.recipe, self.worlds
        point, win = recipe.point[1], recipe.win[1]
        seat = self._fork(roots)
        chosen = actions.new_full((slots.env.games,), int(actions[0]))
        chosen[: len(actions) * worlds] = actions.repeat_interleave(worlds)
        players = slots.array("players")
        until = slots.field("turns")[:, 0] + self.turns * players
        given = torch.zeros(len(seat), device=seat.device)
        worth = torch.zeros_like(given)
        open_ = torch.ones_like(seat, dtype=torch.bool)
        slots.observe()  # a payment after it needs planner's plan of this turn
        for step in range(self._steps):
            mine = slots.seats == seat
            slots.step(chosen, point, recipe.partial)
            given += torch.where(mine, slots.rewards, -slots.rewards / (players - 1)) * open_
            if step % _SCORE_EVERY == _SCORE_EVERY - 1 or step == self._steps - 1:
                slots.finish(point, win)
                over = open_ & slots.dones.bool()
                last = slots.lasts.gather(1, seat.long().clamp(min=0)[:, None])[:, 0]
                worth = torch.where(over, given + last, worth)
                open_ &= ~over
            slots.observe()
            logits, values = net(slots.obs)
            mine = open_ & (slots.seats == seat)
            worth = torch.where(mine, given + values, worth)
            ahead = slots.field("turns")[:, 0] >= until
            open_ &= ~(mine & ahead & (slots.field("phase")[:, 0] == TURN))
            chosen = logits.argmax(-1)
            if step % _SCORE_EVERY == 0 and not bool(open_.any()):
                break
        return worth[: len(actions) * worlds].reshape(-1, worlds)

    @property
    def _steps(self) -> int:
        """How long trials go on, at most: two decisions a turn, and a little more. What is not over
        then is worth what its seat expected at its last decision."""
        return 2 * self.turns * self._most + 6
