"""Compiling ahead covers exactly what games call."""

import pytest

from ferrovia.boards import edition
from ferrovia.bots import make
from ferrovia.game import Game
from ferrovia.lab import warmup
from ferrovia.lab.checkup import look_over
from ferrovia.lab.matches import play_to_end
from ferrovia.lab.plan import Plan
from ferrovia.lab.simulation import simulate
from ferrovia.rules.compiler import COMPILED, cache_folder

compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@compiled_only
def test_games_call_the_functions_with_the_types_that_are_compiled_ahead() -> None:
    game = Game("europe", 3, seed=1)
    assert game.view(0).legal_actions()
    play_to_end(game, [make(bot, 1) for bot in ("greedy", "random", "search:8")])
    Game.from_record(game.record().text())
    list(simulate(Plan(edition("usa"), ("random", "random"), games=2, seed=1)))
    for name, (function, types) in warmup._ENTRIES.items():
        assert function.signatures == [types], name


@compiled_only
def test_what_is_in_the_cache_is_not_compiled_again() -> None:
    begun: list[str] = []
    warmup.warm_up(warmup.EVERYTHING, begun.append)
    assert tuple(begun) == warmup.EVERYTHING
    if cache_folder() is not None:
        assert warmup.not_compiled(warmup.EVERYTHING) == []


def test_a_table_needs_the_scripts_of_its_bots_and_no_others() -> None:
    assert warmup.for_bots(["conductor", "random", "greedy"]) == ("random", "greedy")
    assert warmup.for_bots(["driver", "search:8"]) == ("planner", *warmup.FOR_SEARCH)
    assert warmup.for_bots(["director"]) == warmup.FOR_SEARCH


def test_the_sets_of_functions_are_parts_of_everything() -> None:
    for names in (warmup.FOR_PLAY, warmup.FOR_REPLAY, warmup.FOR_BATCHES):
        assert set(names) < set(warmup.EVERYTHING)


def test_the_checkup_finds_nothing_that_a_game_cannot_do_without() -> None:
    findings = {finding.what: finding for finding in look_over()}
    assert findings["game"].state == "ok"
    assert all(finding.state != "fail" for finding in findings.values())
    assert all(finding.to_do for finding in findings.values() if finding.state == "warn")
