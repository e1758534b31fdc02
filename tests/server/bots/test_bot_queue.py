"""The queue for bots is fair, and when an answer is seen says nothing of hidden cards."""

import asyncio
import bisect
import random
import sqlite3
import statistics
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from ferrovia.game import Phase
from ferrovia.server.bots.autoplay import Autoplay
from ferrovia.server.bots.pace import Pace
from ferrovia.server.bots.pool import BotChoice
from ferrovia.server.metrics import Metrics
from ferrovia.server.processes.queue import FairQueue, QueueFull, Standing
from ferrovia.server.table.entries import Decided, read_entry
from tests.server.support.people import PERSON, Person, bot, create, metrics
from tests.server.support.processes import Server
from tests.server.support.virtual_time import run

SLOW = "director"
"""A bot whose decisions take longer than all that is around them."""

# The queue


async def _take(queue: FairQueue, who: Standing, seconds: float, done: list[Standing]) -> None:
    await queue.enter(lambda: who)
    await asyncio.sleep(seconds)
    queue.leave(who.address, seconds)
    done.append(who)


def served(*waiting: tuple[Standing, float]) -> list[Standing]:
    """Who is served in which order, one at a time, by a queue that all have come to."""

    async def all_of_them() -> list[Standing]:
        queue, done = FairQueue(1), list[Standing]()
        await queue.enter(Standing)  # somebody is being served
        tasks = [asyncio.create_task(_take(queue, *one, done)) for one in waiting]
        await asyncio.sleep(0)
        assert len(queue) == len(waiting)
        queue.leave("", 0.0)
        await asyncio.gather(*tasks)
        assert len(queue) == 0
        return done

    return run(all_of_them())


def test_people_come_before_bots() -> None:
    spam = [(Standing(2, "spam"), 1.0)] * 30
    order = served(*spam, (Standing(1, "club"), 1.0), (Standing(0, "ada"), 1.0))
    assert [who.rank for who in order[:2]] == [0, 1]


def test_addresses_take_turns() -> None:
    spam = [(Standing(0, "spam"), 1.0)] * 30
    order = served(*spam, *[(Standing(0, "ada"), 1.0)] * 3)
    assert Counter(who.address for who in order[:7])["ada"] == 3


def test_it_is_time_that_counts_and_not_decisions() -> None:
    order = served(*[(Standing(0, "slow"), 10.0)] * 10, *[(Standing(0, "quick"), 0.1)] * 10)
    assert [who.address for who in order[:8]].count("slow") <= 2


def test_nobody_waits_for_ever() -> None:
    order = served((Standing(2, "bots"), 1.0), *[(Standing(0, "people"), 1.0)] * 100)
    assert Standing(2, "bots") in order[:10]


def test_who_is_cancelled_takes_nobodys_turn() -> None:
    async def work() -> None:
        queue, done = FairQueue(1), list[Standing]()
        await queue.enter(Standing)
        first = asyncio.create_task(_take(queue, Standing(0, "a"), 1.0, done))
        second = asyncio.create_task(_take(queue, Standing(0, "b"), 1.0, done))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        queue.leave("", 0.0)
        await second
        assert [who.address for who in done] == ["b"]
        third = asyncio.create_task(_take(queue, Standing(), 1.0, done))
        await third  # the place is free again

    run(work())


def test_a_standing_may_change_while_one_waits() -> None:
    async def work() -> None:
        queue, done, watched = FairQueue(1), list[str](), [False]

        async def take(name: str, ask: Callable[[], Standing]) -> None:
            await queue.enter(ask)
            await asyncio.sleep(1.0)
            queue.leave(name, 1.0)
            done.append(name)

        await queue.enter(Standing)
        names = [f"spam {number}" for number in range(10)]
        tasks = [asyncio.create_task(take(n, lambda: Standing(1, "spam"))) for n in names]
        tasks.append(
            asyncio.create_task(take("ada", lambda: Standing(0 if watched[0] else 2, "ada")))
        )
        await asyncio.sleep(0)
        watched[0] = True
        queue.leave("", 0.0)
        await asyncio.gather(*tasks)
        assert done[0] == "ada"

    run(work())


