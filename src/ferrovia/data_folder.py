"""Where the data of a user lie: stores of games, ticket packs."""

import os
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """Return the folder that the environment variable `FERROVIA_DATA` names, or the system's."""
    chosen = os.environ.get("FERROVIA_DATA")
    return Path(chosen) if chosen else platformdirs.user_data_path("ferrovia", appauthor=False)
