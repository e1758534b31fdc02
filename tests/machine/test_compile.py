"""Compiling ahead covers what Python calls."""

import ast
import inspect
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import pytest
from numba.core.dispatcher import Dispatcher

import ferrovia
from ferrovia.bots import LEVELS
from ferrovia.lab.ctrl_c import ctrl_c_ignored
from ferrovia.machine import compile
from ferrovia.machine.doctor import look_over
from ferrovia.rules.compiler import COMPILED, Need, cache_folder, declare, entries

compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@compiled_only
@pytest.mark.parametrize("loaded", ["everything", "server"])
def test_what_was_loaded_ahead_is_all_that_is_called(loaded: str) -> None:
    program = Path(__file__).with_name("every_call.py")
    done = subprocess.run([sys.executable, program, loaded], stdout=subprocess.PIPE, check=True)
    assert json.loads(done.stdout) == {}


def mentioned(node: ast.AST, module: ModuleType) -> Iterator[object]:
    """Return what Python code refers to as `name` or `module.name`, compiled functions left out."""
    if isinstance(node, ast.FunctionDef):
        it = getattr(module, node.name, None)
        source = getattr(it, "py_func", it)
        compiled = isinstance(it, Dispatcher) or it in (entry.function for entry in entries())
        if compiled and source.__module__ == module.__name__:
            return
    if isinstance(node, ast.Name):
        yield getattr(module, node.id, None)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield getattr(getattr(module, node.value.id, None), node.attr, None)
    for child in ast.iter_child_nodes(node):
        yield from mentioned(child, module)


@compiled_only
def test_python_calls_no_function_of_the_kernel_but_the_entries() -> None:
    declared = {entry.function for entry in entries()}
    for found in walk_packages(ferrovia.__path__, "ferrovia."):
        if found.name in ("ferrovia.__main__", "ferrovia.rules.gpu"):  # whose GPU code is compiled
            continue
        if found.name.startswith(("ferrovia.env", "ferrovia.learn")):
            continue  # whose loops are compiled for the arrays of a batch, when one is made
        module = import_module(found.name)
        for it in mentioned(ast.parse(inspect.getsource(module)), module):
            if isinstance(it, Dispatcher) and it.py_func.__module__ != module.__name__:
                assert it.py_func in declared, f"{module.__name__} refers to {it.py_func.__name__}"


@compiled_only
def test_what_is_in_the_cache_is_not_compiled_again() -> None:
    begun: list[str] = []
    compile.load(compile.EVERYTHING, begun.append)
    assert tuple(begun) == compile.EVERYTHING
    if cache_folder() is not None:
        assert compile.not_compiled(compile.EVERYTHING) == []


def test_a_table_needs_the_scripts_of_its_bots_and_no_others() -> None:
    assert compile.for_bots(["conductor", "random", "greedy"]) == ("random", "greedy")
    assert compile.for_bots(["driver", "search:8"]) == ("planner", *compile.FOR_SEARCH)
    director = (*compile.FOR_LOOKING_AHEAD, *compile.FOR_SEARCH)
    assert compile.for_bots(["director"]) == director
    assert compile.for_bots(["director"], learned=True) == compile.FOR_LOOKING_AHEAD
    assert compile.for_bots(["net"]) == ("planner", *compile.FOR_NET)
    assert compile.for_bots(["net"], learned=True) == compile.FOR_NET
    assert compile.for_bots(["net", "driver"]) == ("planner", *compile.FOR_NET)


def test_the_sets_of_functions_are_parts_of_everything() -> None:
    for names in (
        compile.FOR_PLAY,
        compile.FOR_REPLAY,
        compile.FOR_SERVER,
        compile.FOR_BATCHES,
        compile.FOR_SEARCH,
        compile.FOR_LOOKING_AHEAD,
    ):
        assert names
        assert set(names) < set(compile.EVERYTHING)
    assert set(compile.FOR_PLAY) < set(compile.FOR_SERVER) < set(compile.FOR_LEVELS)
    assert set(compile.FOR_LEVELS) < set(compile.FOR_TABLES)


def test_as_a_program_it_loads_everything_without_a_word() -> None:
    done = subprocess.run(
        [sys.executable, "-m", compile.__name__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"", b"")


def test_as_a_program_it_begins_with_the_bots_that_people_choose(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(compile, "load", asked.extend)
    compile.main([])
    assert asked[0] in compile.for_bots(LEVELS)
    assert set(asked) == set(compile.EVERYTHING)


def test_what_the_levels_need_is_compiled_before_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    monkeypatch.setattr(compile, "cache_folder", lambda: None)
    monkeypatch.setattr(compile, "load", lambda names: None)
    compile.compile_missing(compile.EVERYTHING, done.append)
    assert set(done) == set(compile.EVERYTHING)
    assert set(done[: len(compile.FOR_LEVELS)]) == set(compile.FOR_LEVELS)
    assert done[len(compile.FOR_LEVELS) - 1] == "look_ahead"


def _hold(names: list[str]) -> None:
    """Compile for a while; say first, in the file of this name, that it has begun."""
    Path(names[0]).touch()
    time.sleep(10)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_ends_the_process_beside_this_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Before, it reached both, and the other one could end with a traceback."""
    first = tmp_path / "first"

    def press() -> None:
        while not first.exists():
            time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    monkeypatch.setattr(compile, "load", _hold)
    monkeypatch.setattr(compile, "cache_folder", lambda: tmp_path)
    others = set(multiprocessing.active_children())
    threading.Thread(target=press, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        compile.compile_missing([str(first), str(tmp_path / "second")], print)
    assert not (tmp_path / "second").exists()
    assert set(multiprocessing.active_children()) <= others


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing may hold it")
def test_ctrl_c_while_a_process_is_started_comes_after_it() -> None:
    started = []

    def start() -> None:
        with ctrl_c_ignored():
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            started.append(True)

    with pytest.raises(KeyboardInterrupt):
        start()
    assert started


def test_in_the_background_it_says_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[str] = []
    monkeypatch.setattr(os, "nice", done.append, raising=False)
    monkeypatch.setattr(compile, "not_compiled", lambda names: ["apply", "legal"])
    monkeypatch.setattr(compile, "load", done.extend)
    monkeypatch.setattr(compile, "cache_folder", lambda: None)  # so in this process
    compile.main(["--background", "--levels"])
    assert capsys.readouterr().out == "0 of 2\n1 of 2\n2 of 2\n"
    assert done == [19, "apply", "legal", *compile.FOR_LEVELS]


def test_two_entries_have_two_names() -> None:
    with pytest.raises(ValueError, match="'apply'"):
        declare("apply", print, Need.PLAY, print)


def test_the_checkup_finds_nothing_that_a_game_cannot_do_without() -> None:
    looked: list[str] = []
    findings = {finding.what: finding for finding in look_over(looked.append)}
    assert "game" in looked
    assert findings["game"].state == "ok"
    assert all(finding.state != "fail" for finding in findings.values())
    assert all(finding.to_do for finding in findings.values() if finding.state == "warn")
