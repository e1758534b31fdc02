"""Functions that call the kernel, compiled by Numba here: for what runs once and long."""

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, cast

from ferrovia.kernel.translation import Translation


@cache
def _translation() -> Translation:
    from numba import njit

    return Translation(lambda function: njit(function, nogil=True, error_model="numpy"))


def compiled(function: Callable[..., Any]) -> Any:
    """Return a function of ours that calls functions of the kernel, compiled at its first call.

    Named tuples are passed to it as such, with arrays of NumPy in them (`as_argument` in
    ferrovia.kernel.plain makes them of a pack).
    """
    return _translation().function(cast(FunctionType, function))
