"""The shuffle with everybody's part, as a record proves it; and records without a seed."""

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ferrovia import Game, RecordError
from ferrovia.game.chance.shuffle import MIXED, PlayerPart, commitment_to, mixed_seed, mixed_shuffle

SMALL_BOARD = Path(__file__).parents[1] / "boards" / "small.json"
SERVER, ADA, BOB = "11" * 32, "a2" * 32, "b3" * 32


def part(player: int, part: str, *, revealed: bool = True) -> PlayerPart:
    commitment = hashlib.sha256(bytes.fromhex(part)).hexdigest()
    return PlayerPart(player=player, commitment=commitment, part=part if revealed else None)


def recorded(*parts: PlayerPart) -> tuple[Game, list[Any]]:
    seed, shuffle = mixed_shuffle(SERVER, parts)
    game = Game(str(SMALL_BOARD), ["Ada", "Bob"], seed=seed)
    game.shuffle = shuffle
    return game, [json.loads(line) for line in game.record().text().splitlines()]


def text(lines: list[Any]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_the_seed_is_the_hash_of_lines_that_anybody_can_write() -> None:
    lines = f"{MIXED}\nserver {SERVER}\n0 {ADA}\n1 {BOB}\n"
    summed = subprocess.run(["sha256sum"], input=lines.encode(), capture_output=True, check=True)
    right = summed.stdout.split()[0].decode()
    assert mixed_seed(SERVER, [(1, BOB), (0, ADA)]).hex() == right
    game, record = recorded(part(1, BOB), part(0, ADA))
    assert record[0]["seed"] == right
    assert record[0]["commitment"] == game.commitment == commitment_to(right)


def test_every_part_changes_the_seed() -> None:
    other = "c4" * 32
    seeds = {
        mixed_seed(SERVER, [(0, ADA), (1, BOB)]),
        mixed_seed(other, [(0, ADA), (1, BOB)]),
        mixed_seed(SERVER, [(0, other), (1, BOB)]),
        mixed_seed(SERVER, [(0, ADA), (1, other)]),
        mixed_seed(SERVER, [(0, BOB), (1, ADA)]),
        mixed_seed(SERVER, [(0, ADA)]),
        mixed_seed(SERVER, []),
    }
    assert len(seeds) == 7


def test_a_record_proves_who_had_a_part_and_keeps_the_proof() -> None:
    for parts in ((part(0, ADA), part(1, BOB)), (part(0, ADA), part(1, BOB, revealed=False)), ()):
        game, lines = recorded(*parts)
        again = Game.from_record(text(lines))
        assert again.shuffle == game.shuffle
        assert again.record().text() == game.record().text()
        assert again.copy().shuffle == game.shuffle


def test_a_view_of_a_running_game_has_all_parts_but_that_of_the_server() -> None:
    from ferrovia.game.records.record import record_for

    game, _ = recorded(part(0, ADA), part(1, BOB))
    for seat in (None, 0, 1):
        header = json.loads(record_for(game, seat).text().splitlines()[0])
        assert header["seed"] is None
        assert header["shuffle"]["server"] == {"commitment": commitment_to(SERVER), "part": None}
        assert [it["part"] for it in header["shuffle"]["players"]] == [ADA, BOB]
        assert SERVER not in record_for(game, seat).text()


def _with(**fields: Any) -> Any:
    return lambda header: header["shuffle"].update(fields)


def _player(number: int, **fields: Any) -> Any:
    return lambda header: header["shuffle"]["players"][number].update(fields)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_player(0, part="c4" * 32), "the part of player 0 is not what they committed to"),
        (_player(1, commitment="c4" * 32), "the part of player 1 is not what they committed to"),
        (_player(0, part=None), "the seed does not follow from the parts"),
        (_player(0, part="A2" * 32), "32 bytes in lower-case hex"),
        (_player(0, player=2), "one part at most"),
        (_player(1, player=0), "one part at most"),
        (_with(players=[]), "the seed does not follow from the parts"),
        (_with(server=None), "the part of the server is missing"),
        (
            _with(server={"commitment": commitment_to(SERVER), "part": None}),
            "the part of the server is not",
        ),
        (
            _with(server={"commitment": commitment_to(ADA), "part": ADA}),
            "the seed does not follow from the parts",
        ),
        (_with(players=7), "shuffle: "),
    ],
)
def test_a_proof_that_is_none_is_refused(change: Any, message: str) -> None:
    _, lines = recorded(part(0, ADA), part(1, BOB))
    change(lines[0])
    with pytest.raises(RecordError, match=message) as raised:
        Game.from_record(text(lines))
    assert raised.value.line == 1


@pytest.mark.parametrize("shuffle", ["yes", 7, {}, {"method": "of another program", "x": 1}])
def test_what_others_say_of_their_shuffle_is_left_alone(shuffle: object) -> None:
    _, lines = recorded()
    lines[0]["shuffle"] = shuffle
    assert Game.from_record(text(lines)).shuffle is None


def test_a_given_seed_is_called_so() -> None:
    _, lines = recorded()
    lines[0]["shuffle"] = {"method": "given"}
    game = Game.from_record(text(lines))
    assert game.shuffle is not None
    assert json.loads(game.record().text().splitlines()[0])["shuffle"] == {"method": "given"}


# Records without a seed


def test_a_game_from_a_record_without_a_seed_writes_none() -> None:
    """It wrote a seed of zeros, which its own replay refused."""
    _, lines = recorded(part(0, ADA), part(1, BOB))
    del lines[0]["shuffle"]
    for commitment in (lines[0]["commitment"], ""):
        lines[0] |= {"seed": None, "commitment": commitment}
        game = Game.from_record(text(lines))
        assert not game.seed_known
        for seat in (0, 1):
            game.play(seat, game.legal_actions(seat)[0])
        for one in (game, game.copy()):
            header = json.loads(one.record().text().splitlines()[0])
            assert (header["seed"], header["commitment"]) == (None, commitment)
            assert Game.from_record(one.record().text()).events == game.events


def test_decisions_of_a_game_without_a_seed_can_be_taken_back() -> None:
    game, _ = recorded()
    for seat in (0, 1):
        game.play(seat, game.legal_actions(seat)[0])
    lines = [json.loads(line) for line in game.record().text().splitlines()]
    del lines[0]["shuffle"]
    lines[0]["seed"] = None
    again = Game.from_record(text(lines))
    taken = again.undo()
    assert taken == game.events[-len(taken) :]
    assert again.events == game.events[: -len(taken)]
