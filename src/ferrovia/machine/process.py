"""This process: cheap garbage collection."""

import atexit
import gc


def collect_little() -> None:
    """Spend little on garbage collection, in a process that was started for one task of ours.

    Nearly all of its objects are imported or loaded modules, which are never garbage. A fifth of
    the time of a short command went into searching them, most of it at the end of the process.
    """
    gc.set_threshold(50_000, 20, 100)
    atexit.register(gc.freeze)
