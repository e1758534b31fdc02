"""Events as sentences."""

import pytest

from ferrovia.boards import load_edition
from ferrovia.game import events
from ferrovia.terminal.sentences import Narrator, counted, distinct, listing

YOU, ADA = 0, 1


def told(*happened: events.Event) -> str:
    return " ".join(Narrator(load_edition("europe"), ["Me", "Ada"], YOU).narrate(happened))


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (events.Deal(YOU, ("red", "red")), "You got 2 red."),
        (events.Deal(ADA, (None, None)), ""),
        (events.Offer(ADA, (None, None, None)), "Ada drew three tickets."),
        (events.Keep(ADA, None, None), "Ada chose tickets."),
        (
            events.Keep(ADA, (None,), (None, None)),
            "Ada kept one ticket, giving back two tickets.",
        ),
        (
            events.Keep(YOU, ("europe:berlin-roma",), ()),
            "You kept Berlin – Roma (9).",
        ),
        (events.Take(ADA, 3, "orange"), "Ada took an orange card from the display."),
        (events.Take(ADA, 3, "locomotive"), "Ada took a locomotive from the display."),
        (events.Draw(ADA, None), "Ada drew a card from the deck."),
        (events.Draw(YOU, "blue"), "You drew a blue card from the deck."),
        (events.Refill(3, "red"), ""),
        (
            events.Flush(("locomotive", "red", "locomotive", "locomotive", "red")),
            "Three locomotives lay face up: the display was discarded and laid out again.",
        ),
        (events.Shuffle(40), "The discards were shuffled to a new deck of 40 cards."),
        (
            events.Claim(ADA, "paris-zurich", ("blue", "locomotive", "locomotive"), 4),
            "Ada claimed Paris – Zürich with 1 blue, 2 locomotives for 4 points.",
        ),
        (
            events.Station(ADA, "wien", ("red",)),
            "Ada built a station in Wien with 1 red.",
        ),
        (events.PassTurn(ADA), "Ada passed, as nothing was possible."),
        (
            events.LastRound(YOU),
            "LAST ROUND: You have two trains or fewer. Everybody has one more turn.",
        ),
    ],
)
def test_an_event_is_one_sentence(event: events.Event, sentence: str) -> None:
    assert told(event) == sentence


def test_a_turn_is_told_in_one_go() -> None:
    assert told(events.Take(ADA, 0, "red"), events.Refill(0, "blue"), events.Draw(ADA, None)) == (
        "Ada took a red card from the display and drew a card from the deck."
    )
    assert told(events.Draw(ADA, None), events.Draw(ADA, None)) == (
        "Ada drew two cards from the deck."
    )
    assert told(events.Take(ADA, 0, "red"), events.Take(ADA, 1, "red")) == (
        "Ada took two red cards from the display."
    )
    assert told(events.Take(ADA, 0, "red"), events.Take(YOU, 1, "red")) == (
        "Ada took a red card from the display. You took a red card from the display."
    )


def test_a_tunnel_is_told_to_its_end() -> None:
    laid = events.Tunnel(ADA, "paris-zurich", ("red",) * 3, ("red", "blue", "black"), 1)
    start = (
        "Ada laid 3 red for the tunnel Paris – Zürich "
        "(turned up: red, blue, black; 1 more to pay) and "
    )
    paid = events.Claim(ADA, "paris-zurich", ("red",) * 4, 4)
    assert told(laid, paid) == f"{start}claimed it with 4 red for 4 points."
    assert told(laid, events.Withdraw(ADA, "paris-zurich")) == f"{start}took the cards back."


def test_lists_and_names() -> None:
    assert listing(["a", "b", "c"]) == "a, b and c"
    assert counted([]) == "nothing"
    assert distinct(["x", "y", "x"]) == ["x (seat 0)", "y", "x (seat 2)"]
