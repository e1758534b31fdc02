"""Compiling ahead covers exactly what games call."""

import pytest

from ferrovia.boards import edition
from ferrovia.bots import make
from ferrovia.game import Game
from ferrovia.lab.run.match import play_to_end
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.run.run import simulate
from ferrovia.machine import compile
from ferrovia.machine.doctor import look_over
from ferrovia.rules.compiler import COMPILED, cache_folder

compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@compiled_only
def test_games_call_the_functions_with_the_types_that_are_compiled_ahead() -> None:
    game = Game("europe", 3, seed=1)
    assert game.view(0).legal_actions()
    play_to_end(game, [make(bot, 1) for bot in ("greedy", "random", "search:8")])
    Game.from_record(game.record().text())
    list(simulate(Plan(edition("usa"), ("random", "random"), games=2, seed=1)))
    for name, (function, types) in compile._ENTRIES.items():
        assert function.signatures == [types], name


@compiled_only
def test_what_is_in_the_cache_is_not_compiled_again() -> None:
    begun: list[str] = []
    compile.warm_up(compile.EVERYTHING, begun.append)
    assert tuple(begun) == compile.EVERYTHING
    if cache_folder() is not None:
        assert compile.not_compiled(compile.EVERYTHING) == []


def test_a_table_needs_the_scripts_of_its_bots_and_no_others() -> None:
    assert compile.for_bots(["conductor", "random", "greedy"]) == ("random", "greedy")
    assert compile.for_bots(["driver", "search:8"]) == ("planner", *compile.FOR_SEARCH)
    assert compile.for_bots(["director"]) == compile.FOR_SEARCH
    assert compile.for_bots(["net"]) == (*compile.FOR_NET, "planner")
    assert compile.for_bots(["net", "driver"]) == ("planner", *compile.FOR_NET)


def test_the_sets_of_functions_are_parts_of_everything() -> None:
    for names in (compile.FOR_PLAY, compile.FOR_REPLAY, compile.FOR_BATCHES):
        assert set(names) < set(compile.EVERYTHING)


def test_the_checkup_finds_nothing_that_a_game_cannot_do_without() -> None:
    findings = {finding.what: finding for finding in look_over()}
    assert findings["game"].state == "ok"
    assert all(finding.state != "fail" for finding in findings.values())
    assert all(finding.to_do for finding in findings.values() if finding.state == "warn")
