"""Records: written in the fixed form, proved by replay, and judged by the independent referee."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ferrovia.boards
from ferrovia.boards import editions
from ferrovia.game import Game, RecordError
from ferrovia.game.events import LastRound
from ferrovia.game.records.record import record_for
from tests.referee.editions import EDITIONS
from tests.referee.referee import referee

DATA = Path(ferrovia.boards.__file__).parent / "data"
BOARDS = {name: json.loads((DATA / f"{name}.json").read_text()) for name in ("usa", "europe")}


def random_game(edition: str, players: int, seed: int, decisions: int | None = None) -> Game:
    chance = random.Random(seed)
    game = Game(edition, players, seed=seed)
    while not game.over and (decisions is None or decisions > 0):
        seat = chance.choice(game.awaited)
        game.play(seat, chance.choice(game.legal_actions(seat)))
        decisions = None if decisions is None else decisions - 1
    return game


@pytest.mark.parametrize("edition", editions())
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_records_replay_to_the_same_bytes_and_pass_the_referee(edition: str, players: int) -> None:
    for seed in range(4):
        game = random_game(edition, players, 100 * players + seed)
        text = game.record().text()
        again = Game.from_record(text)
        assert bytes(again.state) == bytes(game.state)
        assert again.record().text() == text
        told = json.loads(text.splitlines()[-1])["result"]
        judged = referee(text, BOARDS, EDITIONS)
        assert [score["total"] for score in judged["scores"]] == [
            score["total"] for score in told["scores"]
        ]
        assert judged["winners"] == told["winners"]


@settings(max_examples=30)
@given(st.sampled_from(editions()), st.integers(2, 5), st.integers(0, 2**30), st.integers(0, 300))
def test_running_games_resume_from_their_record(
    edition: str, players: int, seed: int, decisions: int
) -> None:
    game = random_game(edition, players, seed, decisions)
    again = Game.from_record(game.record().text())
    assert bytes(again.state) == bytes(game.state)
    assert again.awaited == game.awaited
    for seat in (None, *range(players)):
        assert again.events_for(seat) == game.events_for(seat)


def test_a_game_resumes_from_every_moment_of_its_record() -> None:
    chance = random.Random(2)
    game = Game("usa-classic", 2, seed=2)
    announced = 0
    while not game.over:
        seat = chance.choice(game.awaited)
        happened = game.play(seat, chance.choice(game.legal_actions(seat)))
        again = Game.from_record(game.record().text())
        assert bytes(again.state) == bytes(game.state)
        announced += any(isinstance(event, LastRound) for event in happened)
    assert announced == 1


def test_without_a_seed_a_record_is_proved_by_its_outcomes() -> None:
    for number, edition in enumerate(editions()):
        game = random_game(edition, 2 + number % 4, number)
        lines = game.record().text().splitlines()
        header = json.loads(lines[0])
        header["seed"] = None
        again = Game.from_record("\n".join([json.dumps(header), *lines[1:]]))
        assert again.result() == game.result()


def lines_of(game: Game) -> list[Any]:
    return [json.loads(line) for line in game.record().text().splitlines()]


def refused(lines: list[Any]) -> RecordError:
    with pytest.raises(RecordError) as error:
        Game.from_record("\n".join(map(json.dumps, lines)))
    return error.value


def test_stacked_cards_are_found() -> None:
    """Another hand that the rules allow, but not the one that the seed gives."""
    lines = lines_of(random_game("europe", 2, 5, 0))
    lines = [line for line in lines if line.get("event") != "offer"]
    cards = lines[1]["cards"]
    lines[1]["cards"] = cards[1:] + cards[:1] if cards[0] != cards[1] else cards[::-1]
    if lines[1]["cards"] == cards:
        lines[1]["cards"][0] = "purple" if cards[0] != "purple" else "blue"
    assert "seed" in str(refused(lines))


def test_last_round_may_stand_before_its_refills_and_offers_may_interleave() -> None:
    game = random_game("usa", 3, 9)
    lines = lines_of(game)
    offers = [line for line in lines if line.get("event") == "offer"][:3]
    keeps = [line for line in lines if line.get("event") == "keep"][:3]
    rest = [line for line in lines if line not in offers + keeps]
    at = next(i for i, line in enumerate(rest) if line.get("event") == "face_up") + 1
    while rest[at].get("event") in ("flush", "face_up", "shuffle"):
        at += 1
    by_seat = [
        next(line for line in group if line["player"] == seat)
        for seat in range(3)
        for group in (offers, keeps)
    ]
    again = Game.from_record("\n".join(map(json.dumps, rest[:at] + by_seat + rest[at:])))
    assert again.result() == game.result()


def change(lines: list[Any], event: str, **fields: object) -> list[Any]:
    """The record with fields changed of the last event of a kind that has others."""
    changed: list[Any] = json.loads(json.dumps(lines))
    of_kind = [line for line in changed if line.get("event") == event]
    [line for line in of_kind if line | fields != line][-1].update(fields)
    return changed


@pytest.mark.parametrize(
    ("event", "fields", "rule"),
    [
        ("claim", {"points": 99}, "R10.1"),
        ("claim", {"cards": ["locomotive"] * 5 + ["red"] * 4}, "R5.1"),
        ("draw", {"card": "locomotive"}, None),
        ("take", {"place": 4, "card": "purple"}, None),
        ("refill", {"place": 0, "card": "locomotive"}, None),
        ("keep", {"kept": []}, None),
        ("last_round", {"player": 5}, "R10.2"),
        ("shuffle", {"count": 1}, "R4.8"),
    ],
)
def test_a_changed_event_is_refused_with_its_line(
    event: str, fields: dict[str, object], rule: str | None
) -> None:
    lines = lines_of(random_game("europe", 4, 77))
    error = refused(change(lines, event, **fields))
    assert error.line is not None
    assert error.line <= len(lines)
    assert rule in (None, error.rule)


@pytest.mark.parametrize(
    ("field", "rule"),
    [
        ("routes", "R10.1"),
        ("tickets", "R10.3"),
        ("stations", "R10.4"),
        ("longest", "R10.5"),
        ("bonus", "R10.5"),
        ("total", "R10.6"),
    ],
)
def test_a_changed_score_is_refused_with_its_rule(field: str, rule: str) -> None:
    lines = lines_of(random_game("europe", 2, 6))
    lines[-1]["result"]["scores"][1][field] += 1
    error = refused(lines)
    assert (error.rule, error.line) == (rule, len(lines))


def test_other_winners_are_refused() -> None:
    lines = lines_of(random_game("europe", 2, 6))
    lines[-1]["result"]["winners"] = [0, 1]
    assert refused(lines).rule == "R10.6"


@settings(max_examples=150)
@given(st.randoms(use_true_random=False))
def test_damaged_records_are_refused_and_nothing_else_is_raised(chance: random.Random) -> None:
    lines = DAMAGE[chance.randrange(len(DAMAGE))].splitlines()
    kind = chance.randrange(5)
    at = chance.randrange(len(lines))
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(chance.randrange(len(lines)), lines[at])
    elif kind == 2:
        middle = chance.randrange(len(lines[at]))
        lines[at] = lines[at][:middle] + chance.choice('"}{[],:0a\\') + lines[at][middle + 1 :]
    elif kind == 3:
        other = chance.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines = lines[:at]
    text = "\n".join(lines)
    try:
        game = Game.from_record(text)
    except RecordError:
        return
    assert isinstance(game, Game)


DAMAGE = [random_game(edition, 2, 3).record().text() for edition in ("usa", "mega-europe")]


@pytest.mark.parametrize(
    "text",
    ["", "\n", "{}", "null", "[]", '{"record": "other"}', "\x00", '{"record":' * 5000, "é" * 10],
)
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        Game.from_record(text)


def test_a_view_is_not_a_full_record() -> None:
    game = random_game("europe", 2, 4, 30)
    for seat in (0, 1, None):
        with pytest.raises(RecordError, match="one player's view") as error:
            Game.from_record(record_for(game, seat).text())
        assert error.value.line == (2 if seat != 0 else 3)


@pytest.mark.parametrize(
    ("event", "fields", "message"),
    [
        ("claim", {"route": "paris-zurig"}, "there is no route 'paris-zurig'; did you mean"),
        ("claim", {"route": "q"}, "there is no route 'q'"),
        ("claim", {"cards": ["crimson"] * 3}, "there is no card 'crimson'; known: purple, blue,"),
        ("claim", {"cards": ["red", "blue"]}, "cards of one colour only, and locomotives"),
        ("claim", {"points": 1 << 40}, "a number is out of range"),
        ("station", {"city": "pari"}, "there is no city 'pari'; did you mean 'paris'?"),
        ("draw", {"card": "gren"}, "there is no card 'gren'; did you mean 'green'?"),
        ("take", {"card": "x" * 60}, f"there is no card '{'x' * 40}…'"),
        ("offer", {"tickets": ["europe:berlin-rom"]}, "there is no ticket 'europe:berlin-rom'"),
        ("keep", {"kept": None}, "a card or ticket is hidden"),
        ("draw", {"card": None}, "a card or ticket is hidden"),
    ],
)
def test_a_name_that_does_not_exist_is_told_from_a_hidden_one(
    event: str, fields: dict[str, object], message: str
) -> None:
    lines = lines_of(random_game("europe", 4, 77))
    changed = change(lines, event, **fields)
    error = refused(changed)
    assert error.message.startswith(message)
    assert changed[(error.line or 0) - 1].items() >= fields.items()


def test_the_line_of_a_hand_is_its_own_in_any_order() -> None:
    lines = lines_of(random_game("europe", 3, 5, 0))
    assert [line["player"] for line in lines[1:4]] == [0, 1, 2]
    lines[1:4] = lines[3:0:-1]
    lines[1]["cards"][0] = "violet"  # of player 2
    assert refused(lines).line == 2


def test_a_record_names_an_edition_that_exists() -> None:
    lines = lines_of(random_game("europe", 2, 5, 0))
    lines[0]["edition"] = "europa"
    assert "there is no edition 'europa'; did you mean 'europe'?" in str(refused(lines))


def test_a_board_of_ones_own_travels_in_the_record(tmp_path: Path) -> None:
    document = json.loads((DATA / "usa.json").read_text())
    document["board"] = "my_board"
    document["tickets"] = [ticket for ticket in document["tickets"] if ticket["set"] == "classic"]
    path = tmp_path / "my_board.json"
    path.write_text(json.dumps(document))
    game = random_game(str(path), 2, 8)
    path.unlink()
    again = Game.from_record(game.record().text())
    assert again.result() == game.result()
