"""The benchmarks that run the command line."""

import sys

import numpy as np
import pytest

from research.benchmarks.command_line import study_cost

pytest.importorskip("matplotlib")


@pytest.mark.skipif(sys.platform == "win32", reason="the memory of a process is not reported there")
def test_a_study_is_measured_and_a_failure_is_no_measurement() -> None:
    ballast = np.ones(100_000_000)  # 800 MB of ours, which are not those of the study
    cost = study_cost(300, workers=1, edition="usa", seats=2)
    assert ballast.nbytes == 800_000_000
    assert cost.games == 300
    assert cost.seconds > 0
    assert 50 < cost.megabytes < 700
    with pytest.raises(RuntimeError, match="failed with status 2"):
        study_cost(300, seats=6)
