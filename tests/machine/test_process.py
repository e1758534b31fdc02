"""What a process of ours spends on garbage collection."""

import gc
import subprocess
import sys

from click.testing import CliRunner

from ferrovia.cli import main

AT_THE_END = """
import atexit, gc
atexit.register(lambda: print(gc.get_freeze_count() > 10_000, gc.get_threshold()[0]))
import sys
sys.argv = ["ferrovia", "boards", "list"]
from ferrovia.cli import main
main()
"""


def test_a_command_does_not_search_what_is_loaded_when_it_ends() -> None:
    said = subprocess.run(
        [sys.executable, "-c", AT_THE_END], capture_output=True, text=True, check=True
    )
    assert said.stdout.splitlines()[-1] == "True 50000"


def test_a_command_inside_another_program_leaves_its_collector_alone() -> None:
    before = gc.get_threshold()
    assert CliRunner().invoke(main, ["boards", "list"]).exit_code == 0
    assert gc.get_threshold() == before
