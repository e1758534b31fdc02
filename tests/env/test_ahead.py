"""The loops of the environments: compiled ahead for what is called, and never without a word."""

import numpy as np
import pytest
from click.testing import CliRunner

from ferrovia.boards import edition
from ferrovia.cli import main
from ferrovia.env import ahead, batch
from ferrovia.env.batch import BatchEnv, Kind
from ferrovia.env.single import SingleGame
from ferrovia.machine import compile
from ferrovia.rules.compiler import COMPILED, Entry
from ferrovia.rules.state.layout import NONE, SEATS

pytestmark = pytest.mark.xdist_group("batch")  # compiled in one process, not in all
compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


def test_they_are_a_group_of_their_own() -> None:
    names = compile.for_environments()
    assert set(names) == {getattr(it, "py_func", it).__name__ for it in ahead.LOOPS}
    assert not set(names) & set(compile.EVERYTHING)


def play_everything() -> None:
    for advice in (True, False):
        game = SingleGame("usa", 2, advice=advice)
        game.reset(1)
        game.play(int(np.flatnonzero(game.mask(game.seat))[0]))
        game.observe(1 - game.seat)
        game.totals()
        env = BatchEnv([Kind(edition("usa"), 2)], np.zeros(2, np.int64), key=1, advice=advice)
        seats, pilots = np.full((1, 2), NONE, np.int32), np.zeros((1, 2), np.uint8)
        actions, rewards = np.zeros((1, 2), np.int64), np.zeros((1, 2), np.float32)
        dones, lasts = np.zeros((1, 2), np.uint8), np.zeros((1, 2, SEATS), np.float32)
        env.reset()
        plain = np.zeros((1, env.columns.count, 2), np.uint8)
        for obs in (plain,) if advice else (plain, env.observations()):
            env.observe(obs, seats, pilots, actions, 0)
        env.draw_actions(actions, 0)
        env.step(actions, rewards, dones, 0, 1.0, 0.0)
        env.finish(lasts, dones, 0, 1.0, 1.0)


@compiled_only
def test_what_was_loaded_ahead_is_all_that_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    compile.load(compile.for_environments())
    ready = {loop: set(ahead._types()[loop]) for loop in ahead.LOOPS}
    seen = {loop: set[object]() for loop in ahead.LOOPS}
    call = BatchEnv._call

    def noted(self: BatchEnv, loop: object, *arguments: object) -> object:
        seen[loop].add(tuple(map(ahead._typeof, arguments)))
        return call(self, loop, *arguments)

    monkeypatch.setattr(BatchEnv, "_call", noted)
    play_everything()
    assert seen == ready


@compiled_only
def test_the_first_batch_says_what_it_waits_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(batch, "_called", set())
    env = BatchEnv([Kind(edition("usa"), 2)], np.zeros(1, np.int64), key=1, threads=1)
    monkeypatch.setattr(Entry, "is_cached", lambda self: self.name != "reset_games")
    env.reset()
    said = capsys.readouterr().err
    assert "Compiling the environment" in said
    count = len(ahead.LOOPS)
    assert f"reset_games ({count} of {count}; all of it ahead: ferrovia doctor --com" in said
    env.reset()
    assert capsys.readouterr().err == ""


def test_the_doctor_compiles_them_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("ferrovia.cli.compile.ensure_compiled", asked.extend)
    monkeypatch.setattr("ferrovia.machine.doctor.look_over", lambda look: ())
    assert CliRunner().invoke(main, ["doctor", "--compile"]).exit_code == 0
    assert asked == list(compile.EVERYTHING)
    asked.clear()
    assert CliRunner().invoke(main, ["doctor", "--compile", "--environments"]).exit_code == 0
    assert asked == [*compile.EVERYTHING, *compile.for_environments()]
    refused = CliRunner().invoke(main, ["doctor", "--environments"])
    assert refused.exit_code == 2
    assert "--environments needs --compile" in refused.output
