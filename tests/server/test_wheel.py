"""The wheel, installed into an empty environment: what people get."""

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from ferrovia.bots import LEVELS
from tests.server.support.people import PERSON, Person, api, create

pytestmark = pytest.mark.xdist_group("wheel")  # built and installed once

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "src" / "ferrovia" / "server" / "client" / "index.html"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of an environment that has the wheel and nothing else of ours.

    What the wheel depends on is linked from the environment of the tests: no network is needed.
    """
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    as_it_is = {**os.environ, "FERROVIA_WITHOUT_CLIENT": "1"}  # tests/project has the rest
    subprocess.run(build, cwd=ROOT, env=as_it_is, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=False)
    commands = folder / "env" / "bin"
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(commands / "python")]
    install = ["install", "--no-deps", "--no-index", "--disable-pip-version-check", str(wheel)]
    subprocess.run([*pip, *install], check=True, capture_output=True)
    (site,) = (folder / "env").glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return commands


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Nothing of this checkout, and an empty home."""
    ours = ("PYTHONPATH", "VIRTUAL_ENV", "FERROVIA_KERNEL")
    clean = {name: value for name, value in os.environ.items() if name not in ours}
    return {**clean, "HOME": str(tmp_path), "XDG_DATA_HOME": ""}


@pytest.fixture
def playing(installed: Path, environment: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """`ferrovia play` of the wheel in an empty folder; yields its address."""
    empty = tmp_path / "empty"
    empty.mkdir()
    process = subprocess.Popen(
        [str(installed / "ferrovia"), "play", "--no-browser", "--port", "0"],
        cwd=empty,
        env={**environment, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        words = process.stdout.readline().split()
        assert words[:3] == ["Ferrovia", "is", "at"], words
        yield words[3]
    finally:
        process.terminate()
        process.wait(60)
        assert list(empty.iterdir()) == []


def test_the_wheel_is_what_is_imported(
    installed: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    where = "import ferrovia; print(ferrovia.__file__)"
    python = [str(installed / "python"), "-c", where]
    done = subprocess.run(
        python, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
    )
    assert Path(done.stdout.strip()).is_relative_to(installed.parent)


ALONE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("llvmlite", "numba", "numpy", "wasmtime"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
"""

ALL_LEVELS = """
import ferrovia.bots
from ferrovia import Game
from ferrovia.kernel.library import FOUND

assert FOUND.how == "machine code", FOUND
for level in ferrovia.bots.LEVELS:
    game = Game("europe", 2, seed=7)
    seat = game.awaited[0]
    game.play(seat, ferrovia.bots.make(level, seed=7).decide(game.view(seat)))
    print(level)
"""


def test_all_levels_decide_on_a_machine_that_has_nothing_and_keeps_nothing(
    installed: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    """No Numba, no NumPy, an empty home, and a cache that cannot be written."""
    nowhere = tmp_path / "cache"
    nowhere.touch()  # where a folder would have to be; not even root can write into it
    done = subprocess.run(
        [str(installed / "python"), "-B", "-c", ALONE + ALL_LEVELS],
        cwd=tmp_path,
        env={**environment, "XDG_CACHE_HOME": str(nowhere)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == list(LEVELS)
    assert list(tmp_path.iterdir()) == [nowhere]


COMMAND = """
from ferrovia.cli import main

main(sys.argv[1:])
"""


def test_games_are_simulated_and_what_needs_more_says_so_in_a_line(
    installed: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    def simulate(*options: str) -> "subprocess.CompletedProcess[str]":
        words = ["simulate", "usa", "--bots", "greedy,random", "--games", "2", *options]
        return subprocess.run(
            [str(installed / "python"), "-c", ALONE + COMMAND, *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    played = simulate("--record", "games")
    assert (played.returncode, len(list((tmp_path / "games").iterdir()))) == (0, 2), played.stderr
    for option, file in (("--out", "a.csv"), ("--report", "a.html")):
        refused = simulate(option, file)
        assert refused.returncode == 2
        assert len(refused.stderr.splitlines()) == 1
        assert "pip install 'ferrovia[report]'" in refused.stderr


@pytest.mark.skipif(not CLIENT.is_file(), reason="the client is not built here: make web")
def test_the_client_is_served_and_a_move_is_played(playing: str) -> None:
    page = api(playing).get("/")
    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-cache"
    assert '<div id="app">' in page.text
    for path in ("app/entry.js", "app/entry.css"):
        assert api(playing).get(f"/{path}").status_code == 200
    made = create(playing, PERSON, PERSON)
    ada = Person(playing, made["table"], made["held"][0]["token"]).come()
    assert ada.decide()["type"] == "accepted"
    ada.go()
