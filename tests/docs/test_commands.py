"""Every command of every page runs as it is shown: in an empty folder, in the order of the page.

Numbers are made smaller, nothing else. A server is started, asked and stopped; the text game is
left. What cannot be run in a test is in `NOT_RUN`, with the reason.
"""

import doctest
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ferrovia.cli import main
from tests.docs.pages import (
    DOCS,
    README,
    ROOT,
    Command,
    blocks,
    commands,
    files_of_the_pages,
    name_of,
)
from tests.server.conftest import Cluster
from tests.server.conftest import cluster as cluster
from tests.server.support.people import PERSON, Person, create
from tests.server.support.processes import Server
from tests.typed_game import typed_game

PAGES = [page for page in (README, *sorted(DOCS.glob("**/*.md"))) if commands(page)]

NOT_RUN = {
    r"make ": "test_readme looks whether the target exists",
    r"(\S+=\S+ )*(\S+/)?pip install |python3 -m venv ": "needs the network: make newcomer does it",
    r"docker ": "needs Docker: tests/project/test_deploy.py reads the files that it is given",
    r"cp deploy/|systemctl |journalctl ": "needs systemd: test_deploy.py checks the unit",
    r"ferrovia tables (show|close|export|talk|mute|withhold|seat|delete) X": "needs a table: "
    "tests/cli/test_cli_store.py has one",
    r"ferrovia (terminal|replay --watch)": "a screen: tests/terminal/test_app.py drives it",
    r"ferrovia learn |FERROVIA_NETS=learn": "needs PyTorch and an hour: tests/learn has it",
    r"ferrovia mcp": "speaks to a program: tests/terminal/test_model_seat.py is one",
    r"ferrovia tournament .*model_bot:": "needs a model: tests/examples has one that is none",
    r"ferrovia season": "needs games of a club: tests/lab/test_season.py has some",
    r"ferrovia simulate .*--ray |ray ": "needs Ray: tests/lab/test_lab_cluster.py has it",
    r"ferrovia tournament .*(director|search:|net:)": "hours of play, by make strength",
}

GIVEN = {
    "docs/boards.md": ["portugal.json"],
    "docs/command-line.md": ["portugal.json", "server.toml"],
    "docs/programs.md": ["my_bot.py", "my_bot.mjs", "club_bot.py"],
    "docs/running-a-server.md": ["portugal.json", "club_bot.py", "server.toml"],
    "docs/simulation.md": ["my_bots.py", "my_statistics.py"],
    "docs/testing-a-board.md": ["portugal.json", "portugal-2.json"],
}
"""The files of these pages, or of others that they refer to."""

POSTGRESQL = re.compile(r"postgresql://\w+@[\w.]+/\w+")


def reason_not_to_run(line: str) -> str | None:
    return next((why for what, why in NOT_RUN.items() if re.match(what, line)), None)


def test_every_reason_is_one_for_a_command() -> None:
    lines = [command.line for page in PAGES for command in commands(page)]
    for what in NOT_RUN:
        assert any(re.match(what, line) for line in lines), what


def smaller(line: str) -> str:
    line = re.sub(r"--games (\d+)", lambda it: f"--games {max(2, int(it[1]) // 100)}", line)
    line = re.sub(r"--worlds \d+", "--worlds 10", line)
    return re.sub(r"--workers \d+", "--workers 1", line)


def test_there_are_pages_with_commands() -> None:
    assert len(PAGES) >= 12
    assert {"README.md", "docs/index.md", "docs/running-a-server.md"} <= set(map(name_of, PAGES))


def in_its_process(page: Path) -> Any:
    """A page as a parameter: one with a database runs where PostgreSQL is started."""
    with_database = any(POSTGRESQL.search(command.line) for command in commands(page))
    marks = [pytest.mark.xdist_group("postgresql")] if with_database else []
    return pytest.param(page, marks=marks, id=name_of(page))


