"""Our own exponential function."""

import hashlib
import math
import struct
from decimal import Decimal, localcontext

import pytest

from ferrovia.bots.search.exponential import exp

pytestmark = pytest.mark.inside

EVERYWHERE = [number / 37 for number in range(-26_000, 25_900, 13)]
NEAR_NOTHING = [sign * 2.0**-power for power in range(1, 80) for sign in (-1, 1)]


def test_it_is_within_the_last_place() -> None:
    worst = 0.0
    with localcontext(prec=40):
        for x in EVERYWHERE[::8] + NEAR_NOTHING:
            if (exact := Decimal(x).exp()) > Decimal(2.0**-1021):
                found = exp(x)
                worst = max(worst, float(abs(Decimal(found) - exact) / Decimal(math.ulp(found))))
    assert worst < 0.51


def test_what_is_no_normal_number_is_nothing() -> None:
    assert exp(-708.5) == exp(-1e300) == exp(-math.inf) == 0.0
    assert exp(0.0) == exp(-0.0) == 1.0


def test_its_bits_are_frozen() -> None:
    """What it returns decides what bots do: on no system it may be another number."""
    bits = b"".join(struct.pack("<d", exp(x)) for x in EVERYWHERE + NEAR_NOTHING)
    assert hashlib.sha256(bits).hexdigest()[:16] == "cca7b16e8fc43eca"
