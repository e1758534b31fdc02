"""A group of commands that are loaded when they are called, and that fail in one line."""

import json
import os
import shutil
import sys
import warnings
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from textwrap import wrap
from typing import Any

import click

from ferrovia.cli.errors import explain, no_such_command
from ferrovia.cli.interrupts import deliver_again
from ferrovia.machine.process import collect_little

WRONG_USAGE = 2
INTERRUPTED = 130

_USUAL_WIDTH = 52  # click takes no terminal for narrower
_NARROWEST = 24


class HelpFormatter(click.HelpFormatter):
    """Help that also fits a narrow terminal, such as that of a phone: examples wrap as well."""

    def write_dl(self, rows: Any, col_max: int = 30, col_spacing: int = 2) -> None:
        room = self.width - 2 - self.current_indent
        fitting = [
            ("\n    ".join(wrap(term, room, break_on_hyphens=False)), about) for term, about in rows
        ]
        super().write_dl(fitting, min(col_max, max(8, self.width // 2 - 4)), col_spacing)

    def write_text(self, text: str) -> None:
        begin = len(self.buffer)
        super().write_text(text)
        lines = "".join(self.buffer[begin:]).split("\n")
        self.buffer[begin:] = ["\n".join(map(self._folded, lines))]

    def _folded(self, line: str) -> str:
        if len(line) <= self.width:
            return line
        indent = " " * (len(line) - len(line.lstrip()))
        room = max(10, self.width - len(indent))
        folded = wrap(line.strip(), room, subsequent_indent="  ", break_on_hyphens=False)
        return "\n".join(indent + part for part in folded)


class _Context(click.Context):
    formatter_class = HelpFormatter


class HelpfulGroup(click.Group):
    """A group that names the command that may have been meant by a mistyped one."""

    context_class = _Context

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            command.context_class = _Context
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self.list_commands(ctx):
            raise no_such_command(ctx, args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.UsageError as problem:
            name = ctx.invoked_subcommand
            command = self.get_command(ctx, name) if name else None
            if problem.ctx is None and command is not None:  # click knows no command yet
                problem.ctx = _Context(command, parent=ctx, info_name=name)
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with what they do, which click would cut off."""
        found = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, command.get_short_help_str(limit=1000))
                    for name, command in found.items()
                    if command is not None
                ]
            )


class LazyGroup(HelpfulGroup):
    """Commands by name, each the `command` of a module of that name, imported at first use.

    So `ferrovia --help` is quick. Whatever is wrong with the input is reported in one
    line on stderr, and with --json as an object on stdout too. The exit status is 2 for wrong usage
    and bad input, 1 for a check that failed (set by the command), 130 after Ctrl-C.
    """

    def __init__(
        self, *args: Any, commands_in: str, commands: Mapping[str, str], **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.is_process = False  # whether this process was started for the command that runs
        self._package = commands_in
        self._help = dict(commands)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._help)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._help:
            return None
        command: click.Command = import_module(f"{self._package}.{cmd_name}").command
        command.context_class = _Context
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self._help.items()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args or ["--help"])

    def main(self, *args: Any, **options: Any) -> Any:
        """Run a command and leave with its exit status."""
        given = options.get("args", args[0] if args else None)
        typed = sys.argv[1:] if given is None else given
        self.is_process = given is None
        if self.is_process:
            collect_little()
            deliver_again()
        _replace_unencodable()
        warnings.formatwarning = _warn_in_one_line
        try:
            width = {"terminal_width": _narrow_width()}
            status = super().main(*args, **{**width, **options, "standalone_mode": False})
            if sys.stdout is not None:  # there is none after >&-
                sys.stdout.flush()
        except BrokenPipeError:
            # The reader has gone, as in `ferrovia ... | head`; Python must not flush again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            status = 1
        except click.Abort:
            status = INTERRUPTED
        except Exception as problem:
            line = explain(problem)
            if line is None:
                raise
            click.echo(line, err=True)
            if "--json" in typed:
                # Where nothing can be written, that was the problem.
                with suppress(OSError):
                    answer = {"error": line, "status": WRONG_USAGE}
                    click.echo(json.dumps(answer, ensure_ascii=False))
            status = WRONG_USAGE
        sys.exit(status if isinstance(status, int) else 0)


def _narrow_width() -> int | None:
    """Return the width for help on a narrow terminal; None on any other, as click has it then."""
    columns = shutil.get_terminal_size().columns
    return max(columns, _NARROWEST) - 1 if columns < _USUAL_WIDTH else None


def _replace_unencodable() -> None:
    """Show a question mark, not a traceback, for a character that a terminal cannot encode."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _warn_in_one_line(message: Warning | str, *_where: Any, **_options: Any) -> str:
    """Return in one line what a library warns of, such as a bad environment variable."""
    first, *_ = str(message).strip().splitlines() or [""]
    return f"ferrovia: warning: {first}\n"
