"""Chance is ChaCha8, exactly, and its choices are even."""

import numpy as np
import pytest

from ferrovia.rules.state.chance import choose, next_word, seed_generator
from ferrovia.rules.state.layout import RNG_WORDS


def generator(seed: bytes, stream: int = 0) -> np.ndarray:  # type: ignore[type-arg]
    rng = np.zeros(RNG_WORDS, np.uint32)
    seed_generator(rng, np.frombuffer(seed, np.uint8).copy(), stream)
    return rng


def words(rng: np.ndarray, count: int) -> bytes:  # type: ignore[type-arg]
    return np.array([next_word(rng) for _ in range(count)], "<u4").tobytes()


@pytest.mark.inside
@pytest.mark.parametrize(
    ("key", "first_block"),
    [
        # The published vectors of ChaCha with 8 rounds, 256-bit keys and a zero nonce.
        (
            bytes(32),
            "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
            "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42",
        ),
        (
            b"\x01" + bytes(31),
            "cf5ee9a0494aa9613e05d5ed725b804b12f4a465ee635acc3a311de8740489ea"
            "289d04f43c7518db56eb4433e498a1238cd8464d3763ddbb9222ee3bd8fae3c8",
        ),
    ],
)
def test_the_published_vectors_of_chacha8(key: bytes, first_block: str) -> None:
    assert words(generator(key), 16).hex() == first_block


@pytest.mark.inside
def test_blocks_follow_each_other_and_streams_differ() -> None:
    rng = generator(bytes(range(32)))
    first, second = words(rng, 16), words(rng, 16)
    assert first != second
    assert words(generator(bytes(range(32)), stream=1), 16) not in (first, second)


@pytest.mark.inside
@pytest.mark.parametrize("count", [1, 2, 3, 7, 110])
def test_choices_are_even(count: int) -> None:
    rng = generator(b"\x07" * 32)
    drawn = np.bincount([choose(rng, count) for _ in range(20_000)], minlength=count)
    assert len(drawn) == count
    expected = 20_000 / count
    assert ((drawn - expected) ** 2 / expected).sum() < count + 6 * np.sqrt(2 * count)
