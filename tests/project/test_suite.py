"""The suite itself: what is to run in one process does."""

import pytest


@pytest.mark.xdist_group("suite")
def test_who_distributes_the_tests_is_told_their_groups(request: pytest.FixtureRequest) -> None:
    in_groups = getattr(request.config.option, "loadgroup", False)  # set by xdist in its workers
    assert request.node.nodeid.endswith("told_their_groups" + ("@suite" if in_groups else ""))
