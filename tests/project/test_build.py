"""What a build makes: the client where it is due, links for an index, one wheel from everywhere."""

import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from email.parser import HeaderParser
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.xdist_group("build")  # what is built is built once

ROOT = Path(__file__).parents[2]
HOME = "https://forge.example/club/ferrovia"


def load_hooks() -> ModuleType:
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["hatch_build"] = module
    spec.loader.exec_module(module)
    return module


hooks = load_hooks()

from tools import licences  # noqa: E402

# When the client is built


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of ours with a tiny client, and a machine without Node."""
    monkeypatch.delenv("FERROVIA_WITHOUT_CLIENT", raising=False)
    monkeypatch.delenv("FERROVIA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    root = tmp_path / "checkout"
    for name in ("web/src/App.svelte", "web/index.html", "web/package.json"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    (root / "web" / "package-lock.json").write_text(
        '{"packages": {"": {}, "node_modules/vite": {"version": "8.0.0"},'
        ' "node_modules/vitest": {"version": "4.0.0", "dev": true},'
        ' "node_modules/other-system": {"version": "1.0.0", "optional": true}}}'
    )
    (root / "src" / "ferrovia" / "server").mkdir(parents=True)
    return root


def put_node(folder: Path, version: str, npm: str = "exit 0") -> None:
    """Put programs called node and npm into a folder."""
    for name, script in (("node", f"echo {version}"), ("npm", npm)):
        program = folder / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)


WRITES_THE_CLIENT = (
    'echo "$@" >> ../asked\n'
    'case "$1" in run) mkdir -p ../src/ferrovia/server/client; '
    ": > ../src/ferrovia/server/client/index.html;; esac"
).replace("mkdir", shutil.which("mkdir") or "mkdir")


def built(root: Path) -> Path:
    client: Path = root / hooks.CLIENT
    client.parent.mkdir(parents=True, exist_ok=True)
    client.touch()
    return client


def test_the_client_is_due_where_it_is_absent_or_older_than_its_sources(checkout: Path) -> None:
    assert hooks.is_due(checkout)
    client = built(checkout)
    assert not hooks.is_due(checkout)
    changed = client.stat().st_mtime + 5
    os.utime(checkout / "web" / "src" / "App.svelte", (changed, changed))
    assert hooks.is_due(checkout)


def test_a_source_distribution_brings_its_client(checkout: Path) -> None:
    client = built(checkout)
    os.utime(client, (0, 0))
    assert hooks.is_due(checkout)
    (checkout / "PKG-INFO").touch()
    assert not hooks.is_due(checkout)


def test_one_can_build_without_the_client(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FERROVIA_WITHOUT_CLIENT", "1")
    assert not hooks.is_due(checkout)
    monkeypatch.setenv("FERROVIA_WITHOUT_CLIENT", "0")
    assert hooks.is_due(checkout)


def test_the_versions_of_node_are_those_of_the_package() -> None:
    package = (ROOT / "web" / "package.json").read_text("utf-8")
    assert '"node": "^20.19.0 || >=22.12.0"' in package
    for version, good in (
        ("v18.20.4", False),
        ("v20.18.9", False),
        ("v20.19.0", True),
        ("v21.7.0", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.1.0", True),
        ("", False),
    ):
        assert hooks.can_build(version) is good, version


def hook_of(root: Path) -> object:
    from hatchling.bridge.app import Application

    return hooks.PackageHook(str(root), {}, None, None, "", "sdist", Application())


posix = pytest.mark.skipif(os.name == "nt", reason="programs that are shell scripts")


@posix
def test_node_is_asked_for_only_where_it_is_missing_and_needed(checkout: Path) -> None:
    hook = hook_of(checkout)
    assert hook.dependencies() == [hooks.NODE]  # type: ignore[attr-defined]
    put_node(checkout.parent / "bin", "v18.0.0")
    assert hook.dependencies() == [hooks.NODE]  # type: ignore[attr-defined]
    put_node(checkout.parent / "bin", "v22.12.0")
    assert hook.dependencies() == []  # type: ignore[attr-defined]
    put_node(checkout.parent / "bin", "v18.0.0")
    built(checkout)
    assert hook.dependencies() == []  # type: ignore[attr-defined]


@posix
def test_the_client_is_built_with_what_the_lock_names(checkout: Path) -> None:
    put_node(checkout.parent / "bin", "v22.12.0", WRITES_THE_CLIENT)
    hook = hook_of(checkout)
    hook.initialize("standard", {})  # type: ignore[attr-defined]
    asked = (checkout / "asked").read_text().splitlines()
    assert [line.split()[0] for line in asked] == ["ci", "run"]
    assert "--omit=dev" in asked[0]
    hook.initialize("standard", {})  # type: ignore[attr-defined]
    assert (checkout / "asked").read_text().splitlines() == asked, "nothing was due"


def test_what_is_installed_is_not_installed_again(checkout: Path) -> None:
    web = checkout / "web"
    assert not hooks.is_installed(web)
    (web / "node_modules").mkdir()
    hidden = web / "node_modules" / ".package-lock.json"
    hidden.write_text('{"packages": {"node_modules/vite": {"version": "7.0.0"}}}')
    assert not hooks.is_installed(web)
    hidden.write_text('{"packages": {"node_modules/vite": {"version": "8.0.0"}}}')
    assert hooks.is_installed(web)


@posix
@pytest.mark.parametrize(
    ("node", "said"),
    [
        (None, "which is missing here"),
        ("echo no network >&2; exit 1", "no network"),
        ("exit 0", "has written no"),
    ],
    ids=["no Node", "npm fails", "nothing built"],
)
def test_what_cannot_be_built_says_what_to_do(
    checkout: Path, node: str | None, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if node is not None:
        put_node(checkout.parent / "bin", "v24.0.0", node)
    with pytest.raises(SystemExit) as left:
        hook_of(checkout).initialize("standard", {})  # type: ignore[attr-defined]
    assert left.value.code == 1
    output = capsys.readouterr()
    told = output.out + output.err
    assert said in told
    assert "FERROVIA_WITHOUT_CLIENT=1" in told
    assert "Traceback" not in told


# What is built


def build(root: Path, out: Path, kind: str) -> Path:
    """Build from a folder; what is there of the client is packed as it is."""
    environment = {**os.environ, "FERROVIA_WITHOUT_CLIENT": "1"}
    environment.pop("FERROVIA_HOME", None)
    if root == ROOT:
        environment["FERROVIA_HOME"] = HOME
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
    subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)
    [built] = out.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of an unpacked source distribution."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(build(ROOT, folder, "sdist")) as archive:
        archive.extractall(folder, filter="data")
    [root] = [path for path in folder.iterdir() if path.is_dir()]
    yield root
    shutil.rmtree(root)


def contents(wheel: Path) -> dict[str, str]:
    """The files of a wheel and the hashes of what is in them."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}


