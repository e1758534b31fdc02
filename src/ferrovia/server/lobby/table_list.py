"""The list of tables: its order, and how many tables of one address it shows."""

from collections import Counter
from collections.abc import Callable, Iterable

import msgspec


class _Card(msgspec.Struct):
    """What the order needs to know of a table's line."""

    table: str


_READ = msgspec.json.Decoder(_Card).decode


def arrange(
    cards: Iterable[bytes],
    address_of: Callable[[str], str | None],
    attended: Callable[[str], bool],
    most_of_address: int,
    most: int,
) -> list[bytes]:
    """Return the lines of listed tables in the order in which people see them.

    `cards` are the lines, newest first. Tables at which somebody is come first; then every address
    has its first table, every address its second, and so on, up to `most_of_address`: nobody is
    pushed out by somebody who sets up many tables. A table whose address is not known counts as an
    address of its own.
    """
    counts: Counter[str] = Counter()
    lines: list[tuple[tuple[bool, int, int], bytes]] = []
    for number, card in enumerate(cards):
        table = _READ(card).table
        address = address_of(table)
        turn = 0
        if address is not None:
            turn = counts[address]
            counts[address] += 1
        if turn < most_of_address:
            lines.append(((not attended(table), turn, number), card))
    return [card for _, card in sorted(lines, key=lambda line: line[0])[:most]]
