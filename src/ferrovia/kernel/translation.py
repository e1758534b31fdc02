"""The functions of the kernel as Numba's, for a GPU or for the code that libraries are made of.

Numba compiles a function that calls others only if those are Numba's too. So each is made anew over
a copy of its module's names, in which everything of ours stands for what Numba knows: functions,
types of numbers, layouts of records, constant arrays. What users import stays as it is.
"""

import sys
from collections.abc import Callable
from types import CellType, FunctionType, ModuleType
from typing import Any, cast

import numba
import numpy as np
from llvmlite import ir
from numba import extending

from ferrovia.kernel import numbers
from ferrovia.kernel.declarations import functions, intrinsics
from ferrovia.kernel.record import RecordLayout
from ferrovia.kernel.signature import (
    FLOAT,
    Array,
    Bundle,
    Grid,
    Kind,
    Number,
    One,
    Scratch,
)

_types: Any = numba.types
_from_dtype: Any = numba.from_dtype
_intrinsic: Any = extending.intrinsic
_jitable: Any = extending.register_jitable

_NUMBERS = {kind: getattr(np, kind.__name__) for kind in numbers.TYPES}


class Translation:
    """Kernel functions as functions of Numba; `compiled` makes one of a plain function.

    `others` are more names that stand for something else here, by the `id` of what they are.
    """

    def __init__(
        self, compiled: Callable[[FunctionType], Any], others: dict[int, Any] | None = None
    ) -> None:
        self._compiled, self._others = compiled, others or {}
        self._functions: dict[FunctionType, Any] = {}
        self.modules: dict[str, ModuleType] = {}
        """Copies of the modules in which these functions are."""

    def function(self, plain: FunctionType) -> Any:
        """Return a function of the kernel as Numba's."""
        if plain in intrinsics:
            return INTRINSICS[intrinsics[plain]]
        names = self._module(plain.__module__).__dict__
        if plain not in self._functions:
            self._functions[plain] = self._compiled(self._over(names, plain))
        return self._functions[plain]

    def over_kernel(self, plain: FunctionType) -> FunctionType:
        """Return a function that calls kernel functions as one that calls those of Numba."""
        return self._over(self._module(plain.__module__).__dict__, plain)

    def _over(self, names: dict[str, Any], plain: FunctionType) -> FunctionType:
        cells = tuple(CellType(self._value(it.cell_contents)) for it in plain.__closure__ or ())
        made = FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__, cells)
        made.__module__, made.__qualname__ = plain.__module__, plain.__qualname__
        return made

    def _module(self, name: str) -> ModuleType:
        if name not in self.modules:
            module = self.modules[name] = ModuleType(name)
            for key, value in list(vars(sys.modules[name]).items()):
                setattr(module, key, self._value(value))
        return self.modules[name]

    def _value(self, value: Any) -> Any:
        if id(value) in self._others:
            return self._others[id(value)]
        if isinstance(value, FunctionType):
            if value is numbers.record:
                return self._functions.setdefault(
                    value, self._compiled(cast(FunctionType, _record))
                )
            if value in functions or value in intrinsics:
                return self.function(value)
        if isinstance(value, ModuleType) and value.__name__.startswith("ferrovia."):
            return self._module(value.__name__)
        return constant_value(value)


def _record(memory: Any, kind: Any, place: int = 0) -> Any:
    return memory.view(kind)[place]


def constant_value(value: Any) -> Any:
    """Return a constant of ours as Numba knows it; any other value as it is."""
    if isinstance(value, type) and value in _NUMBERS:
        return _NUMBERS[value]
    if type(value) in _NUMBERS:
        return _NUMBERS[type(value)](value)
    if isinstance(value, RecordLayout):
        return value.dtype
    if isinstance(value, numbers.Constant):
        return value.array()
    if type(value) is tuple:
        return tuple(map(constant_value, value))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(constant_value, value))
    return value


def numba_type(kind: Kind) -> Any:
    """Return the type of an argument of an entry."""
    if isinstance(kind, Number):
        return _types.float64 if kind is FLOAT else _types.int64
    if isinstance(kind, One):
        return _from_dtype(kind.record.dtype)
    if isinstance(kind, Array):
        return _array(kind.item, 1 + len(kind.row), "C")
    if isinstance(kind, Grid):
        return _array(kind.item, kind.dimensions, "A" if kind.strided else "C")
    if isinstance(kind, Scratch):
        if kind.count is None:
            return _item(kind.item)
        return _array(kind.item, 1 + len(kind.row), "C")
    assert isinstance(kind, Bundle)
    return _types.NamedTuple(tuple(map(numba_type, kind.kinds)), kind.of)


def _item(item: "str | RecordLayout") -> Any:
    return _from_dtype(np.dtype(item) if isinstance(item, str) else item.dtype)


def _array(item: "str | RecordLayout", dimensions: int, layout: str) -> Any:
    return _types.Array(_item(item), dimensions, layout)


# What the Python of `intrinsic` functions stands for.


@_intrinsic
def _popcount(typing_context: Any, word: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return _types.int64(_types.uint64), emit


@_intrinsic
def _lowest(typing_context: Any, word: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(_types.boolean, False))

    return _types.int64(_types.uint64), emit


@_intrinsic
def _store_eight(typing_context: Any, row: Any, at: Any, eight: Any) -> Any:
    """Write eight bytes at once."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        place = builder.gep(data, [args[1]])
        store = builder.store(args[2], builder.bitcast(place, ir.IntType(64).as_pointer()))
        store.align = 1
        return context.get_dummy_value()

    return _types.void(row, _types.int64, _types.uint64), emit


@_jitable
def _dot(inputs: Any, weights: Any) -> int:
    """Sums of 32 bits: a processor adds many of those at once."""
    total = np.int32(0)
    for i in range(inputs.shape[0]):
        total = np.int32(total + np.int32(inputs[i]) * np.int32(weights[i]))
    return int(total)


INTRINSICS: dict[str, Any] = {
    "popcount": _popcount,
    "lowest": _lowest,
    "store_eight": _store_eight,
    "dot": _dot,
}
