"""What entries take from Python and refuse, and that threads call them at the same time."""

import sys
import threading
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ferrovia.boards import load_edition
from ferrovia.kernel import KernelError
from ferrovia.kernel.library import Library, memory_digest
from ferrovia.rules.state.book import make_book
from ferrovia.rules.state.layout import SCORE, STATE
from ferrovia.rules.state.log import COLUMNS

BOOK = make_book(load_edition("europe"))


def of_start() -> list[Any]:
    """What `start` takes: rules, state, seed, players, who begins, rows and tape of the log."""
    return [BOOK, STATE.new(), bytes(range(32)), 3, 0, bytearray(2 * COLUMNS), bytearray(4)]


def put(place: int, value: Any) -> Callable[[list[Any]], list[Any]]:
    return lambda given: [*given[:place], value, *given[place + 1 :]]


REFUSED: dict[str, tuple[Callable[[list[Any]], list[Any]], type[Exception]]] = {
    "a state that is too short": (put(1, bytearray(STATE.size - 1)), ValueError),
    "two states": (put(1, STATE.new(2)), ValueError),
    "a seed that is too short": (put(2, bytes(31)), ValueError),
    "rules of another size": (put(0, BOOK + b"\0"), ValueError),
    "no whole row": (put(5, bytearray(2 * COLUMNS + 1)), ValueError),
    "memory that may not be written to": (put(1, bytes(STATE.size)), BufferError),
    "a log that may not be written to": (put(5, bytes(2 * COLUMNS)), BufferError),
    "memory with gaps": (put(1, memoryview(STATE.new(2))[::2]), BufferError),
    "no memory": (put(1, None), TypeError),
    "a number for memory": (put(2, 5), TypeError),
    "a text for a number": (put(3, "3"), TypeError),
    "a fraction": (put(3, 2.5), TypeError),
    "a number of more than 64 bits": (put(3, 1 << 63), OverflowError),
    "an argument too few": (lambda given: given[:-1], TypeError),
    "an argument too many": (lambda given: [*given, 0], TypeError),
    "nothing": (lambda given: [], TypeError),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_an_entry_does_not_take_is_refused_and_nothing_is_written(
    compiled: Library, what: str
) -> None:
    change, error = REFUSED[what]
    given = of_start()
    changed = change(given)
    with pytest.raises(error):
        compiled.function("start")(*changed)
    assert given == of_start()
    writable = [it for it in changed if isinstance(it, bytearray)]
    assert not any(map(any, writable))
    compiled.function("start")(*given)  # it goes on working
    assert given != of_start()


def test_a_refusal_says_which_entry_and_which_argument(
    machine_code: Callable[[str], Any],
) -> None:
    with pytest.raises(ValueError, match=r"start: argument 2 has not the size .* bytes: 7"):
        machine_code("start")(*put(1, bytearray(7))(of_start()))
    with pytest.raises(TypeError, match="start takes more arguments than 0"):
        machine_code("start")()


@pytest.mark.parametrize(
    "grid",
    [bytearray(8), memoryview(bytearray(16)).cast("B", (4, 4)), memoryview(bytearray(16))],
    ids=["too few words", "two dimensions", "too many words"],
)
def test_a_pack_of_another_kind_is_refused(machine_code: Callable[[str], Any], grid: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        machine_code("reset_games")(0, 1, grid)


@pytest.fixture
def machine_code() -> Callable[[str], Any]:
    from ferrovia.kernel.library import FOUND

    if FOUND.library is None or FOUND.how != "machine code":
        pytest.skip("the suite runs over another kernel")
    return FOUND.library.function


@pytest.mark.parametrize("compiled", ["checked"], indirect=True)
def test_an_error_in_compiled_code_is_one_of_ours_and_the_next_call_works(
    compiled: Library,
) -> None:
    given = of_start()
    compiled.function("start")(*given)
    legal = compiled.function("legal")
    with pytest.raises(KernelError, match="legal: compiled code stopped"):
        legal(BOOK, given[1], 0, bytearray(2))  # there is room for one action
    assert legal(BOOK, given[1], 0, bytearray(2000)) > 1


def games(library: Library, first: int, count: int = 20) -> str:
    """Return the digest of random games, of which each has a seed of its own."""
    states, scores = STATE.new(count), SCORE.new(count)
    seeds = b"".join((first + game).to_bytes(32, "little") for game in range(count))
    library.function("play_random_games")(BOOK, states, scores, seeds, 4)
    out, found = array("h", bytes(2000)), []
    for game in range(count):
        state = states[game * STATE.size : (game + 1) * STATE.size]
        seen = STATE.new()
        library.function("view")(state, 1, seen)
        found += [library.function("legal")(BOOK, state, 0, out), seen]
    return memory_digest([states, scores, repr(found).encode()])


def test_threads_that_call_at_the_same_time_get_what_one_thread_gets(compiled: Library) -> None:
    firsts = [100 * number for number in range(24)]
    alone = [games(compiled, first) for first in firsts]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as threads:
            together = list(threads.map(lambda first: games(compiled, first), firsts))
    finally:
        sys.setswitchinterval(before)
    assert together == alone
    assert len(set(alone)) == len(firsts)


@pytest.mark.parametrize("compiled", [""], indirect=True)
def test_while_a_long_call_runs_other_threads_run_too(compiled: Library) -> None:
    """Nobody takes the lock of Python from a thread here: it is left, or the others wait."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    begun, seen, ended = threading.Event(), threading.Event(), threading.Event()

    def play() -> None:
        begun.set()
        for first in range(500):
            states, scores = STATE.new(50), SCORE.new(50)
            seeds = bytes(32 * 49) + first.to_bytes(32, "little")
            compiled.function("play_random_games")(BOOK, states, scores, seeds, 4)
            if seen.is_set():
                return
        ended.set()

    thread = threading.Thread(target=play)
    try:
        thread.start()
        begun.wait()
        seen.set()
        thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not ended.is_set()
