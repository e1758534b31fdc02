"""Replay records for the browser tests: a path on every line of stdin, what `ferrovia replay` says on stdout.

It is that command, without starting Python for every record.
"""

import json
import sys

from click.testing import CliRunner

from ferrovia.cli import main

for line in sys.stdin:
    said = CliRunner().invoke(main, ["replay", line.strip()])
    print(json.dumps(said.output), flush=True)
