"""The check of a whole store: the database's own files, every chain, every seal.

A server checks a small store before it serves anybody, and a large one in a process beside it.
"""

import hashlib
from collections.abc import Callable

import msgspec

from ferrovia.server.processes.child import ask_module
from ferrovia.server.store import chain
from ferrovia.server.store.interface import (
    Archive,
    Damage,
    Stored,
    StoreDamaged,
    StoreGone,
    StoreReport,
)

AT_ONCE = 8 << 20  # bytes of a store that is checked before its server serves

Progress = Callable[[int, int], None]
"""Called with the number of tables that are done, and of all."""


def check(store: Archive, progress: Progress = lambda _done, _all: None) -> StoreReport:
    """Check a whole store and report everything that is damaged; raises what is not damage."""
    report = StoreReport()
    digest = hashlib.sha256()
    try:
        report.damages += [Damage(None, None, problem) for problem in store.problems()]
        tables = sorted(store.tables(), key=lambda stored: stored.table)
        lost = set(store.logged()) - {stored.table for stored in tables}
    except StoreDamaged as damaged:
        report.damages.append(Damage(None, None, str(damaged)))
        return report
    for table in sorted(lost):
        report.damages.append(Damage(table, None, "it has a log, and its own row is missing"))
    for done, stored in enumerate(tables, start=1):
        try:
            _check_table(store, stored, report)
        except StoreDamaged as damaged:
            where = damaged.table or stored.table
            report.damages.append(Damage(where, damaged.number, damaged.problem))
        digest.update(b"%s\0%r%r" % (stored.table.encode(), stored.head, stored.seal))
        progress(done, len(tables))
    report.tables = len(tables)
    report.digest = digest.hexdigest()
    return report


def _check_table(store: Archive, stored: Stored, report: StoreReport) -> None:
    rows = store.rows(stored.table)
    report.entries += len(rows)
    chain.verify(stored.table, rows, chain.Head(stored.number, stored.head))
    chain.verify_seal(stored)
    if not rows:
        raise StoreDamaged(stored.table, None, "it has no log")


async def check_beside(address: str) -> StoreReport:
    """Check a store in a process of its own; raises `StoreError` if that cannot be done."""
    done = await ask_module(__package__, address.encode())
    if done.status:
        problem = done.err.decode(errors="replace").strip()
        raise StoreGone(f"the store could not be checked: {problem}")
    return msgspec.json.decode(done.out, type=StoreReport)
