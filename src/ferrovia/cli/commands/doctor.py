"""ferrovia doctor"""

import sys

import click

from ferrovia.cli import options

_MARKS = {"ok": "ok  ", "warn": "warn", "fail": "FAIL"}


@click.command()
@click.option("--compile", "compile_now", is_flag=True, help="Compile the rules now.")
@options.as_json
@click.pass_context
def command(ctx: click.Context, compile_now: bool, as_json: bool) -> None:
    """Check that everything works on this machine, and say what to do if not.

    The exit status is 1 when something that is needed does not work; warnings do not count.

    \b
    Examples:
      ferrovia doctor
      ferrovia doctor --compile
      ferrovia doctor --json
    """
    from ferrovia.cli.compile import ensure_compiled
    from ferrovia.machine.compile import EVERYTHING
    from ferrovia.machine.doctor import look_over

    if compile_now:
        ensure_compiled(EVERYTHING)
    findings = []
    for finding in look_over(_show_what):
        findings.append(finding)
        if not as_json:
            _clear_line()
            click.echo(f"{_MARKS[finding.state]}  {finding.what:<14}{finding.found}")
            if finding.to_do:
                click.echo(f"{'':20}{finding.to_do}")
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
