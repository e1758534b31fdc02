"""The library of the kernel: machine code for this system, built by us, a part of the package.

It asks nothing of the system: what it needs of Python is handed to it when it is opened. Before it
is used it proves itself, by games that must come out as they did in plain Python.
"""

import base64
import ctypes
import hashlib
import os
import sys
import sysconfig
import warnings
import zlib
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from ferrovia import kernel_libraries
from ferrovia.errors import NoKernel, install_command
from ferrovia.kernel.signature import KernelError

SETTING = "FERROVIA_KERNEL"
"""The variable of the environment that chooses how the kernel runs: `python`, as plain functions;
`wasm`, by wasmtime; `checked`, by a library that checks bounds, where a checkout has built it."""

# The functions and objects of Python that the library uses, in the order of tools/kernel/call.c.
_FUNCTIONS = (
    "PyObject_GetBuffer",
    "PyBuffer_Release",
    "PyLong_AsLongLong",
    "PyLong_FromLongLong",
    "PyFloat_AsDouble",
    "PyFloat_FromDouble",
    "PyBool_FromLong",
    "PyTuple_New",
    "PyTuple_SetItem",
    "PyErr_Occurred",
    "PyErr_SetString",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "PyCFunction_NewEx",
    "Py_IncRef",
)
_OBJECTS = (None, TypeError, ValueError, KernelError)


class Library(Protocol):
    """The kernel, compiled: its entries as functions of Python."""

    def function(self, name: str) -> Callable[..., Any]:
        """Return an entry."""

    def address(self, memory: Any) -> int:
        """Return where memory begins."""


class MachineCode:
    """A library for this system."""

    def __init__(self, path: Path) -> None:
        self._code = code = ctypes.PyDLL(str(path))
        addresses = [_address_of(name) for name in _FUNCTIONS] + [id(it) for it in _OBJECTS]
        code.kernel_begin((ctypes.c_void_p * len(addresses))(*addresses))
        code.kernel_name.restype = ctypes.c_char_p
        code.kernel_function.restype = code.kernel_address.restype = ctypes.py_object
        code.kernel_address.argtypes = [ctypes.py_object]
        self._functions: dict[str, Callable[..., Any]] = {
            code.kernel_name(number).decode(): code.kernel_function(number)
            for number in range(code.kernel_entries())
        }

    def function(self, name: str) -> Callable[..., Any]:
        return self._functions[name]

    def address(self, memory: Any) -> int:
        return int(self._code.kernel_address(memory))

    @property
    def level(self) -> int:
        """The level of this processor: see `kernel_level` in tools/kernel/call.c."""
        return int(self._code.kernel_level())


def _address_of(name: str) -> int:
    found = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    assert found is not None
    return found


def prove(library: Library, calls: list[dict[str, Any]]) -> None:
    """Have a library do what the build did in plain Python; KernelError if it comes out otherwise.

    A call is an entry's name, the memory that it is given (its numbers, their kind and their shape)
    and the digest of that memory afterwards.
    """
    for call in calls:
        given = [
            memoryview(bytearray(zlib.decompress(base64.b64decode(data)))).cast(kind, shape)
            for data, kind, shape in call["given"]
        ]
        library.function(call["entry"])(*given)
        if memory_digest(given) != call["digest"]:
            raise KernelError(f"the library does not compute what it should ({call['entry']})")


def memory_digest(memory: Iterable[Any]) -> str:
    """Return the digest of what is in memory."""
    return hashlib.sha256(b"".join(memory)).hexdigest()


class Found(NamedTuple):
    """How the kernel runs here, and why not otherwise."""

    library: Library | None
    how: Literal["machine code", "wasm", "python"]
    file: str
    why: str


def find() -> Found:
    """Return the library for this system, proved; or what to do without it.

    NoKernel if the setting wants what there is not, or nothing here can run the kernel.
    """
    wanted = os.environ.get(SETTING, "")
    if wanted not in ("", "python", "wasm", "checked"):
        raise NoKernel(f"{SETTING} is python, wasm, checked or empty, not '{wanted}'")
    if wanted == "python":
        return Found(None, "python", "", f"{SETTING} says so")
    manifest = kernel_libraries.read_manifest()
    why = _unfit(manifest)
    if not why:
        for way in {"checked": (_machine_code,), "wasm": (_wasm,)}.get(
            wanted, (_machine_code, _wasm)
        ):
            try:
                return way(manifest, wanted == "checked")._replace(why=why)
            except (AttributeError, ImportError, KernelError, OSError) as problem:
                why = why or str(problem)
    if wanted:
        raise NoKernel(f"{SETTING} is {wanted}, but {why}")
    if find_spec("numpy") is None:
        raise NoKernel(f"{why}; what helps: {install_command('wasm')}")
    warnings.warn(f"the kernel runs as plain Python, which is slow: {why}", stacklevel=2)
    return Found(None, "python", "", why)


def _machine_code(manifest: dict[str, Any], checked: bool) -> Found:
    file = _file(manifest, checked)
    library = MachineCode(_whole(manifest, file))
    prove(library, manifest["proof"])
    return Found(library, "machine code", file, "")


def _wasm(manifest: dict[str, Any], checked: bool) -> Found:
    from ferrovia.kernel.wasm import Wasm

    file = "wasm.wasm"
    library = Wasm(_whole(manifest, file), manifest["entries"])
    prove(library, manifest["proof"])
    return Found(library, "wasm", file, "")


def _unfit(manifest: dict[str, Any]) -> str:
    """Return why there are no libraries to be used; empty if there are."""
    if not manifest:
        return "there are no libraries (in a checkout: make kernel)"
    if kernel_libraries.BUILD.is_dir() and (changed := kernel_libraries.changed_since(manifest)):
        return f"the libraries are of other sources than {changed[0]} (make kernel)"
    return ""


def _whole(manifest: dict[str, Any], file: str) -> Path:
    """Return where a library is; OSError if it is not what was built: to open it might be the end
    of this process.
    """
    path = kernel_libraries.FOLDER / file
    if kernel_libraries.digest(path.read_bytes()) != manifest["libraries"][file]:
        raise OSError(f"{path} is damaged")
    return path


def _machine() -> str:
    """Return the kind of processor that this Python is made for."""
    if sys.platform == "win32":  # which may pretend to have another processor than it has
        return sysconfig.get_platform().partition("-")[2]
    return os.uname().machine


def _file(manifest: dict[str, Any], checked: bool) -> str:
    """Return the name of the library for this system; OSError if there is none."""
    if sys.platform == "emscripten":  # Python in a page
        return "pyodide.so"
    system = {"darwin": "macos", "win32": "windows"}.get(sys.platform, sys.platform)
    machine = _machine().lower()
    processor = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    files = {Path(name).stem: name for name in manifest["libraries"]}
    plain = f"{system}-{processor}"
    if checked:
        plain += "-checked"
    if sys.maxsize < 1 << 32 or plain not in files:
        raise OSError(f"there is no library for {plain}")
    if processor != "x86_64" or checked:
        return files[plain]
    level = MachineCode(_whole(manifest, files[plain])).level
    if level < 2:
        raise OSError("the processor is older than x86-64-v2")
    return files.get(f"{plain}-v3", files[plain]) if level >= 3 else files[plain]


FOUND = find()
LIBRARY = FOUND.library
COMPILED = LIBRARY is not None
