"""Runs that can be stopped and continued."""

from collections.abc import Iterator, Sequence

from ferrovia.lab.accumulators import Accumulator, merge
from ferrovia.lab.batches import Batch, Work, batches
from ferrovia.lab.plan import Plan
from ferrovia.lab.run_file import RunFile
from ferrovia.lab.simulation import Switch, Task, play


def play_run(
    plans: Sequence[Plan],
    accumulators: Sequence[Accumulator],
    file: RunFile | None = None,
    *,
    workers: int = 1,
    ray: str | None = None,
    stop: Switch | None = None,
) -> Iterator[Batch]:
    """Play what is not in the file yet, and yield batches as they are finished and kept.

    First come those that are in the file, so that whoever counts them has the whole run. The plans
    go forward side by side, so that of a run that was stopped all have had their share. The
    accumulators have counted everything that was yielded.
    """
    work = Work(tuple(plans), tuple(accumulator.fresh() for accumulator in accumulators))
    done: list[list[range]] = [[] for _ in plans]
    if file is not None:
        for accumulator in accumulators:
            accumulator.totals.add(file.totals(accumulator.id))
        for number in range(len(plans)):
            done[number] = file.done(number)
            yield from (Batch(number, *found) for found in file.results(number))
    tasks = [
        Task(number, games)
        for number, plan in enumerate(plans)
        for games in batches(plan, done[number])
    ]
    tasks.sort(key=lambda task: task.games.start - plans[task.plan].first)
    for batch in play(work, tasks, workers, stop, ray):
        if not len(batch.games):
            continue
        merge(accumulators, batch.totals)
        if file is not None:
            file.add(batch, accumulators)
        yield batch
