"""`python -m research.benchmarks`: measure this machine and print the benchmark page."""

import argparse
import sys

from ferrovia.cli.progress import progress_of_steps
from ferrovia.kernel.gpu import NoGpu
from research.benchmarks import command_line
from research.benchmarks.page import page, sections


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m research.benchmarks", description=__doc__)
    parser.add_argument("--gpu", action="store_true", help="measure the GPU instead of the CPU")
    parser.add_argument("--quick", action="store_true", help="measure the rules and batches alone")
    chosen = parser.parse_args()
    if chosen.gpu:
        from research.benchmarks.gpu import gpu_section

        try:
            print(gpu_section())
        except NoGpu as problem:
            sys.exit(str(problem))
        return
    parts = sections(command_line.study, command_line.start, command_line.play, quick=chosen.quick)
    with progress_of_steps(len(parts)) as done:
        written = page(parts, done)
    print(written)


if __name__ == "__main__":
    main()
