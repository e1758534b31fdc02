"""R11: nobody's view depends on what they may not know."""

import numpy as np
import pytest
from hypothesis import given, settings

from ferrovia.rules import calls
from ferrovia.rules.state.layout import OVER, PAY, RNG_WORDS, SPECTATOR, START, STATE
from ferrovia.rules.state.visibility import ALL, NOBODY, OWN, OWN_AT_START, VISIBLE_TO
from tests.memory import fields

from .kernel_games import Table, table, tables


def view(t_state: bytearray, viewer: int) -> bytearray:
    out = STATE.new()
    calls.view(t_state, viewer, out)
    return out


def generator(seed: int) -> np.ndarray:  # type: ignore[type-arg]
    rng = np.zeros(RNG_WORDS, np.uint32)
    calls.seed_generator(rng, bytes([seed % 256] * 32), 9)
    return rng


def test_r11_3_every_field_of_a_state_is_declared() -> None:
    assert VISIBLE_TO.keys() == STATE.fields.keys()
    assert set(VISIBLE_TO.values()) <= {ALL, OWN, OWN_AT_START, NOBODY}


def scramble_hidden(t: Table, viewer: int) -> bytearray:
    """A state in which every byte that the viewer may not know is random."""
    state = t.state.copy()
    s = fields(state, STATE)
    starting = s.phase == START
    for field, visible in VISIBLE_TO.items():
        if visible == ALL or field == "viewer" or (visible == OWN_AT_START and not starting):
            continue
        values = np.asarray(s[field])
        noise = np.frombuffer(t.chance.bytes(values.nbytes), values.dtype).reshape(values.shape)
        if visible != NOBODY and viewer < SPECTATOR:
            noise = noise.copy()
            noise[viewer] = values[viewer]
        s[field] = noise
    if starting:
        for seat in range(t.players):
            if seat != viewer and s.offered[seat] > 0:
                s.offered[seat] = t.chance.integers(1, 6)
    if s.phase == PAY and s.seat != viewer:
        s.pending = t.chance.integers(0, 100)
    return state


@settings(max_examples=40)
@given(tables)
def test_r11_3_a_view_does_not_change_with_what_is_hidden(t: Table) -> None:
    out = np.empty(1024, np.int16)
    for number in t.steps():
        if number % 11 or t.s.phase == OVER:
            continue
        for viewer in (*range(t.players), SPECTATOR):
            seen = view(t.state, viewer)
            assert view(scramble_hidden(t, viewer), viewer) == seen
            if viewer < t.players:
                count = calls.legal(t.lexicon.book, seen, viewer, out)
                assert out[:count].tolist() == t.legal(viewer)


def check_samples(t: Table) -> None:
    state = STATE.new()
    for viewer in (*range(t.players), SPECTATOR):
        seen = view(t.state, viewer)
        calls.sample(t.lexicon.book, seen, state, generator(int(t.s.turns)))
        assert view(state, viewer) == seen
        sampled = Table(t.lexicon, t.players, state.copy(), t.chance)
        for _ in sampled.steps():
            deck = sampled.s["deck"].tolist()
            assert min(deck) >= 0
            assert sum(deck) == sampled.s["deck_size"]


@settings(max_examples=12)
@given(tables)
def test_samples_agree_with_the_view_and_can_be_played_to_the_end(t: Table) -> None:
    for number in t.steps():
        if number % 29 == 0 and t.s.phase != OVER:
            check_samples(t)


def test_r11_3_at_the_end_all_is_shown() -> None:
    t = table("europe", 2, 3)
    for _ in t.steps():
        pass
    for viewer in (0, 1, SPECTATOR):
        shown = fields(view(t.state, viewer), STATE)
        assert (shown.hand == t.s.hand).all()
        assert (shown.tickets == t.s.tickets).all()


@pytest.mark.uncompiled
def test_views_and_samples_in_one_game() -> None:
    t = table("mega-europe", 2, 8)
    for number in t.steps():
        if number in (0, 1, 40):
            for viewer in (0, SPECTATOR):
                seen = view(t.state, viewer)
                assert view(scramble_hidden(t, viewer), viewer) == seen
        if number > 40:
            break
