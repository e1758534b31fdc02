"""The game in the browser: where its files are, and what to do where they are missing."""

from pathlib import Path

FOLDER = Path(__file__).parents[1] / "server" / "client"
"""Where a build of the package puts the client."""

TO_DO = (
    "in a checkout: make web; elsewhere install the package again, without FERROVIA_WITHOUT_CLIENT"
)
"""What to do where there is none."""


def client_folder() -> str | None:
    """Return the folder of the client; None where the package was built without it."""
    return str(FOLDER) if (FOLDER / "index.html").is_file() else None
