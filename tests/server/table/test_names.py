"""Names: nothing invisible, nobody who looks like somebody else at the table."""

import unicodedata

import pytest

from ferrovia.server.protocol import from_client
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.names import LONGEST, checked_name, name_among, skeleton
from ferrovia.server.table.verbs import seats
from tests.server.support.tabletop import Tabletop


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "Ada\u200b",  # zero width space
        "A\u00adda",  # soft hyphen
        "\u202eadA",  # right to left override
        "Ada\u2066",  # isolate
        "Ada\ufeff",
        "\u3164",  # a letter without a shape
        "Ada\u115f",
        "\u2800\u2800",  # an empty braille cell
        "A\u034fda",
        "A\ue000da",  # private use
        "A\U000e0041da",  # a tag
        "\u0301da",  # a mark without a letter
        "A" + "\u0301" * 3 + "da",  # a pile of marks
        "A\u20ddda",  # in a circle
        "bot:greedy",
        "Bot: x",
        "bоt:greedy",  # with a Cyrillic о
        "ｂｏｔ：greedy",
        "bot∶greedy",
        "Bot (Director)",
        "x" * 41,
        "\ufdfa" * 3,  # one sign that stands for eighteen letters
    ],
)
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(Refusal) as refusal:
        checked_name(name)
    assert refusal.value.code == "invalid_name"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        (" Ada   Lovelace ", "Ada Lovelace"),
        ("Ａｄａ", "Ada"),
        ("Jose\u0301", "José"),
        ("Nguyễn Thị Ánh", "Nguyễn Thị Ánh"),
        ("Владимир", "Владимир"),
        ("Ἀλέξανδρος", "Ἀλέξανδρος"),
        ("李小龍", "李小龍"),
        ("נועם", "נועם"),
        ("فاطمة", "فاطمة"),
        ("ताराबाई", "ताराबाई"),
        ("❤️ Ada", "❤ Ada"),
        ("Bottom", "Bottom"),
        ("Botond", "Botond"),
        ("x" * 40, "x" * 40),
    ],
)
def test_names_of_people_everywhere(name: str, kept: str) -> None:
    assert checked_name(name) == unicodedata.normalize("NFKC", kept)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "Аdа"),  # Cyrillic
        ("Ada", "𝐀𝐝𝐚"),
        ("ADA", "ꭺꭰꭺ"),  # small letters of Cherokee
        ("Dan", "Ꭰan"),
        ("ADA", "ᗩᗪᗩ"),  # Canadian syllabics
        ("Otto", "০tto"),  # a nought of Bengal
        ("Bob", "ꞵob"),
        ("Ada", "𐌀da"),
        ("Bob", "Воb"),
        ("Paypal", "Pаyраl"),
        ("Ida", "lda"),
        ("Ida", "1da"),
        ("Olga", "0lga"),
        ("KATE", "ΚΑΤΕ"),  # Greek
        ("SOFIA", "ꓢꓳꓝꓲꓮ"),  # Lisu
        ("Marnie", "Mamie"),
        ("vvendy", "wendy"),
        ("Ada", "ᴀᴅᴀ"),
        ("hans", "հanѕ"),
    ],
)
def test_what_looks_the_same_is_refused_at_one_table(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)
    for first, second in ((one, other), (other, one)):
        name = checked_name(second)
        if name == checked_name(first):
            continue  # the normal form has made the same of it
        with pytest.raises(Refusal, match="looks like"):
            name_among(name, ["Cleo", checked_name(first)])
        assert name_among(name, ["Cleo"]) == name


@pytest.mark.parametrize(
    ("one", "other"), [("Ali", "All"), ("Ada", "Ava"), ("Mila", "Milla"), ("Анна", "Инна")]
)
def test_what_differs_is_left_alone(one: str, other: str) -> None:
    assert name_among(other, [one]) == other


def test_who_is_called_the_same_gets_a_number() -> None:
    taken: list[str] = []
    for name in ("Ada", "ada", "Adá", "Ada 2", "x" * LONGEST, "X" * LONGEST):
        taken.append(name_among(checked_name(name), taken))
    assert taken == ["Ada", "ada 2", "Adá 3", "Ada 2 2", "x" * 40, "X" * 38 + " 2"]


def test_a_table_has_no_two_who_look_the_same() -> None:
    people = (from_client.PersonSeat("Ada"), from_client.PersonSeat("Ada"), from_client.OpenSeat())
    top = Tabletop(*people)
    assert [seat.name for seat in top.table.seats] == ["Ada", "Ada 2", ""]
    join = seats.join
    with pytest.raises(Refusal, match="looks like"):
        join(top.table, from_client.JoinTable(name="Аdа"), "t" * 43, top.now)
    assert join(top.table, from_client.JoinTable(name="ADA"), "t" * 43, top.now).name == "ADA 3"