@pytest.mark.parametrize("page", [in_its_process(page) for page in PAGES])
def test_the_commands_of_a_page_run(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for module in ("my_bots", "my_statistics"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    monkeypatch.setenv("FERROVIA_DATA", str(tmp_path / "data"))
    files = files_of_the_pages()
    for name in GIVEN.get(name_of(page), []):
        Path(name).write_text(files[name], encoding="utf-8")
    wanted = [it for it in commands(page) if reason_not_to_run(it.line) is None]
    database = None
    if any(POSTGRESQL.search(command.line) for command in wanted):
        database = _database(request)
    missing = set()
    for command in wanted:
        if POSTGRESQL.search(command.line) and database is None:
            missing.add("postgresql")
        else:
            _type(command._replace(line=POSTGRESQL.sub(database or "", command.line)))
    if missing:
        pytest.skip(f"all but those of {', '.join(sorted(missing))}, not installed here")


def _database(request: pytest.FixtureRequest) -> str | None:
    """The address of an empty database; None where PostgreSQL is not installed."""
    try:
        cluster: Cluster = request.getfixturevalue("cluster")
    except pytest.skip.Exception:
        return None
    return cluster.database()


def _type(command: Command) -> None:
    """Do what a person does who types this line, and see that it succeeds."""
    line = command.line if command.shown else smaller(command.line)
    words = shlex.split(line)
    plain = Path(words[0]).name == "ferrovia" and not re.search(r"[>|;&]", line)
    if plain and _is_server(words):
        _serve(line)
    elif plain:
        arguments = words[1:]
        result = CliRunner().invoke(main, arguments, input=_answers(arguments))
        assert result.exit_code == 0, f"{line}\n{result.output}"
        if command.shown:
            _compare(command.shown, result.stdout)
    else:
        _run_in_a_shell(line)


def _is_server(words: list[str]) -> bool:
    return words[1] in ("serve", "edit") or (words[1] == "play" and "--text" not in words)


def _compare(shown: str, printed: str) -> None:
    """What a page shows is what is printed; three dots stand for anything."""
    without_speed = re.sub(r"^.* games per second .*\n", "", printed, flags=re.MULTILINE)
    checker = doctest.OutputChecker()
    flags = doctest.ELLIPSIS
    assert checker.check_output(shown, without_speed, flags), f"{shown}\n---\n{printed}"


def _run_in_a_shell(line: str) -> None:
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True)
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


def _answers(arguments: list[str]) -> str:
    """What a person types: a whole game if its record is wanted and can be known, else `quit`."""
    if "--record" not in arguments or "--seed" not in arguments or arguments[0] != "play":
        return "quit\n"
    edition = arguments[arguments.index("--text") + 1]
    seed = int(arguments[arguments.index("--seed") + 1])
    return typed_game(edition, "Player", ["greedy"], seed)[0]


# Servers


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


_served: set[tuple[str, ...]] = set()


def _serve(line: str) -> None:
    """Start the server of a line on a free port, ask it whether it is well, and stop it.

    What needs and leaves no file in the folder is started once, on the first page that has it.
    """
    arguments = tuple(shlex.split(line)[1:])
    if arguments in _served:
        return
    if not re.search(r"--store|--board|--bot |\./", line):
        _served.add(arguments)
    for _ in range(5):
        port = _free_port()
        words = [*arguments, "--port", str(port)]
        words += ["--no-browser"] * (words[0] in ("play", "edit"))
        process = subprocess.Popen(
            [sys.executable, "-m", "ferrovia", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            well = _is_well(process, port)
        finally:
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=60)
        assert "Traceback" not in err, f"{line}\n{err}"
        if well:
            return
        assert f"port {port}" in err, f"{line}\n{err}"  # another test has taken it meanwhile
    raise AssertionError(f"no port for {line}")


def _is_well(process: "subprocess.Popen[str]", port: int) -> bool:
    """Wait until a server answers; whether it does, and has not ended."""
    while process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as answer:
                assert answer.status == 200
                return process.poll() is None
        except OSError:
            time.sleep(0.05)
    return False


@pytest.mark.xdist_group("postgresql")
def test_a_backup_is_whole_and_a_store_can_be_moved_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cluster: Cluster
) -> None:
    """A game goes on in the backup of its store, and in a database that it was moved to."""
    monkeypatch.chdir(tmp_path)
    lines = [command.line for command in commands(DOCS / "running-a-server.md")]
    server = Server("games.sqlite").start()
    made = create(server.address, PERSON, PERSON)
    token = made["held"][0]["token"]
    ada = Person(server.address, made["table"], token).come()
    assert ada.decide()["type"] == "accepted"
    ada.go()
    backup, restore, move = (
        next(line for line in lines if line.startswith(f"ferrovia store {word} "))
        for word in ("backup", "restore", "move")
    )
    _type(Command(backup))
    server.stop()
    database = cluster.database()
    _type(Command(POSTGRESQL.sub(database, move)))
    Path("games.sqlite").rename("elsewhere.sqlite")
    for left in ("-wal", "-shm", ".mark", ".server"):
        Path(f"games.sqlite{left}").unlink(missing_ok=True)
    _type(Command(restore))
    for store in ("games.sqlite", database):
        again = Server(store).start()
        try:
            back = Person(again.address, made["table"], token).come()
            assert back.state["number"] == ada.state["number"]
            assert back.state["own"]["tickets"] == ada.state["own"]["tickets"]
            back.go()
        finally:
            again.stop()


def test_the_settings_that_the_page_shows_are_those_of_the_repository() -> None:
    shown = "\n".join(blocks(DOCS / "running-a-server.md", "text", "nginx"))
    for name in ("deploy/Caddyfile", "deploy/nginx.conf"):
        assert f'--8<-- "{name}"' in shown
        assert (ROOT / name).is_file()