def test_the_sources_build_the_same_wheel(wheel: Path, unpacked: Path, tmp_path: Path) -> None:
    assert contents(build(unpacked, tmp_path, "wheel")) == contents(wheel)


def test_the_sources_have_what_builds_and_tests_the_client(unpacked: Path) -> None:
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    if not tracked:
        pytest.skip("not a checkout")
    missing = [name for name in tracked if not (unpacked / name).is_file()]
    assert missing == []
    assert not list(unpacked.glob("**/node_modules"))


def metadata(wheel: Path) -> tuple[dict[str, list[str]], str]:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        message = HeaderParser().parsestr(archive.read(name).decode("utf-8"))
    fields = {name: message.get_all(name, []) for name in set(message.keys())}
    return fields, message.get_payload()


def test_the_wheel_has_the_libraries_for_every_system_and_none_for_tests(wheel: Path) -> None:
    names = {Path(name).stem for name in contents(wheel) if "/kernel/libraries/" in name}
    systems = {"linux-aarch64", "linux-x86_64", "macos-aarch64", "macos-x86_64", "windows-x86_64"}
    assert systems | {"manifest", "pyodide", "wasm"} <= names
    assert not [name for name in names if name.endswith("-checked")]


def test_links_and_pictures_of_the_package_lead_to_the_repository(wheel: Path) -> None:
    fields, page = metadata(wheel)
    urls = dict(url.split(", ") for url in fields["Project-URL"])
    assert urls.keys() == {"Homepage", "Documentation", "Changelog", "Issues", "Source"}
    assert all(url.startswith(HOME) for url in urls.values())
    targets = re.findall(r"\]\(([^)\s]+)\)", page)
    assert len(targets) > 20
    [version] = fields["Version"]
    for target in targets:
        if target.startswith("https://docs.astral.sh/"):
            continue
        assert target.startswith(f"{HOME}/"), target
        kind, tag, path = target.removeprefix(f"{HOME}/").split("/", 2)
        assert (kind, tag) in (("raw", f"v{version}"), ("blob", f"v{version}"))
        assert (ROOT / path.partition("#")[0]).exists()
    assert f"]({HOME}/raw/v{version}/docs/images/table.png)" in page


