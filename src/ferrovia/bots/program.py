"""A bot that is a program of its own, in any language: JSON lines in, JSON lines out.

docs/programs.md describes how to write one. The program is given a view as plain data, the same
that browsers are given, and nothing else.
"""

import hashlib
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from ferrovia.boards import edition_document
from ferrovia.errors import FerroviaError
from ferrovia.game import Action, InvalidAction, KeepTickets, View, read_action
from ferrovia.game.views import OwnState, PublicState, own_state, public_state

PREFIX = "program"
SECONDS = 10.0
MEMORY = 1 << 30

_LONGEST = 1 << 16  # bytes of an answer
_SHOWN = 200  # characters of it in a message
_LAST_WORDS = 2000  # bytes of stderr that are kept
_GRACE = 1.0  # seconds to end by itself after the end of its input


class ProgramFailed(FerroviaError, OSError):
    """A program did not decide.

    The message names it and has its output; `reason` says why without its output, which may reveal
    its hand.
    """

    def __init__(self, who: str, reason: str, said: str = "", last_words: str = "") -> None:
        message = f"{who} failed: {reason}"
        if said:
            message += f"; it said {said}"
        if last_words:
            message += f"; on stderr:\n{last_words}"
        super().__init__(message)
        self.reason = reason
        self._all = (who, reason, said, last_words)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._all


class Greeting(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="game"):
    """The first line: the seat of the program, and the game.

    `seed` is for its own randomness and says nothing of the game; `seconds` is the time for a
    decision.
    """

    seat: int
    players: int
    seed: str
    seconds: float
    edition: dict[str, Any]


class DecisionRequest(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="decide"):
    """Every other line: what the seat may know. One of `own.moves.actions` is the answer."""

    public: PublicState
    own: OwnState


class _Answer(msgspec.Struct, frozen=True):
    action: str


_ENCODE = msgspec.json.Encoder().encode
_READ = msgspec.json.Decoder(_Answer).decode


class ProgramBot:
    """The program of a command line at one seat of one game.

    It is started when it has to decide for the first time, and ended with this object.
    """

    def __init__(
        self, command: str, seed: bytes, seconds: float = SECONDS, memory: int = MEMORY
    ) -> None:
        self.name = f"{PREFIX}:{command}"
        self._command = command
        self._words = _words(command)
        self._seed = seed
        self._seconds = seconds
        self._memory = memory
        self._seat: int | None = None
        self._program: _Program | None = None

    def decide(self, view: View) -> Action:
        """Return a legal action of the view's seat; ProgramFailed when the program has none."""
        if view.seat not in view.awaited:
            raise ValueError("no decision is awaited of this seat")
        if self._seat is None:
            self._seat = view.seat
        elif self._seat != view.seat:
            raise ValueError(f"this bot sits at seat {self._seat}, not {view.seat}")
        if self._program is None:
            self._program = self._started(view)
        said = self._program.ask(decision_line(view), self._seconds)
        if isinstance(said, str):
            raise self._failed(said)
        try:
            action = read_action(_READ(said).action)
        except (msgspec.DecodeError, UnicodeError, InvalidAction):
            raise self._failed("its answer cannot be read", said) from None
        if not _is_legal(view, action):
            raise self._failed("its answer is not legal now", said)
        return action

    def _started(self, view: View) -> "_Program":
        """Start the program and send it the greeting."""
        own_seed = hashlib.sha256(b"ferrovia program %d " % view.seat + self._seed).hexdigest()
        greeting = Greeting(
            seat=view.seat,
            players=view.players,
            seed=own_seed,
            seconds=self._seconds,
            edition=edition_document(view.edition),
        )
        try:
            program = _Program(self._words, _ENCODE(greeting), self._memory)
        except OSError as problem:
            raise self._failed(f"it cannot be started: {problem.strerror}") from None
        weakref.finalize(self, program.end)
        return program

    def _failed(self, reason: str, said: bytes = b"") -> ProgramFailed:
        """Kill the program and return the error that says why."""
        last_words = ""
        if self._program is not None:
            self._program.kill()
            last_words = self._program.last_words()
        seat = "" if self._seat is None else f" at seat {self._seat}"
        who = f"the program '{self._command}'{seat}"
        return ProgramFailed(who, reason, _shown(said) if said else "", last_words)


