"""The library as WebAssembly, run by wasmtime: for systems that there is no machine code for.

Its memory is its own: what an entry is given is copied there, and back what it has written. What
nobody can change stays there, such as the rules and the weights of nets. Every thread has an
instance of its own.
"""

import struct
import threading
from collections.abc import Callable
from operator import index
from pathlib import Path
from typing import Any

import wasmtime

from ferrovia.kernel.signature import KernelError

_PAGE = 1 << 16
_ALIGNED = 64


class Wasm:
    """A library of WebAssembly, and what its entries take and give back (tools/kernel/table.py)."""

    def __init__(self, path: Path, entries: dict[str, Any]) -> None:
        config = wasmtime.Config()
        try:
            config.cache = True
        except wasmtime.WasmtimeError:  # there is no folder for it: then it is compiled every time
            config = wasmtime.Config()
        self._engine = wasmtime.Engine(config)
        self._module = wasmtime.Module.from_file(self._engine, str(path))
        self._entries = entries
        self._local = threading.local()

    def function(self, name: str) -> Callable[..., Any]:
        """Return an entry."""
        takes = self._entries[name]["takes"]
        kind, parts = self._entries[name]["returns"]

        def call(*given: Any) -> Any:
            if not hasattr(self._local, "instance"):
                self._local.instance = _Instance(self._engine, self._module)
            try:
                words = self._local.instance.call(name, takes, given)
            except wasmtime.Trap as trap:
                del self._local.instance  # its stack is where the trap left it
                raise KernelError(f"{name}: compiled code stopped: {trap.message}") from None
            return _result(kind, words[:parts])

        call.__name__ = name
        return call

    def address(self, memory: Any) -> int:
        """Return a placeholder: memory has no address there until an entry is called."""
        return 0


def _result(kind: str, words: tuple[int, ...]) -> Any:
    match kind:
        case "NOTHING":
            return None
        case "TRUTH":
            return words[0] != 0
        case "REAL":
            return struct.unpack("<d", struct.pack("<q", words[0]))[0]
        case "SEVERAL":
            return words
    return words[0]


