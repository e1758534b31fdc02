"""The exponential function, the same to the last bit on every system.

That of a C library differs from system to system. This one only adds and multiplies numbers of 64
bits, in a fixed order, and is within 0.51 of the last place.
"""

from collections.abc import Iterator
from decimal import Decimal, localcontext

from ferrovia.kernel import constant, kernel

_STEPS = 64  # to a factor of two
_PER_STEP = _STEPS / 0.6931471805599453
# Of a logarithm: short, so that its multiples are exact.
_STEP = float.fromhex("0x1.62e42fef80000p-7")
_STEP_REST = float.fromhex("0x1.1cf79abc9e3b4p-42")
_LEAST = -708.0  # what is smaller is no normal number


def _powers() -> Iterator[float]:
    """Yield two to the power of every step, and what that number lacks."""
    with localcontext(prec=50):
        for step in range(_STEPS):
            exact = Decimal(2) ** (Decimal(step) / _STEPS)
            yield (near := float(exact))
            yield float(exact - Decimal(near))


_POWERS = constant("f8", (_STEPS, 2), _powers)


@kernel
def exp(x: float) -> float:
    """Return e to the power of x, for x of at most 700; 0 where the result is no normal number."""
    if x < _LEAST:
        return 0.0
    y = x * _PER_STEP
    steps = int(y + 0.5) if y >= 0.0 else int(y - 0.5)
    rest = (x - steps * _STEP) - steps * _STEP_REST
    last = 1.0 / 24.0 + rest * (1.0 / 120.0 + rest * (1.0 / 720.0))
    more = rest + rest * rest * (0.5 + rest * (1.0 / 6.0 + rest * last))
    step = steps & (_STEPS - 1)
    near, lacks = _POWERS[step, 0], _POWERS[step, 1]
    found = near + (lacks + near * more)
    doubled = (steps - step) // _STEPS
    while doubled > 0:
        found *= 2.0
        doubled -= 1
    while doubled < 0:
        found *= 0.5
        doubled += 1
    return found
