"""What verbs are given besides the command itself."""

from dataclasses import dataclass
from typing import NamedTuple

from ferrovia.server.catalog import Catalog
from ferrovia.server.settings import Settings
from ferrovia.server.table.seat import Actor
from ferrovia.server.table.table import Table


@dataclass(frozen=True, slots=True)
class Terms:
    """What a server offers at its tables, and the settings by which people play there."""

    catalog: Catalog
    settings: Settings


class Context(NamedTuple):
    """Who gives a command, at which table, when, and on what terms."""

    table: Table
    actor: Actor
    now: float
    terms: Terms
