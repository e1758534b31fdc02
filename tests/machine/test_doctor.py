"""What the doctor finds."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from ferrovia.cli import main
from ferrovia.errors import EXTRAS, install_command
from ferrovia.kernel import library
from ferrovia.kernel.library import Found
from ferrovia.machine import doctor
from ferrovia.machine.doctor import Finding, look_over


def gpu_finding() -> Finding:
    [finding] = [finding for finding in look_over() if finding.what == "gpu"]
    return finding


def cuda(**device: object) -> SimpleNamespace:
    """A stand-in for `numba.cuda` with one device."""
    return SimpleNamespace(
        is_available=lambda: bool(device), get_current_device=lambda: SimpleNamespace(**device)
    )


@pytest.mark.parametrize("name", ["NVIDIA H200", b"NVIDIA H200"], ids=["str", "bytes"])
def test_a_gpu_is_usable_however_the_library_writes_its_name(
    name: str | bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numba.cuda", cuda(name=name))
    assert gpu_finding() == Finding("gpu", "ok", "NVIDIA H200")


def test_a_machine_without_a_gpu_lacks_nothing_that_most_people_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "numba.cuda", cuda())
    assert gpu_finding().state == "none"
    assert install_command("gpu") in gpu_finding().to_do


def test_an_installation_without_the_browser_game_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ferrovia.machine.browser_game.FOLDER", tmp_path)
    [finding] = [finding for finding in look_over() if finding.what == "browser game"]
    assert finding.state == "warn"
    assert "make web" in finding.to_do
    (tmp_path / "index.html").touch()
    [finding] = [finding for finding in look_over() if finding.what == "browser game"]
    assert finding == Finding("browser game", "ok", str(tmp_path))


def test_how_the_kernel_runs_is_told_and_what_makes_it_faster(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def kernel_finding(found: Found) -> Finding:
        monkeypatch.setattr(library, "FOUND", found)
        [finding] = [finding for finding in look_over() if finding.what == "kernel"]
        return finding

    assert kernel_finding(Found(None, "machine code", "linux-x86_64.so", "")).state == "ok"
    slower = kernel_finding(Found(None, "wasm", "wasm.wasm", "there is no library for plan9"))
    assert (slower.state, slower.found) == ("warn", "WebAssembly: there is no library for plan9")
    slowest = kernel_finding(Found(None, "python", "", "there is no library for plan9"))
    assert slowest.state == "warn"
    assert install_command("wasm") in slowest.to_do


def test_every_extra_is_looked_for() -> None:
    found = {finding.what for finding in look_over()}
    assert {what for what, _ in EXTRAS.values()} <= found


def test_what_is_not_installed_comes_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "EXTRAS", {"magic": ("magic", "no-such-library")})
    *_, finding = look_over()
    assert (finding.what, finding.state) == ("magic", "none")
    assert finding.to_do.endswith("-m " + install_command("magic"))


def data_finding() -> Finding:
    [finding] = [finding for finding in look_over() if finding.what == "data folder"]
    return finding


def test_where_games_cannot_be_kept_it_fails_and_says_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FERROVIA_DATA", str(tmp_path / "not" / "yet"))
    assert data_finding() == Finding("data folder", "ok", str(tmp_path / "not" / "yet"))
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    monkeypatch.setenv("FERROVIA_DATA", str(tmp_path / "file" / "games"))
    assert data_finding().state == "fail"
    assert "FERROVIA_DATA" in data_finding().to_do


def test_a_user_without_a_home_is_told_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: object, **__: object) -> Path:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.delenv("FERROVIA_DATA", raising=False)
    monkeypatch.setattr("platformdirs.user_data_path", nowhere)
    monkeypatch.setattr("platformdirs.user_config_path", nowhere)
    assert data_finding().state == "fail"
    assert "FERROVIA_DATA" in data_finding().to_do
    done = CliRunner().invoke(main, ["boards", "list"])
    assert done.exit_code == 2
    assert done.stderr.splitlines()[-1] == (
        "ferrovia: this user has no home folder: set FERROVIA_DATA to a folder"
    )


def test_a_disk_with_little_space_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=5 << 20))
    assert (data_finding().state, "5 MiB" in data_finding().found) == ("warn", True)
