"""The line of each value of a JSON text, by its place (a path)."""

import json
import re
from dataclasses import dataclass

Place = tuple[str | int, ...]
"""Keys and indexes that lead from the root to a value: `("routes", 12, "length")`."""

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of one JSON text, and the keys that were written twice in one object."""

    lines: dict[Place, int]
    repeated: tuple[Place, ...]

    def line(self, place: Place) -> int:
        """Return the line of a value, or of the nearest object around it when it is not there."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)


def locate(text: str) -> Lines:
    """Return the lines of a text that is known to be valid JSON.

    A member of an object stands where its key stands. No recursion: depth does no harm.
    """
    lines: dict[Place, int] = {}
    repeated: dict[Place, None] = {}
    place: list[str | int] = []
    line, seen, at_key = 1, 0, False
    for match in _TOKEN.finditer(text):
        token = match.group()
        line += text.count("\n", seen, match.start())
        seen = match.start()
        if token in "{[":
            lines.setdefault(tuple(place), line)
            place.append("" if token == "{" else 0)
            at_key = token == "{"
        elif token in "}]":
            place.pop()
            at_key = False
        elif token == ",":
            last = place[-1]
            if isinstance(last, int):
                place[-1] = last + 1
            else:
                at_key = True
        elif token == ":":
            at_key = False
        elif at_key:
            place[-1] = json.loads(token)
            here = tuple(place)
            if here not in lines:
                lines[here] = line
            elif not any(here[:end] in repeated for end in range(len(here))):
                repeated[here] = None
        else:
            lines.setdefault(tuple(place), line)
    return Lines(lines, tuple(repeated))


def spell(place: Place) -> str:
    """Return a place as people write it: `routes[12].length`; the root is empty."""
    text = ""
    for step in place:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text
