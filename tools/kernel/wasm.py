"""The module of all entries as WebAssembly: for wasmtime, and as a library of Python in a page."""

from pathlib import Path
from typing import Any

from . import machine_code
from .bitcode import EXPORT, Built
from .machine_code import Target

_FEATURES = "+bulk-memory,+sign-ext,+mutable-globals,+nontrapping-fptoint,+multivalue,+simd128"
_LINK = ("wasm-ld", "--strip-all", "-O2", "--gc-sections")

ALONE = Target("wasm.wasm", "wasm32-unknown-unknown", "generic", "wasm32-freestanding", _LINK)
IN_PAGE = Target("pyodide.so", "wasm32-unknown-emscripten", "generic", "wasm32-emscripten", _LINK)

_STACK = 1 << 18


def link(built: Built, folder: Path, work: Path) -> list[Path]:
    """Write both into a folder and return where they are."""
    (work / "table.h").write_text(built.table)
    return [_alone(built, folder, work), _in_page(built, folder, work)]


def _alone(built: Built, folder: Path, work: Path) -> Path:
    exports = _kernel(built, ALONE, work)
    memory = machine_code.compiled_c("memory.c", ALONE, work)
    flags = ["--no-entry", "--export-memory", "--export=__heap_base", "-z", f"stack-size={_STACK}"]
    flags += [f"--export={name}" for name in exports]
    return _linked(ALONE, folder, *flags, work / "kernel.o", memory)


def _in_page(built: Built, folder: Path, work: Path) -> Path:
    """What Python in a page calls is the same as on a machine: see call.c."""
    _kernel(built, IN_PAGE, work)
    call = machine_code.compiled_c("call.c", IN_PAGE, work)
    flags = ["-shared", "--experimental-pic", "--allow-undefined", "--import-memory"]
    return _linked(IN_PAGE, folder, *flags, work / "kernel.o", call)


def _kernel(built: Built, target: Target, work: Path) -> list[str]:
    """Write the object file of all entries; return their names."""
    module, machine = machine_code.optimised(built.bitcode, target, _FEATURES)
    (work / "kernel.o").write_bytes(machine.emit_object(module))
    return sorted(it.name for it in module.functions if it.name.startswith(EXPORT))


def _linked(target: Target, folder: Path, *arguments: Any) -> Path:
    out = folder / target.file
    machine_code.zig(*target.link, *arguments, "-o", out)
    return out
