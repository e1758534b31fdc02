"""Which bots can play while the rules are compiled beside a server."""

import asyncio
from collections.abc import Callable
from typing import Any, Literal

import pytest

from ferrovia.server.bots import readiness
from ferrovia.server.bots.readiness import Readiness

BOTS = ("greedy", "wary", "director")


class Compiler:
    """Stands for the processes that compile; the test is what they do."""

    def __init__(self) -> None:
        self.done, self.total = 0, 2
        self.state: Literal["running", "finished", "failed"] = "running"
        self.changed: Callable[[], None] = lambda: None

    def start(self, changed: Callable[[], None]) -> None:
        self.changed = changed

    def stop(self) -> None:
        pass


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The bots that would keep people waiting."""
    missing = {"wary", "director"}
    monkeypatch.setattr(readiness, "keeps_people_waiting", lambda bot: bot in missing)
    return missing


def run(*, changes_over: bool, missing: set[str]) -> list[Any]:
    """What a server says of its bots at every step, and who has played at the end."""

    async def go() -> list[Any]:
        compiler: Any = Compiler()
        ready = Readiness(compiler)
        said: list[Any] = []
        played: list[str] = []

        async def play(bot: str) -> None:
            await ready.wait_for(bot)
            played.append(bot)

        def say() -> None:
            now = ready.preparing(BOTS)
            said.append(now and (now.bots, now.done))

        ready.start(say, lambda: changes_over)
        tasks = [asyncio.create_task(play(bot)) for bot in BOTS]
        say()
        for done in (1, 2):
            compiler.done = done
            if done == 1 and not changes_over:
                missing.discard("wary")
            compiler.state = "finished" if done == 2 else "running"
            compiler.changed()
            for _ in range(5):
                await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        return [*said, played]

    return asyncio.run(go())


def test_bots_play_one_by_one_as_they_are_compiled(missing: set[str]) -> None:
    assert run(changes_over=False, missing=missing) == [
        (("wary", "director"), 0),
        (("director",), 1),
        None,
        ["greedy", "wary", "director"],
    ]


def test_in_a_server_that_is_replaced_they_wait_for_its_successor(missing: set[str]) -> None:
    assert run(changes_over=True, missing=missing) == [
        (("wary", "director"), 0),
        (("wary", "director"), 1),
        (("wary", "director"), 2),
        ["greedy"],
    ]


def test_without_a_compiler_all_are_ready(missing: set[str]) -> None:
    assert missing
    assert Readiness().preparing(BOTS) is None
    assert Readiness().has("director")
