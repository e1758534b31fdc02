"""`python -m tools.kernel`: the libraries of the kernel, as they are needed.

`unpack`: see to it that there are libraries which belong to the sources, out of the archive; the
status is 1 where the archive is of other sources. `build`: those of this machine, in a minute or
two. `archive`: all of them, for every system, into the archive. `check`: whether the archive
belongs to the sources. `compare`: whether it comes out again, byte for byte.
"""

import argparse
import ast
import gc
import os
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

os.environ["FERROVIA_KERNEL"] = "python"  # before anything of it is imported

from ferrovia import kernel_libraries
from ferrovia.kernel_libraries import MANIFEST, PACKAGE

from . import archive

ROOT = PACKAGE.parents[1]
HERE = Path(__file__).parent

_OF_KERNEL = ("declarations", "numbers", "record", "signature", "translation")
_OF_BUILD = ("bitcode.py", "machine_code.py", "proof.py", "table.py", "wasm.py")
_OF_BUILD += ("call.c", "memory.c")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.kernel", description=__doc__)
    parser.add_argument("what", choices=("unpack", "build", "archive", "check", "compare"))
    what = parser.parse_args().what
    if what == "build":
        print("building the kernel for this machine; this takes a minute or two ...", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            build(Path(folder), everything=False)
            archive.place(Path(folder))
        return 0
    if what == "archive":
        with tempfile.TemporaryDirectory() as folder:
            build(Path(folder), everything=True)
            archive.pack(Path(folder))
        archive.unpack()
        print(f"{archive.FILE.relative_to(ROOT)}: {archive.FILE.stat().st_size:,} bytes")
        return 0
    if what == "unpack" and kernel_libraries.fit(kernel_libraries.read_manifest()):
        archive.settle()
        return 0
    inside = archive.manifest()
    if not kernel_libraries.fit(inside):
        changed = ", ".join(kernel_libraries.changed_since(inside)) or "there is none"
        print(f"the archive of the kernel is of other sources: {changed}")
        if what == "check":
            print("to do: make kernel-archive")
        return 1
    if what == "unpack":
        archive.unpack()
    return 0 if what != "compare" else compare()


def compare() -> int:
    """Build everything again and say whether the libraries in the archive are the same.

    Comments may have changed since: code counts.
    """
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder), everything=True)
        again = kernel_libraries.read_manifest(Path(folder) / MANIFEST.name)
    inside = archive.manifest()
    differ = [
        file
        for file, digest in inside["libraries"].items()
        if again["libraries"].get(file) != digest
    ]
    differ += [part for part in ("entries", "proof", "tools") if again[part] != inside[part]]
    print(f"NOT the same bytes: {', '.join(differ)}" if differ else "the same bytes")
    return 1 if differ else 0


def build(folder: Path, *, everything: bool) -> None:
    """Write libraries into a folder: for all systems, or for this machine alone."""
    from . import bitcode, machine_code, proof, wasm

    gc.disable()  # it would be looked for among all that Numba has built so far
    texts = {path: digests(path) for path in [*PACKAGE.rglob("*.py"), *HERE.glob("*.*")]}
    proved = proof.proof()
    libraries = {}
    made_of: list[str] = []
    entries: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as work:
        for checked in (False, True):
            built = bitcode.build(checked, say=lambda name: None)
            made_of, entries = built.modules, built.entries
            for target in machine_code.targets(checked, everything=everything):
                path = machine_code.link(built, target, folder, Path(work))
                libraries[path.name] = kernel_libraries.digest(path.read_bytes())
            if not checked:
                for path in wasm.link(built, folder, Path(work)):
                    libraries[path.name] = kernel_libraries.digest(path.read_bytes())
    manifest = {
        "sources": {name: texts[ROOT / name] for name in files(made_of)},
        "tools": tools(),
        "libraries": libraries,
        "entries": entries,
        "proof": proved,
    }
    (folder / MANIFEST.name).write_text(archive.text_of(manifest), encoding="utf-8")


def digests(path: Path) -> tuple[str, str]:
    """Return the digests of a file and of its code alone."""
    data = path.read_bytes()
    return kernel_libraries.digest(data), kernel_libraries.code_digest(
        data
    ) if path.suffix == ".py" else ""


def tools() -> dict[str, str]:
    """Return the versions of what builds the libraries."""
    from importlib.metadata import version

    return {name: version(name) for name in ("llvmlite", "numba", "ziglang")}


def files(modules: list[str]) -> list[str]:
    """Return the files whose contents decide what is built: modules with functions of the kernel,
    those that they take constants from, what Numba's types are made from, and the build.
    """
    names = {*modules, *(name for module in modules for name in _imported(module))}
    names -= {name for name in names if name.startswith("ferrovia.kernel")}
    names |= {f"ferrovia.kernel.{name}" for name in _OF_KERNEL}
    found = {_file(name) for name in names} | {HERE / name for name in _OF_BUILD}
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def _imported(module: str) -> set[str]:
    """Return the modules of Ferrovia that a module takes names from."""
    tree = ast.parse(_file(module).read_text(encoding="utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ferrovia."):
            found.add(node.module or "")
            found |= {name for it in node.names if find_spec_of(name := f"{node.module}.{it.name}")}
    return found


def find_spec_of(name: str) -> bool:
    """Return whether there is a module of a name."""
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _file(module: str) -> Path:
    spec = find_spec(module)
    assert spec is not None, module
    assert spec.origin is not None, module
    return Path(spec.origin)


if __name__ == "__main__":
    sys.exit(main())
