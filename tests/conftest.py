"""Settings for the whole suite."""

import os

# Silent overwrites become errors: the kernel is compiled with bounds checks for tests.
os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")

from hypothesis import HealthCheck, settings

# No test depends on a clock.
settings.register_profile(
    "ferrovia", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.register_profile("explore", settings.get_profile("ferrovia"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ferrovia"))
