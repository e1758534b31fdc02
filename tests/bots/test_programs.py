"""Programs of any language at a seat: the examples of the docs play, and failures are told."""

import gc
import json
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from ferrovia.bots import make
from ferrovia.bots.program import ProgramBot, ProgramFailed, decision_line
from ferrovia.cli import main
from ferrovia.game import Game
from ferrovia.game.views import view_of
from ferrovia.rules import calls
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import RNG_WORDS, STATE

DOCS = Path(__file__).parents[2] / "docs" / "programs.md"


def example(language: str) -> str:
    """The program of the documentation in a language."""
    found = re.search(rf"^```{language}\n(.*?)^```", DOCS.read_text(), re.DOTALL | re.MULTILINE)
    assert found is not None
    return found.group(1)


@pytest.fixture
def in_python(tmp_path, monkeypatch):
    """Write a program for the folder that we are in; gives its command."""
    monkeypatch.chdir(tmp_path)

    def write(text, name="my_bot.py"):
        Path(name).write_text(text)
        return f"'{sys.executable}' {name}"

    return write


def bot_of(command, **limits):
    return ProgramBot(command, bytes(32), **limits)


def play_out(game, bots):
    while not game.over:
        for seat in game.awaited:
            game.play(seat, bots[seat].decide(game.view(seat)))
    return game


# The examples


def test_the_example_has_ten_lines():
    assert len([line for line in example("python").splitlines() if line]) <= 10


@pytest.mark.parametrize(("edition", "players"), [("usa", 2), ("europe", 3)])
def test_the_example_plays_whole_games_and_the_same_again(in_python, edition, players):
    command = in_python(example("python"))
    games = []
    for _ in range(2):
        bots = [make(f"program:{command}", 7), *(make("greedy", 7) for _ in range(players - 1))]
        games.append(play_out(Game(edition, players, seed=7), bots))
    assert games[0].events == games[1].events
    assert games[0].view(None).of(0).routes


def test_the_example_plays_from_the_command_line(in_python):
    command = in_python(example("python"), "my_bot.py")
    options = ["--bots", f"program:{command} '1,2',greedy", "--games", "2", "--seed", "1", "--json"]
    done = CliRunner().invoke(main, ["simulate", "usa", *options])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["bots"] == [f"program:{command} '1,2'", "greedy"]
    assert told["games"] == 2


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed here")
def test_the_example_in_javascript_plays_a_whole_game(tmp_path):
    program = tmp_path / "my_bot.mjs"
    program.write_text(example("js"))
    bots = [make(f"program:node '{program}'", 3), make("random", 3)]
    assert play_out(Game("europe", 2, seed=3), bots).over


# What it is told

WRITES_DOWN = """
import json, sys
with open("heard", "wb") as heard:
    for line in sys.stdin.buffer:
        heard.write(line)
        heard.flush()
        message = json.loads(line)
        if message["type"] == "decide":
            print(json.dumps({"action": message["own"]["moves"]["actions"][0]}), flush=True)
"""


def test_it_is_greeted_and_then_shown_its_view(in_python):
    command = in_python(WRITES_DOWN)
    game = Game("europe", 3, seed=5)
    bot = ProgramBot(command, game.seed)
    shown = []
    for _ in range(2):
        view = game.view(1)
        shown.append(decision_line(view))
        game.play(1, bot.decide(view))
        for seat in (0, 2):
            if seat in game.awaited:
                game.play(seat, game.legal_actions(seat)[0])
        while game.turn != 1:
            game.play(game.turn, "draw")
    greeting, *questions = Path("heard").read_bytes().splitlines()
    assert questions == shown
    told = json.loads(greeting)
    assert (told["type"], told["seat"], told["players"]) == ("game", 1, 3)
    assert told["edition"]["edition"]["id"] == "europe"
    assert len(told["edition"]["in_play"]) == len(game.edition.tickets)
    assert game.seed.hex() not in greeting.decode()
    other = ProgramBot(command, game.seed)
    other.decide(Game("europe", 3, seed=5).view(2))
    assert json.loads(Path("heard").read_bytes().splitlines()[0])["seed"] != told["seed"]


def test_what_it_is_told_does_not_depend_on_what_it_may_not_know():
    game = Game("europe", 3, seed=2)
    rng = np.zeros(RNG_WORDS, np.uint32)
    seed_generator(rng, np.arange(32, dtype=np.uint8), 0)
    for number in range(120):
        seat = game.awaited[0]
        view = game.view(seat)
        state = STATE.new()
        calls.sample(game.lexicon.book, view.buffer, state, rng)
        assert decision_line(view_of(game.lexicon, state, seat)) == decision_line(view)
        actions = game.legal_actions(seat)
        game.play(seat, actions[number % len(actions)])


# What can go wrong

DECIDES = """
import json, sys, time
def say(text):
    print(text, flush=True)
for line in sys.stdin:
    if json.loads(line)["type"] == "decide":
        {}
"""


