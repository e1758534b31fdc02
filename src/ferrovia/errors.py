"""The base of Ferrovia's own errors, and the one for an optional package that is missing."""

from typing import Any, Final

EXTRAS: Final = {
    "env": ("environments", "numpy"),
    "gpu": ("games on a GPU", "numba-cuda"),
    "gymnasium": ("environments of Gymnasium", "gymnasium"),
    "learn": ("nets that learn", "torch"),
    "mcp": ("seats for language models", "mcp"),
    "openspiel": ("games of OpenSpiel", "open_spiel"),
    "parquet": ("Parquet tables", "pyarrow"),
    "pettingzoo": ("environments of PettingZoo", "pettingzoo"),
    "png": ("PNG pictures", "resvg-py"),
    "postgresql": ("PostgreSQL stores", "psycopg"),
    "print": ("PDF files", "reportlab"),
    "push": ("notices by push services", "http-ece"),
    "ray": ("Ray clusters", "ray"),
    "report": ("reports", "matplotlib"),
    "terminal": ("screens in the terminal", "textual"),
    "wasm": ("kernels in WebAssembly", "wasmtime"),
}
"""What each extra of the package is needed for, and the package that it installs."""


def install_command(extra: str) -> str:
    """Return the command that installs an extra: of a checkout, if that is what is installed."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        origin = json.loads(
            distribution("ferrovia").read_text("direct_url.json") or "{}"
        )  # PEP 610
    except PackageNotFoundError:
        origin = {}
    if "dir_info" not in origin:
        return f"pip install 'ferrovia[{extra}]'"
    editable = "--editable " if origin["dir_info"].get("editable") else ""
    return f"pip install {editable}'{url2pathname(urlsplit(origin['url']).path)}[{extra}]'"


class FerroviaError(Exception):
    """Something is wrong with what was asked for; the message says what, for the one who asked.

    Keeps its fields when it travels between processes.
    """

    __module__ = "ferrovia"  # its public name

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[FerroviaError], args: tuple[Any, ...], fields: dict[str, Any]) -> Any:
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


class NoKernel(FerroviaError, RuntimeError):
    """The kernel cannot run here, or not as it was asked to."""

    __module__ = "ferrovia"  # its public name


class MissingExtra(FerroviaError, ImportError):
    """An optional package is not installed. `extra` is the extra of Ferrovia that installs it."""

    __module__ = "ferrovia"  # its public name

    def __init__(self, extra: str, why: object = "") -> None:
        what, package = EXTRAS[extra]
        message = f"{what} need {package}: {install_command(extra)}"
        is_missing = isinstance(why, ModuleNotFoundError) and why.name == package
        super().__init__(f"{message} ({why})" if why and not is_missing else message)
        self.extra = extra
