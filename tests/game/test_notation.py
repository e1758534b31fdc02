"""The text form of actions: strict, one normal form, and no way to crash it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ferrovia.boards import COLORS, editions, load_edition
from ferrovia.game import (
    Action,
    BuildStation,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    Game,
    InvalidAction,
    KeepTickets,
    Pass,
    PayTunnel,
    TakeCard,
    WithdrawTunnel,
    read_action,
)

pytestmark = pytest.mark.uncompiled

ROUTES = sorted({route.id for name in editions() for route in load_edition(name).board.routes})
CITIES = sorted({city.id for name in editions() for city in load_edition(name).board.cities})

cards = st.lists(st.sampled_from(COLORS), min_size=1, max_size=12).map(
    lambda names: tuple(sorted(names, key=COLORS.index))
)


@st.composite
def keeps(draw: st.DrawFn) -> KeepTickets:
    offered = draw(st.permutations(range(1, draw(st.integers(1, 6)) + 1)))
    split = draw(st.integers(0, len(offered)))
    back = tuple(offered[split:]) if draw(st.booleans()) else ()
    return KeepTickets(tuple(sorted(offered[:split])), back)


actions = st.one_of(
    st.sampled_from([DrawCard(), DrawTickets(), WithdrawTunnel(), Pass()]),
    st.sampled_from(COLORS).map(TakeCard),
    keeps(),
    st.builds(ClaimRoute, st.sampled_from(ROUTES), cards),
    st.builds(BuildStation, st.sampled_from(CITIES), cards),
    st.builds(PayTunnel, cards),
)


@given(actions)
def test_every_action_reads_back_to_itself(action: Action) -> None:
    assert read_action(str(action)) == action


@given(actions, st.data())
def test_spaces_and_the_order_of_cards_do_not_matter(action: Action, data: st.DataObject) -> None:
    words = str(action).split()
    spaces = data.draw(st.sampled_from([" ", "   ", "\t", " \n"]))
    assert read_action(spaces + spaces.join(words) + spaces) == action
    head = {"claim": 2, "station": 2, "pay": 1}.get(words[0])
    if head is not None:
        tail = data.draw(st.permutations(words[head:]))
        assert read_action(" ".join([*words[:head], *tail])) == action


@given(actions)
def test_actions_are_values(action: Action) -> None:
    twin = read_action(str(action))
    assert (twin == action, hash(twin) == hash(action)) == (True, True)
    assert {action, twin} == {action}


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("draw", DrawCard()),
        ("take red", TakeCard("red")),
        ("tickets", DrawTickets()),
        ("keep 3 1", KeepTickets((1, 3))),
        ("keep 2 back 3 1", KeepTickets((2,), (3, 1))),
        ("keep none", KeepTickets(())),
        ("keep none back 2 1", KeepTickets((), (2, 1))),
        (
            "claim paris-zurich locomotive blue blue",
            ClaimRoute("paris-zurich", ("blue", "blue", "locomotive")),
        ),
        ("pay blue", PayTunnel(("blue",))),
        ("withdraw", WithdrawTunnel()),
        ("station wien red red", BuildStation("wien", ("red", "red"))),
        ("pass", Pass()),
    ],
)
def test_the_forms_of_the_notation(text: str, action: Action) -> None:
    assert read_action(text) == action


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "Draw",
        "draw draw",
        "draw red",
        "take",
        "take red blue",
        "take pink",
        "take gray",
        "tickets 3",
        "keep",
        "keep 1 1",
        "keep one",
        "keep -1",
        "keep 1.0",
        "keep ²",
        "keep ١",
        "keep 1000",
        "keep none 1",
        "keep 1 none",
        "keep 1 back",
        "keep back 1 back",
        "keep 1 back 2 2",
        "keep 1 back none",
        "claim",
        "claim paris-zurich",
        "claim paris-zurich pink",
        "claim paris-zurich blue*3",
        "pay",
        "pay nothing",
        "withdraw now",
        "station",
        "station wien",
        "pass please",
        "resign",
        "draw\x00",
    ],
)
def test_what_cannot_be_read_is_invalid(text: str) -> None:
    with pytest.raises(InvalidAction):
        read_action(text)


def normal_or_invalid(text: str) -> None:
    try:
        action = read_action(text)
    except InvalidAction:
        return
    assert read_action(str(action)) == action


@given(st.text())
@example("keep back 1")
@example("claim \ud800 red")
def test_any_text_is_an_action_or_invalid(text: str) -> None:
    normal_or_invalid(text)


VOCABULARY = [
    *("draw", "take", "tickets", "keep", "claim", "pay", "withdraw", "station", "pass"),
    *("none", "back", "wien", "paris-zurich"),
    *COLORS,
    *map(str, range(9)),
    "-1",
    "99",
    "pink",
    "",
]


@given(st.lists(st.sampled_from(VOCABULARY), max_size=7).map(" ".join))
def test_any_words_of_the_notation_are_an_action_or_invalid(text: str) -> None:
    normal_or_invalid(text)


def test_names_are_checked_against_the_board() -> None:
    game = Game("europe", 2, seed=1, first=0)
    for seat in range(2):
        game.play(seat, "keep 1 2")
    before = bytes(game.state)
    for text in ("claim paris-atlantis red", "station atlantis red", "claim wien red"):
        with pytest.raises(InvalidAction, match="there is no"):
            game.play(0, text)
    assert bytes(game.state) == before
    game.play(0, "tickets")
    before = bytes(game.state)
    with pytest.raises(InvalidAction, match="back"):
        game.play(0, "keep 1 back 2")  # the third is neither kept nor given back
    with pytest.raises(InvalidAction, match="back"):
        game.play(0, "keep 1 2 back 2 3")
    assert bytes(game.state) == before


@pytest.mark.parametrize(
    "action",
    [
        pytest.param(KeepTickets((1, 1)), id="a ticket twice"),
        pytest.param(TakeCard("pink"), id="no such card"),
        pytest.param(ClaimRoute("kyiv-smolensk", ("pink",) * 3), id="no such cards"),
    ],
)
def test_an_action_made_by_hand_is_checked_like_one_that_was_read(action: Action) -> None:
    game = Game("europe", 2, seed=1, first=0)
    for seat in range(2):
        game.play(seat, "keep 1 2")
    if isinstance(action, KeepTickets):
        game.play(0, "tickets")
    with pytest.raises(InvalidAction):
        game.play(0, action)


@given(st.integers(0, 2**16))
def test_every_legal_action_reads_back(seed: int) -> None:
    game = Game(editions()[seed % len(editions())], 2, seed=seed)
    for action in game.legal_actions(0):
        assert read_action(str(action)) == action
