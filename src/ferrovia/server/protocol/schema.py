"""The JSON schema of the protocol, from which clients generate their types."""

from typing import Any

import msgspec

from ferrovia.game.count import Count
from ferrovia.server.protocol import from_client, from_server, workshop
from ferrovia.server.protocol.count import CountTable, ShareCount, SharedCount
from ferrovia.server.protocol.edition import EditionDocument
from ferrovia.server.protocol.state import TableInfo
from ferrovia.workshop.playtest import Playtest

_ROOTS: dict[str, Any] = {
    "FromClient": from_client.FromClient,
    "FromServer": from_server.FromServer,
    "CreateTable": from_client.CreateTable,
    "TableCreated": from_server.TableCreated,
    "ForkGame": from_client.ForkGame,
    "JoinTable": from_client.JoinTable,
    "Joined": from_server.Joined,
    "TableList": from_server.TableList,
    "TableInfo": TableInfo,
    "Offerings": from_server.Offerings,
    "EditionDocument": EditionDocument,
    "RenewToken": from_client.RenewToken,
    "AskEntry": from_client.AskEntry,
    "SayWord": from_client.SayWord,
    "EntryWord": from_server.EntryWord,
    "FoundRoom": from_server.FoundRoom,
    "Reach": from_server.Reach,
    "PushKey": from_server.PushKey,
    "Problem": from_server.Problem,
    "Screening": from_server.Screening,
    "AnalysisReport": from_server.AnalysisReport,
    "PosedPuzzle": from_server.PosedPuzzle,
    "Tutorial": from_server.Tutorial,
    "AskAnalysis": from_client.AskAnalysis,
    "ShareAnalysis": from_client.ShareAnalysis,
    "CountTable": CountTable,
    "Count": Count,
    "ShareCount": ShareCount,
    "SharedCount": SharedCount,
    "BoardWork": workshop.AnyBoardWork,
    "BoardFile": workshop.BoardFile,
    "BoardChecked": workshop.BoardChecked,
    "FoundTickets": workshop.FoundTickets,
    "Playtest": Playtest,
    "BoardExport": workshop.BoardExport,
    "BoardPrint": workshop.BoardPrint,
    "Regions": workshop.Regions,
    "WorldCities": workshop.WorldCities,
    "OpenedBoard": workshop.OpenedBoard,
    "EditedFile": workshop.EditedFile,
    "SaveFile": workshop.SaveFile,
    "SavedFile": workshop.SavedFile,
    "Land": workshop.Land,
}


def schema() -> dict[str, Any]:
    """Return all types of the protocol: `roots` by name, and the `$defs` that they refer to."""
    roots, components = msgspec.json.schema_components(
        _ROOTS.values(), ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The Ferrovia protocol",
        "roots": dict(zip(_ROOTS, roots, strict=True)),
        "$defs": components,
    }
