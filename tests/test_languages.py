"""Languages: every one has a catalogue, which has every text of the English one and no other.

`web/tests/unit/i18n/` looks at the texts themselves: what they name and count, and their words.
"""

from importlib.resources import files

import pytest

from ferrovia.languages import LANGUAGES, catalogue


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_text(language: str) -> None:
    name = f"texts/{language}.json"
    assert files("ferrovia").joinpath(name).is_file(), f"{name} is missing"
    missing = sorted(catalogue("en").keys() - catalogue(language).keys())
    assert not missing, f"{name} has no {missing[:5]}, and {len(missing)} in all are missing"
    extra = sorted(catalogue(language).keys() - catalogue("en").keys())
    assert not extra, f"{name} has what en.json has not: {extra[:5]}"
