"""Which library is used, and what happens where it is damaged, of other sources, or not there."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ferrovia import kernel_libraries
from ferrovia.errors import NoKernel
from ferrovia.kernel.library import SETTING, find
from ferrovia.kernel_libraries import changed_since, code_digest, digest, fit, read_manifest

MANIFEST = read_manifest()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the libraries, which are looked for there."""
    copy = tmp_path / "libraries"
    shutil.copytree(kernel_libraries.FOLDER, copy)
    monkeypatch.setattr(kernel_libraries, "FOLDER", copy)
    monkeypatch.setenv(SETTING, "")
    return copy


Say = Callable[..., dict[str, Any]]


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch) -> Say:
    """Has the build say something else of its libraries."""

    def change(**changed: Any) -> dict[str, Any]:
        manifest = {**MANIFEST, **changed}
        monkeypatch.setattr(kernel_libraries, "read_manifest", lambda: manifest)
        return manifest

    return change


def without(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    for name in modules:
        monkeypatch.setitem(sys.modules, name, None)  # type: ignore[arg-type]
    monkeypatch.delitem(sys.modules, "ferrovia.kernel.wasm", raising=False)


def is_machine_code(name: str) -> bool:
    return Path(name).suffix != ".wasm"


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "truncated": lambda data: data[: len(data) // 2],
    "one bit": lambda data: data[:5000] + bytes([data[5000] ^ 1]) + data[5001:],
    "something else": lambda data: b"<!doctype html>\n" * 1000,
}


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_library_is_not_opened_and_the_next_way_is_taken(folder: Path, how: str) -> None:
    pytest.importorskip("wasmtime")
    for name in filter(is_machine_code, MANIFEST["libraries"]):
        path = folder / name
        path.write_bytes(DAMAGES[how](path.read_bytes()))
    found = find()
    assert (found.how, found.file) == ("wasm", "wasm.wasm")
    assert found.why.endswith("is damaged")


def test_where_all_are_damaged_it_is_plain_python_and_told(folder: Path) -> None:
    for path in folder.iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    with pytest.warns(UserWarning, match=r"plain Python, which is slow: .* is damaged"):
        assert find().how == "python"


@pytest.mark.parametrize("wanted", ["wasm", "checked"])
def test_what_was_asked_for_is_not_replaced_by_something_else(
    folder: Path, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, wanted)
    for name in MANIFEST["libraries"]:
        if wanted == Path(name).stem or Path(name).stem.endswith(wanted):
            (folder / name).unlink()
    with pytest.raises(NoKernel, match=f"{SETTING} is {wanted}, but"):
        find()


def test_a_library_for_another_system_is_refused(folder: Path, say: Say) -> None:
    pytest.importorskip("wasmtime")
    stranger = b"\x7fELF" + bytes(4000)
    files = list(filter(is_machine_code, MANIFEST["libraries"]))
    for name in files:
        (folder / name).write_bytes(stranger)
    say(libraries={**MANIFEST["libraries"], **dict.fromkeys(files, digest(stranger))})
    assert find().how == "wasm"


@pytest.mark.parametrize("wanted", ["checked", "wasm"])
def test_a_library_that_computes_something_else_is_refused(
    say: Say, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if wanted == "wasm":
        pytest.importorskip("wasmtime")
    monkeypatch.setenv(SETTING, wanted)
    assert find().why == ""
    first, *others = MANIFEST["proof"]
    say(proof=[{**first, "digest": "0" * 64}, *others])
    with pytest.raises(NoKernel, match=r"does not compute what it should \(play_games\)"):
        find()


def test_libraries_of_other_sources_are_not_used_in_a_checkout(
    folder: Path, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "src/ferrovia/rules/calls.py"
    say(sources={name: ["0" * 16, "0" * 16]})
    with pytest.warns(UserWarning, match=f"the libraries are of other sources than {name}"):
        assert find().how == "python"
    monkeypatch.setattr(kernel_libraries, "BUILD", folder / "nothing")  # an installed package
    assert find().how == "machine code"


def test_without_libraries_it_is_plain_python_and_told(folder: Path, say: Say) -> None:
    shutil.rmtree(folder)
    assert read_manifest(folder / "manifest.json") == {}
    manifest = say()
    manifest.clear()
    with pytest.warns(UserWarning, match=r"there are no libraries .*make kernel"):
        assert find().how == "python"


def test_where_nothing_can_run_it_the_error_says_what_helps(
    say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, "")
    say(libraries={"plan9-mips.so": ""})
    without(monkeypatch, "wasmtime", "numpy")
    with pytest.raises(NoKernel, match=r"there is no library for .*pip install .*\[wasm\]'"):
        find()


def test_a_setting_that_there_is_not_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "turbo")
    with pytest.raises(NoKernel, match="is python, wasm, checked or empty, not 'turbo'"):
        find()


# Whether libraries were made from the sources that are there.

SOURCE = '''"""What it is."""
def double(x):
    """Say it."""
    return 2 * x  # twice
'''


@pytest.mark.parametrize(
    ("now", "changed"),
    [
        (SOURCE, False),
        (SOURCE.replace("twice", "two times"), False),
        (SOURCE.replace("Say it.", "Tell."), False),
        ("\n\n" + SOURCE.replace("    return", "\n    return"), False),
        (SOURCE.replace("2 * x", "3 * x"), True),
        (SOURCE.replace("2 * x", "2*x"), False),
        (SOURCE.replace("return", "x += 1\n    return"), True),
        (SOURCE.replace("2 * x", "'2 * x'"), True),
        (SOURCE + "(", True),
        ("", True),
        (None, True),
    ],
)
def test_what_code_does_counts_and_what_is_said_of_it_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, now: str | None, changed: bool
) -> None:
    package = tmp_path / "src" / "ferrovia"
    package.mkdir(parents=True)
    monkeypatch.setattr(kernel_libraries, "PACKAGE", package)
    data = SOURCE.encode()
    manifest = {"sources": {"src/ferrovia/double.py": [digest(data), code_digest(data)]}}
    if now is not None:
        (package / "double.py").write_text(now)
    assert changed_since(manifest) == (["src/ferrovia/double.py"] if changed else [])
    assert fit(manifest) == (not changed)


def test_code_has_the_same_digest_in_every_version_of_python() -> None:
    source = """def name(x: str, many: list[str]) -> str:
    '''Say it.'''
    return f"ä {x!r:>{len(x)}} {{}} {', '.join(f'{it}!' for it in many)}" + rf"\\{x}"  # so
"""
    assert code_digest(source.encode()) == "93d027ebdfbc553c"
    assert code_digest(source.replace("!r", "!s").encode()) != "93d027ebdfbc553c"


def test_a_source_in_c_counts_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_libraries, "PACKAGE", tmp_path / "src" / "ferrovia")
    (tmp_path / "call.c").write_text("int a; /* more */\n")
    manifest = {"sources": {"call.c": [digest(b"int a;\n"), ""]}}
    assert changed_since(manifest) == ["call.c"]


