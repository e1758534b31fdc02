"""Runs a command in whose environment `PYTHON` is one that starts at once:
`python -m tests.preloaded npm run e2e`.
"""

import os
import subprocess
import sys

from tests.preloaded import python

sys.exit(subprocess.call(sys.argv[1:], env={**os.environ, "PYTHON": python()[0]}))
