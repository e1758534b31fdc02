"""Reports: one self-contained page with what a run shows of a board and of its bots."""

from ferrovia.errors import MissingExtra

try:
    import numpy  # noqa: F401
except ImportError as problem:
    raise MissingExtra("report", problem) from None

from ferrovia.lab.report.comparison import comparison
from ferrovia.lab.report.page import report
from ferrovia.lab.report.several import several

__all__ = ["comparison", "report", "several"]
