"""One input: what it is, and what is done with it."""

import json
import random
from collections import Counter
from collections.abc import Callable

from ferrovia.boards import BoardError, edition_from_document, packs_from_header, with_packs
from ferrovia.boards.catalog import edition_in
from ferrovia.boards.reading.json_file import parse_document
from ferrovia.game import Game, Phase, PositionError, RecordError, read_position, write_position
from ferrovia.rules.state.layout import STATE
from tests.fuzz.documents import BOARD, PACK, as_text, changed, resized
from tests.fuzz.positions import position
from tests.fuzz.records import record
from tests.memory import fields

_DECISIONS = 12
_OWN = edition_from_document(BOARD)


def _play_on(game: Game, chance: random.Random, decisions: int) -> None:
    """Play some decisions at random, and score the game."""
    for _ in range(decisions):
        if game.over:
            break
        seat = chance.choice(game.awaited)
        legal = game.legal_actions(seat)
        assert legal, "a seat that is awaited can do nothing"
        try:
            game.play(seat, chance.choice(legal))
        except ValueError as problem:
            if "the tape names a card" not in str(problem):  # only `next` can be impossible
                raise
            break
    s = fields(game.state, STATE)
    for seat in range(game.players):
        assert s.hand_size[seat] == s.hand[seat].sum() >= 0
        assert s.hand[seat].min() >= 0
        assert s.trains[seat] >= 0
    assert s.deck_size == s.deck.sum() >= 0
    result = game.result()
    assert len(result.scores) == game.players
    for seat in range(game.players):
        game.view(seat)


def _refused(error: Exception) -> str:
    """See that there is a reason."""
    assert str(error)
    return "refused"


def _board(chance: random.Random) -> str:
    document = resized(chance) if chance.random() < 0.5 else BOARD
    text = as_text(changed(document, chance, chance.choice((0, 0, 1, 2, 4))))
    if chance.random() < 0.1:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice('{}[]",:0e\\n \x00') + text[at + 1 :]
    try:
        found = edition_in(parse_document(text, "fuzz"))
    except BoardError as error:
        return _refused(error)
    assert edition_from_document(json.loads(json.dumps(found.document()))) == found
    players = chance.randrange(found.seats[0], found.seats[1] + 1)
    game = Game(found, players, seed=chance.randrange(2**32))
    _play_on(game, chance, 3 * _DECISIONS)
    again = Game.from_record(game.record().text())
    assert bytes(again.state) == bytes(game.state)
    return "played"


def _pack(chance: random.Random) -> str:
    tickets = changed(PACK, chance, chance.choice((0, 1, 1, 2, 3))).get("tickets")
    packs = {chance.choice(("extra", "Extra!", "")) if chance.random() < 0.1 else "extra": tickets}
    try:
        found = with_packs(_OWN, packs_from_header(packs, _OWN.board))
    except BoardError as error:
        return _refused(error)
    _play_on(Game(found, 2, seed=chance.randrange(2**32)), chance, _DECISIONS)
    return "played"


def _record(chance: random.Random) -> str:
    text = record(chance)
    if chance.random() < 0.05 and text:
        at = chance.randrange(len(text))
        text = text[:at] + bytes([chance.randrange(256)]) + text[at + 1 :]
    try:
        game = Game.from_record(text)
    except RecordError as error:
        return _refused(error)
    _play_on(game, chance, 3)
    return "replayed"


def _position(chance: random.Random) -> str:
    text = position(chance)
    try:
        game = read_position(text)
    except PositionError as error:
        return _refused(error)
    written = write_position(game)
    assert write_position(read_position(written)) == written
    _play_on(game, chance, 4)
    if game.phase is Phase.TURN:
        write_position(game)
    return "played"


KINDS: dict[str, Callable[[random.Random], str]] = {
    "board": _board,
    "pack": _pack,
    "record": _record,
    "position": _position,
}
_WEIGHTS = (3, 1, 4, 4)


def try_input(seed: int, number: int, kinds: tuple[str, ...] = tuple(KINDS)) -> tuple[str, str]:
    """Make one input and see what becomes of it: its kind, and what happened."""
    chance = random.Random(f"{seed} {number}")
    weights = [weight for kind, weight in zip(KINDS, _WEIGHTS, strict=True) if kind in kinds]
    kind = chance.choices([kind for kind in KINDS if kind in kinds], weights)[0]
    return kind, KINDS[kind](chance)


def try_inputs(seed: int, numbers: range) -> Counter[tuple[str, str]]:
    """Try many inputs and count what happened; a fault names its input."""
    happened: Counter[tuple[str, str]] = Counter()
    for number in numbers:
        try:
            happened[try_input(seed, number)] += 1
        except Exception as fault:
            fault.add_note(f"input {number} of seed {seed}")
            raise
    return happened
