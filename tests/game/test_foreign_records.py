"""Records of other programs: every form that the record allows is read, the rest is explained."""

import json
import random
from typing import Any

import pytest

from ferrovia.boards import COLORS, edition_from_document
from ferrovia.game import Game, RecordError

Lines = list[dict[str, Any]]

SQUARE: dict[str, Any] = {
    "board": "square",
    "cities": [{"id": c, "name": c, "lat": n, "lon": n * n} for n, c in enumerate("abcd")],
    "routes": [
        {"id": f"{a}-{b}", "a": a, "b": b, "length": length, "color": "gray", "tunnel": length == 3}
        for a, b, length in (("a", "b", 3), ("b", "c", 4), ("c", "d", 3), ("d", "a", 4))
    ],
    "tickets": [
        {"id": f"square:{n}", "a": a, "b": b, "points": n}
        for n, (a, b) in enumerate((("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")) * 4, 1)
    ],
    "edition": {
        "seats": [2, 3],
        "trains": 8,
        "cards": dict.fromkeys(COLORS[:-1], 6) | {"locomotive": 20},
    },
}
"""A board on which the display is often flushed: every third card is a locomotive."""


def game_of_draws(seed: int, edition: Any = None) -> Game:
    """A game of which most turns are draws, from the display where that can be."""
    chance = random.Random(seed)
    game = Game(edition or edition_from_document(SQUARE), 2, seed=seed)
    while not game.over and len(game.events) < 200:
        seat = chance.choice(game.awaited)
        legal = [str(action) for action in game.legal_actions(seat)]
        takes = [action for action in legal if action.startswith("take")]
        game.play(seat, chance.choice(takes if takes and chance.random() < 0.7 else legal))
    return game


def lines_of(game: Game) -> Lines:
    return [json.loads(line) for line in game.record().text().splitlines()]


def read(lines: Lines) -> Game:
    return Game.from_record("\n".join(map(json.dumps, lines)))


def without_seed(lines: Lines) -> Lines:
    return [{key: value for key, value in lines[0].items() if key != "seed"}, *lines[1:]]


def taking_the_last(lines: Lines) -> tuple[Lines, int]:
    """The record of one who takes the last of equal cards; how many of these led to a flush."""
    written, display, emptied, flushes = [], [None] * 5, None, 0
    for line in json.loads(json.dumps(lines)):
        match line.get("event"):
            case "face_up":
                display, emptied = list(line["cards"]), None
            case "take":
                emptied = max(n for n, card in enumerate(display) if card == line["card"])
                moved = emptied != line["place"]
                line["place"], display[emptied] = emptied, None
            case "refill" if emptied is not None:
                line["place"], display[emptied] = emptied, line["card"]
            case "flush":
                line["cards"] = [card for card in display if card is not None]
                flushes += emptied is not None and moved
        written.append(line)
    return written, flushes


def test_of_equal_cards_any_place_may_be_named_also_when_the_display_is_flushed() -> None:
    flushes = 0
    for seed in range(12):
        game = game_of_draws(seed)
        lines, more = taking_the_last(lines_of(game))
        flushes += more
        for form in (lines, without_seed(lines)):
            again = read(form)
            assert again.result() == game.result()
            assert again.view(0).hand == game.view(0).hand
            assert again.record().events == tuple(again.events)
    assert flushes > 5


@pytest.mark.parametrize("edition", ["usa", "mega-europe", None])
def test_kept_tickets_may_be_named_in_any_order(edition: str | None) -> None:
    changed = 0
    for seed in range(4):
        game = game_of_draws(seed, edition)
        seat = game.awaited[0] if game.awaited else 0
        if "tickets" in [str(action) for action in game.legal_actions(seat)]:
            game.play(seat, "tickets")
            game.play(seat, "keep 1 2 3" if game.view(seat).keep_bounds[1] == 3 else "keep 1")
        lines = lines_of(game)
        for line in lines:
            if line.get("event") == "keep":
                changed += len(line["kept"]) > 1
                line["kept"] = line["kept"][::-1]
        for form in (lines, without_seed(lines)):
            assert read(form).result() == game.result()
    assert changed


