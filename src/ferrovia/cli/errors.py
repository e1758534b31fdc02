"""Errors that a person can do something about, in one line."""

from collections.abc import Iterable

import click

from ferrovia.data_folder import NoHome
from ferrovia.errors import MissingExtra, NoKernel


def explain(problem: Exception) -> str | None:
    """Return the line to show for bad input or a failing machine; None for a bug of our own."""
    if isinstance(problem, click.UsageError):
        path = problem.ctx.command_path if problem.ctx else "ferrovia"
        return f"{path}: {_one_line(_usage(problem))} (see {path} --help)"
    if isinstance(problem, click.ClickException):
        return f"ferrovia: {_one_line(problem.format_message())}"
    if isinstance(problem, MissingExtra | NoHome | NoKernel):
        return f"ferrovia: {_one_line(str(problem))}"
    if isinstance(problem, OSError):
        reason = problem.strerror or str(problem)
        return f"ferrovia: {reason}" + (f": {problem.filename}" if problem.filename else "")
    if isinstance(problem, MemoryError):
        return "ferrovia: this machine does not have enough memory for that"
    return _explain_board(problem)


def _usage(problem: click.UsageError) -> str:
    """Return what is wrong with a command line, and what may have been meant: near misses only."""
    from ferrovia.boards import near_miss

    if isinstance(problem, click.NoSuchOption) and problem.ctx is not None:
        known = [name for param in problem.ctx.command.params for name in param.opts]
        meant = near_miss(problem.option_name, [name for name in known if name.startswith("--")])
        hint = f"; did you mean {meant}?" if meant else ""
        return f"No such option {problem.option_name}{hint}"
    return problem.format_message()


def no_such_command(ctx: click.Context, name: str, known: Iterable[str]) -> click.UsageError:
    """Return the error for a command that does not exist, with the one that was meant."""
    from ferrovia.boards import near_miss

    meant = near_miss(name, known)
    hint = f"; did you mean {meant}?" if meant else ""
    return click.UsageError(f"No such command '{name}'{hint}", ctx)


def _explain_board(problem: Exception) -> str | None:
    from ferrovia.boards import BoardError

    if not isinstance(problem, BoardError):
        return None
    first, more = problem.problems[0], len(problem.problems) - 1
    tail = f" (and {more} more: ferrovia boards check {first.file})" if more else ""
    return f"ferrovia: {_one_line(str(first))}{tail}"


def _one_line(message: str) -> str:
    return " ".join(message.split())
