"""Making puzzles: bots play, and from each game at most one puzzle is taken."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from ferrovia.bots import make
from ferrovia.game import Game, Phase, PublicView, View
from ferrovia.puzzles.puzzle import EXACT, KINDS, MOVE_VERSION, VERSION, Kind, Puzzle, check
from research.puzzles.makers import MAKERS, Rejected
from research.puzzles.moves import find_move, opponents_of

EDITIONS = ("usa", "europe", "usa-classic", "europe-1912")
BOTS = ("planner", "stoker", "greedy", "racer", "collector")
_WITH_STATIONS = ("europe", "europe-1912")
_TRIES = 12  # moments of a game that are looked at


class Yield:
    """How many candidates there were of each kind, and which check rejected them."""

    def __init__(self) -> None:
        self.posed: Counter[str] = Counter()
        self.rejected: Counter[tuple[str, str]] = Counter()
        self.made: Counter[str] = Counter()

    def lines(self) -> list[str]:
        """Return the shares that survived, by kind and check."""
        lines = []
        for kind in KINDS:
            if not self.posed[kind]:
                continue
            lines.append(f"{kind}: {self.made[kind]} of {self.posed[kind]} moments")
            for (of, name), count in sorted(self.rejected.items()):
                if of == kind:
                    lines.append(f"  {name}: {count}")
        return lines


def make_puzzles(
    games: int, seed: int, found: Yield, kinds: Sequence[Kind] = EXACT, first: int = 0
) -> Iterator[Puzzle]:
    """Yield puzzles of these kinds in turn from a number of games, beginning with game `first`."""
    for number in range(first, first + games):
        kind = kinds[number % len(kinds)]
        chance = random.Random(seed * 1_000_003 + number)
        editions = _WITH_STATIONS if kind in ("tunnel", "station") else EDITIONS
        puzzle = _from_game(kind, chance.choice(editions), seed * 1_000_003 + number, chance, found)
        if puzzle is not None:
            yield puzzle


def _from_game(
    kind: Kind, edition: str, seed: int, chance: random.Random, found: Yield
) -> Puzzle | None:
    """Return a puzzle of a kind from one game; None if no moment of it gives one."""
    players = chance.choice((2, 3, 4))
    moments = [view.buffer.copy() for view in _moments(edition, players, seed, chance)]
    lexicon = Game(edition, 2, seed=0).lexicon
    chance.shuffle(moments)
    for buffer in moments[:_TRIES]:
        seat = int(PublicView(lexicon, buffer).turn or 0)
        view = View(lexicon, buffer, seat)
        found.posed[kind] += 1
        try:
            puzzle = _posed(kind, view, seed, chance)
        except Rejected as reason:
            found.rejected[kind, str(reason)] += 1
            continue
        check(puzzle)
        found.made[kind] += 1
        return puzzle
    return None


def _posed(kind: Kind, view: View, seed: int, chance: random.Random) -> Puzzle:
    """Return a puzzle about a position; raises `Rejected`."""
    own = view.of(view.seat)
    seats = range(view.players)
    puzzle = Puzzle(
        id=f"{kind}-{seed}",
        kind=kind,
        edition=view.edition.id,
        players=view.players,
        seat=view.seat,
        turn=view.turns,
        trains=own.trains,
        owners=view.owners,
        stations={city: seat for seat in seats for city in view.of(seat).stations},
        hand=view.hand,
        tickets=view.tickets,
        about={},
        answers=(),
        game=seed,
    )
    if kind == "move":
        answers, judges = find_move(view, seed)
        return msgspec.structs.replace(
            puzzle,
            answers=answers,
            judges=judges,
            version=MOVE_VERSION,
            display=view.display,
            points=own.points,
            opponents=opponents_of(view),
            turns_left=view.turns_left,
        )
    about, found = MAKERS[kind](view, chance)
    return msgspec.structs.replace(puzzle, about=about, answers=tuple(found), version=VERSION)


def _moments(edition: str, players: int, seed: int, chance: random.Random) -> Iterator[View]:
    """Yield the views of the seats whose turns begin, past the opening, of a game of bots."""
    game = Game(edition, players, seed=seed)
    bots = [make(chance.choice(BOTS), seed + seat) for seat in range(players)]
    while not game.over:
        seat = game.awaited[0]
        view = game.view(seat)
        if game.phase is Phase.TURN and game.turns > 8 * players:
            yield view
        game.play(seat, bots[seat].decide(view))
