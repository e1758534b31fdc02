"""Games for learning: batches in lockstep, and one game by small numbers. Needs the extra `env`."""

from ferrovia.errors import MissingExtra

try:
    import numpy  # noqa: F401
except ImportError as problem:
    raise MissingExtra("env", problem) from None

from ferrovia.env.batch import BatchEnv, Kind
from ferrovia.env.single import SingleGame

__all__ = ["BatchEnv", "Kind", "SingleGame"]
