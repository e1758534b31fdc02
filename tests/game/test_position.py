"""Positions as text: strict reading, one normal form, and games that go on from them."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ferrovia.boards import COLORS, BoardError, editions, load_edition
from ferrovia.game import (
    Game,
    Phase,
    PositionError,
    read_position,
    why_composed,
    write_position,
)
from ferrovia.game.events import Draw, Refill, Take

DIAGRAM = """
    edition: europe
    turn: 0
    display: red red blue green locomotive
    discards: blue*3
    next: red locomotive
    seat 0: hand red*3 locomotive | routes paris-zurich | stations wien | tickets europe:berlin-roma
    seat 1: hand blue*4
"""

NORMAL = """\
edition: usa
composed: yes
turn: 1
display: red red none green locomotive
deck: purple*2 white
discards: blue*3
tickets: classic:boston-miami 2025:atlanta-washington
last round: 2
seat 0: hand red*3 locomotive | routes boston-montreal | tickets classic:denver-el_paso | trains 43
seat 1: hand blue*4 | trains 7
"""


@pytest.mark.uncompiled
def test_a_diagram_is_the_game_it_shows() -> None:
    game = read_position(DIAGRAM)
    view = game.view(0)
    assert (game.edition.id, game.players, game.turn, game.phase) == ("europe", 2, 0, Phase.TURN)
    assert view.display == ("red", "red", "blue", "green", "locomotive")
    assert view.discards == {"blue": 3}
    assert view.hand == {"red": 3, "locomotive": 1}
    assert view.tickets == ("europe:berlin-roma",)
    assert view.owners == {"paris-zurich": 0}
    assert view.of(0).stations == ("wien",)
    assert view.of(0).trains == 42
    assert view.of(0).points == 4
    assert view.deck_size == 110 - 5 - 3 - 4 - 4
    assert view.ticket_deck_size == 39
    assert view.turns_left is None
    assert game.events == []


@pytest.mark.uncompiled
def test_next_foretells_the_cards_that_are_drawn() -> None:
    game = read_position(DIAGRAM)
    assert game.play(0, "take blue") == [Take(0, 2, "blue"), Refill(2, "red")]
    assert game.play(0, "draw") == [Draw(0, "locomotive")]


@pytest.mark.uncompiled
def test_what_is_foretold_is_not_used_up_by_a_refusal_or_a_copy() -> None:
    game = read_position(DIAGRAM)
    with pytest.raises(ValueError, match="face up"):
        game.play(0, "take white")
    assert game.why_not(0, "draw") is None
    assert game.copy().play(0, "draw") == [Draw(0, "red")]
    assert game.play(0, "draw") == [Draw(0, "red")]


@pytest.mark.uncompiled
def test_what_is_left_out_has_its_obvious_value() -> None:
    game = read_position("edition: usa\nturn: 1\nseat 0:\nseat 1:\nseat 2:")
    view = game.view(1)
    assert game.players == 3
    assert game.turn == 1
    assert view.hand == {}
    assert view.deck_size == 110
    assert view.ticket_deck_size == 31
    assert [view.of(seat).trains for seat in range(3)] == [45] * 3


@pytest.mark.uncompiled
def test_long_tickets_are_not_in_the_ticket_deck() -> None:
    game = read_position("edition: europe\nturn: 0\nseat 0:\nseat 1:")
    assert game.view(0).ticket_deck_size == 40


@pytest.mark.uncompiled
def test_hand_rest_takes_all_cards_that_lie_nowhere_else() -> None:
    game = read_position("""
        edition: usa
        turn: 0
        display: red red blue green locomotive
        discards: white*12
        seat 0: hand rest
        seat 1: hand black*12
    """)
    assert game.view(0).of(0).cards == 110 - 5 - 12 - 12
    assert game.view(0).hand["locomotive"] == 13
    assert "white" not in game.view(0).hand
    assert game.view(0).deck_size == 0


@pytest.mark.uncompiled
def test_hand_rest_leaves_the_deck_that_is_named() -> None:
    game = read_position("""
        edition: usa
        turn: 0
        deck: red*2
        seat 0: hand rest
        seat 1:
    """)
    assert game.view(0).of(0).cards == 108


@pytest.mark.uncompiled
def test_the_normal_form_reads_back_to_itself() -> None:
    assert write_position(read_position(NORMAL)) == NORMAL


@pytest.mark.uncompiled
def test_spaces_and_empty_lines_do_not_matter() -> None:
    loose = "\n\n".join(f"   {line}  " for line in NORMAL.splitlines()).replace(" | ", "|")
    assert write_position(read_position(loose)) == NORMAL


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 5), st.sampled_from(editions()))
def test_positions_of_games_round_trip(seed: int, players: int, edition: str) -> None:
    chance = random.Random(seed)
    game = Game(edition, players, seed=seed)
    for _ in range(chance.randrange(250)):
        if game.over:
            break
        seat = chance.choice(game.awaited)
        game.play(seat, chance.choice(game.legal_actions(seat)))
    while game.phase is not Phase.TURN:
        if game.over:
            return
        seat = game.awaited[0]
        game.play(seat, game.legal_actions(seat)[0])
    text = write_position(game)
    assert why_composed(game) is None
    again = read_position(text)
    assert write_position(again) == text
    assert again.turn == game.turn
    assert again.result() == game.result()
    for seat in range(players):
        assert again.legal_actions(seat) == game.legal_actions(seat)
        assert again.view(seat).hand == game.view(seat).hand
        assert again.view(seat).tickets == game.view(seat).tickets
        mine, its = again.view(None).of(seat), game.view(None).of(seat)
        assert (mine.trains, mine.points, mine.stations) == (its.trains, its.points, its.stations)
    assert again.view(None).turns_left == game.view(None).turns_left


@pytest.mark.parametrize("edition", editions())
def test_a_game_goes_on_from_a_position(edition: str) -> None:
    game = read_position(f"edition: {edition}\nturn: 0\nseat 0: hand red*4\nseat 1: hand blue*4")
    chance = random.Random(1)
    while not game.over:
        seat = game.awaited[0]
        game.play(seat, chance.choice(game.legal_actions(seat)))
    assert game.result().winners


@pytest.mark.uncompiled
@pytest.mark.parametrize("phase", ["start", "second card", "tickets", "tunnel", "over"])
def test_a_position_stands_between_turns(phase: str) -> None:
    if phase == "start":
        game = Game("europe", 2, seed=1)
    else:
        game = read_position("""
            edition: europe
            turn: 0
            display: red red blue green locomotive
            next: red red red
            last round: 1
            seat 0: hand red*3
            seat 1:
        """)
        for action in {
            "second card": ["draw"],
            "tickets": ["tickets"],
            "tunnel": ["claim angora-constantinople red red"],
            "over": ["draw", "draw"],
        }[phase]:
            game.play(0, action)
    with pytest.raises(PositionError, match="between turns"):
        write_position(game)


HEAD = "edition: europe\nturn: 0\n"
SEATS = "seat 0: hand red\nseat 1: hand blue\n"


@pytest.mark.uncompiled
@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        SEATS,
        "edition: europe\n" + SEATS,
        "turn: 0\n" + SEATS,
        HEAD,
        HEAD + "seat 0:",
        HEAD + "".join(f"seat {seat}:\n" for seat in range(6)),
        HEAD + "seat 1:\nseat 0:",
        HEAD + "seat 0:\nseat 2:",
        HEAD + HEAD + SEATS,
        HEAD + SEATS + "weather: fine",
        "edition: europe\nturn: 2\n" + SEATS,
        "edition: europe\nturn: -1\n" + SEATS,
        "edition: europe\nturn: first\n" + SEATS,
        HEAD + "display: red red red red red red\n" + SEATS,
        HEAD + "display: pink\n" + SEATS,
        HEAD + "deck: red*13\n" + SEATS,
        HEAD + "deck: red*x\n" + SEATS,
        HEAD + "deck: red*-1\n" + SEATS,
        HEAD + "discards: gray\n" + SEATS,
        HEAD + "next: pink\n" + SEATS,
        HEAD + "tickets: europe:paris-atlantis\n" + SEATS,
        HEAD + "tickets: europe:paris-wien europe:paris-wien\n" + SEATS,
        HEAD + "last round: 3\n" + SEATS,
        HEAD + "last round: soon\n" + SEATS,
        HEAD + "seat 0: hand red*12\nseat 1: hand red",
        HEAD + "seat 0: cards red\nseat 1:",
        HEAD + "seat 0: hand red | hand blue\nseat 1:",
        HEAD + "seat 0: routes paris-atlantis\nseat 1:",
        HEAD + "seat 0: stations atlantis\nseat 1:",
        HEAD + "seat 0: stations wien roma paris berlin\nseat 1:",
        HEAD + "seat 0: trains 46\nseat 1:",
        HEAD + "seat 0: trains few\nseat 1:",
        HEAD + "seat 0: tickets classic:boston-miami\nseat 1:",
        HEAD + "tickets: europe:paris-wien\nseat 0: tickets europe:paris-wien\nseat 1:",
        "edition: usa\nturn: 0\nseat 0: stations boston\nseat 1:",
        HEAD
        + "seat 0: routes petrograd-stockholm budapest-kyiv palermo-smyrna athina-brindisi"
        + " athina-sarajevo barcelona-marseille berlin-danzig brest-pamplona bucuresti-budapest"
        + " bucuresti-kyiv\nseat 1:",
    ],
)
def test_what_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(PositionError):
        read_position(text)


@pytest.mark.uncompiled
def test_an_edition_that_is_unknown() -> None:
    with pytest.raises(BoardError):
        read_position("edition: atlantis\nturn: 0\n" + SEATS)


IMPOSSIBLE = {
    "a route of two players": "seat 0: routes berlin-wien\nseat 1: routes berlin-wien",
    "a route twice": "seat 0: routes berlin-wien berlin-wien\nseat 1:",
    "both halves of a double": "seat 0: routes bruxelles-paris bruxelles-paris-2\nseat 1:",
    "a double of two players": "seat 0: routes bruxelles-paris\nseat 1: routes bruxelles-paris-2",
    "two stations in a city": "seat 0: stations wien\nseat 1: stations wien",
    "a station twice": "seat 0: stations wien wien\nseat 1:",
    "a ticket of two players": "".join(f"seat {n}: tickets europe:kyiv-sochi\n" for n in (0, 1)),
    "a ticket twice": "seat 0: tickets europe:kyiv-sochi europe:kyiv-sochi\nseat 1:",
    "two hands of the rest": "seat 0: hand rest\nseat 1: hand rest",
    "no turn left": "last round: 0\n" + SEATS,
    "a display counted": "display: red*2 blue\n" + SEATS,
}


@pytest.mark.uncompiled
@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_what_cannot_be_is_refused_as_well(what: str) -> None:
    with pytest.raises(PositionError):
        read_position(HEAD + IMPOSSIBLE[what])


@pytest.mark.uncompiled
def test_a_seat_has_no_more_routes_than_trains() -> None:
    """Once the trains were counted in eight bits, and all connections of a board were accepted."""
    usa = load_edition("usa").board
    routes = [route.id for route in usa.routes if not route.id.endswith("-2")]
    for count in range(20, len(routes) + 1):
        text = f"edition: usa\nturn: 0\nseat 0: routes {' '.join(routes[:count])}\nseat 1:"
        if sum(usa.route(id).length for id in routes[:count]) > 45:
            with pytest.raises(PositionError, match="too few trains"):
                read_position(text)


@pytest.mark.uncompiled
@pytest.mark.parametrize("trains", ["45", "9" * 5000, "-1"])
def test_a_seat_has_no_more_trains_than_its_routes_leave(trains: str) -> None:
    with pytest.raises(PositionError, match="a number below 43"):
        read_position(HEAD + f"seat 0: routes paris-zurich | trains {trains}\nseat 1:")


MEGA_LONG = [ticket.id for ticket in load_edition("mega-europe").tickets if ticket.long]
COMPOSED = {
    "three locomotives": (
        "europe",
        "display: locomotive locomotive locomotive red red",
        "",
        "three locomotives do not stay face up",
    ),
    "a long ticket": (
        "mega-europe",
        f"tickets: {MEGA_LONG[0]}",
        "",
        f"the long ticket {MEGA_LONG[0]} is in the ticket deck",
    ),
    "two long tickets": (
        "mega-europe",
        "",
        f"tickets {MEGA_LONG[0]} {MEGA_LONG[1]}",
        "seat 0 holds more than 1 long tickets",
    ),
}


@pytest.mark.uncompiled
@pytest.mark.parametrize("what", COMPOSED)
def test_what_no_game_leads_to_is_refused_unless_it_says_so(what: str) -> None:
    name, more, seat, reason = COMPOSED[what]
    text = f"turn: 0\n{more}\nseat 0: {seat}\nseat 1:"
    with pytest.raises(PositionError, match=reason):
        read_position(f"edition: {name}\n{text}")
    with pytest.raises(PositionError, match="composed"):
        read_position(f"edition: {name}\ncomposed: no\n{text}")
    game = read_position(f"edition: {name}\ncomposed: yes\n{text}")
    assert str(why_composed(game)).startswith(reason)
    written = write_position(game)
    assert written.splitlines()[1] == "composed: yes"
    assert write_position(read_position(written)) == written


@pytest.mark.uncompiled
@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("deck: red*2", "cards that are nowhere: 12 purple (R2.1)"),
        ("tickets: classic:boston-miami", "tickets that are nowhere: 30 regular ones (R8.2)"),
        ("display: red red blue green white", None),
    ],
)
def test_what_is_nowhere_marks_a_position_as_composed(more: str, reason: str | None) -> None:
    game = read_position(f"edition: usa\nturn: 0\n{more}\nseat 0:\nseat 1:")
    assert why_composed(game) == reason
    assert ("composed: yes" in write_position(game)) == (reason is not None)


@pytest.mark.uncompiled
def test_a_text_without_end_is_no_position() -> None:
    with pytest.raises(PositionError, match="at most"):
        read_position(HEAD + SEATS + "\n" * 100_000)


@pytest.mark.uncompiled
def test_what_is_foretold_must_be_in_the_deck_when_it_is_drawn() -> None:
    game = read_position(HEAD + "deck: red\nnext: blue\n" + SEATS)
    before = bytes(game.state)
    with pytest.raises(ValueError, match="the tape names a card"):
        game.play(0, "draw")
    assert bytes(game.state) == before


@given(st.text(max_size=80))
def test_any_text_is_a_position_or_an_error(text: str) -> None:
    with pytest.raises((PositionError, BoardError)):
        read_position(text)


LINES = [
    *("edition: usa", "turn: 0", "turn: 1", "deck: red*3", "deck:", "discards: blue", "next: red"),
    *("display: red none", "last round: 1", "tickets:", "seat 0:", "seat 1: hand red*2", "seat 2:"),
    *("seat 0: hand rest", "seat 1: trains 3 | routes boston-montreal", "seat 1: | |", ":", "a: b"),
]


@settings(deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=8))
def test_any_lines_are_a_position_or_an_error(lines: list[str]) -> None:
    try:
        game = read_position("\n".join(lines))
    except (PositionError, BoardError):
        return
    assert write_position(read_position(write_position(game))) == write_position(game)
    assert game.legal_actions(game.awaited[0])


@pytest.mark.uncompiled
def test_cards_stand_in_the_order_of_the_colours() -> None:
    hand = " ".join(reversed(COLORS))
    game = read_position(f"edition: usa\nturn: 0\nseat 0: hand {hand}\nseat 1:")
    assert f"seat 0: hand {' '.join(COLORS)} | trains 45" in write_position(game)
