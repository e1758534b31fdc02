"""ferrovia doctor"""

import sys
from itertools import chain
from typing import TYPE_CHECKING

import click

from ferrovia.cli import options
from ferrovia.cli.store_options import config

if TYPE_CHECKING:
    from ferrovia.machine.doctor import Finding

_MARKS = {"ok": "ok  ", "warn": "warn", "fail": "FAIL", "none": "-   "}
_WIDTH = 28  # of what was looked at


@click.command()
@click.option("--settings", is_flag=True, help="Print every setting of the server instead.")
@config
@options.as_json
@click.pass_context
def command(ctx: click.Context, settings: bool, config: str | None, as_json: bool) -> None:
    """Check that everything works on this machine, and say what to do if not.

    The exit status is 1 when something that is needed does not work; warnings do not count.

    \b
    Examples:
      ferrovia doctor
      ferrovia doctor --settings
      ferrovia doctor --settings --config server.toml
      ferrovia doctor --json
    """
    if settings:
        _print_settings(config, as_json)
        return
    from ferrovia.machine.doctor import look_over

    findings = []
    for finding in chain(look_over(_show_what), [_server_settings(config)]):
        findings.append(finding)
        if not as_json:
            _clear_line()
            click.echo(f"{_MARKS[finding.state]}  {finding.what:<{_WIDTH}}{finding.found}")
            if finding.to_do:
                click.echo(f"{'':{_WIDTH + 6}}{finding.to_do}")
    _clear_line()
    if as_json:
        options.write_json([finding._asdict() for finding in findings])
    ctx.exit(1 if any(finding.state == "fail" for finding in findings) else 0)


def _show_what(what: str) -> None:
    """Show on a terminal what is looked at, in a line that the next one replaces."""
    if sys.stderr.isatty():
        click.echo(f"      {what}...", err=True, nl=False)


def _clear_line() -> None:
    if sys.stderr.isatty():
        click.echo("\r\033[K", err=True, nl=False)


def _server_settings(config: str | None) -> "Finding":
    """Return which settings of the server are not the default, and where they come from."""
    from ferrovia.machine.doctor import Finding
    from ferrovia.server.configuration import ConfigurationError, configure

    try:
        read = configure({}, config)
    except ConfigurationError as problem:
        return Finding("settings", "warn", str(problem), "fix it, or ferrovia serve cannot start")
    changed = [
        f"{name} = {value} ({source})"
        for name, value, source in read.lines()
        if source != "default"
    ]
    found = "; ".join(changed) or "all as built in"
    where = "" if read.file is None else f" [{read.file}]"
    return Finding("settings", "ok", found + where)


def _print_settings(config: str | None, as_json: bool) -> None:
    """Print every setting of the server with its value and where it comes from."""
    from ferrovia.server.configuration import ConfigurationError, configure

    try:
        read = configure({}, config)
    except ConfigurationError as problem:
        raise click.UsageError(str(problem)) from None
    if as_json:
        names = ("name", "value", "source")
        options.write_json([dict(zip(names, line, strict=True)) for line in read.lines()])
        return
    click.echo(f"# The file: {read.file or 'none'}")
    for name, value, source in read.lines():
        click.echo(f"{name} = {value}  # {source}")
