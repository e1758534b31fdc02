"""What the doctor finds."""

import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from ferrovia.machine import compile, doctor
from ferrovia.machine.doctor import Finding, look_over

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


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


def test_a_machine_without_a_gpu_is_warned_and_fails_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "numba.cuda", cuda())
    assert gpu_finding().state == "warn"
    assert "pip install 'ferrovia[gpu]'" in gpu_finding().to_do


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


def test_a_game_is_played_uncompiled_where_nothing_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never() -> float:
        raise AssertionError("this would compile, without a word")

    monkeypatch.setattr(compile, "not_compiled", lambda names: list(names))
    monkeypatch.setattr(doctor, "seconds_of_short_game", never)
    findings = {finding.what: finding for finding in look_over()}
    assert findings["game"].state == "ok"
    assert findings["game"].found.endswith("uncompiled")
    none = f"0 of {len(compile.EVERYTHING)} functions are compiled; not yet: start"
    assert findings["rules"].found.startswith(none)


def test_every_extra_for_people_is_looked_for() -> None:
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    known = {extra: library for _, library, extra in doctor.EXTRAS}
    assert known.keys() == extras.keys() - {"docs", "gpu"}, "gpu has a check of its own"
    for extra, library in known.items():
        assert extras[extra][0].startswith(library)


def test_what_is_not_installed_comes_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "EXTRAS", (("magic", "no-such-library", "magic"),))
    *_, finding = look_over()
    assert (finding.what, finding.state) == ("magic", "warn")
    assert finding.to_do.endswith("-m pip install 'ferrovia[magic]'")