def decision_line(view: View) -> bytes:
    """Return what a program is asked, made from the view alone."""
    return _ENCODE(DecisionRequest(public=public_state(view), own=own_state(view)))


def _words(command: str) -> list[str]:
    """Return the words of a command line; ValueError if there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise ValueError(f"the command of a program cannot be read: {problem}") from None
    if not words:
        raise ValueError(f"name the program after the colon, such as: {PREFIX}:python my_bot.py")
    if shutil.which(words[0]) is None:
        raise ValueError(f"there is no program '{words[0]}'")
    return words


def _is_legal(view: View, action: Action) -> bool:
    """Return whether an action is legal; tickets may be given back in any order."""
    texts = view.legal_texts()
    if isinstance(action, KeepTickets) and action.back:
        offered = list(range(1, len(view.offer) + 1))
        whole = sorted((*action.numbers, *action.back)) == offered
        return whole and str(KeepTickets(action.numbers)) in texts
    return str(action) in texts


def _shown(said: bytes) -> str:
    """Return a program's answer as it is quoted in a message."""
    text = said.decode(errors="replace").strip()
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


class _Program:
    """A running program.

    A thread reads and writes its pipes, so that nobody waits longer than the limit, whether the
    program does not read, does not answer, or both.
    """

    def __init__(self, words: Sequence[str], greeting: bytes, memory: int) -> None:
        # A process group of its own: Ctrl-C does not reach it, and what it starts ends with it.
        group: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, **group)
        _limit_memory(self._process.pid, memory)
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._stderr = bytearray()
        self._greeting = greeting
        self._talking = threading.Thread(target=self._talk, daemon=True)
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._talking.start()
        self._listening.start()

    def ask(self, line: bytes, seconds: float) -> bytes | str:
        """Return the line that it answers; or, as text, why there is none."""
        self._lines.put(line)
        try:
            said = self._answers.get(timeout=seconds)
        except queue.Empty:
            return f"it did not decide within {seconds:g} seconds"
        if len(said) >= _LONGEST:
            return f"it said more than {_LONGEST} bytes in one line"
        if not said:
            with suppress(subprocess.TimeoutExpired):
                return f"it ended with status {self._process.wait(_GRACE)}"
            return "it closed its output"
        return said

    def last_words(self) -> str:
        """Return the end of what it wrote to stderr; only after it was killed."""
        self._listening.join(_GRACE)
        return self._stderr.decode(errors="replace").strip()

    def end(self) -> None:
        """Close its input, and kill it if it does not end by itself."""
        self._lines.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self.kill()
        self._talking.join(_GRACE)
        self._listening.join(_GRACE)

    def kill(self) -> None:
        """Kill it, and on POSIX whatever it has started."""
        if self._process.poll() is None:
            if os.name == "posix":
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
            self._process.wait()

    def _talk(self) -> None:
        sink, source = self._process.stdin, self._process.stdout
        assert sink is not None
        assert source is not None
        before = self._greeting + b"\n"
        with suppress(OSError), source, sink:
            while (line := self._lines.get()) is not None:
                with suppress(OSError):  # the answer shows that it has ended
                    sink.write(before + line + b"\n")
                    sink.flush()
                before = b""
                self._answers.put(source.readline(_LONGEST))

    def _listen(self) -> None:
        source = self._process.stderr
        assert source is not None
        with source:
            while said := os.read(source.fileno(), _LAST_WORDS):
                self._stderr += said
                del self._stderr[:-_LAST_WORDS]


def _limit_memory(pid: int, most: int) -> None:
    """Limit the memory of a process, where the system can do that from outside."""
    try:
        from resource import RLIMIT_DATA, prlimit
    except ImportError:
        return
    with suppress(OSError, ValueError):
        prlimit(pid, RLIMIT_DATA, (most, most))