def test_a_checkout_without_an_archive_has_none_that_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tools.kernel import archive

    monkeypatch.setattr(archive, "FILE", tmp_path / "libraries.tar.xz")
    assert not fit(archive.manifest())


def test_an_archive_gives_back_what_was_put_into_it_and_nothing_else_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tools.kernel import archive

    monkeypatch.setattr(archive, "FOLDER", there := tmp_path / "there")
    monkeypatch.setattr(archive, "MANIFEST", there / "manifest.json")
    monkeypatch.setattr(archive, "FILE", tmp_path / "packed.tar.xz")
    made = tmp_path / "made"
    made.mkdir()
    (made / "manifest.json").write_text(
        json.dumps({"sources": {}, "libraries": {"a.so": digest(b"a")}})
    )
    (made / "a.so").write_bytes(b"a")
    archive.pack(made, archive.FILE)
    first = archive.FILE.read_bytes()
    there.mkdir()
    (there / "old.so").write_bytes(b"old")
    archive.unpack()
    assert {it.name: it.read_bytes() for it in there.iterdir()} == {
        it.name: it.read_bytes() for it in made.iterdir()
    }
    archive.pack(there, archive.FILE)
    assert archive.FILE.read_bytes() == first
    # What is there is left alone: other processes begin meanwhile.
    monkeypatch.setattr(archive, "place", lambda _: pytest.fail("it was put there again"))
    archive.unpack()


def test_where_comments_alone_have_changed_nobody_looks_at_the_code_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tools.kernel import archive

    package = tmp_path / "src" / "ferrovia"
    package.mkdir(parents=True)
    monkeypatch.setattr(kernel_libraries, "PACKAGE", package)
    monkeypatch.setattr(archive, "MANIFEST", manifest := tmp_path / "manifest.json")
    name, data, now = "src/ferrovia/double.py", SOURCE.encode(), SOURCE + "# more\n"
    made = {"sources": {name: [digest(data), code_digest(data)]}, "tools": {"zig": "1"}}
    manifest.write_text(json.dumps(made))
    (package / "double.py").write_text(now)
    archive.settle()
    settled = read_manifest(manifest)
    assert settled["sources"][name] == [digest(now.encode()), code_digest(data)]
    assert settled["tools"] == made["tools"]
    (package / "double.py").write_text(now.replace("2 * x", "3 * x"))
    archive.settle()
    assert read_manifest(manifest) == settled
