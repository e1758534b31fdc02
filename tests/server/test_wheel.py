"""The wheel, installed into an empty environment: what people get."""

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

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
    """Nothing of this checkout; and nothing is compiled, which would take long for one move."""
    ours = ("PYTHONPATH", "VIRTUAL_ENV", "FERROVIA_CACHE")
    clean = {name: value for name, value in os.environ.items() if name not in ours}
    return {**clean, "NUMBA_DISABLE_JIT": "1", "HOME": str(tmp_path), "XDG_DATA_HOME": ""}


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
