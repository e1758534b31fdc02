"""`python -m tests.faults --minutes 5`: a long attack on both kinds of store, and its figures."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tests.faults.attack import Report, attack
from tests.server.conftest import WITHOUT_POSTGRESQL, Cluster, binaries
from tests.server.support.disk import WITHOUT_DISK, small_disk


def on_postgresql(seconds: float, seed: int) -> Report | None:
    found = binaries()
    if found is None:
        print(WITHOUT_POSTGRESQL)
        return None
    with (
        tempfile.TemporaryDirectory(prefix="ferrovia-postgresql-") as folder,
        small_disk(Path(folder), 512) as disk,
    ):
        os.chmod(folder, 0o755)
        if disk is None:
            print(WITHOUT_DISK)
        # A small log, so that it too needs room now and then.
        cluster = Cluster(found, Path(folder), "min_wal_size=32MB", "max_wal_size=48MB")
        try:
            return attack(cluster, seconds=seconds, seed=seed, disk=disk)
        finally:
            cluster.stop()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=5.0, help="for each kind of store")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--store", choices=("sqlite", "postgresql"))
    chosen = options.parse_args()
    seconds, failed = 60 * chosen.minutes, False
    for kind in ("sqlite", "postgresql"):
        if chosen.store not in (None, kind):
            continue
        if kind == "sqlite":
            report: Report | None = attack(None, seconds=seconds, seed=chosen.seed)
        else:
            report = on_postgresql(seconds, chosen.seed)
        if report is not None:
            print(f"{kind}: {report}", flush=True)
            for problem in report.problems:
                print(f"  {problem}")
            failed |= bool(report.problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
