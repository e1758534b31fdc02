"""Play the newcomer: an empty home, the wheel alone, and every command of the first pages.

    python tools/newcomer.py [--keep FOLDER] [--wheel FILE]

Types the commands of the README, of docs/index.md and of every help page, in this order and in one
empty folder, then wrong input at every command, and prints what a person would see. A server is
started, asked for its page and stopped; the text game is left. A command may say that an extra is
missing, since the wheel comes alone, but it must say what to do; wrong input must be answered in a
line or two. The exit status is 1 if anything else happens.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.docs.pages import DOCS, README, commands, files_of_the_pages  # noqa: E402

LEFT_OUT = {
    r"make |pip install ": "this script has installed the wheel instead",
    r"ferrovia tournament .*search:": "takes hours",
    r"ferrovia serve .*--port 80 ": "needs the rights to that port",
    r"ferrovia season": "needs games of a club",
    r"ferrovia mcp": "speaks to a program, not to a person",
    r"ferrovia boards import map.json": "needs a map of another program",
    r"ferrovia (serve|store) .*postgresql://": "needs a database",
    r"ferrovia store restore monday.sqlite$": "there is a store already, which is not overwritten",
}
"""What is not typed, and why."""

WRONG = """
ferrovia plya
ferrovia play --bots
ferrovia play atlantis
ferrovia play ./nonexistent.json --bots nobody --seed 5
ferrovia play usa --bots greedi
ferrovia play usa --bots greedy,greedy,greedy,greedy,greedy,greedy
ferrovia play --text usa --seed seven
ferrovia play --port 99999
ferrovia play --language tlh
ferrovia play broken.json
ferrovia serve --port many
ferrovia serve --host no.such.host.example
ferrovia serve --store notes.txt
ferrovia serve --trusted-proxy everybody
ferrovia serve --board nonexistent.json
ferrovia serve --public-url club
ferrovia serve --bot "greedy=python bot.py"
ferrovia store chek
ferrovia store check --store nonexistent.sqlite
ferrovia store backup nowhere/monday.sqlite
ferrovia store restore nonexistent.sqlite
ferrovia store move
ferrovia store prune --older-than yesterday
ferrovia store nightly --config nonexistent.toml
ferrovia tables lst
ferrovia tables list --state asleep
ferrovia tables show nosuch
ferrovia tables export nosuch -o game-2.jsonl
ferrovia tables talk nosuch
ferrovia analyse nonexistent.jsonl
ferrovia terminal atlantis
ferrovia season nonexistent.toml
ferrovia mcp --seed seven
ferrovia edit nowhere/board.json
ferrovia simulate
ferrovia simulate europ --bots greedy,random
ferrovia simulate europe --bots greedy
ferrovia simulate europe --bots greedy,nobody
ferrovia simulate europe --bots greedy,random --games 0
ferrovia simulate europe --bots greedy,random --games ten
ferrovia simulate europe --bots greedy,random --out results.xlsx
ferrovia simulate europe --bots greedy,random --report nowhere/page.html
ferrovia simulate europe --bots greedy,my_bot:Nobody
ferrovia simulate europe --bots greedy,random --games 5 --json --colour
ferrovia tournament usa --bots greedy
ferrovia tournament usa --bots greedy,nobody
ferrovia tournament usa --bots greedy,racer --seats 9
ferrovia report nonexistent.run
ferrovia report notes.txt
ferrovia report --compare a.run
ferrovia learn atlantis
ferrovia season notes.txt
ferrovia replay nonexistent.jsonl
ferrovia replay notes.txt
ferrovia replay empty/
ferrovia show atlantis
ferrovia show europe -o map.jpeg
ferrovia show game.jsonl --turn 5000
ferrovia boards lst
ferrovia score nonexistent.txt
ferrovia score notes.txt
ferrovia boards check nonexistent.json
ferrovia boards check broken.json
ferrovia boards check notes.txt
ferrovia doctor --setings
""".strip().splitlines()
"""Wrong input at every command: slips of the finger, missing files, numbers that cannot be."""

SHOWN_LINES, WIDTH = 12, 120
SECONDS = 900


class Typed(NamedTuple):
    """What came of a command."""

    status: int
    out: str
    err: str
    seconds: float


class Newcomer:
    """A person with a home, a folder and the installed command, all of them empty before."""

    def __init__(self, folder: Path) -> None:
        self.environment = folder / "environment"
        self.home, self.desk = folder / "home", folder / "desk"
        for each in (self.home, self.desk):
            each.mkdir()
        binaries = "Scripts" if os.name == "nt" else "bin"
        self.commands = self.environment / binaries
        paths = [str(self.commands), *os.defpath.split(os.pathsep), "/usr/bin", "/bin"]
        self.variables = {
            "HOME": str(self.home),
            "PATH": os.pathsep.join(dict.fromkeys(paths)),
            "LANG": os.environ.get("LANG", "C.UTF-8"),
            "COLUMNS": "88",
            **{name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ},
        }
        self.faults: list[str] = []
        self.typed = 0

    def install(self, wheel: Path) -> None:
        """Install the wheel and what it needs into an environment of its own."""
        began = time.monotonic()
        subprocess.run([sys.executable, "-m", "venv", str(self.environment)], check=True)
        pip = [str(self.commands / "python"), "-m", "pip", "install", "--quiet"]
        limits = ["--disable-pip-version-check", "--constraint", str(ROOT / "constraints.txt")]
        subprocess.run([*pip, *limits, str(wheel)], check=True, stderr=subprocess.PIPE)
        size = sum(file.stat().st_size for file in self.environment.rglob("*") if file.is_file())
        seconds = time.monotonic() - began
        print(f"installed {wheel.name} in {seconds:.0f} s, {size / 2**20:.0f} MiB")

    def type(self, line: str, answers: str = "quit\n", *, on_screen: bool = False) -> Typed:
        """Run a line in a shell, as it is; `on_screen`: with all that it writes in its order."""
        began = time.monotonic()
        done = subprocess.run(
            line,
            shell=True,
            cwd=self.desk,
            env=self.variables | ({"PYTHONUNBUFFERED": "1"} if on_screen else {}),
            input=answers,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if on_screen else subprocess.PIPE,
            text=True,
            encoding="utf-8",
            timeout=SECONDS,
        )
        return Typed(done.returncode, done.stdout, done.stderr or "", time.monotonic() - began)

    def serve(self, line: str) -> Typed:
        """Start the server of a line on a free port, open its page, and stop it with Ctrl-C."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        words = [*shlex.split(line), "--port", str(port)]
        words[0] = str(self.commands / "ferrovia")
        words += ["--no-browser"] * (words[1] in ("play", "edit"))
        began = time.monotonic()
        process = subprocess.Popen(
            words,
            cwd=self.desk,
            env={**self.variables, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        page = seconds = None
        while process.poll() is None and time.monotonic() - began < 120 and page is None:
            page = _page(port)
            seconds = time.monotonic() - began
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        ended = f"the page was there after {seconds:.1f} s\n" if page else "there was no page\n"
        good = page is not None and '<div id="app">' in page
        return Typed(0 if good else 1, out + ended, err, time.monotonic() - began)

    def show(self, line: str, came: Typed) -> None:
        """Print a command and what came of it, long output in short."""
        self.typed += 1
        print(f"\n$ {line}")
        lines = (came.out + came.err).rstrip().splitlines()
        if len(lines) > SHOWN_LINES:
            left = len(lines) - SHOWN_LINES + 1
            lines = [*lines[: SHOWN_LINES - 4], f"... {left} lines more", *lines[-3:]]
        for each in lines:
            print(f"  {each}" if len(each) <= WIDTH else f"  {each[: WIDTH - 4]} ...")
        print(f"  [{came.status}, {came.seconds:.1f} s]")

    def expect(self, line: str, came: Typed) -> None:
        """See that a command succeeded, or said which extra it needs."""
        said = came.out + came.err
        if "Traceback" in said:
            self.fault(line, "a traceback")
        elif came.status != 0 and not re.search(r"pip install 'ferrovia\[\w+\]'", said):
            self.fault(line, f"status {came.status}")

    def expect_refusal(self, line: str, came: Typed) -> None:
        """See that wrong input was refused at once, in a line or two."""
        said = came.err.strip().splitlines()
        if came.status not in (1, 2):
            self.fault(line, f"status {came.status}, and it is wrong input")
        elif "Traceback" in came.out + came.err:
            self.fault(line, "a traceback")
        elif not (said or came.out.strip()):
            self.fault(line, "not a word")
        elif len(said) > 4:
            self.fault(line, f"{len(said)} lines for one mistake")

    def fault(self, line: str, what: str) -> None:
        self.faults.append(f"{line}: {what}")
        print(f"  ^^^ {what}")


def _page(port: int) -> str | None:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as problem:
        return problem.read().decode()
    except OSError:
        return None


def _examples(newcomer: Newcomer) -> Iterator[tuple[str, list[str]]]:
    """Yield the help pages, and the examples of each."""
    top = newcomer.type("ferrovia --help").out
    names = re.findall(r"^  (\w+)  ", top.partition("Commands:")[2], re.MULTILINE)
    for name in names:
        page = newcomer.type(f"ferrovia {name} --help").out
        lines = re.findall(r"^ +(ferrovia .+)$", page.partition("Examples:")[2], re.MULTILINE)
        yield f"ferrovia {name} --help", lines
        for inner in re.findall(r"^  (\w+)  ", page.partition("Commands:")[2], re.MULTILINE):
            page = newcomer.type(f"ferrovia {name} {inner} --help").out
            examples = page.partition("Examples:")[2]
            lines = re.findall(r"^ +(ferrovia .+)$", examples, re.MULTILINE)
            yield f"ferrovia {name} {inner} --help", lines


def _is_server(line: str) -> bool:
    servers = ("ferrovia serve", "ferrovia play", "ferrovia edit")
    return line.startswith(servers) and "--text" not in line


def _type_all(newcomer: Newcomer, lines: list[str], done: set[str]) -> None:
    for line in lines:
        if line in done:
            continue
        done.add(line)
        reason = next((why for what, why in LEFT_OUT.items() if re.match(what, line)), None)
        if reason is not None:
            print(f"\n$ {line}\n  [not typed: {reason}]")
            continue
        for file in re.findall(r"(?:--record|tables export .*-o) (\S+)", line):
            shutil.rmtree(newcomer.desk / file, ignore_errors=True)
            (newcomer.desk / file).unlink(missing_ok=True)
        meant = _with_a_table(newcomer, line)
        came = newcomer.serve(meant) if _is_server(meant) else newcomer.type(meant, on_screen=True)
        newcomer.show(meant, came)
        newcomer.expect(meant, came)


def _with_a_table(newcomer: Newcomer, line: str) -> str:
    """Return the line with the id of a running table in the place of the one in the help; of one
    that is over, where it is deleted.
    """
    if "Xq3b" not in line:
        return line
    listed = json.loads(newcomer.type("ferrovia tables list --json").out)
    wanted = "over" if "tables delete" in line else "running"
    ids = [table["table"] for table in listed if table["status"] == wanted]
    if not ids:
        return line
    if wanted == "over":
        return line.replace("Xq3b", ids[0][:6])
    said = _said(newcomer, ids[0])
    line = re.sub(r"(tables withhold \S+) \d+", rf"\1 {said}", line)
    return line.replace("Xq3b", ids[0][:6])


_SAY = """
import sys, time
from ferrovia.cli import store_options as stores
from ferrovia.server.lobby.upkeep import log_of
from ferrovia.server.store import Append
from ferrovia.server.table.entries import Said, write_entry

with stores.opened(None, "write") as store:
    said = write_entry(Said(at=time.time(), seat=0, text="good evening, everybody"))
    number = len(log_of(store, sys.argv[1])) + 1
    assert store.append([Append(sys.argv[1], number, (said,), None)]) == [True]
"""


def _said(newcomer: Newcomer, table: str) -> int:
    """Return the number of a line of chat at the table, which has one from now on."""
    talk = f"ferrovia tables talk {table} --json"
    if not json.loads(newcomer.type(talk).out):
        say = newcomer.type(f"python -c {shlex.quote(_SAY)} {table}")
        assert say.status == 0, say.err
    return int(json.loads(newcomer.type(talk).out)[0]["number"])


_EVENING = """\
edition: usa-classic
turn: 0
seat 0: routes portland-seattle seattle-vancouver
seat 1: routes helena-seattle
seat 2: routes duluth-helena
"""


def _lay_out(newcomer: Newcomer) -> None:
    """Put the files onto the desk that the help pages speak of."""
    for name, text in files_of_the_pages().items():
        (newcomer.desk / name).write_text(text, encoding="utf-8")
    simulate = "ferrovia simulate usa --bots greedy,random"
    made = newcomer.type(f"{simulate} --games 1 --record one")
    assert made.status == 0, made.err


def _lay_out_for(newcomer: Newcomer, page: str) -> None:
    """Put files in the place of those that an earlier example has not written."""
    desk = newcomer.desk
    if page == "ferrovia report --help":  # runs on disk need an extra, and so do reports
        for name in (
            "night.run",
            "night.parquet",
            "before.run",
            "after.run",
            "two.run",
            "three.run",
            "four.run",
        ):
            (desk / name).touch()
    if page in ("ferrovia store check --help", "ferrovia store restore --help"):
        for file in desk.glob("games.sqlite*"):
            file.unlink()
    if page == "ferrovia store check --help":
        newcomer.type("ferrovia store backup games.sqlite")
    if page == "ferrovia score --help":
        (desk / "evening.txt").write_text(_EVENING)
    if page == "ferrovia boards export --help":
        shutil.copy(desk / "my-board.json", desk / "mine.json")
    if page == "ferrovia boards import --help":
        newcomer.type("ferrovia boards export europe -o sheets")
        for file in (desk / "sheets").iterdir():
            shutil.copy(file, desk / f"{file.stem.rpartition('-')[2]}.csv")
    if page == "ferrovia replay --help":  # the newcomer has left the game at its beginning
        [record] = (desk / "one").glob("*.jsonl")
        shutil.copy(record, desk / "game.jsonl")


def _make_wrong_files(newcomer: Newcomer) -> None:
    board = files_of_the_pages()["portugal.json"]
    (newcomer.desk / "broken.json").write_text(board.replace('"lisboa", "b"', '"lisbon", "b"'))
    (newcomer.desk / "notes.txt").write_text("these are my notes, not a game, " * 40)
    (newcomer.desk / "empty").mkdir()


def _build(folder: Path) -> Path:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    return wheel


def main() -> int:
    """Play the newcomer and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--wheel", type=Path, help="this wheel; by default one is built")
    parser.add_argument("--keep", type=Path, help="work in this folder, and keep it")
    chosen = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # so that a log can be followed
    with tempfile.TemporaryDirectory() as temporary:
        folder = (chosen.keep or Path(temporary)).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        newcomer = Newcomer(folder)
        newcomer.install(chosen.wheel or _build(folder))
        done: set[str] = set()
        for page in (README, DOCS / "index.md"):
            print(f"\n\n==== {page.relative_to(ROOT)}")
            _type_all(newcomer, [command.line for command in commands(page)], done)
        print("\n\n==== the help pages")
        _lay_out(newcomer)
        for page, lines in [("ferrovia --help", []), *_examples(newcomer)]:
            _lay_out_for(newcomer, page)
            came = newcomer.type(page)
            newcomer.show(page, came)
            newcomer.expect(page, came)
            _type_all(newcomer, lines, done)
        print("\n\n==== wrong input")
        _make_wrong_files(newcomer)
        for line in WRONG:
            came = newcomer.type(line)
            newcomer.show(line, came)
            newcomer.expect_refusal(line, came)
        left = sorted(str(file.relative_to(newcomer.home)) for file in newcomer.home.glob("*/*"))
        print(f"\n\n{newcomer.typed} commands; left in the home: {', '.join(left) or 'nothing'}")
        print("\n".join(newcomer.faults) or "no faults")
    return 1 if newcomer.faults else 0


if __name__ == "__main__":
    sys.exit(main())
