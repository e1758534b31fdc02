"""Bots think in processes of their own, within a time limit."""

import asyncio
import sys

import pytest

from ferrovia.bots import make
from ferrovia.game import Game, read_action
from ferrovia.server.bots.autoplay import plain_move
from ferrovia.server.bots.process_pool import ProcessPool
from ferrovia.server.bots.question import BotQuestion, question_for
from ferrovia.server.protocol.from_client import BotSeat
from tests.server.support.tabletop import Tabletop

BOTS = (BotSeat("greedy"), BotSeat("random"))


def ask(
    *questions: BotQuestion, seconds: float = 60.0, program: str | None = None
) -> list[str | None]:
    async def run() -> list[str | None]:
        if program is None:
            pool = ProcessPool(1, seconds)
        else:
            command = (sys.executable, "-c", program)
            pool = ProcessPool(1, seconds, program=command, start_seconds=seconds)
        try:
            return [(await pool.ask(question)).action for question in questions]
        finally:
            await pool.close()

    return asyncio.run(run())


def test_bots_answer_with_legal_actions_and_always_the_same() -> None:
    top = Tabletop(*BOTS)
    questions = [question_for(top.table, seat) for seat in (0, 1)]
    answers = ask(*questions, *questions)
    assert answers[:2] == answers[2:]
    game = top.table.game
    assert game is not None
    for seat, answer in enumerate(answers[:2]):
        assert answer is not None
        assert read_action(answer) in game.legal_actions(seat)


def test_a_bot_that_there_is_not_gives_no_answer_and_harms_nobody() -> None:
    question = question_for(Tabletop(*BOTS).table, 0)
    wrong = BotQuestion("nobody", question.seed, 0, question.view, question.edition)
    assert ask(wrong, question)[0] is None


@pytest.mark.parametrize("level", ["conductor", "driver"])
def test_a_script_that_is_asked_afresh_decides_as_one_that_stays(level: str) -> None:
    """Here a bot is made anew for every decision: all that a script goes by is in its view."""
    game = Game("europe", 3, seed=4)
    staying = [make(level, 4) for _ in range(3)]
    while not game.over:
        seat = game.awaited[0]
        view = game.view(seat)
        action = staying[seat].decide(view)
        assert make(level, game.turns).decide(view) == action
        game.play(seat, action)


READY = """
import sys, time
from ferrovia.server.bots.question import Answer
from ferrovia.server.processes.messages import packed
def say(answer):
    sys.stdout.buffer.write(packed(answer)); sys.stdout.buffer.flush()
say(Answer(action="ready"))
"""


def test_a_bot_that_thinks_too_long_is_stopped() -> None:
    question = question_for(Tabletop(*BOTS).table, 0)
    assert ask(question, question, seconds=2.0, program=READY + "time.sleep(1000)") == [None] * 2


def test_a_bot_that_breaks_its_process_gives_no_answer() -> None:
    question = question_for(Tabletop(*BOTS).table, 0)
    assert ask(question, question, seconds=30.0, program=READY + "sys.exit(3)") == [None] * 2


def test_where_a_bot_has_no_answer_there_is_always_a_move() -> None:
    top = Tabletop()
    game = top.table.game
    assert game is not None
    while not game.over:
        seat = game.awaited[0]
        top.decide(seat, plain_move(game.view(seat)))
    assert top.table.status == "over"
