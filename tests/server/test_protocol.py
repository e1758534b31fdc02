"""The protocol: strict towards clients, described for everybody."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ferrovia.boards import edition_document, editions, load_edition
from ferrovia.server import schema
from ferrovia.server.protocol import from_client
from ferrovia.server.protocol.edition import EditionDocument
from ferrovia.server.protocol.shown import AnyShown
from ferrovia.server.refusals import Close, Code, answer_to

DOCS = Path(__file__).parents[2] / "docs" / "protocol.md"

GOOD: list[dict[str, Any]] = [
    {"type": "hello", "table": "abc", "token": None, "known": 0},
    {"type": "ping"},
    {"type": "hint", "id": "h1", "bot": "greedy"},
    {"type": "decide", "id": "c1", "known": 3, "action": "draw"},
    {"type": "reveal", "id": "c1", "known": 3, "part": "5a" * 32},
    {"type": "leave", "id": "c1", "known": 3},
    {"type": "undo", "id": "c1", "known": 3},
    {"type": "answer_undo", "id": "c1", "known": 3, "agree": True},
    {"type": "return", "id": "c1", "known": 3},
    {"type": "replace", "id": "c1", "known": 3, "seat": 1},
    {"type": "pause", "id": "c1", "known": 3},
    {"type": "resume", "id": "c1", "known": 3},
    {"type": "fill", "id": "c1", "known": 3, "seat": 1, "bot": "greedy"},
    {"type": "rematch", "id": "c1", "known": 3},
    {"type": "say", "id": "c1", "known": 3, "text": "hello", "name": "Zoe"},
    {"type": "report", "id": "c1", "known": 3, "line": 3, "seat": 1},
    {"type": "notify", "id": "c1", "known": 3, "url": "https://example.org/hook"},
    {
        "type": "subscribe",
        "id": "c1",
        "known": 3,
        "endpoint": "https://push.example.org/1",
        "p256dh": "A" * 87,
        "auth": "B" * 22,
        "language": "ro",
    },
    {"type": "begin", "id": "c1", "known": 3, "order": [1, 0], "first": 1},
    {"type": "choose", "id": "c1", "known": 3, "portrait": "lantern", "color": "red"},
    {"type": "lock", "id": "c1", "known": 3, "locked": True},
    {"type": "remove", "id": "c1", "known": 3, "seat": 1},
    {"type": "let_in", "id": "c1", "known": 3, "seat": 1, "word": "BCDF", "agree": True},
    {"type": "history", "id": "h1", "before": 3},
    {"type": "film", "at": "12.1", "eyes": "all", "pointer": "paris-zurich", "lead": True},
]


def read(message: Any) -> Any:
    return msgspec.json.decode(json.dumps(message), type=from_client.FromClient)


@pytest.mark.parametrize("message", GOOD, ids=lambda message: message["type"])
def test_messages_are_read_strictly(message: dict[str, Any]) -> None:
    assert msgspec.to_builtins(read(message))["type"] == message["type"]
    with pytest.raises(msgspec.ValidationError):
        read({**message, "extra": 1})
    for field in message:
        if field == "token":
            continue
        with pytest.raises(msgspec.ValidationError):
            read({**message, field: {"no": "such"}})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", ""),
        ("id", "x" * 65),
        ("id", "with space"),
        ("known", -1),
        ("known", 1.5),
        ("known", 10**12),
        ("action", ""),
        ("action", "x" * 401),
    ],
)
def test_values_have_bounds(field: str, value: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        read({**GOOD[2], field: value})


def test_the_schema_describes_every_message_and_resolves() -> None:
    described = schema()
    text = json.dumps(described)
    for name in described["$defs"]:
        assert f'"#/$defs/{name}"' in text or name in described["roots"]
    tags = described["roots"]["FromClient"]["discriminator"]["mapping"]
    assert set(tags) == {message["type"] for message in GOOD}

    def refs(value: Any) -> list[str]:
        if isinstance(value, dict):
            own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
            return own + [ref for part in value.values() for ref in refs(part)]
        if isinstance(value, list):
            return [ref for part in value for ref in refs(part)]
        return []

    assert {ref.removeprefix("#/$defs/") for ref in refs(described)} <= set(described["$defs"])


@pytest.mark.parametrize("name", editions())
def test_editions_are_described_whole(name: str) -> None:
    document = edition_document(load_edition(name))
    read = msgspec.convert(document, EditionDocument, strict=True)
    assert msgspec.json.decode(msgspec.json.encode(read)) == json.loads(json.dumps(document))


def test_the_documentation_names_every_message_entry_and_code() -> None:
    text = DOCS.read_text()
    described = schema()
    for root in ("FromClient", "FromServer"):
        for tag in described["roots"][root]["discriminator"]["mapping"]:
            assert f"`{tag}`" in text, tag
    for kind in AnyShown.__args__:  # type: ignore[attr-defined]
        assert f"`{kind.__struct_config__.tag}`" in text, kind
    for code in Code.__args__:  # type: ignore[attr-defined]
        assert f"`{code}`" in text, code


def test_the_documentation_has_the_status_of_every_code() -> None:
    _, _, after = DOCS.read_text().partition("Over HTTP the status follows from the code:")
    table, _, _ = after.partition("### ")
    documented = {}
    for line in table.splitlines():
        for code in re.findall(r"`(\w+)`", line):
            documented[code] = int(line.split("|")[1])
    for code in Code.__args__:  # type: ignore[attr-defined]
        assert answer_to(code).status == documented.get(code, 422), code


def test_the_documentation_has_every_close_code() -> None:
    _, _, table = DOCS.read_text().partition("### Why a socket is closed")
    rows = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ")]
    documented = {int(code) for code in rows if code.isdigit()}
    ours = {value for name, value in vars(Close).items() if name.isupper()}
    assert documented == ours | {1009, 1012}  # those two are uvicorn's
    closing = {code: answer_to(code).close for code in Code.__args__}  # type: ignore[attr-defined]
    assert set(closing.values()) <= ours
    assert [code for code, close in closing.items() if close != Close.BAD_MESSAGE] == [
        "no_such_table",
        "wrong_token",
        "no_spectators",
    ]
