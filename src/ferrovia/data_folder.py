"""Where the data of a user lie: stores of games, ticket packs."""

import os
from pathlib import Path

import platformdirs

from ferrovia.errors import FerroviaError


class NoHome(FerroviaError, RuntimeError):
    """This user has no home folder."""


def data_folder() -> Path:
    """Return the folder that the environment variable `FERROVIA_DATA` names, or the system's.

    Raises NoHome where there is neither.
    """
    chosen = os.environ.get("FERROVIA_DATA")
    if chosen:
        return Path(chosen)
    try:
        return platformdirs.user_data_path("ferrovia", appauthor=False)
    except RuntimeError:
        raise NoHome("this user has no home folder: set FERROVIA_DATA to a folder") from None


def configuration_folder() -> Path | None:
    """Return the folder with the configuration of a user; None for one without a home."""
    try:
        return platformdirs.user_config_path("ferrovia", appauthor=False)
    except RuntimeError:
        return None
