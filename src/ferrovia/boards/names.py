"""Telling the name of something built in or installed from the path of a file."""

import re
from typing import TypeGuard

_NAME = re.compile(r"[a-z0-9_-]{1,100}")


def is_name(value: object) -> TypeGuard[str]:
    """Whether a text is a plain word, as the names of editions and packs are.

    Everything else, also every `Path`, is a path: `./word` names the file `word`.
    """
    return isinstance(value, str) and _NAME.fullmatch(value) is not None
