"""Seeds: 32 bytes that determine all random choices of a game, or of a bot."""

BYTES = 32


def seed_bytes(seed: bytes | int) -> bytes:
    """Return a seed of 32 bytes, or of a whole number that fits into them; ValueError otherwise."""
    if isinstance(seed, int) and 0 <= seed < 1 << (8 * BYTES):
        return seed.to_bytes(BYTES, "big")
    if isinstance(seed, int) or len(seed) != BYTES:
        raise ValueError("a seed is 32 bytes, or a whole number that fits into them")
    return bytes(seed)
