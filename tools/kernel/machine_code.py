"""From the module of all entries to a library for each system, by llvmlite and ziglang."""

import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from .bitcode import EXPORT, Built

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Target:
    """A system: the file of its library, and how LLVM and the C compiler name it."""

    file: str
    triple: str
    processor: str
    c_target: str
    link: tuple[str, ...]


_ELF = (
    "ld.lld",
    "-shared",
    "--strip-all",
    "--gc-sections",
    "-z",
    "relro",
    "-z",
    "now",
    "--build-id=none",
)
_MAC = ("cc", "-shared", "-nostdlib", "-Wl,-dead_strip", "-s")
_WINDOWS = ("lld-link", "/dll", "/noentry", "/noimplib", "/opt:ref", "/Brepro")

TARGETS = (
    Target("linux-x86_64.so", "x86_64-unknown-linux-gnu", "x86-64-v2", "x86_64-linux", _ELF),
    Target("linux-x86_64-v3.so", "x86_64-unknown-linux-gnu", "x86-64-v3", "x86_64-linux", _ELF),
    Target("linux-aarch64.so", "aarch64-unknown-linux-gnu", "generic", "aarch64-linux", _ELF),
    Target("macos-x86_64.dylib", "x86_64-apple-macosx11", "x86-64-v2", "x86_64-macos.11.0", _MAC),
    Target("macos-aarch64.dylib", "aarch64-apple-macosx11", "apple-m1", "aarch64-macos.11.0", _MAC),
    Target("windows-x86_64.dll", "x86_64-pc-windows-gnu", "x86-64-v2", "x86_64-windows", _WINDOWS),
    Target(
        "windows-x86_64-v3.dll", "x86_64-pc-windows-gnu", "x86-64-v3", "x86_64-windows", _WINDOWS
    ),
)


def targets(checked: bool, *, everything: bool) -> list[Target]:
    """Return the targets to build: all, or those of this machine.

    Bounds are checked in tests alone: there is such a library for the system that we test on, and
    for the machine of whoever builds.
    """
    mine = {"darwin": "macos", "win32": "windows"}.get(sys.platform, sys.platform)
    processor = {"amd64": "x86_64", "arm64": "aarch64"}
    mine += f"-{processor.get(platform.machine().lower(), platform.machine().lower())}"
    chosen = [it for it in TARGETS if everything or it.file.startswith(mine)]
    if not checked:
        return chosen
    only = "linux-x86_64" if everything else mine
    return [
        replace(it, file=Path(it.file).with_stem(f"{only}-checked").name)
        for it in chosen
        if Path(it.file).stem == only
    ]


_MATHEMATICS = """
declare double @llvm.sqrt.f64(double)
define double @sqrt(double %x) alwaysinline {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}
"""


def optimised(bitcode: bytes, target: Target, features: str = "") -> tuple[llvm.ModuleRef, Any]:
    """Return the module optimised as a whole for a system, and LLVM's machine of it."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    module = llvm.parse_bitcode(bitcode)
    module.link_in(llvm.parse_assembly(_MATHEMATICS))
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor,
        features=features,
        opt=3,
        reloc="static" if target.file.endswith(".wasm") else "pic",
        codemodel="default",
    )
    module.triple = target.triple
    module.data_layout = str(machine.target_data)
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name.startswith(EXPORT) else "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module, machine


def link(built: Built, target: Target, folder: Path, work: Path) -> Path:
    """Write the library of a system into a folder and return where it is."""
    module, machine = optimised(built.bitcode, target)
    kernel = work / "kernel.o"
    kernel.write_bytes(machine.emit_object(module))
    (work / "table.h").write_text(built.table)
    parts = [compiled_c(name, target, work) for name in ("call.c", "memory.c")]
    out = folder / target.file
    zig(*_link_arguments(target, out), kernel, *parts)
    return out


def _link_arguments(target: Target, out: Path) -> list[str]:
    if target.link is _WINDOWS:
        return [*target.link, f"/out:{out}"]
    if target.link is _MAC:
        name = f"-Wl,-install_name,@rpath/{target.file}"  # else it would be where it is linked
        return [*target.link, "-target", target.c_target, name, "-o", str(out)]
    return [*target.link, "-o", str(out)]


def compiled_c(name: str, target: Target, work: Path) -> Path:
    """Return the object file of one of our sources in C."""
    source = HERE / name
    out = work / source.with_suffix(".o").name
    flags = ["-O3", "-ffreestanding", "-fno-builtin", "-fPIC", "-fvisibility=hidden", "-std=c11"]
    flags += ["-fno-stack-protector", "-fno-sanitize=all", "-g0", "-Wall", "-Wextra", "-Werror"]
    if target.c_target.startswith("wasm32"):
        flags.append("-mcpu=generic")  # zig's own choice asks for newer browsers, and Node 22
    zig("cc", "-target", target.c_target, *flags, "-I", work, "-c", source, "-o", out)
    return out


def zig(*arguments: "str | Path") -> None:
    """Run one of the tools of the package ziglang."""
    command: Sequence[str] = [sys.executable, "-m", "ziglang", *map(str, arguments)]
    subprocess.run(command, check=True)
