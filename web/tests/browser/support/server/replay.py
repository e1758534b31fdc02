"""Replay records for the browser tests: a path on each line of stdin, what `ferrovia replay` says.

It is that command, without starting Python for every record.
"""

import json
import sys

from click.testing import CliRunner

from ferrovia.cli import main

for line in sys.stdin:
    said = CliRunner().invoke(main, ["replay", line.strip()])
    print(json.dumps(said.output), flush=True)
