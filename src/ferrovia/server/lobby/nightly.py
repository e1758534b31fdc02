"""What a timer does every night: a backup into a folder, and then what the settings let go.

Nothing is deleted, neither tables nor older backups, unless the backup of the night is whole.
"""

import time
from dataclasses import dataclass
from pathlib import Path

from ferrovia.server.settings import Settings
from ferrovia.server.store.address import open_archive
from ferrovia.server.store.interface import StoreGone
from ferrovia.server.store.maintenance.prune import expired, prune, seconds_of
from ferrovia.server.store.maintenance.transfer import backup

_NAME = "games-%Y%m%d-%H%M%S.sqlite"
_PATTERN = "games-????????-??????.sqlite"


@dataclass(frozen=True, slots=True)
class Night:
    """What was done: the backup, if one was made, the older ones and the tables deleted."""

    backup: Path | None
    backups_deleted: int
    tables_deleted: int


def nightly(settings: Settings, now: float) -> Night:
    """Do what the settings say; raises `StoreError`."""
    made, deleted = None, 0
    if settings.backups is not None:
        made, deleted = _back_up(settings, Path(settings.backups), now)
    gone = 0
    kept = ((settings.keep_finished, ("over",)), (settings.keep_left, ("waiting", "running")))
    if any(age for age, _ in kept):
        store = open_archive(settings.store, "write")
        try:
            for age, states in kept:
                if age:
                    gone += prune(store, expired(store, now - seconds_of(age), states))
        finally:
            store.close()
    return Night(made, deleted, gone)


def _back_up(settings: Settings, folder: Path, now: float) -> tuple[Path, int]:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise StoreGone(f"{folder} cannot be made: {problem.strerror or problem}") from problem
    file = folder / time.strftime(_NAME, time.gmtime(now))
    backup(settings.store, file)
    older = sorted(folder.glob(_PATTERN))[: -max(1, settings.backups_kept)]
    for one in older:
        one.unlink(missing_ok=True)
    return file, len(older)
