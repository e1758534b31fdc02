"""Reports: one self-contained page with what a run shows of a board and of its bots."""

from ferrovia.lab.report.comparison import comparison
from ferrovia.lab.report.page import report

__all__ = ["comparison", "report"]
