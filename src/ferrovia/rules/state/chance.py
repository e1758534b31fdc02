"""Chance: ChaCha8 keyed with the game's seed, held inside the state.

It is the same on every platform, and what was drawn says nothing about what will be drawn (R11.2).
The words of a generator are: 8 of key, 2 of block counter, 2 of stream, 16 of the current block,
and how many of these were used.
"""

from ferrovia.kernel import int64, kernel, uint32, uint64
from ferrovia.rules.state.layout import Word, Words

KEY, COUNTER, STREAM, BLOCK, USED = 0, 8, 10, 12, 28
ALL_USED = USED - BLOCK  # words of a block: the next word begins another

# "expand 32-byte k", the constants of the cipher.
_C0 = uint32(0x61707865)
_C1 = uint32(0x3320646E)
_C2 = uint32(0x79622D32)
_C3 = uint32(0x6B206574)


@kernel
def seed_generator(rng: Words, seed: Words, stream: int) -> None:
    """Start a stream of the generator keyed with 32 bytes. Streams of one seed are independent."""
    for i in range(8):
        word = uint32(0)
        for j in range(4):
            word = uint32((word << uint32(8)) | uint32(seed[4 * i + 3 - j]))
        rng[KEY + i] = word
    rng[COUNTER] = 0
    rng[COUNTER + 1] = 0
    rng[STREAM] = uint32(stream)
    rng[STREAM + 1] = 0
    rng[USED] = ALL_USED


@kernel
def _rotate(word: Word, bits: int) -> Word:
    return uint32((word << uint32(bits)) | (word >> uint32(32 - bits)))


@kernel
def _quarter(a: Word, b: Word, c: Word, d: Word) -> tuple[Word, Word, Word, Word]:
    """Return four words after the quarter round of the cipher."""
    a = uint32(a + b)
    d = _rotate(d ^ a, 16)
    c = uint32(c + d)
    b = _rotate(b ^ c, 12)
    a = uint32(a + b)
    d = _rotate(d ^ a, 8)
    c = uint32(c + d)
    b = _rotate(b ^ c, 7)
    return a, b, c, d


@kernel
def _next_block(rng: Words) -> None:
    """Compute the next block of 16 random words."""
    x0, x1, x2, x3 = _C0, _C1, _C2, _C3
    x4, x5, x6, x7 = rng[0], rng[1], rng[2], rng[3]
    x8, x9, x10, x11 = rng[4], rng[5], rng[6], rng[7]
    x12, x13, x14, x15 = rng[8], rng[9], rng[10], rng[11]
    for _ in range(4):
        x0, x4, x8, x12 = _quarter(x0, x4, x8, x12)
        x1, x5, x9, x13 = _quarter(x1, x5, x9, x13)
        x2, x6, x10, x14 = _quarter(x2, x6, x10, x14)
        x3, x7, x11, x15 = _quarter(x3, x7, x11, x15)
        x0, x5, x10, x15 = _quarter(x0, x5, x10, x15)
        x1, x6, x11, x12 = _quarter(x1, x6, x11, x12)
        x2, x7, x8, x13 = _quarter(x2, x7, x8, x13)
        x3, x4, x9, x14 = _quarter(x3, x4, x9, x14)
    rng[12] = uint32(x0 + _C0)
    rng[13] = uint32(x1 + _C1)
    rng[14] = uint32(x2 + _C2)
    rng[15] = uint32(x3 + _C3)
    rng[16] = uint32(x4 + rng[0])
    rng[17] = uint32(x5 + rng[1])
    rng[18] = uint32(x6 + rng[2])
    rng[19] = uint32(x7 + rng[3])
    rng[20] = uint32(x8 + rng[4])
    rng[21] = uint32(x9 + rng[5])
    rng[22] = uint32(x10 + rng[6])
    rng[23] = uint32(x11 + rng[7])
    rng[24] = uint32(x12 + rng[8])
    rng[25] = uint32(x13 + rng[9])
    rng[26] = uint32(x14 + rng[10])
    rng[27] = uint32(x15 + rng[11])
    rng[COUNTER] = uint32(rng[COUNTER] + uint32(1))
    if rng[COUNTER] == 0:
        rng[COUNTER + 1] = uint32(rng[COUNTER + 1] + uint32(1))
    rng[USED] = 0


@kernel
def next_word(rng: Words) -> Word:
    """Return the next 32 random bits."""
    if rng[USED] >= ALL_USED:
        _next_block(rng)
    used = int64(rng[USED])
    rng[USED] = uint32(used + 1)
    return rng[BLOCK + used]


@kernel
def choose(rng: Words, count: int) -> int:
    """Return a number from 0 to count - 1, each exactly as likely (no modulo bias)."""
    many = uint64(count)
    product = uint64(next_word(rng)) * many
    low = product & uint64(0xFFFFFFFF)
    if low < many:
        bound = (uint64(0x100000000) - many) % many
        while low < bound:
            product = uint64(next_word(rng)) * many
            low = product & uint64(0xFFFFFFFF)
    return int(int64(product >> uint64(32)))
