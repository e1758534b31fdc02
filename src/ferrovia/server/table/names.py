"""Names of people: what they may be made of, and that no two at a table look the same.

A name is kept in the normal form NFKC. It has no invisible letters and no piles of marks. Of two
people at a table who are called the same, whatever the case and the accents, the second gets a
number: Ada and Ada 2. A name in which other letters only look like those of another name, such as
the Cyrillic А for the Latin A, is refused.

What looks the same is decided by a skeleton, after Unicode Technical Standard 39: decomposed,
without marks, every letter replaced by the Latin one that it looks like, as far as the tables here
go. They have the letters of the scripts that are drawn like Latin ones in common fonts.
"""

import re
import unicodedata
from collections.abc import Iterable

from ferrovia.server.refusals import Refusal

LONGEST = 40
_MARKS_IN_A_ROW = 3  # some languages put two on a letter; more are a pile

INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159]")
"""What Python takes for printable, and nobody can see."""
# They choose between forms of the sign before them, as keyboards write emoji.
_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_LIKE_A_BOT = re.compile(r"bot\s*[:(]")

_ALIKE = (
    # Cyrillic
    ("АВЕЅІЈКМНОРСТУХԚԜҮΖЬԌ", "ABESIJKMHOPCTYXQWYZbG"),
    ("аеѕіјкморсухԛԝүһԁѵӏгптвн", "aesijkmopcyxqwyhdvlrntbh"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ", "ABEZHIKMNOPTYXCJ"),
    ("αγεικνορσςτυχωηϲϳβ", "ayeikvopoctuxwncjb"),
    # Armenian
    ("ՕՏՍԼՊօսոհցզյաքտ", "OSULnounhgqjwpm"),
    # Cherokee
    ("ᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᎩᏃ", "ABCDEGHiJKLMPRSTVWYZ"),
    # Lisu
    ("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ"),
    # Coptic
    ("ⲀⲂⲤⲈⲎⲒⲔⲘⲚⲞⲢⲦⲨⲬⲌⲁⲥⲉⲓⲕⲟⲣⲩⲭ", "ABCEHIKMNOPTYXZaceikopyx"),
    # Canadian syllabics
    ("ᗅᗩᗷᑕᗞᗪᖴᕼᒍᒪᗰᑎᑭᖇᔕᑌᐯᗯ᙭ᐱ", "AABCDDFHJLMNPRSUVWXA"),
    # Tifinagh, runes, Georgian, Burmese, Ethiopic, Malayalam
    ("ⵔⵏⵝᛕᛖᛗᚱჿဝሀഠ", "OlXKMMRooUo"),
    # Old Italic, Carian, Lycian, Osage, Deseret
    ("𐌀𐌁𐌂𐌄𐌉𐌊𐌌𐌍𐌏𐌐𐌓𐌔𐌕𐌗𐊠𐊂𐊡𐊣𐊫𐊬𐊱𐓎𐓂𐐄", "ABCEIKMNOPRSTXABABOTMLOO"),
    # Latin letters that few people write
    ("ɑᴀʙᴄᴅᴇɡɢʜɪıȷᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "aabcdegghiijjklmnoprstuvwyz"),
    ("øØłŁđĐħĦŧŦƄƖǀẞꞴꞵꬲꬵ", "oOlLdDhHtTblIBBBef"),
    # Hebrew and Arabic, digits and signs
    ("סוןاهه٥۵٠۰١۱", "ollloooo..ll"),
    ("∶꞉ː՝׃︓", "::::::"),
    ("‐‑‒–—−ー", "-------"),
)


def _table() -> dict[int, str]:
    # One stroke, and a circle: which of them is meant cannot be seen.
    same = {"I": "l", "1": "l", "|": "l", "0": "o"}
    table = {
        ord(letter): same.get(like, like)
        for letters, likes in _ALIKE
        for letter, like in zip(letters, likes, strict=True)
    }
    return table | {ord(letter): like for letter, like in same.items()}


_TABLE = _table()


def checked_name(name: str) -> str:
    """Return a name in its normal form; it must be visible, not empty, and not like a bot's."""
    name = unicodedata.normalize("NFKC", _SELECTORS.sub("", name))
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST or not name.isprintable() or INVISIBLE.search(name):
        raise Refusal("invalid_name", f"a name has 1 to {LONGEST} letters, all of them visible")
    if _is_mark(name[0]) or has_pile(name):
        raise Refusal("invalid_name", "a name has no more marks than letters need")
    if _LIKE_A_BOT.match(skeleton(name)):
        raise Refusal("invalid_name", "a name does not begin with 'bot:' or what looks like it")
    return name


def name_among(name: str, others: Iterable[str]) -> str:
    """Return a checked name as it is shown among those at the table: with a number if somebody else
    has it. Raises `Refusal` if it only looks the same.
    """
    taken = list(others)
    numbered, number = name, 1
    while any(_plain(numbered) == _plain(other) for other in taken):
        number += 1
        end = f" {number}"
        numbered = name[: LONGEST - len(end)].rstrip() + end
    if any(skeleton(numbered) == skeleton(other) for other in taken):
        raise Refusal("invalid_name", "it looks like the name of somebody else at this table")
    return numbered


def harmless(name: str) -> str:
    """Return a name without what chat services take for a mention or a link."""
    return re.sub(r"[^\w .'’-]|\.(?=\w)", "·", name)


def skeleton(name: str) -> str:
    """Return a text that is the same for names that look the same."""
    letters = "".join(_TABLE.get(ord(one), _digit(one)) for one in _without_marks(name))
    # Again, for letters whose small form looks like another than their large one.
    folded = letters.casefold().translate(_TABLE).casefold()
    return folded.replace("rn", "m").replace("vv", "w")


def _digit(letter: str) -> str:
    """Return a digit of any script as ours, and everything else as it is."""
    digit = unicodedata.decimal(letter, None)
    return letter if digit is None else _TABLE.get(ord(str(digit)), str(digit))


def _plain(name: str) -> str:
    """Return a name without case and accents: what people who hear it take for the same."""
    return _without_marks(name).casefold()


def _without_marks(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name)
    return "".join(letter for letter in decomposed if not _is_mark(letter))


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me")


def has_pile(name: str) -> bool:
    """Return whether a text has more marks on a letter than any language needs."""
    row = 0
    for letter in unicodedata.normalize("NFD", name):
        row = row + 1 if _is_mark(letter) else 0
        if row >= _MARKS_IN_A_ROW or unicodedata.category(letter) == "Me":
            return True
    return False