class _Instance:
    """The library with its own memory, for one thread."""

    def __init__(self, engine: Any, module: Any) -> None:
        self._store = wasmtime.Store(engine)
        instance = wasmtime.Instance(self._store, module, [])
        self._exports: Any = instance.exports(self._store)
        self._memory: Any = self._exports["memory"]
        # Constant memory stays at the beginning; what is copied for a call comes after it.
        self._kept: dict[int, tuple[int, Any]] = {}
        heap: Any = self._exports["__heap_base"]
        self.free = int(heap.value(self._store))

    def call(self, name: str, kinds: list[Any], given: tuple[Any, ...]) -> tuple[int, ...]:
        """Call an entry; return its first words after that."""
        needed = sum(kind[0] != "scratch" for kind in kinds)
        if len(given) != needed:
            raise TypeError(f"{name} takes {needed} arguments, not {len(given)}")
        arguments = _Arguments(self)
        rest = iter(given)
        for kind in kinds:
            arguments.add(kind, None if kind[0] == "scratch" else next(rest))
        frame = arguments.written()
        status = self._exports[f"entry_{name}"](self._store, frame)
        found: tuple[int, ...] = arguments.read_back(frame)
        if status:
            raise KernelError(f"{name}: compiled code stopped with an error")
        return found

    def keep(self, memory: Any) -> int:
        """Return where memory lies that nobody can change, which is copied once."""
        known = self._kept.get(id(memory))
        if known is None:
            data = memoryview(memory).cast("B") if memoryview(memory).nbytes else b""
            place = _aligned(self.free)
            self.write(data, place)
            self.free = place + len(data)
            known = self._kept[id(memory)] = (place, memory)
        return known[0]

    def write(self, data: Any, place: int) -> None:
        """Copy memory to a place."""
        missing = place + len(data) - self._memory.data_len(self._store)
        if missing > 0:
            self._memory.grow(self._store, -(-missing // _PAGE))
        self._memory.write(self._store, data, place)

    def read(self, begin: int, end: int) -> Any:
        """Return what is at a place."""
        return self._memory.read(self._store, begin, end)


class _Arguments:
    """The words of one call, and the memory that is copied for it."""

    def __init__(self, instance: _Instance) -> None:
        self._instance = instance
        self._words: list[Any] = []  # numbers, or the memory whose place is not known yet
        self._copied: list[tuple[Any, bool]] = []
        self._places_of: dict[int, int] = {}

    def add(self, kind: list[Any], value: Any) -> None:
        """Add an argument."""
        match kind:
            case ["bundle", kinds]:
                for one, part in zip(kinds, getattr(value, "of", value), strict=True):
                    self.add(one, part)
            case ["int"]:
                self._words.append(_whole(value))
            case ["float"]:
                self._words.append(struct.unpack("<q", struct.pack("<d", _real(value)))[0])
            case ["scratch", size]:
                self._add_memory(bytearray(size), constant=True, kept=False)
            case ["array", row, count, constant, counted]:
                self._add_array(value, row, count, constant)
                if counted:
                    self._words.append(memoryview(value).nbytes // row)
            case ["grid", item, dimensions, strided, constant]:
                self._add_grid(value, item, dimensions, constant)
                self._words += memoryview(value).shape or ()
                if strided:
                    self._words += memoryview(value).strides or ()

    def _add_array(self, value: Any, row: int, wanted: int | None, constant: bool) -> None:
        memory = memoryview(value)
        count, left = divmod(memory.nbytes, row)
        if left or wanted not in (None, count):
            raise ValueError(f"{memory.nbytes} bytes are not rows of {row}")
        if not memory.c_contiguous:
            raise BufferError("memory with gaps is no array")
        _may_be_written(memory, constant)
        self._add_memory(value, constant, kept=constant and _stays(memory))

    def _add_grid(self, value: Any, item: int, dimensions: int, constant: bool) -> None:
        memory = memoryview(value)
        if memory.ndim != dimensions or memory.itemsize != item:
            raise ValueError(f"{memory.ndim} dimensions of {memory.itemsize} bytes are wrong here")
        if not memory.c_contiguous:
            raise BufferError("memory with gaps cannot be copied")
        _may_be_written(memory, constant)
        self._add_memory(value, constant, kept=constant and _stays(memory))

    def _add_memory(self, value: Any, constant: bool, kept: bool) -> None:
        if kept:
            self._words.append(self._instance.keep(value))
            return
        memory = memoryview(value)
        whole = memory.nbytes == memoryview(memory.obj).nbytes
        whose = id(memory.obj) if whole else id(memory)  # two views of the same memory stay that
        place = self._places_of.setdefault(whose, len(self._copied))
        self._words.append(("copied", place))
        if place == len(self._copied):
            self._copied.append((value, constant))

    def written(self) -> int:
        """Copy everything; return where the words are."""
        instance, end = self._instance, self._instance.free
        places = []
        for value, _ in self._copied:
            data = _bytes_of(value)
            places.append(_aligned(end))
            instance.write(data, places[-1])
            end = places[-1] + len(data)
        words = [places[it[1]] if isinstance(it, tuple) else it for it in self._words]
        frame = _aligned(end)
        instance.write(struct.pack(f"<{len(words)}q", *words), frame)
        self._places = places
        return frame

    def read_back(self, frame: int) -> tuple[int, ...]:
        """Copy back what was written to; return the words."""
        for (value, constant), place in zip(self._copied, self._places, strict=True):
            if not constant and memoryview(value).nbytes:
                view = memoryview(value).cast("B")
                view[:] = self._instance.read(place, place + len(view))
        count = len(self._words)
        return struct.unpack(f"<{count}q", self._instance.read(frame, frame + 8 * count))


def _whole(value: Any) -> int:
    number = index(value)
    if not -(1 << 63) <= number < 1 << 63:
        raise OverflowError("a number of the kernel has 64 bits")
    return number


def _real(value: Any) -> float:
    if isinstance(value, str | bytes | bytearray):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def _may_be_written(memory: memoryview, constant: bool) -> None:
    if memory.readonly and not constant:
        raise BufferError("this memory is written to, and may not be")


def _stays(memory: memoryview) -> bool:
    """Return whether memory is worth keeping, and nobody can change it."""
    return memory.nbytes > _PAGE // 8 and isinstance(memory.obj, bytes)


def _aligned(place: int) -> int:
    return -(-place // _ALIGNED) * _ALIGNED


def _bytes_of(value: Any) -> Any:
    return bytes(memoryview(value).cast("B")) if memoryview(value).nbytes else b""
