"""Arrays of a batch for other libraries, without a copy, by the DLPack protocol.

NumPy, PyTorch, JAX and CuPy take what has `__dlpack__`. NumPy's arrays have it, those that Numba
makes on a GPU have not.
"""

import ctypes
from collections.abc import Callable
from itertools import count
from math import prod
from typing import Any

import numpy as np

CPU, CUDA = 1, 2  # devices of the protocol
_KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}  # of numbers
_NAME = b"dltensor"  # of a capsule that nobody has taken yet


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32),
        ("device_number", ctypes.c_int32),
        ("dimensions", ctypes.c_int32),
        ("kind", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
        # What follows makes a managed tensor of it.
        ("number", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


_held: dict[int, tuple[Any, ...]] = {}  # what must stay until whoever took it lets it go
_numbers = count(1)

_python: Any = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_python.PyCapsule_IsValid.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p]


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _let_go(tensor: int) -> None:
    """Let go of a tensor: its consumer needs it no more."""
    _held.pop(int(_Tensor.from_address(tensor).number), None)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _forget(capsule: int) -> None:
    """Let go of what a capsule holds, if nobody has taken it."""
    if _python.PyCapsule_IsValid(capsule, _NAME):
        _let_go(_python.PyCapsule_GetPointer(capsule, _NAME))


def _beside_each_other(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Return the strides of an array whose last index counts fastest."""
    return tuple(size * prod(shape[i + 1 :]) for i in range(len(shape)))


class Exchanged:
    """An array, on the CPU or on a GPU, for the `from_dlpack` of another library."""

    def __init__(self, array: Any, wait: Callable[[], None] = lambda: None) -> None:
        self._array, self._wait = array, wait
        on_gpu = not isinstance(array, np.ndarray)
        described = array.__cuda_array_interface__ if on_gpu else array.__array_interface__
        self._data, self._shape = int(described["data"][0]), tuple(described["shape"])
        self._dtype = np.dtype(described["typestr"])
        if self._dtype.kind not in _KINDS:
            raise ValueError(f"an array of {self._dtype} cannot be exchanged: only of numbers")
        self._strides = described.get("strides") or _beside_each_other(
            self._shape, self._dtype.itemsize
        )
        self._device = (CUDA if on_gpu else CPU, 0)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device

    def __dlpack__(self, **_asked: Any) -> Any:
        """Return the array in a capsule, once all pending work on it is done."""
        self._wait()
        sizes = ctypes.c_int64 * len(self._shape)
        shape = sizes(*self._shape)
        strides = sizes(*(each // self._dtype.itemsize for each in self._strides))
        number = next(_numbers)
        tensor = _Tensor(
            self._data,
            *self._device,
            len(self._shape),
            _KINDS[self._dtype.kind],
            8 * self._dtype.itemsize,
            1,
            shape,
            strides,
            0,
            number,
            ctypes.cast(_let_go, ctypes.c_void_p).value,
        )
        _held[number] = tensor, shape, strides, self._array
        forget = ctypes.cast(_forget, ctypes.c_void_p)
        return _python.PyCapsule_New(ctypes.addressof(tensor), _NAME, forget)
