"""The configuration of a server: settings from a file, the environment and options.

An option comes before the environment, the environment before the file, the file before what is
built in. The file is TOML, with the names of `Settings` and a table `limits`; in the environment
the names are in capitals after `FERROVIA_`, those of limits after `FERROVIA_LIMITS_`.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_type_hints
from urllib.parse import urlsplit, urlunsplit

import msgspec

from ferrovia.boards import near_miss
from ferrovia.data_folder import configuration_folder
from ferrovia.errors import FerroviaError
from ferrovia.server.http.listen import LAST_PORT, host_and_port
from ferrovia.server.http.proxies import TrustedProxies
from ferrovia.server.settings import Limits, Settings
from ferrovia.server.store.maintenance.prune import seconds_of

Source = Literal["option", "environment", "file", "default"]

_PREFIX = "FERROVIA_"
_TYPES = {
    **get_type_hints(Settings),
    **{f"limits.{name}": kind for name, kind in get_type_hints(Limits).items()},
}
del _TYPES["limits"]
_SECRET = ("metrics_token", "word")
_OTHERS = ("FERROVIA_CONFIG", "FERROVIA_DATA", "FERROVIA_HOME")  # variables that are no settings


class ConfigurationError(FerroviaError, ValueError):
    """Settings cannot be read, each with the place where it is."""


@dataclass(frozen=True)
class Configuration:
    """Settings, and where each comes from; `file` is the one that was read."""

    settings: Settings
    sources: Mapping[str, Source]
    file: Path | None

    def lines(self) -> list[tuple[str, str, Source]]:
        """Return name, value as TOML and source of every setting; secrets are masked."""
        return [(name, _shown(name, self._value(name)), self.sources[name]) for name in _TYPES]

    def _value(self, name: str) -> Any:
        group, _, limit = name.partition(".")
        return getattr(self.settings.limits, limit) if limit else getattr(self.settings, group)


def configure(
    options: Mapping[str, Any],
    file: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Configuration:
    """Return the settings of a server; raises `ConfigurationError`.

    `options` are settings by name; those that are None count as not given. Without a `file`, the
    one that `FERROVIA_CONFIG` names is read, or `server.toml` in the user's configuration folder,
    if there is one.
    """
    path = _find_file(file, environment)
    values: dict[str, tuple[Any, Source, str]] = {}
    problems = []
    if path is not None:
        for name, value in _read_file(path).items():
            if name in _TYPES:
                values[name] = (value, "file", f"{path}: {name}")
            else:
                meant = near_miss(name, _TYPES)
                hint = f"; did you mean {meant}?" if meant else ""
                problems.append(f"{path}: there is no setting '{name}'{hint}")
    for name, value in _read_environment(environment).items():
        values[name] = (value, "environment", _variable(name))
    problems += _misspelt(environment)
    for name, value in options.items():
        if value is not None:
            values[name] = (value, "option", f"--{name.replace('_', '-')}")
    checked = {}
    for name, (value, _, where) in values.items():
        try:
            checked[name] = _check(name, value, where)
        except ConfigurationError as problem:
            problems.append(str(problem))
    if problems:
        raise ConfigurationError("; ".join(problems))
    limits = {name[7:]: value for name, value in checked.items() if name.startswith("limits.")}
    plain = {name: value for name, value in checked.items() if "." not in name}
    sources: dict[str, Source] = {
        name: values[name][1] if name in values else "default" for name in _TYPES
    }
    return Configuration(Settings(**plain, limits=Limits(**limits)), sources, path)


def _find_file(given: str | os.PathLike[str] | None, environment: Mapping[str, str]) -> Path | None:
    named = given or environment.get(f"{_PREFIX}CONFIG")
    if named:
        return Path(named)
    folder = configuration_folder()
    usual = None if folder is None else folder / "server.toml"
    return usual if usual is not None and usual.is_file() else None


def _read_file(path: Path) -> dict[str, Any]:
    """Return the settings of a file by name, those of `limits` as `limits.NAME`."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise ConfigurationError(f"{path}: cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: is not UTF-8 text; save the file as UTF-8") from None
    except tomllib.TOMLDecodeError as problem:
        raise ConfigurationError(f"{path}: {problem}") from None
    limits = found.pop("limits", {})
    if not isinstance(limits, dict):
        raise ConfigurationError(f"{path}: limits: it is a table, [limits]")
    return {**found, **{f"limits.{name}": value for name, value in limits.items()}}


def _variable(name: str) -> str:
    return _PREFIX + name.replace(".", "_").upper()


def _misspelt(environment: Mapping[str, str]) -> list[str]:
    """Return what is wrong with variables that are nearly settings; others are left alone."""
    known = {_variable(name)[len(_PREFIX) :].lower(): _variable(name) for name in _TYPES}
    problems = []
    for name in environment:
        if name.startswith(_PREFIX) and name not in {*known.values(), *_OTHERS}:
            meant = near_miss(name[len(_PREFIX) :], known)
            if meant is not None:
                problems.append(f"there is no setting {name}; did you mean {known[meant]}?")
    return problems


def _read_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, kind in _TYPES.items():
        text = environment.get(_variable(name))
        if text is None:
            continue
        if kind == tuple[str, ...]:
            values[name] = [part.strip() for part in text.split(",") if part.strip()]
        elif kind in (str, str | None):
            values[name] = text
        else:
            values[name] = _toml_value(text)
    return values


def _toml_value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _check(name: str, value: Any, where: str) -> Any:
    """Return a value in the type of its setting."""
    try:
        read = msgspec.convert(value, _TYPES[name], strict=True)
        if name == "port" and not 0 <= read <= LAST_PORT:
            raise ValueError(f"{read} is no port: give a whole number from 0 to {LAST_PORT}")
        if name == "trusted_proxies":
            TrustedProxies(read)
        if name == "metrics_address" and read is not None:
            host_and_port(read)
        if name in ("keep_finished", "keep_left") and read is not None:
            seconds_of(read)
        if name == "backups_kept" and read < 1:
            raise ValueError("at least the newest backup is kept")
    except (msgspec.ValidationError, ValueError) as problem:
        raise ConfigurationError(f"{where}: {problem}") from None
    return read


def _shown(name: str, value: Any) -> str:
    if value is None:
        return "(none)"
    if name in _SECRET:
        return '"(secret)"'
    if name == "store" and isinstance(value, str):
        value = _without_password(value)
    if isinstance(value, msgspec.Struct):
        fields = msgspec.structs.asdict(value)
        return "{ " + ", ".join(f"{key} = {number:g}" for key, number in fields.items()) + " }"
    return msgspec.json.encode(value).decode()


def _without_password(url: str) -> str:
    try:
        parts = urlsplit(url)
        if parts.password is None:
            return url
    except ValueError:
        return "(secret)"
    netloc = parts.netloc.replace(f":{parts.password}@", ":…@")
    return urlunsplit(parts._replace(netloc=netloc))
