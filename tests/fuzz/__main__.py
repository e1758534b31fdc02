"""Run the fuzzer by hand: `python -m tests.fuzz --inputs 1000000 --seed 1`.

The bounds of every array are checked. An input that takes longer than a minute ends the run with a
traceback; the file that is named at the start holds the number of the input at that time, also
after a crash. `--only NUMBER` tries one input again.
"""

import os

os.environ.setdefault("FERROVIA_KERNEL", "checked")  # before anything of it is imported

import argparse
import faulthandler
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.inputs import KINDS, try_input

_PATIENCE = 60


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="begin", metavar="NUMBER")
    parser.add_argument("--only", type=int, metavar="NUMBER")
    parser.add_argument("--kind", choices=tuple(KINDS), action="append")
    options = parser.parse_args()
    faulthandler.enable()
    kinds = tuple(options.kind or KINDS)
    if options.only is not None:
        print(*try_input(options.seed, options.only, kinds))
        return 0
    at = Path(tempfile.gettempdir()) / f"ferrovia-fuzz-{os.getpid()}"
    print(f"the number of the input is kept in {at}", flush=True)
    happened: Counter[tuple[str, str]] = Counter()
    faults, begun = 0, time.monotonic()
    try:
        for number in range(options.begin, options.begin + options.inputs):
            at.write_text(f"{number}\n")
            faulthandler.dump_traceback_later(_PATIENCE, exit=True)
            try:
                happened[try_input(options.seed, number, kinds)] += 1
            except Exception as fault:
                faults += 1
                print(f"input {number}: {type(fault).__name__}: {fault}", flush=True)
            if (number + 1) % 10_000 == 0:
                print(number + 1, f"{time.monotonic() - begun:.0f} s", faults, "faults", flush=True)
    except KeyboardInterrupt:
        print("interrupted")
    faulthandler.cancel_dump_traceback_later()
    at.unlink()
    for (kind, what), count in sorted(happened.items()):
        print(f"{kind:9} {what:9} {count:9,}")
    print(f"{happened.total() + faults:,} inputs, seed {options.seed}, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
