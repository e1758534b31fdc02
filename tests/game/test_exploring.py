"""What a person at a Python prompt meets: names, texts of a game, and taking back."""

import pickle
import random
import subprocess
import sys

import pytest

import ferrovia
from ferrovia import Game, IllegalAction
from ferrovia.game import read_position, write_position
from ferrovia.game.records.tape import tape


def played(edition: str, players: int, seed: int, decisions: int) -> tuple[Game, list[Game]]:
    """Return a game after some random decisions, and how it stood before each of them."""
    game, chance = Game(edition, players, seed=seed), random.Random(seed)
    before = []
    while not game.over and len(before) < decisions:
        before.append(game.copy())
        seat = chance.choice(game.awaited)
        game.play(seat, chance.choice(game.legal_actions(seat)))
    return game, before


def same(game: Game, other: Game) -> bool:
    return (
        bytes(game.state) == bytes(other.state)
        and game.events == other.events
        and game.record().text() == other.record().text()
        and game.events_for(0) == other.events_for(0)
        and game.events_for(None) == other.events_for(None)
    )


def test_the_names_are_offered() -> None:
    program = "import ferrovia, sys; print(*dir(ferrovia)); print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    names, heavy = done.stdout.splitlines()
    assert {name for name in names.split() if name[0] != "_"} == set(ferrovia.__all__[1:])
    assert heavy == "False"


def test_every_name_can_be_loaded() -> None:
    for name in ferrovia.__all__:
        assert getattr(ferrovia, name) is not None


@pytest.mark.parametrize(
    "name", [name for name in ferrovia.__all__ if name.endswith(("Error", "Action", "Extra"))]
)
def test_errors_bear_their_public_names(name: str) -> None:
    if name == "read_action":
        return
    kind = getattr(ferrovia, name)
    assert f"{kind.__module__}.{kind.__qualname__}" == f"ferrovia.{name}"
    assert pickle.loads(pickle.dumps(kind)) is kind


def test_a_game_says_edition_turn_and_score() -> None:
    game = Game("usa", ["Ada", "Ben"], seed=7, first=1)
    assert repr(game) == "<Game usa: start, tickets to be chosen by Ada, Ben; points 0, 0>"
    game.play(0, "keep 1 2")
    assert repr(game) == "<Game usa: start, tickets to be chosen by Ben; points 0, 0>"
    game.play(1, "keep 1 2")
    assert repr(game) == "<Game usa: turn 1, Ben to decide; points 0, 0>"
    lines = str(game).splitlines()
    assert lines[0] == "USA: turn 1, Ben to decide"
    assert lines[1].split() == ["seat", "points", "trains", "cards", "tickets"]
    assert lines[2].split() == ["0", "Ada", "0", "45", "4", "2"]
    assert "face up: " in str(game)


def test_the_text_of_a_finished_game_names_the_winner() -> None:
    game, _ = played("europe", 3, 5, 10_000)
    totals = [score.total for score in game.result().scores]
    assert repr(game) == (
        f"<Game europe: over after {game.turns} turns; points {', '.join(map(str, totals))}>"
    )
    winners = " and ".join(game.names[seat] for seat in game.result().winners)
    assert f"  won by {winners}" in str(game).splitlines()
    for seat in range(3):
        assert all(route in str(game) for route in game.view(None).of(seat).routes)
    assert max(map(len, str(game).splitlines())) <= 78


def test_the_text_reveals_nothing_that_is_hidden() -> None:
    game, other = (Game("europe", 3, seed=seed, first=0) for seed in (1, 2))
    for seat in range(3):
        game.play(seat, "keep 1 2")
        other.play(seat, "keep 1 2")
    assert [line for line in str(game).splitlines() if "face up" not in line] == [
        line for line in str(other).splitlines() if "face up" not in line
    ]


@pytest.mark.parametrize(("edition", "players"), [("europe", 3), ("usa", 2), ("big-cities", 4)])
def test_everything_can_be_taken_back(edition: str, players: int) -> None:
    game, before = played(edition, players, 11, 60)
    for earlier in reversed(before):
        happened = game.events[len(earlier.events) :]
        assert game.undo() == happened
        assert same(game, earlier)
    with pytest.raises(ValueError, match="no decision to take back"):
        game.undo()


def test_the_same_decision_has_the_same_outcome_after_it_was_taken_back() -> None:
    game, _ = played("europe", 2, 3, 20)
    twin = game.copy()
    for _ in range(15):
        seat = game.awaited[0]
        action = game.legal_actions(seat)[0]
        happened = game.play(seat, action)
        assert game.undo() == happened
        assert same(game, twin)
        assert game.play(seat, action) == happened == twin.play(seat, action)


def test_the_first_choices_of_tickets_are_taken_back_in_the_order_they_were_made() -> None:
    game = Game("europe", 3, seed=7)
    first = game.copy()
    for seat in (2, 0, 1):
        game.play(seat, "keep 1 2")
    assert game.turn is not None
    assert game.undo()[0].player == 1  # type: ignore[attr-defined]
    assert game.awaited == (1,)
    game.undo()
    assert game.awaited == (0, 1)
    game.undo()
    assert same(game, first)


def test_a_copy_takes_back_on_its_own() -> None:
    game, before = played("usa", 2, 5, 12)
    twin = game.copy()
    twin.undo()
    assert same(twin, before[-1])
    assert not same(game, twin)
    game.undo()
    assert same(game, twin)


def test_the_decisions_of_a_record_can_be_taken_back() -> None:
    game, before = played("europe", 2, 9, 30)
    again = Game.from_record(game.record().text())
    for earlier in reversed(before[-6:]):
        again.undo()
        assert same(again, earlier)


def test_a_refused_decision_leaves_nothing_to_take_back() -> None:
    game = Game("usa", 2, seed=7)
    with pytest.raises(IllegalAction):
        game.play(0, "draw")
    with pytest.raises(ValueError, match="no decision to take back"):
        game.undo()


def test_a_position_and_its_foretold_cards_are_restored() -> None:
    game, _ = played("usa", 2, 5, 12)
    position = read_position(write_position(game))
    position.foretell(tape([3, 4, 5]))
    before = position.copy()
    seat = position.awaited[0]
    action = "draw" if position.phase.name == "TURN" else position.legal_actions(seat)[0]
    happened = position.play(seat, action)
    position.undo()
    assert bytes(position.state) == bytes(before.state)
    assert position.play(seat, action) == happened
