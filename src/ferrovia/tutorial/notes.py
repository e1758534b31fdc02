"""The file of notes on a record: texts, goals, arrows and questions, never in the record.

`game.jsonl` has `game.notes.json`. The notes name the hash of the record, which stays as it is.
"""

import hashlib
import json
import re
from importlib.resources import files
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ferrovia.errors import FerroviaError
from ferrovia.game import Game, RecordError, read_record
from ferrovia.game.records.steps import replay_steps, step_of_turn
from ferrovia.languages import in_all_languages

VERSION = 1
MAX_BYTES = 256 * 1024
MOST_WORDS = 25

Texts = dict[str, str]
"""A text by language; `en` is always there."""


class NotesError(FerroviaError, ValueError):
    """A file of notes that cannot be used."""


class Goal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the learner is to do; any move that does it counts. `cards`: how many cards are drawn,
    or a face-up locomotive. A claim may be asked for on a `tunnel` or a `ferry`, or one that
    `completes` a ticket.
    """

    does: Literal["keep", "claim", "cards", "tickets", "station", "any"]
    cards: int = 2
    tunnel: bool = False
    ferry: bool = False
    completes: bool = False


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question with answers to choose from; `right` is the number of the right one, from 0."""

    answers: tuple[Texts, ...]
    right: Annotated[int, Meta(ge=0, le=8)]


class TutorialStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step. `at` is the turn of the record after which it begins, anew (`0`: after the deal);
    without it the game goes on. `text` is what to do; `touch` and `keys` say it for a finger and
    for the keyboard, where that differs. Without a goal or a question it is only read.
    `otherwise` is said when another move is made. `arrow` points at a part of the table: `offer`,
    `deck`, `display`, `hand`, `tickets`, `station`, or a route by its id.
    """

    text: Texts
    touch: Texts | None = None
    keys: Texts | None = None
    at: Annotated[str, Meta(pattern=r"^[0-9]{1,5}(\.[1-9][0-9]{0,2})?$")] | None = None
    goal: Goal | None = None
    question: Question | None = None
    otherwise: Texts | None = None
    rule: Annotated[str, Meta(pattern=r"^R[0-9]{1,2}\.[0-9]{1,2}$")] | None = None
    arrow: Annotated[str, Meta(max_length=64)] | None = None


class Notes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Notes beside a record, with the SHA-256 of its text."""

    notes: Literal["ferrovia"]
    version: int
    record: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
    title: Texts
    seat: Annotated[int, Meta(ge=0, le=5)]
    bot: Annotated[str, Meta(max_length=64)] = "passenger"
    minutes: int = 4
    steps: Annotated[tuple[TutorialStep, ...], Meta(min_length=1, max_length=60)]


_DECODER = msgspec.json.Decoder(Notes)
_WORD = re.compile(r"\S+")


def read_notes(data: bytes) -> Notes:
    """Return the notes of a file; NotesError says what is wrong with it."""
    if len(data) > MAX_BYTES:
        raise NotesError(f"a file of notes has at most {MAX_BYTES >> 10} KiB")
    try:
        notes = _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise NotesError(f"these are no notes: {problem}") from None
    if notes.version != VERSION:
        raise NotesError(f"the notes have version {notes.version}; this program reads {VERSION}")
    if notes.steps[0].at is None:
        raise NotesError("step 1 needs `at`: where the game begins")
    for number, step in enumerate(notes.steps, start=1):
        for texts in (step.text, step.touch, step.keys, step.otherwise):
            _check_texts(texts, number)
        if step.question is not None and step.question.right >= len(step.question.answers):
            raise NotesError(f"step {number}: the right answer is not among the answers")
    return notes


def _check_texts(texts: Texts | None, number: int) -> None:
    if texts is None:
        return
    if "en" not in texts:
        raise NotesError(f"step {number}: a text needs English")
    for language, text in texts.items():
        if len(_WORD.findall(text)) >= MOST_WORDS:
            raise NotesError(
                f"step {number} ({language}): a text has fewer than {MOST_WORDS} words"
            )


def check_beside(notes: Notes, record: str) -> Game:
    """Return the game of the record that notes lead through; NotesError where they do not fit."""
    if hashlib.sha256(record.encode()).hexdigest() != notes.record:
        raise NotesError("the notes are for another record")
    try:
        game, steps = replay_steps(read_record(record))
    except RecordError as problem:
        raise NotesError(f"the record is wrong: {problem}") from None
    if notes.seat >= game.players:
        raise NotesError(f"there is no seat {notes.seat} in this game")
    for number, step in enumerate(notes.steps, start=1):
        if step.at is None:
            continue
        turn, _, part = step.at.partition(".")
        state = steps[step_of_turn(steps, int(turn), int(part) if part else None)].state
        position = Game.standing_at(game.lexicon, game.names, game.seed, state, list(game.events))
        if notes.seat not in position.awaited:
            raise NotesError(f"step {number}: it is not the turn of seat {notes.seat} there")
    return game


def names() -> tuple[str, ...]:
    """Return the tutorials that come with Ferrovia."""
    return ("usa", "europe")


def builtin(name: str) -> tuple[Notes, str]:
    """Return the notes and the record of a tutorial; KeyError if there is none of this name."""
    if name not in names():
        raise KeyError(name)
    folder = files("ferrovia.tutorial").joinpath("data")
    notes = json.loads(folder.joinpath(f"{name}.notes.json").read_text("utf-8"), object_hook=_said)
    return read_notes(json.dumps(notes).encode()), folder.joinpath(f"{name}.jsonl").read_text(
        "utf-8"
    )


def _said(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of our notes with its texts, which are in the catalogues of the languages."""

    def said(value: Any) -> Any:
        if isinstance(value, list):
            return [said(one) for one in value]
        is_key = isinstance(value, str) and value.startswith("tutorial.")
        return in_all_languages(value) if is_key else value

    return {name: said(value) for name, value in part.items()}
