"""Matches that are played part by part: the games of a tournament, and none of them twice."""

import json

import pytest

from ferrovia.boards import load_edition
from ferrovia.lab.run.run import play_run
from ferrovia.lab.tournament.tournament import Standings, Tournament
from research.strength.matches import (
    Match,
    Score,
    parts_of,
    play_matches,
    play_part,
    read_scores,
)

MATCH = Match("usa-classic", 3, "random", "greedy", 24, 7)


def test_a_match_has_the_games_of_a_tournament(tmp_path):
    path = tmp_path / "matches.jsonl"
    lines = [play_part(part) for part in parts_of(MATCH)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    score = read_scores([path])[MATCH]
    tournament = Tournament(load_edition("usa-classic"), ("random", "greedy"), 24, 7, 3)
    standings = Standings(tournament)
    for batch in play_run(tournament.plans, ()):
        standings.add(batch)
    assert score.games == 24
    assert score.share == standings.share(1, 0)
    assert score.points[1] / score.points_of[1] == standings.means(1)["points"]


def test_what_was_played_is_not_played_again_and_what_was_cut_off_is(tmp_path):
    path = tmp_path / "kept" / "matches.jsonl"
    assert not play_matches([MATCH], path, 1, 0.0)
    assert play_matches([MATCH], path, 1, 600.0)
    whole = path.read_text(encoding="utf-8")
    assert play_matches([MATCH], path, 1, 0.0)
    lines = whole.splitlines(keepends=True)
    path.write_text("".join(lines[:-1]) + lines[-1][:40] + "\n", encoding="utf-8")
    assert play_matches([MATCH], path, 1, 600.0)
    kept = path.read_text(encoding="utf-8")
    assert sorted(_plain(kept)) == sorted(_plain(whole))
    # Lines of several machines can hold the same part: it counts once.
    path.write_text(kept + kept, encoding="utf-8")
    assert read_scores([path])[MATCH].games == 24


def test_games_in_lockstep_count_once_and_their_time_is_that_of_the_bots(tmp_path):
    lines = [play_part(part) for part in parts_of(MATCH)]
    devices = [{**line, "seconds": 0.0, "lockstep": "cuda"} for line in lines]
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text(
        "".join(json.dumps(line) + "\n" for line in (*devices, lines[0])), encoding="utf-8"
    )
    score = read_scores([mixed])[MATCH]
    assert (score.games, score.lockstep_games) == (24, 24)
    assert score.timed_games == 2 * len(lines[0]["won"])
    assert score.seconds == lines[0]["seconds"]


def _plain(text):
    """The finished lines, without the time that they took."""
    told = [json.loads(line) for line in text.splitlines() if line.endswith("}")]
    return [json.dumps({**line, "seconds": 0}) for line in told]


def test_a_match_that_searches_has_small_parts_and_unplayed_ones_have_no_share(tmp_path):
    assert {part.seeds for part in parts_of(MATCH._replace(other="director"))} == {1}
    assert {part.seeds for part in parts_of(MATCH._replace(seats=2, other="net"))} == {10, 2}
    path = tmp_path / "matches.jsonl"
    path.write_text("", encoding="utf-8")
    assert read_scores([path]) == {}
    with pytest.raises(ValueError, match="nothing has been played"):
        _ = Score(MATCH).share
