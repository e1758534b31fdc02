"""The kernel in every compiled form that can run here."""

import importlib.util
from collections.abc import Iterator

import pytest

from ferrovia.kernel.library import SETTING, Library, find


@pytest.fixture(scope="session")
def opened() -> Iterator[dict[str, Library]]:
    """The libraries that were opened: they are closed while there is a Python to do it."""
    found: dict[str, Library] = {}
    yield found
    found.clear()


@pytest.fixture(params=["", "checked", "wasm"], ids=["machine code", "checked", "wasm"])
def compiled(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, opened: dict[str, Library]
) -> Library:
    """The kernel as machine code, with bounds checked, and as WebAssembly."""
    if request.param == "wasm" and importlib.util.find_spec("wasmtime") is None:
        pytest.skip("wasmtime is not installed")
    if request.param not in opened:
        monkeypatch.setenv(SETTING, request.param)
        library = find().library
        assert library is not None
        opened[request.param] = library
    return opened[request.param]
