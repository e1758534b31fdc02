"""Reports: one page, whole in itself, that tells what a run says of a board and of its bots."""

from ferrovia.lab.report.comparison import comparison
from ferrovia.lab.report.page import report

__all__ = ["comparison", "report"]
