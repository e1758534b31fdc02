"""The JSON schema of the protocol, from which clients generate their types."""

from typing import Any

import msgspec

from ferrovia.server import protocol

_ROOTS: dict[str, Any] = {
    "FromClient": protocol.FromClient,
    "FromServer": protocol.FromServer,
    "CreateTable": protocol.CreateTable,
    "TableCreated": protocol.TableCreated,
    "ForkGame": protocol.ForkGame,
    "JoinTable": protocol.JoinTable,
    "Joined": protocol.Joined,
    "TableList": protocol.TableList,
    "TableInfo": protocol.TableInfo,
    "Offerings": protocol.Offerings,
    "EditionDocument": protocol.EditionDocument,
    "AskEntry": protocol.AskEntry,
    "EntryWord": protocol.EntryWord,
    "FoundRoom": protocol.FoundRoom,
    "Reach": protocol.Reach,
    "Problem": protocol.Problem,
    "Screening": protocol.Screening,
    "AnalysisReport": protocol.AnalysisReport,
    "PosedPuzzle": protocol.PosedPuzzle,
    "Tutorial": protocol.Tutorial,
    "AskAnalysis": protocol.AskAnalysis,
    "ShareAnalysis": protocol.ShareAnalysis,
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
