"""The server: tables, seats, storage, sockets.

`serve(Settings(...))` runs it; `create_app(Settings(...))` is its ASGI app for another server.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ferrovia.server.app import create_app as create_app
    from ferrovia.server.http.listen import NoSuchHost as NoSuchHost
    from ferrovia.server.http.listen import PortTaken as PortTaken
    from ferrovia.server.protocol.schema import schema as schema
    from ferrovia.server.run import Opening as Opening
    from ferrovia.server.run import serve as serve
    from ferrovia.server.settings import Limits as Limits
    from ferrovia.server.settings import Settings as Settings
    from ferrovia.server.store import StoreError as StoreError

# Loaded at first use: the processes of bots need no web server.
_HOMES = {
    "Limits": "ferrovia.server.settings",
    "NoSuchHost": "ferrovia.server.http.listen",
    "Opening": "ferrovia.server.run",
    "PortTaken": "ferrovia.server.http.listen",
    "Settings": "ferrovia.server.settings",
    "StoreError": "ferrovia.server.store",
    "create_app": "ferrovia.server.app",
    "schema": "ferrovia.server.protocol.schema",
    "serve": "ferrovia.server.run",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ferrovia.server' has no attribute '{name}'")
