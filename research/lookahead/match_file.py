"""Play matches in lockstep, part by part: what is finished is lines in a file, the rest is kept."""

import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from research.lookahead.matches import Line, Matches, saved_tasks
from research.lookahead.tasks import net_of, tasks_of
from research.strength.matches import Match, read_scores

_SAVE_EVERY = 15.0  # seconds
_GAME_SLOTS = 100  # that a game fills, about


def play_in_lockstep(
    matches: Iterable[Match],
    path: Path,
    *,
    device: str,
    slots: int,
    threads: int,
    seconds: float,
    say: Callable[[str], None],
    at_once: int | None = None,
) -> bool:
    """Play what is missing of some matches for about so long, those of one net at the same time.

    This many games are played at once, or as many as fill the slots. The lines go to a file, which
    is read for what has been played, as are its neighbours; games that are not finished in time are
    kept beside it. Returns whether all is played.
    """
    end = time.monotonic() + seconds
    by_net: dict[str, list[Match]] = {}
    for match in dict.fromkeys(matches):
        by_net.setdefault(net_of(match), []).append(match)
    for name, some in by_net.items():
        scores = read_scores(sorted(path.parent.glob("*.jsonl")))

        def done(match: Match, seating: int, seed: int, scores: Any = scores) -> bool:
            return match in scores and (seating, seed) in scores[match].parts

        kept = path.with_name(f"{path.stem}-{name}.npz")
        tasks = saved_tasks(kept) if kept.exists() else tasks_of(some, done)
        if not tasks:
            continue
        games = at_once or max(2, slots // _GAME_SLOTS)
        playing = Matches(tasks, slots=slots, at_once=games, device=device, threads=threads)
        if kept.exists():
            playing.load(kept)
        if not _play_and_keep(playing, path, kept, end, say):
            return False
        kept.unlink(missing_ok=True)
    return True


def _play_and_keep(
    playing: Matches, path: Path, kept: Path, end: float, say: Callable[[str], None]
) -> bool:
    """Play until a time, writing lines and keeping the games now and then."""
    begin = time.monotonic()
    with path.open("a", encoding="utf-8") as file:

        def keep(line: Line) -> None:
            file.write(json.dumps(line) + "\n")
            file.flush()

        while True:
            left = end - time.monotonic()
            over = playing.play(min(_SAVE_EVERY, left), keep)
            playing.save(kept)
            took = time.monotonic() - begin
            say(
                f"{len(playing.finished)} of {len(playing.tasks)} games, {playing.searched} "
                f"decisions, {playing.roots.tries} tries that counted in {took:.0f} s"
            )
            if over or time.monotonic() >= end:
                return over
