"""R2.3: seats choose their first tickets in any order; nothing depends on it."""

import itertools

import numpy as np
import pytest

from ferrovia.boards import editions
from ferrovia.rules.state.layout import START

from .kernel_games import table


@pytest.mark.parametrize("edition", editions())
@pytest.mark.parametrize("seed", range(5))
def test_r2_3_the_order_of_the_answers_makes_no_difference(edition: str, seed: int) -> None:
    ends = []
    for order in itertools.permutations(range(3)):
        t = table(edition, 3, seed)
        chances = [np.random.default_rng((seed, seat)) for seat in range(3)]
        while t.s.phase == START:
            for seat in order:  # mega-europe asks twice: its offers interleave here
                if seat in t.awaited():
                    t.apply(seat, int(chances[seat].choice(t.legal(seat))))
        ends.append(t.state.copy())
        t = table(edition, 3, seed)
        chances = [np.random.default_rng((seed, seat)) for seat in range(3)]
        for seat in order:
            while t.s.phase == START and seat in t.awaited():
                t.apply(seat, int(chances[seat].choice(t.legal(seat))))
        ends.append(t.state.copy())
    assert all(end == ends[0] for end in ends)
