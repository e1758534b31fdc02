"""Play a match of bots that look ahead with the net, all its games at once.

python -m research.lookahead europe --bots net,net:400 --seats 4 --games 1000 --device cuda

The games are those of `ferrovia tournament`; what has been played is kept in a file, one line for
each seed, and a match that was stopped goes on.
"""

import argparse
import os
import sys
from pathlib import Path

import torch

from ferrovia.bots.net.weight_file import weights_of
from research.lookahead.match_file import play_in_lockstep
from research.lookahead.tasks import looks_ahead, net_of
from research.strength.matches import Match, read_scores


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m research.lookahead",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("edition")
    parser.add_argument("--bots", required=True, metavar="ONE,OTHER", help="such as net,net:400")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--slots", type=int, help="what is tried at once (131072; on a CPU 128)")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after about so long")
    parser.add_argument("--out", type=Path, default=Path("lockstep.jsonl"), metavar="FILE")
    given = parser.parse_args(arguments)
    one, _, other = given.bots.partition(",")
    match = Match(given.edition, given.seats, one, other, given.games, given.seed)
    try:
        _ = match.tournament  # which cannot be made of bots and seats that do not exist
        if not looks_ahead(match):
            raise ValueError("one of the bots must look ahead a number of iterations: net:400")
        weights_of(net_of(match))
    except ValueError as problem:
        parser.error(str(problem))
    slots = given.slots or (128 if given.device == "cpu" else 1 << 17)
    done = play_in_lockstep(
        [match],
        given.out,
        device=given.device,
        slots=slots,
        threads=os.cpu_count() or 1,
        seconds=given.seconds,
        say=lambda line: print(line, file=sys.stderr, flush=True),
    )
    score = read_scores([given.out]).get(match)
    if score is not None:
        share = score.share
        print(
            f"{other} won {share.value:.1%} of {score.games} games against {one} "
            f"(95%: {share.low:.1%} to {share.high:.1%})"
        )
    if not done:
        print("stopped; run it again to go on", file=sys.stderr)


if __name__ == "__main__":
    main()
