"""The kernel as such: how a function becomes part of it, what it takes, where its library is.

This package knows no game. `declarations` and `numbers` are what kernel functions are written with,
`signature` and `record` describe what they work on, `library` runs them compiled, `plain` as
Python, and `translation` makes Numba's functions of them, for a GPU and for the build.
"""

from ferrovia.kernel.declarations import entry, intrinsic, kernel
from ferrovia.kernel.numbers import (
    constant,
    int16,
    int32,
    int64,
    record,
    uint8,
    uint32,
    uint64,
)
from ferrovia.kernel.pack import Pack
from ferrovia.kernel.record import Buffer, Ints, RecordLayout, RecordView
from ferrovia.kernel.signature import (
    FLOAT,
    INT,
    Array,
    Bundle,
    Grid,
    KernelError,
    One,
    Scratch,
    bytes_of,
)

__all__ = [
    "FLOAT",
    "INT",
    "Array",
    "Buffer",
    "Bundle",
    "Grid",
    "Ints",
    "KernelError",
    "One",
    "Pack",
    "RecordLayout",
    "RecordView",
    "Scratch",
    "bytes_of",
    "constant",
    "entry",
    "int16",
    "int32",
    "int64",
    "intrinsic",
    "kernel",
    "record",
    "uint8",
    "uint32",
    "uint64",
]
