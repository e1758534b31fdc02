"""Play the matches of docs/strength.md, and write that page.

python -m research.strength FOLDER play [--workers N] [--seconds S] [GROUP ...]
python -m research.strength FOLDER play --device cuda [--slots N] [--seconds S] GROUP ...
python -m research.strength FOLDER page

`play` goes on with all matches, or with those of some groups, and stops after some time if told to;
`page` prints the page from what has been played. The games are kept in FOLDER/*.jsonl: hours of
play can be stopped and continued, and lines of several machines can be kept side by side.

With a device the matches of bots that look ahead with the net are played in lockstep, hundreds of
games at once, what they try on the device (the extra `learn`; see research.lookahead). The
budget is a number of iterations there: no clock is looked at.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from research.strength.groups import GROUPS
from research.strength.matches import play_matches
from research.strength.page import Page


def play(folder: Path, groups: list[str], workers: int, seconds: float) -> bool:
    """Play what is missing of some groups, in their order; returns whether all is played."""
    end = time.monotonic() + seconds
    for group in groups or GROUPS:
        print(group, file=sys.stderr, flush=True)
        left = end - time.monotonic()
        if not play_matches(GROUPS[group], folder / "matches.jsonl", workers, left):
            return False
    return True


def play_on(
    device: str, folder: Path, groups: list[str], slots: int, threads: int, seconds: float
) -> bool:
    """Play what is missing of some groups in lockstep, one group after the other."""
    from research.lookahead.match_file import play_in_lockstep
    from research.lookahead.tasks import looks_ahead

    end = time.monotonic() + seconds
    for group in groups:
        print(group, file=sys.stderr, flush=True)
        if not play_in_lockstep(
            [match for match in GROUPS[group] if looks_ahead(match)],
            folder / "lockstep.jsonl",
            device=device,
            slots=slots,
            threads=threads,
            seconds=end - time.monotonic(),
            say=lambda line: print(line, file=sys.stderr, flush=True),
        ):
            return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("what", choices=("play", "page"))
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--device", metavar="NAME", help="cuda: play in lockstep on a GPU")
    parser.add_argument("--slots", type=int, default=1 << 17, help="what is tried at once there")
    given = parser.parse_args()
    if unknown := set(given.groups) - set(GROUPS):
        parser.error(f"there is no group {', '.join(sorted(unknown))}")
    if given.what == "page":
        print(Page(given.folder).write(), end="")
        return
    if given.device is None:
        done = play(given.folder, given.groups, given.workers, given.seconds)
    elif not given.groups:
        parser.error("name the groups to play on a device")
    else:
        where = given.device, given.folder, given.groups
        done = play_on(*where, given.slots, given.workers, given.seconds)
    if not done:
        print("stopped; run it again to go on", file=sys.stderr)


if __name__ == "__main__":
    main()