def test_a_package_of_an_unknown_home_has_no_links(tmp_path: Path) -> None:
    assert hooks.home_of(tmp_path) is None


@pytest.mark.parametrize("home", ["ferrovia", "http://forge.example/x", "https://forge.example"])
def test_a_wrong_home_is_refused(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FERROVIA_HOME", home)
    with pytest.raises(ValueError, match="FERROVIA_HOME"):
        hooks.home_of(tmp_path)


def test_classifiers_are_known(wheel: Path) -> None:
    from trove_classifiers import classifiers

    assert set(metadata(wheel)[0]["Classifier"]) <= classifiers


CLIENT_IS_BUILT = (ROOT / hooks.BUNDLED).is_file()


@pytest.mark.skipif(not CLIENT_IS_BUILT, reason="the client is not built here: make web")
def test_the_wheel_has_the_licences_of_all_its_parts_and_lists_them(wheel: Path) -> None:
    names = contents(wheel)
    packed = {Path(name).name for name in names if ".dist-info/licenses/" in name}
    parts = hooks.parts_of_others(ROOT)
    assert packed == {"LICENSE", *(licences.file_of(name) for _, name, _, _ in parts)}
    [expression] = metadata(wheel)[0]["License-Expression"]
    ours = expression.split(" AND ")
    for _, name, _, licence in parts:
        assert set(licence.strip("()").split(" OR ")) & set(ours), f"the package says no {name}"
    with zipfile.ZipFile(wheel) as packed_wheel:
        [bill] = [name for name in names if ".dist-info/sboms/" in name]
        listed = json.loads(packed_wheel.read(bill))
    assert listed["metadata"]["component"]["version"] == metadata(wheel)[0]["Version"][0]
    assert [(it["name"], it["version"]) for it in listed["components"]] == [it[1:3] for it in parts]


@pytest.mark.skipif(not CLIENT_IS_BUILT, reason="the client is not built here: make web")
def test_fonts_of_the_client_are_parts_with_a_licence(wheel: Path) -> None:
    fonts = [name for name in contents(wheel) if name.endswith((".woff2", ".woff", ".ttf"))]
    known = tuple(
        licences.file_of(it[1]).removesuffix(".txt") for it in hooks.parts_of_others(ROOT)
    )
    assert fonts
    assert all(Path(font).name.startswith(known) for font in fonts)


@pytest.mark.skipif(not CLIENT_IS_BUILT, reason="the client is not built here: make web")
def test_licences_are_those_that_the_packages_come_with() -> None:
    """To do if not: python tools/licences.py."""
    for kind, name, _, _ in hooks.parts_of_others(ROOT):
        theirs = licences.text_of(kind, name)
        ours = (licences.FOLDER / licences.file_of(name)).read_text("utf-8")
        assert theirs is None or theirs.strip() in ours, name
    assert licences.PAGE.read_text("utf-8") == licences.page()