def test_a_table_with_a_person_comes_before_thirty_of_bots(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    """Thirty tables of bots that never stop, from one address, and a person at another table.
    How many wait is a metric.
    """
    store = tmp_path / "games.sqlite"
    server = serving(str(store))
    assert "ferrovia_bot_queue 0.0" in metrics(server.address)
    made = create(server.address, PERSON, bot(SLOW), edition="usa")
    ada = Person(server.address, made["table"], made["held"][0]["token"]).come()
    crowd = []  # bots alone play while somebody looks on
    for _ in range(30):
        alone = create(server.address, bot(SLOW), bot(SLOW), edition="usa")
        crowd.append(Person(server.address, alone["table"]).come())
    while "ferrovia_bot_queue 0.0" in metrics(server.address):
        pass
    ada.play(upto=ada.state["number"] + 12)
    server.stop()
    found = waits(store)
    hers = found.pop(made["table"])
    assert len(hers) > 3
    # However slow the machine is: those of bots wait for each other, hers for hardly anybody. Time
    # is shared, not turns: one table may decide a hundred times while others think.
    theirs = statistics.median(statistics.median(waits) for waits in found.values() if waits)
    assert statistics.median(hers) < theirs * 2 / 3, (hers, theirs)


def waits(store: Path) -> dict[str, list[int]]:
    """By table, for every decision of a bot: how many decisions fell between it and the entry
    before it at its table.
    """
    with sqlite3.connect(store) as db:
        rows = db.execute("SELECT game, entry FROM log").fetchall()
    tables: dict[str, list[Any]] = {}
    for game, entry in rows:
        tables.setdefault(game, []).append(read_entry(entry))
    times = sorted(e.at for own in tables.values() for e in own if isinstance(e, Decided))
    return {
        game: [
            bisect.bisect(times, entry.at) - bisect.bisect(times, before.at)
            for before, entry in pairwise(own)
            if isinstance(entry, Decided) and entry.bot
        ]
        for game, own in tables.items()
    }


# The time of an answer


def seen_at(thought: list[float], waited: list[float], pace: float = 0.8) -> list[float]:
    """When answers are seen after their questions, by the bot's thinking and by the queue."""

    async def ask_all() -> list[float]:
        loop = asyncio.get_running_loop()
        nothing: Any = None
        autoplay = Autoplay(nothing, nothing, Metrics(), loop.time, pace, 0.0)
        seen = []
        for think, wait in zip(thought, waited, strict=True):
            asked = loop.time()
            await asyncio.sleep(wait)
            began = loop.time()
            await asyncio.sleep(think)
            choice = BotChoice("draw", began, loop.time() - began)
            await asyncio.sleep(autoplay._rest(("driver", Phase.START, 2), asked, choice))
            seen.append(round(loop.time() - asked, 6))
        return seen

    return run(ask_all())


@pytest.mark.parametrize("load", [0.0, 0.5, 5.0])
def test_when_an_answer_is_seen_does_not_depend_on_hidden_cards(load: float) -> None:
    """A bot thinks three times as long with some cards; under load questions wait for a process.

    The same questions with other hidden cards are answered at the same times, but for the very
    first ones, which are how long its decisions take is found out.
    """
    chance = random.Random(13)
    waited = [chance.uniform(0.0, load) for _ in range(2000)]
    hidden = [chance.random() < 0.5 for _ in range(2000)]
    exchanged = [chance.random() < 0.5 for _ in range(2000)]
    noise = [chance.uniform(0.0, 0.05) for _ in range(2000)]

    def thought(cards: list[bool]) -> list[float]:
        return [(0.6 if card else 0.2) + more for card, more in zip(cards, noise, strict=True)]

    seen, other = seen_at(thought(hidden), waited), seen_at(thought(exchanged), waited)
    differ = sum(a != b for a, b in zip(seen, other, strict=True))
    assert differ <= 20, differ  # of 2000
    with_card = [at - wait for at, wait, card in zip(seen, waited, hidden, strict=True) if card]
    without = [at - wait for at, wait, card in zip(seen, waited, hidden, strict=True) if not card]
    distance = kolmogorov_smirnov(with_card[50:], without[50:])
    # The critical value at 0.1 % for two samples of these sizes.
    assert distance < 1.95 * (1 / len(with_card) + 1 / len(without)) ** 0.5, distance


def test_without_load_every_answer_takes_the_same_time() -> None:
    assert set(seen_at([0.001, 0.05, 0.3, 0.0], [0.0] * 4)) == {0.8}


def kolmogorov_smirnov(one: list[float], two: list[float]) -> float:
    """The largest distance between two distributions."""
    values = sorted({*one, *two})
    one, two = sorted(one), sorted(two)
    return max(
        abs(bisect.bisect_right(one, v) / len(one) - bisect.bisect_right(two, v) / len(two))
        for v in values
    )


def test_a_bound_falls_again_when_decisions_are_quick_again() -> None:
    pace = Pace(longest=10.0)
    assert pace.bound("kind", 0.01) == 0.1
    high = pace.bound("kind", 3.0)
    assert 3.0 <= high < 3.8
    assert pace.bound("other", 0.01) == 0.1
    assert {pace.bound("kind", 0.01) for _ in range(255)} == {high}
    assert pace.bound("kind", 0.01) == 0.1
    assert pace.bound("kind", 100.0) == 10.0


def test_a_full_queue_takes_from_whoever_has_most_in_it() -> None:
    async def act() -> None:
        queue = FairQueue(1, 4, 3)
        await queue.enter(Standing)
        eve = [queue.line_up(lambda: Standing(0, "eve")) for _ in range(3)]
        with pytest.raises(QueueFull):
            queue.line_up(lambda: Standing(0, "eve"))
        queue.line_up(lambda: Standing(0, "bob"))
        ada = queue.line_up(lambda: Standing(0, "ada"))
        with pytest.raises(QueueFull):
            await queue.turn_of(eve[-1])
        assert len(queue) == 4
        cleo = queue.line_up(lambda: Standing(2, "cleo"))  # Eve has two, Ada and Bob one each
        with pytest.raises(QueueFull):
            queue.line_up(lambda: Standing(0, "dan"))  # nobody has more than one any more
        for waiting in (ada, cleo):
            while not waiting.turn.done():
                queue.leave("", 0.0)
        assert not ada.turn.exception()

    asyncio.run(act())
