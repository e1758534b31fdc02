"""Where a user's things are kept."""

from pathlib import Path

import platformdirs
import pytest

from ferrovia.data_folder import NoHome, configuration_folder, data_folder


def test_it_is_the_one_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FERROVIA_DATA", str(tmp_path))
    assert data_folder() == tmp_path


def test_else_it_is_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FERROVIA_DATA", "")
    assert data_folder().is_absolute()
    assert data_folder().name == "ferrovia"


def test_a_user_without_a_home_is_told_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(*_: object, **__: object) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("FERROVIA_DATA", raising=False)
    monkeypatch.setattr(platformdirs, "user_data_path", homeless)
    monkeypatch.setattr(platformdirs, "user_config_path", homeless)
    with pytest.raises(NoHome, match="set FERROVIA_DATA to a folder"):
        data_folder()
    assert configuration_folder() is None
