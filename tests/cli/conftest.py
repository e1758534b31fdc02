"""Settings for the tests that start worker processes."""

from tests.preloaded import ordinary_workers as ordinary_workers
from tests.preloaded import quick_workers as quick_workers
