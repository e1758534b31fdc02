"""Runs a command in whose environment `PYTHON` is one that starts at once:
`python -m tests.preloaded npm run e2e`.
"""

import os
import subprocess
import sys

from tests.preloaded import fork_server

python = str(fork_server() / "python") if sys.platform == "linux" else sys.executable
sys.exit(subprocess.call(sys.argv[1:], env={**os.environ, "PYTHON": python}))
