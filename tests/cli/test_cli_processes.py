"""The command as a real process: Ctrl-C, pipes that close, odd environments."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ferrovia.game import Game

FERROVIA = ["-c", "from ferrovia.cli import main; main(prog_name='ferrovia')"]


@pytest.fixture
def record(tmp_path: Path) -> str:
    """A record of a few turns."""
    game = Game("europe", 2, seed=1)
    for _ in range(8):
        seat = game.awaited[0]
        game.play(seat, game.legal_actions(seat)[0])
    path = tmp_path / "game.jsonl"
    path.write_text(game.record().text(), encoding="utf-8")
    return str(path)


def ferrovia(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *FERROVIA, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, **environment},
        check=False,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes it")
def test_nothing_is_said_where_nobody_listens() -> None:
    command = 'exec "$@" >&-'
    done = subprocess.run(
        ["sh", "-c", command, "sh", sys.executable, *FERROVIA, "boards", "list"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_what_was_finished(workers: str, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    arguments = "simulate usa --bots random,random --games 1000000 --seed 1 --json --workers"
    process = subprocess.Popen(
        [sys.executable, *FERROVIA, *arguments.split(), workers, "--record", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while process.poll() is None and not (folder.is_dir() and any(folder.glob("*.jsonl"))):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    assert process.returncode == 130, errors
    assert b"Traceback" not in errors
    records = sorted(folder.iterdir())
    assert len(records) == json.loads(output)["games"] < 1_000_000
    assert all(path.suffix == ".jsonl" for path in records)
    assert Game.from_record(records[-1].read_bytes()).over


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_in_a_text_game(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    process = subprocess.Popen(
        [sys.executable, *FERROVIA, "play", "--text", "--seed", "1", "--record", str(record)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # What a shell runs in the background ignores Ctrl-C, and so may these tests.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None
    while b"Which tickets" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in errors
    assert not Game.from_record(record.read_bytes()).over


CALLED_BY_C = """
import ctypes, os, signal, sys, time
import click
from ferrovia.cli import main
from ferrovia.cli.commands import boards

signal.signal(signal.SIGINT, signal.default_int_handler)

@ctypes.CFUNCTYPE(None)
def called_by_c():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)

@click.command()
def command():
    called_by_c()
    time.sleep(60)

boards.command = command
sys.argv = ["ferrovia", "boards"]
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_in_a_function_that_c_calls_is_not_lost() -> None:
    """Python drops there what is raised, with a traceback."""
    done = subprocess.run(
        [sys.executable, "-c", CALLED_BY_C], capture_output=True, text=True, check=False, timeout=30
    )
    assert (done.returncode, done.stderr.strip()) == (130, "")


def test_a_reader_that_leaves_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, *FERROVIA, "show", "europe", "-o", "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.wait()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("command", ["boards list", "replay --json RECORD"])
def test_a_full_disk_behind_the_output_is_reported_in_one_line(command: str, record: str) -> None:
    words = command.replace("RECORD", record).split()
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, *FERROVIA, *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "ferrovia: No space left on device\n"


def test_a_terminal_without_umlauts_gets_question_marks(record: str) -> None:
    done = ferrovia("replay", "--turns", record, PYTHONIOENCODING="latin-1")
    assert done.returncode == 0
    assert "?" in done.stdout


def test_environment_variables_that_make_no_sense_are_no_tracebacks(
    tmp_path: Path, record: str
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    done = ferrovia("boards", "list", COLUMNS="wide", FERROVIA_DATA=str(file))
    assert (done.returncode, done.stderr) == (0, "")
    done = ferrovia("replay", record, FERROVIA_KERNEL="fast")
    assert done.returncode == 2
    assert (
        done.stderr == "ferrovia: FERROVIA_KERNEL is python, wasm, checked or empty, not 'fast'\n"
    )


def test_without_a_library_everything_still_works(record: str) -> None:
    done = ferrovia("replay", record, FERROVIA_KERNEL="python")
    assert done.returncode == 0
    assert "right" in done.stdout
    done = ferrovia("doctor", FERROVIA_KERNEL="python")
    assert done.returncode == 0
    assert "warn  kernel" in done.stdout
