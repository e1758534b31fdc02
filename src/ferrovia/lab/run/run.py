"""A run of many games: in this process, in several or on a cluster, with the same results."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ferrovia.lab.accumulators import Accumulator, merge
from ferrovia.lab.results import Results
from ferrovia.lab.run.batches import Batch, Work, batch_size, batches
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.run.run_file import RunFile
from ferrovia.lab.run.workers import (
    Result,
    Switch,
    Task,
    WorkerLost,
    Workload,
    in_processes,
    stop_switch,
)

__all__ = ["Switch", "Task", "WorkerLost", "play", "play_run", "simulate", "stop_switch"]

_SAMPLE = 256  # games of a file that are played again before other code continues it


def simulate(
    plan: Plan,
    workers: int = 1,
    stop: Switch | None = None,
    accumulators: Sequence[Accumulator] = (),
) -> Iterator[Results]:
    """Play a run and yield the results of its games in their order, some at a time.

    They depend on the plan alone. The accumulators have counted at least the games that were
    yielded. `stop` must come from `stop_switch`; after it is set, the results of the games in
    progress are still yielded.
    """
    work = Work((plan,), tuple(accumulator.fresh() for accumulator in accumulators))
    tasks = [Task(0, games) for games in batches(plan)]
    waiting: dict[int, Results] = {}
    starts = iter([task.games.start for task in tasks])
    following = next(starts, None)
    for batch in play(work, tasks, workers, stop):
        merge(accumulators, batch.totals)
        waiting[batch.games.start] = batch.results
        while following in waiting:
            yield waiting.pop(following)
            following = next(starts, None)
    yield from (waiting[start] for start in sorted(waiting))


def play(
    work: Workload[Result],
    tasks: Sequence[Task],
    workers: int = 1,
    stop: Switch | None = None,
    ray: str | None = None,
) -> Iterator[Result]:
    """Play tasks and yield them as they are finished.

    With `ray`, the address of a Ray cluster, they are played there.
    """
    stop = stop or stop_switch(workers)
    workers = min(workers, len(tasks))
    if ray is not None:
        from ferrovia.lab.run.cluster import on_cluster

        yield from on_cluster(work, tasks, ray, stop)
    elif workers > 1:
        yield from in_processes(work, tasks, workers, stop)
    else:
        for task in tasks:
            if stop.is_set():
                return
            yield work.play(task.plan, task.games, stop.is_set)


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

    First come those that are in the file, so that the caller sees the whole run. The plans advance
    side by side, so that in a run that was stopped all have had their share. The accumulators have
    counted everything that was yielded. RunFileError if the file was begun with another version of
    Ferrovia whose games come out differently.
    """
    if file is not None and file.unproved:
        _prove_games(plans, file)
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


def _prove_games(plans: Sequence[Plan], file: RunFile) -> None:
    """Play a sample of the games in a file again, and refuse to continue it if they differ.

    A change of the source that changes no game does no harm; games of two kinds must not be mixed.
    """
    for number, plan in enumerate(plans):
        kept = next(file.results(number), None)
        if kept is None:
            continue
        games, results = kept
        sample = games[: min(batch_size(plan), max(1, _SAMPLE // len(plans)))]
        again = Work((replace(plan, folder=None),)).play(0, sample, lambda: False)
        if again.results.tobytes() != results[: len(sample)].tobytes():
            file.refuse("it was begun with another version of Ferrovia, whose games differ")
    file.unproved = False
