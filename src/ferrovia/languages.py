"""The languages in which people are spoken to, and their texts.

A language is a catalogue in `texts/` and a line of `languages.json`, its code and its own name. The
catalogues are one flat object each, a text by its key, in the notation of ICU where something is
counted. The client is built from them; here are those that Python says: the pages of a server
without a client (`server.…`) and the tutorials (`tutorial.…`).
"""

import json
from functools import cache
from importlib.resources import files

_FOLDER = files("ferrovia")

LANGUAGES: tuple[str, ...] = tuple(
    json.loads(_FOLDER.joinpath("languages.json").read_text("utf-8"))
)
"""Their codes; where there is no other choice it is the first."""


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return all texts of a language by their keys; nobody changes them."""
    texts: dict[str, str] = json.loads(
        _FOLDER.joinpath("texts", f"{language}.json").read_text("utf-8")
    )
    return texts


def in_all_languages(key: str) -> dict[str, str]:
    """Return a text by language."""
    return {language: catalogue(language)[key] for language in LANGUAGES}