def test_another_order_of_what_is_given_back_is_another_game() -> None:
    for seed in range(40):
        game = game_of_draws(seed, "usa")
        lines = lines_of(game)
        setup = [n for n, line in enumerate(lines) if line.get("event") == "keep"][1]
        given = [n for n, line in enumerate(lines) if len(line.get("returned", ())) == 2]
        if given and given[-1] > setup:
            break
    lines = lines[: given[-1] + 1]
    before = bytes(read(lines).state)
    lines[-1]["returned"].reverse()
    assert bytes(read(lines).state) != before


@pytest.mark.parametrize("field", ["extras", "commitment", "seed"])
def test_a_header_may_leave_out_what_follows(field: str) -> None:
    game = game_of_draws(1, "usa")
    lines = lines_of(game)
    del lines[0][field]
    again = read(lines)
    assert again.result() == game.result()
    if field != "seed":
        assert again.record().text() == game.record().text()


def test_what_is_unknown_in_a_header_is_ignored() -> None:
    game = game_of_draws(1, "usa")
    lines = lines_of(game)
    lines[0] |= {"practice": True, "parts": ["ab", "cd"]}
    assert read(lines).record().text() == game.record().text()


def test_a_result_may_be_written_with_spaces() -> None:
    game = game_of_draws(1)
    while not game.over:
        seat = game.awaited[0]
        game.play(seat, game.legal_actions(seat)[-1])
    *lines, result = game.record().text().splitlines()
    spaced = result.replace('{"result"', '{ "result" ', 1)
    assert Game.from_record("\n".join([*lines, spaced])).over


def refusal(lines: Lines) -> tuple[int | None, str]:
    with pytest.raises(RecordError) as error:
        read(lines)
    return error.value.line, error.value.message


def test_a_set_up_in_another_order_is_refused_with_its_line_and_the_reason() -> None:
    lines = lines_of(game_of_draws(3, "usa"))
    head, one, two, shown, offer = lines[:5]
    kept = next(line for line in lines if line.get("event") == "keep")
    rest = lines[5:]
    assert [line["event"] for line in (one, two, shown, offer)] == [
        *("deal", "deal", "face_up", "offer")
    ]
    assert refusal([head, offer, one, two, shown, *rest]) == (
        *(2, "tickets are offered after all hands and the display"),
    )
    assert refusal([head, one, shown, two, offer, *rest]) == (
        *(3, "the hands of all players are dealt before the display"),
    )
    assert refusal([head, one, two, shown, offer, *rest[:20], one, *rest[20:]]) == (
        *(26, "the hands are dealt first, before the display and the tickets"),
    )
    assert refusal([head, one, one, two, shown, offer, *rest]) == (
        *(3, "the hand of player 0 is dealt twice"),
    )
    assert refusal([head, one, two, shown, offer, offer, *rest]) == (
        *(6, "player 0 has not answered the offer before"),
    )
    assert refusal([head, one, two, shown, kept, offer, *rest]) == (
        *(5, "these tickets were not offered before"),
    )
    assert refusal([head, one, two, shown, {**offer, "player": 5}, *rest]) == (
        *(5, "there is no player 5"),
    )


def test_a_display_in_two_steps_is_refused_with_its_line_and_the_reason() -> None:
    head, one, two, shown, *rest = lines_of(game_of_draws(3, "usa"))
    three = {**shown, "cards": shown["cards"][:3]}
    fills = [{"event": "refill", "place": n, "card": shown["cards"][n]} for n in (3, 4)]
    assert refusal([head, one, two, three, *fills, *rest]) == (
        *(4, "the display has 5 places, all in one event; null is an empty one"),
    )
    three["cards"] = [*shown["cards"][:3], None, None]
    line, message = refusal([head, one, two, three, *fills, *rest])
    assert (line, message) == (5, "at the start the display is laid out whole, by face_up")


def test_a_record_with_a_board_of_locomotives_is_refused_at_its_first_line() -> None:
    lines = lines_of(game_of_draws(3))
    lines[0]["board"]["edition"]["cards"] = dict.fromkeys(COLORS, 0) | {"locomotive": 60, "red": 3}
    line, message = refusal(lines[:6])
    assert line == 1
    assert "60 locomotives are too many for 3 other cards" in message
