"""Run by the page's own Python after play.py: packs what is used, as bytecode."""

import os
import pathlib
import py_compile
import sys
import zipfile

ALWAYS = (
    *("_pyodide/", "_sysconfigdata", "asyncio/", "collections/", "ctypes/", "encodings/__init__"),
    *("encodings/aliases", "encodings/ascii", "encodings/cp437", "encodings/idna"),
    *("encodings/latin", "encodings/utf_16", "encodings/utf_32", "encodings/utf_8", "importlib/"),
    *("json/", "logging/", "pyodide/", "re/", "zipfile/"),
)
LEFT_OUT = (".dist-info/", ".pyi", "/py.typed")


def compiled(folder):
    """Put bytecode in place of all sources in a folder."""
    for path in sorted(pathlib.Path(folder).rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        if name.startswith(("_sysconfigdata", "anyio/")):  # anyio reads its sources, to be lazy
            continue
        py_compile.compile(
            str(path),
            cfile=f"{path}c",
            dfile=name,
            doraise=True,
            optimize=2,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
        path.unlink()


def pack(folder, to):
    """Pack a folder without compression: the whole is compressed on its way, and better."""
    with zipfile.ZipFile(to, "w", zipfile.ZIP_STORED) as packed:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            name = path.relative_to(folder).as_posix()
            if not path.is_file() or any(it in f"/{name}" for it in LEFT_OUT):
                continue
            packed.writestr(zipfile.ZipInfo(name), path.read_bytes())  # without the time of today


archive = next(path for path in sys.path if path.endswith(".zip"))
used = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
used = {file.removeprefix(f"{archive}/") for file in used}
with zipfile.ZipFile("/library.zip") as library:
    names = [
        name
        for name in library.namelist()
        if name in used
        or name.startswith(ALWAYS)
        or (not name.endswith(".py") and not name.endswith("/"))
    ]
    library.extractall("/library", names)
for path in pathlib.Path("/ferrovia").rglob("*.py"):  # of other libraries, what is used
    if str(path) not in used and not path.is_relative_to("/ferrovia/ferrovia"):
        path.unlink()
compiled("/library")
compiled("/ferrovia")
os.mkdir("/packed")
pack("/ferrovia", "/packed/ferrovia.zip")
pack("/library", "/packed/standard-library.zip")
