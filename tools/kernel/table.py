"""What entries take and return, as the table that `call.c` reads."""

from typing import Any

from ferrovia.kernel.declarations import EntryPoint
from ferrovia.kernel.signature import FLOAT, Array, Bundle, Grid, Kind, Number, One, Scratch

NOTHING, WHOLE, REAL, TRUTH, SEVERAL = "NOTHING", "WHOLE", "REAL", "TRUTH", "SEVERAL"

_ALIGNED = 64


def _parameter(kind: Kind) -> str:
    """Return a parameter as C has it: kind, writable, dimensions, size, count."""
    match kind:
        case Number():
            return f"{{{'FLOAT' if kind is FLOAT else 'INTEGER'}, 0, 0, 8, -1}}"
        case One(record, constant):
            return f"{{RECORD, {int(not constant)}, 0, {record.size}, -1}}"
        case Array(count=count, constant=constant):
            rows = -1 if count is None else count
            return f"{{MEMORY, {int(not constant)}, 0, {kind.bytes_of_row}, {rows}}}"
        case Grid(dimensions=dimensions, strided=strided, constant=constant):
            name = "STRIDED_GRID" if strided else "GRID"
            return f"{{{name}, {int(not constant)}, {dimensions}, {kind.bytes_of_item}, -1}}"
        case Scratch():
            return f"{{SCRATCH, 0, 0, {kind.size}, -1}}"
        case Bundle():
            return f"{{PACK, 0, 0, {kind.words}, -1}}"
    raise TypeError(kind)


def plain(kind: Kind) -> list[Any]:
    """Return a kind as plain data, for ferrovia.kernel.wasm."""
    match kind:
        case Number(name):
            return [name]
        case One(record, constant):
            return ["array", record.size, 1, constant, False]
        case Array(count=count, constant=constant):
            return ["array", kind.bytes_of_row, count, constant, True]
        case Grid(dimensions=dimensions, strided=strided, constant=constant):
            return ["grid", kind.bytes_of_item, dimensions, strided, constant]
        case Scratch():
            return ["scratch", kind.size]
        case Bundle(kinds=kinds):
            return ["bundle", [plain(one) for one in kinds]]
    raise TypeError(kind)


def table(entries: list[EntryPoint], returns: dict[str, tuple[str, int]]) -> str:
    """Return the table of entries; `returns` says what each returns, and of how many parts."""
    lines = []
    for entry in entries:
        lines.append(f"int32_t entry_{entry.name}(int64_t *);")
    for entry in entries:
        parameters = ", ".join(map(_parameter, entry.kinds))
        lines.append(f"static const parameter of_{entry.name}[] = {{{parameters}}};")
    lines.append("static const entry ENTRIES[] = {")
    for entry in entries:
        kind, parts = returns[entry.name]
        lines.append(
            f'    {{"{entry.name}", entry_{entry.name}, of_{entry.name}, {len(entry.kinds)},'
            f" {kind}, {parts}, {int(entry.long)}}},"
        )
    lines.append("};")
    words = max(sum(kind.words for kind in entry.kinds) for entry in entries)
    scratch = max(
        sum(
            -(-kind.size // _ALIGNED) * _ALIGNED
            for kind in entry.kinds
            if isinstance(kind, Scratch)
        )
        for entry in entries
    )
    methods = " ".join(f"METHOD({number})" for number in range(len(entries)))
    lines += [
        f"enum {{ COUNT = {len(entries)}, MOST_WORDS = {words}, MOST_SCRATCH = {scratch},"
        f" MOST_BUFFERS = {max(len(entry.kinds) for entry in entries)} }};",
        f"#define METHODS {methods}",
    ]
    return "\n".join(lines) + "\n"
