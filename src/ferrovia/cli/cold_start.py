"""Beginning at once where the rules are not compiled yet: people never wait for the compiler."""

import os
import sys
from collections.abc import Sequence

import click

from ferrovia.cli.group import LazyGroup

_VARIABLE = "FERROVIA_COLD_START"


def begins_uncompiled(ctx: click.Context, names: Sequence[str]) -> bool:
    """Return whether this process plays uncompiled, until a compiler beside it has finished.

    If some of these functions are not in the cache, the command begins once more in this process,
    without its compiler: there the answer is True. So ask first, and start nothing before. Where
    no cache can be written it is False, as nothing could be passed on.
    """
    from ferrovia.machine.background import UNCOMPILED
    from ferrovia.machine.compile import not_compiled
    from ferrovia.machine.process import replace_process
    from ferrovia.rules.compiler import cache_folder

    if os.environ.pop(_VARIABLE, None) is not None:  # it is not for the processes of this one
        return True
    main = ctx.find_root().command
    own_process = isinstance(main, LazyGroup) and main.is_process
    if own_process and not_compiled(names) and cache_folder() is not None:
        again = [sys.executable, *sys.orig_argv[1:]]
        replace_process(again, {**os.environ, UNCOMPILED: "1", _VARIABLE: "1"})
    return False
