"""Numbers and texts as SVG writes them."""

from html import escape


def short(value: float) -> str:
    """Return a number, to a tenth, as short as possible."""
    written = f"{value:.1f}"
    written = written.removesuffix(".0")
    return "0" if written == "-0" else written


def text(value: str) -> str:
    """Return text for an element or a quoted attribute; what XML cannot hold becomes U+FFFD."""
    legal = "".join(
        letter
        if letter in "\t\n"
        or " " <= letter <= "\ud7ff"
        or "\ue000" <= letter <= "\ufffd"
        or letter >= "\U00010000"
        else "\ufffd"
        for letter in value
    )
    return escape(legal, quote=False).replace('"', "&quot;")