def failure(command, **limits):
    bot = bot_of(command, **limits)
    with pytest.raises(ProgramFailed) as failed:
        bot.decide(Game("europe", 2, seed=1).view(0))
    message = str(failed.value)
    assert message.startswith(f"the program '{command}' at seat 0 failed: ")
    assert str(pickle.loads(pickle.dumps(failed.value))) == message
    return message.split(" failed: ", 1)[1]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("say('hello')", "its answer cannot be read; it said 'hello'"),
        ("say('')", "its answer cannot be read; it said ''"),
        ("say('{}')", "its answer cannot be read; it said '{}'"),
        ("""say('{"action": 1}')""", """its answer cannot be read; it said '{"action": 1}'"""),
        (
            """say('{"action": "fly"}')""",
            """its answer cannot be read; it said '{"action": "fly"}'""",
        ),
        ("""say('{"action": "draw"}')""", """is not legal now; it said '{"action": "draw"}'"""),
        ("say('x' * 70000)", "it said more than 65536 bytes in one line"),
        ("sys.stdout.buffer.write(bytes([255, 10])); sys.stdout.flush()", "cannot be read"),
        ("sys.exit('I give up')", "it ended with status 1; on stderr:\nI give up"),
        ("import os; os._exit(0)", "it ended with status 0"),
    ],
)
def test_what_it_says_is_told_when_it_fails(in_python, line, told):
    assert told in failure(in_python(DECIDES.format(line)), seconds=60.0)


def test_one_that_does_not_answer_is_stopped(in_python):
    told = failure(
        in_python(DECIDES.format("print('hm', file=sys.stderr); time.sleep(1000)")), seconds=3.0
    )
    assert told.startswith("it did not decide within 3 seconds")


def test_one_that_does_not_even_read_is_stopped(in_python):
    command = in_python("import time; time.sleep(1000)")
    assert failure(command, seconds=0.5) == "it did not decide within 0.5 seconds"


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_one_that_takes_too_much_memory_fails(in_python):
    command = in_python(DECIDES.format("hoard = bytearray(400 << 20)"))
    assert "MemoryError" in failure(command, seconds=60.0, memory=200 << 20)


def test_tickets_can_be_given_back_in_an_order_of_its_own(in_python):
    choice = """say(json.dumps({"action": "keep 2 back 3 1"}))"""
    game = Game("usa", 2, seed=1)
    for seat in (0, 1):
        game.play(seat, "keep 1 2 3")
    game.play(game.turn, "tickets")
    action = bot_of(in_python(DECIDES.format(choice))).decide(game.view(game.turn))
    assert str(action) == "keep 2 back 3 1"
    game.play(game.turn, action)
    bad = DECIDES.format("""say(json.dumps({"action": "keep 2 back 3 3"}))""")
    game.play(game.turn, "tickets")
    with pytest.raises(ProgramFailed, match="keep 2 back 3 3"):
        bot_of(in_python(bad)).decide(game.view(game.turn))


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("", "name the program after the colon"),
        ("no-such-program-here", "there is no program 'no-such-program-here'"),
        ("python 'my bot.py", "cannot be read: No closing quotation"),
    ],
)
def test_a_command_that_cannot_be_is_refused_at_once(command, told):
    with pytest.raises(ValueError, match=told):
        make(f"program:{command}", 1)


def test_the_command_line_tells_which_program_failed_and_what_it_said(in_python):
    command = in_python(DECIDES.format("sys.exit('I give up')"))
    simulate = ["simulate", "usa", "--bots", f"program:{command},random", "--games", "4"]
    for workers in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-m", "ferrovia", *simulate, "--workers", workers],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 2
        assert f"the program '{command}' at seat 0 failed: it ended with status 1" in done.stderr
        assert "I give up" in done.stderr
        assert "Traceback" not in done.stderr


# Its end


def process_of(bot):
    return bot._program._process


@pytest.mark.parametrize("stubborn", [False, True])
def test_it_ends_with_its_bot(in_python, stubborn):
    text = WRITES_DOWN + ("import time; time.sleep(1000)" if stubborn else "")
    bot = bot_of(in_python(text))
    bot.decide(Game("europe", 2, seed=1).view(0))
    process = process_of(bot)
    assert process.poll() is None
    del bot
    gc.collect()
    # The garbage may be collected in a thread of the program's at this moment.
    assert process.wait(10) == (-9 if stubborn else 0)


def test_one_that_failed_is_not_left_running(in_python):
    bot = bot_of(in_python(DECIDES.format("say('what?')")))
    with pytest.raises(ProgramFailed):
        bot.decide(Game("europe", 2, seed=1).view(0))
    assert process_of(bot).poll() is not None


def test_it_sits_at_one_seat_and_decides_when_it_is_asked(in_python):
    bot = bot_of(in_python(WRITES_DOWN))
    game = Game("europe", 2, seed=1)
    game.play(0, bot.decide(game.view(0)))
    with pytest.raises(ValueError, match="sits at seat 0, not 1"):
        bot.decide(game.view(1))
    with pytest.raises(ValueError, match="no decision is awaited"):
        bot.decide(game.view(0))
