"""A set as flags: one byte for each member, eight of them written at once."""

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import extending

from ferrovia.rules.compiler import COMPILED, kernel
from ferrovia.rules.state.bits import ONE
from ferrovia.rules.state.layout import Word

Numbers = Any

_types: Any = numba.types
_intrinsic: Any = extending.intrinsic

_EVERY = np.uint64(0x0101010101010101)  # a byte in all eight
_OWN = np.uint64(0x8040201008040201)  # in each byte the bit of its place
_BELOW = np.uint64(0x7F7F7F7F7F7F7F7F)  # it carries into the highest bit what is not zero

if COMPILED:

    @_intrinsic
    def _store(typing_context: Any, row: Any, at: Any, eight: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            place = builder.gep(data, [args[1]])
            store = builder.store(args[2], builder.bitcast(place, ir.IntType(64).as_pointer()))
            store.align = 1
            return context.get_dummy_value()

        return _types.void(row, _types.int64, _types.uint64), emit

else:

    def _store(row: Numbers, at: int, eight: Word) -> None:
        row[at : at + 8] = np.array([eight], "<u8").view(np.uint8)


@kernel
def write_flags(row: Numbers, at: int, word: Word, count: int) -> None:
    """Write whether each of 0 to count - 1 is in a set, to bytes beside each other."""
    done = 0
    while done + 8 <= count:
        eight = (word >> np.uint64(done)) & np.uint64(255)
        eight = ((((eight * _EVERY) & _OWN) + _BELOW) >> np.uint64(7)) & _EVERY
        _store(row, at + done, eight)
        done += 8
    while done < count:
        row[at + done] = (word >> np.uint64(done)) & ONE
        done += 1
