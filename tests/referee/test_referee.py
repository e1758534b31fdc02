"""The referee accepts right records, and refuses broken ones by the rule that they break."""

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from itertools import combinations
from typing import Any

import pytest

from .editions import CARDS, EDITIONS
from .referee import Breach, referee
from .scorer import longest, tickets_with_stations, winners

Line = dict[str, Any]
L = "locomotive"


def route(
    a: str, b: str, length: int, color: str, *, ferry: int = 0, tunnel: bool = False, name: str = ""
) -> Line:
    """Return a route as board files have it."""
    return {
        "id": name or f"{a}-{b}",
        "a": a,
        "b": b,
        "length": length,
        "color": color,
        "ferry": ferry,
        "tunnel": tunnel,
    }


def ticket(name: str, points: int, *, long: bool = False, mark: bool = False) -> Line:
    """Return a ticket as board files have it; the name gives the cities."""
    a, b = name.split("-")
    return {
        "id": name,
        "a": a,
        "b": b,
        "points": points,
        "set": "tiny",
        "long": long,
        "big_city": mark,
    }


BOARD = {
    "board": "tiny",
    "cities": [{"id": city} for city in "abcde"],
    "routes": [
        route("a", "b", 2, "red", name="a-b-red"),
        route("a", "b", 2, "blue", name="a-b-blue"),
        route("b", "c", 3, "gray"),
        route("c", "d", 2, "gray", ferry=1),
        route("b", "d", 2, "green", tunnel=True),
        route("a", "d", 4, "yellow"),
        route("d", "e", 1, "gray"),
    ],
    "tickets": [
        ticket("a-e", 10, long=True),
        ticket("b-c", 9, long=True),
        ticket("c-a", 8, long=True),
        ticket("a-b", 2),
        ticket("a-c", 5, mark=True),
        ticket("a-d", 4),
        ticket("b-d", 3),
        ticket("b-e", 4),
        ticket("c-d", 2),
        ticket("c-e", 3),
        ticket("d-e", 1),
    ],
}

EDITION = {
    **EDITIONS["europe"],
    "board": "tiny",
    "sets": ["tiny"],
    "trains": 6,
    "stations": 2,
    "start": [{"long": 1, "regular": 2, "least": 2, "most": 3}],
}
ONE_REGULAR = [{"long": 0, "regular": 1, "least": 1, "most": 1}]


def part(player: int, byte: str) -> Line:
    """Return a part in the shuffle, of bytes that are all the same."""
    commitment = sha256(bytes.fromhex(byte * 32)).hexdigest()
    return {"player": player, "commitment": commitment, "part": byte * 32}


def shuffle_of(*players: Line) -> Line:
    """Return the field of a header that says how the seed was mixed."""
    server = {name: part(0, "11")[name] for name in ("commitment", "part")}
    mixed = {"method": "ferrovia shuffle 1", "server": server, "players": list(players)}
    return {"shuffle": mixed}


def header(players: int = 2, first: int = 0) -> Line:
    """Return a right header."""
    return {
        "record": "ferrovia",
        "version": 1,
        "edition": "tiny",
        "extras": [],
        "players": [f"player {seat}" for seat in range(players)],
        "first": first,
        "seed": "07" * 32,
        "commitment": sha256(bytes([7] * 32)).hexdigest(),
    }


def event(name: str, player: int | None = None, **fields: Any) -> Line:
    """Return an event."""
    acting = {} if player is None else {"player": player}
    return {"event": name, **acting, **fields}


def deal(player: int, cards: str) -> Line:
    """Return the event of a starting hand."""
    return event("deal", player, cards=cards.split())


def face_up(cards: str) -> Line:
    """Return the event of a display; "-" is an empty place."""
    return event("face_up", cards=[None if card == "-" else card for card in cards.split()])


def offer(player: int, tickets: str) -> Line:
    """Return the event of an offer."""
    return event("offer", player, tickets=tickets.split())


def keep(player: int, kept: str, returned: str = "") -> Line:
    """Return the event of an answer to an offer."""
    return event("keep", player, kept=kept.split(), returned=returned.split())


def draw(player: int, card: str) -> Line:
    """Return the event of a blind card."""
    return event("draw", player, card=card)


def take(player: int, place: int, card: str) -> Line:
    """Return the event of a face-up card."""
    return event("take", player, place=place, card=card)


def refill(place: int, card: str) -> Line:
    """Return the event of a place that is filled."""
    return event("refill", place=place, card=card)


def claim(player: int, name: str, cards: str, points: int) -> Line:
    """Return the event of a claim."""
    return event("claim", player, route=name, cards=cards.split(), points=points)


def tunnel(player: int, name: str, cards: str, revealed: str, extra: int) -> Line:
    """Return the event of a tunnel."""
    return event(
        "tunnel",
        player,
        route=name,
        cards=cards.split(),
        revealed=revealed.split(),
        extra=extra,
    )


def shuffle(count: int) -> Line:
    """Return the event of a shuffle."""
    return event("shuffle", count=count)


def station(player: int, city: str, cards: str) -> Line:
    """Return the event of a station."""
    return event("station", player, city=city, cards=cards.split())


def judge(lines: list[Line], **edition: Any) -> dict[str, Any]:
    """Run the referee over a record of the tiny board; edition facts can be changed."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return referee(text, {"tiny": BOARD}, {"tiny": {**EDITION, **edition}})


def breach(lines: list[Line], **edition: Any) -> Breach:
    """Return the breach for which the referee refuses a record."""
    with pytest.raises(Breach) as caught:
        judge(lines, **edition)
    return caught.value


def a_game() -> list[Line]:
    """Return a whole game with one of nearly everything, scored by hand."""
    return [
        header(),
        deal(0, f"red red {L} green"),
        deal(1, "blue blue blue yellow"),
        face_up(f"red blue white {L} green"),
        offer(0, "b-c a-d b-d"),
        offer(1, "a-e a-b c-e"),
        keep(1, "c-e a-e", "a-b"),
        keep(0, "b-c b-d", "a-d"),
        # Player 0: a blind card, then one from the display.
        draw(0, "green"),
        take(0, 4, "green"),
        refill(4, "black"),
        # Player 1: half of a double.
        claim(1, "a-b-blue", "blue blue", 2),
        # Player 0: a tunnel that costs one more.
        tunnel(0, "b-d", "green green", "green white red", 1),
        claim(0, "b-d", "green green green", 2),
        # Player 1: a face-up locomotive, and nothing else.
        take(1, 3, L),
        refill(3, "white"),
        # Player 0: a station.
        station(0, "c", "red"),
        # Player 1: a ferry, down to two trains.
        claim(1, "c-d", f"{L} yellow", 2),
        event("last_round", 1),
        # Player 0: tickets.
        offer(0, "a-c b-e c-d"),
        keep(0, "c-d", "b-e a-c"),
        # Player 1: the last turn.
        claim(1, "d-e", "blue", 1),
        {
            "result": {
                "scores": [
                    {
                        "routes": 2,
                        "tickets": 14,
                        "stations": 4,
                        "longest": 2,
                        "bonus": 0,
                        "total": 20,
                        "completed": ["b-c", "b-d", "c-d"],
                        "failed": [],
                        "borrowed": {"c": "c-d"},
                    },
                    {
                        "routes": 5,
                        "tickets": -7,
                        "stations": 8,
                        "longest": 3,
                        "bonus": 10,
                        "total": 16,
                        "completed": ["c-e"],
                        "failed": ["a-e"],
                        "borrowed": {},
                    },
                ],
                "winners": [0],
            }
        },
    ]


def test_a_right_game_passes() -> None:
    """The game that the breaches below start from is right."""
    lines = a_game()
    assert judge(lines) == lines[-1]["result"]


def test_what_a_header_adds_is_ignored_and_a_right_shuffle_passes() -> None:
    lines = a_game()
    mixed = shuffle_of(part(0, "a2"), {**part(1, "b3"), "part": None})
    text = f"ferrovia shuffle 1\nserver {'11' * 32}\n0 {'a2' * 32}\n"
    seed = sha256(text.encode()).digest()
    lines[0] |= {"colour": "red", "seed": seed.hex(), "commitment": sha256(seed).hexdigest()}
    lines[0] |= mixed
    assert judge(lines) == lines[-1]["result"]


def find(lines: list[Line], name: str, number: int = 0) -> int:
    """Return where the event of this name stands, counted from 0."""
    return [i for i, line in enumerate(lines) if line.get("event") == name][number]


Change = Callable[[list[Line]], object]


def edit(name: str, number: int = 0, **fields: Any) -> Change:
    """Change fields of an event."""
    return lambda lines: lines[find(lines, name, number)].update(fields)


def put(name: str, number: int, *new: Line, instead: int = 0) -> Change:
    """Put lines before an event, in place of some lines from there on."""

    def change(lines: list[Line]) -> None:
        at = find(lines, name, number)
        lines[at : at + instead] = list(new)

    return change


def head(**fields: Any) -> Change:
    """Change fields of the header."""
    return lambda lines: lines[0].update(fields)


def scored(seat: int, **fields: Any) -> Change:
    """Change fields of a score in the result."""
    return lambda lines: lines[-1]["result"]["scores"][seat].update(fields)


BROKEN: list[tuple[str, str, Change]] = [
    # The form of the record.
    ("another record", "record", head(record="chess")),
    ("another version", "record", head(version=2)),
    ("version true", "record", head(version=True)),
    ("unknown edition", "record", head(edition="mars")),
    ("no edition", "record", lambda lines: lines[0].pop("edition")),
    ("parts of another seed", "record", head(**shuffle_of(part(0, "a2")))),
    ("another part", "record", head(**shuffle_of({**part(0, "a2"), "part": "b3" * 32}))),
    ("short seed", "record", head(seed="07" * 31)),
    ("wrong commitment", "record", head(commitment="0" * 64)),
    ("extras without packs", "record", head(extras=["max"])),
    ("packs without extras", "record", head(packs={"max": []})),
    ("packs of other names", "record", head(extras=["max"], packs={"min": []})),
    ("one player", "R1", head(players=["alone"])),
    ("nobody begins", "R2.4", head(first=2)),
    ("unknown event", "record", edit("draw", event="dream")),
    ("a field too many", "record", edit("draw", mood="good")),
    ("a field too few", "record", lambda lines: lines[find(lines, "draw")].pop("card")),
    ("a hidden card", "record", edit("draw", card=None)),
    ("no such colour", "record", edit("draw", card="pink")),
    ("no such seat", "record", edit("draw", player=2)),
    ("no such place", "record", edit("take", place=5)),
    ("no such route", "record", edit("claim", route="a-z")),
    ("no such city", "record", edit("station", city="z")),
    ("no such ticket", "record", edit("offer", tickets=["b-c", "a-d", "z-z"])),
    ("no result", "record", lambda lines: lines.pop()),
    ("more after the result", "record", lambda lines: lines.append(lines[-1])),
    ("a result field too many", "record", scored(0, luck=3)),
    # Set-up.
    ("five cards in hand", "R2.2", edit("deal", cards=["red"] * 5)),
    ("one dealt to twice", "R2.2", edit("deal", 1, player=0)),
    ("nobody dealt to", "R2.2", put("deal", 1, instead=1)),
    ("four cards on display", "R2.2", edit("face_up", cards=["red"] * 4)),
    ("an empty place too early", "R2.2", edit("face_up", cards=["red"] * 4 + [None])),
    ("two long tickets", "R2.3", edit("offer", tickets=["b-c", "a-e", "b-d"])),
    ("two regular ones too few", "R2.3", edit("offer", tickets=["b-c"])),
    ("a ticket dealt twice", "R2.3", edit("offer", 1, tickets=["a-e", "a-b", "b-d"])),
    ("one ticket kept", "R2.3", edit("keep", kept=["c-e"], returned=["a-b", "a-e"])),
    ("a ticket kept that was not offered", "R2.3", edit("keep", kept=["c-e", "a-c"])),
    ("a ticket lost", "R2.3", edit("keep", returned=[])),
    ("an answer before the offer", "R2.3", put("offer", 0, keep(0, "b-c b-d", "a-d"))),
    ("two offers", "R2.3", put("keep", 0, offer(1, "c-a a-c b-e"))),
    ("two answers", "R2.3", put("keep", 1, keep(1, "c-e a-e", "a-b"))),
    ("a turn before all have chosen", "R2.3", put("keep", 1, instead=1)),
    # Turns.
    ("the other begins", "R2.4", head(first=1)),
    ("two actions", "R3.1", put("tunnel", 0, draw(1, "red"), draw(1, "red"))),
    ("a pass with cards in the deck", "R3.2", put("station", 0, event("pass", 0), instead=1)),
    # Drawing cards.
    ("one card only", "R4.1", put("take", 0, instead=2)),
    ("three cards", "R4.1", put("claim", 0, draw(0, "red"))),
    ("another's second card", "R4.1", put("take", 0, draw(1, "red"))),
    ("a card that is not there", "R4.1", edit("take", card="red")),
    ("no refill", "R4.2", put("refill", 0, instead=1)),
    ("a refill elsewhere", "R4.2", edit("refill", place=0)),
    ("a refill for nothing", "R4.2", put("claim", 0, refill(0, "red"))),
    ("a card after a locomotive", "R4.3", put("station", 0, draw(1, "red"))),
    ("a locomotive second", "R4.4", edit("take", place=3, card=L)),
    ("a flush for nothing", "R4.6", put("claim", 0, event("flush", cards=["red"]))),
    ("a display for nothing", "R4.6", put("take", 0, face_up("red red red red red"))),
    ("a shuffle before a draw", "R4.8", put("draw", 0, shuffle(0))),
    ("a shuffle before a claim", "R4.8", put("claim", 0, shuffle(0))),
    ("a shuffle before a tunnel", "R4.8", put("tunnel", 0, shuffle(2))),
    ("a shuffle before a refill", "R4.8", put("refill", 0, shuffle(0))),
    ("a shuffle before a take", "R4.8", put("take", 0, shuffle(0))),
    # Claiming.
    ("too few cards", "R5.1", edit("claim", cards=["blue"])),
    ("another colour", "R5.1", edit("claim", cards=["yellow", "blue"])),
    ("the wrong colour", "R5.1", edit("claim", route="a-b-red")),
    ("cards of nobody", "R5.1", edit("claim", cards=["blue", L])),
    ("too few trains", "R5.3", edit("claim", 3, route="a-d", cards=["yellow"] * 4)),
    ("a route of another", "R5.5", edit("claim", 2, route="a-b-blue")),
    ("both of a double", "R5.6", edit("claim", 2, route="a-b-red")),
    ("a closed double", "R5.7", put("station", 0, claim(0, "a-b-red", "red red", 2))),
    ("wrong points", "R10.1", edit("claim", points=3)),
    # Ferries and tunnels.
    ("a ferry without locomotive", "R6.1", edit("claim", 2, cards=["yellow", "yellow"])),
    ("a tunnel claimed at once", "R7.1", put("tunnel", 0, instead=1)),
    ("a tunnel that is none", "R7.1", edit("tunnel", route="a-b-red", cards=["red", "red"])),
    ("four cards turned up", "R7.1", edit("tunnel", revealed=["green", "red", "red", "red"])),
    ("two cards turned up", "R7.6", edit("tunnel", revealed=["green", "red"])),
    ("extra not counted", "R7.2", edit("tunnel", extra=0)),
    ("extra not paid", "R7.2", edit("claim", 1, cards=["green", "green"])),
    ("extra of another colour", "R7.2", edit("claim", 1, cards=["green", "green", "red"])),
    (
        "extra that is not there",
        "R7.2",
        put(
            "tunnel",
            0,
            tunnel(0, "b-d", "green green", "green green red", 2),
            claim(0, "b-d", "green green green green", 2),
            instead=2,
        ),
    ),
    ("laid cards changed", "R7.1", edit("claim", 1, cards=["green", L, L])),
    ("a withdrawal from nothing", "R7.4", put("take", 1, event("withdraw", 1, route="b-d"))),
    ("another tunnel claimed", "R7.8", edit("claim", 1, route="a-d")),
    ("no answer to a tunnel", "R7.8", put("claim", 1, instead=1)),
    (
        "a withdrawal when nothing is due",
        "R7.8",
        put(
            "tunnel",
            0,
            tunnel(0, "b-d", "green green", "red red red", 0),
            event("withdraw", 0, route="b-d"),
            instead=2,
        ),
    ),
    # Tickets.
    ("two tickets drawn", "R8.1", edit("offer", 2, tickets=["a-c", "b-e"])),
    ("a ticket that is out", "R8.1", edit("offer", 2, tickets=["a-c", "b-e", "a-d"])),
    ("a long ticket in a turn", "R8.1", edit("offer", 2, tickets=["a-c", "b-e", "c-a"])),
    ("none kept", "R8.2", edit("keep", 2, kept=[], returned=["a-c", "b-e", "c-d"])),
    ("an old ticket given back", "R8.2", edit("keep", 2, returned=["a-c", "b-e", "b-d"])),
    ("no answer to tickets", "R8.2", put("keep", 2, instead=1)),
    ("another's answer", "R8.2", edit("keep", 2, player=1)),
    ("an answer to nothing", "R8.2", put("claim", 0, keep(1, "a-c"))),
    # Stations.
    ("a station for two cards", "R9.2", edit("station", cards=["red", "red"])),
    ("a station for another's card", "R9.2", edit("station", cards=["black"])),
    (
        "a second station for two colours",
        "R9.2",
        put("offer", 2, station(0, "d", "red green"), instead=2),
    ),
    ("two stations in one city", "R9.1", put("offer", 2, station(0, "c", f"red {L}"), instead=2)),
    # The end.
    ("no last round", "R10.2", put("last_round", 0, instead=1)),
    ("last round of another", "R10.2", edit("last_round", player=0)),
    ("last round too early", "R10.2", put("station", 0, event("last_round", 1))),
    ("a result too early", "R10.2", put("claim", 3, instead=1)),
    (
        "a turn too many",
        "R10.2",
        lambda lines: lines.insert(-1, draw(0, "red")),
    ),
    # The result.
    ("routes", "R10.1", scored(0, routes=3)),
    ("tickets", "R10.3", scored(0, tickets=13)),
    ("completed", "R10.3", scored(0, completed=["b-c", "b-d"])),
    ("failed", "R10.3", scored(1, failed=[])),
    ("borrowed", "R9.4", scored(0, borrowed={})),
    ("stations", "R10.4", scored(0, stations=8)),
    ("longest", "R10.5", scored(1, longest=2)),
    ("bonus", "R10.5", scored(0, bonus=10)),
    ("total", "R10.6", scored(0, total=21)),
    ("total as a fraction", "R10.6", scored(0, total=20.0)),
    ("winners", "R10.6", lambda lines: lines[-1]["result"].update(winners=[1])),
]


@pytest.mark.parametrize(("rule", "change"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_a_broken_game_is_refused(rule: str, change: Change) -> None:
    """Each change breaks one rule, and the referee names it."""
    lines = copy.deepcopy(a_game())
    change(lines)
    assert breach(lines).rule == rule


def test_the_line_of_a_breach() -> None:
    """Lines are counted from 1, the header included."""
    lines = a_game()
    at = find(lines, "station")
    lines[at]["cards"] = ["black"]
    assert breach(lines).line == at + 1


def test_text_that_is_no_record() -> None:
    """Lines that are not JSON, not objects, or name a field twice are refused."""
    good = json.dumps(header())
    for text in ("", "{", "[]", good, f"{good}\nnull", good + '\n{"event": "deal", "event": 1}'):
        with pytest.raises(Breach) as caught:
            referee(text, {"tiny": BOARD}, {"tiny": EDITION})
        assert caught.value.rule == "record"


# Short games: player 0 has three trains and claims d-e at once, so everyone has one more turn.

SHORT: dict[str, Any] = {"trains": 3, "stations": 0, "start": ONE_REGULAR}


def opening(display: str = "red red red red red") -> list[Line]:
    """Return the set-up of a short game."""
    return [
        header(),
        deal(0, "green green green green"),
        deal(1, "white white white white"),
        face_up(display),
        offer(0, "a-b"),
        keep(0, "a-b"),
        offer(1, "d-e"),
        keep(1, "d-e"),
    ]


def ending(
    claimed: tuple[int, int] = (1, 0),
    tickets: tuple[int, int] = (-2, -1),
    trail: tuple[int, int] = (1, 0),
    winner: int = 0,
) -> Line:
    """Return the result of a short game, where no ticket is completed."""
    names = ("a-b", "d-e")
    bonus = [10 if length == max(trail) > 0 else 0 for length in trail]
    return {
        "result": {
            "scores": [
                {
                    "routes": claimed[seat],
                    "tickets": tickets[seat],
                    "stations": 0,
                    "longest": trail[seat],
                    "bonus": bonus[seat],
                    "total": claimed[seat] + tickets[seat] + bonus[seat],
                    "completed": [],
                    "failed": [names[seat]],
                    "borrowed": {},
                }
                for seat in (0, 1)
            ],
            "winners": [winner],
        }
    }


BEGIN = [claim(0, "d-e", "green", 1), event("last_round", 0)]
TWO_DRAWS = [draw(1, "blue"), draw(1, "blue")]
LAST_DRAWS = [draw(0, "blue"), draw(0, "blue")]


def test_flush_at_set_up_and_again() -> None:
    """R4.6 is asked of the first display, and of what follows a flush."""
    three = f"{L} red {L} red {L}"
    lines = opening(three)
    rest = [*BEGIN, *TWO_DRAWS, *LAST_DRAWS, ending()]
    flush = event("flush", cards=three.split())
    lines[4:4] = [flush, face_up(three), flush, face_up("red red red blue blue")]
    judge(lines + rest, **SHORT)
    assert breach(lines[:6] + lines[8:] + rest, **SHORT).rule == "R4.6"
    lines[4] = event("flush", cards=["red"] * 5)
    assert breach(lines, **SHORT).rule == "R4.6"


def test_flush_between_two_cards() -> None:
    """A refill is checked before the second card is chosen, and is made before the check."""
    flush = event("flush", cards=[L, L, L, "red", "red"])
    middle = [take(1, 2, "red"), refill(2, L), flush, face_up("red red red red red")]
    lines = [*opening(f"{L} {L} red red red"), *BEGIN]
    rest = [draw(1, "blue"), *LAST_DRAWS, ending()]
    judge(lines + middle + rest, **SHORT)
    assert breach([*lines, *middle[:2], *rest], **SHORT).rule == "R4.6"
    assert breach([*lines, middle[0], *middle[2:], *rest], **SHORT).rule == "R4.2"
    assert breach([*lines, *middle[:3], *rest], **SHORT).rule == "R4.6"
    early = event("flush", cards=[L, L, "red", "red", "red"])
    assert breach([*lines, early, *middle], **SHORT).rule == "R4.6"


def test_redeal_that_cannot_help_waits_for_the_end_of_a_turn() -> None:
    """R4.7: the display stays while fewer than three other cards are about, then is flushed."""
    edition = {**SHORT, "cards": {"green": 4, "white": 4, "red": 2, L: 4}}
    display = f"{L} {L} {L} red red"
    lines = opening(display)
    # The green card of the claim is the third. One card was in the deck, a locomotive.
    first, told = BEGIN
    flush = event("flush", cards=display.split())
    flushed = [flush, shuffle(6), face_up(f"{L} green red {L} red")]
    rest = [draw(1, L), draw(1, L), offer(0, "a-c a-d b-d"), keep(0, "a-c", "a-d b-d")]
    end = ending(tickets=(-7, -1))
    end["result"]["scores"][0]["failed"] = ["a-b", "a-c"]
    judge([*lines, first, told, *flushed, *rest, end], **edition)
    judge([*lines, first, *flushed, told, *rest, end], **edition)
    assert breach([*lines, first, told, *rest, end], **edition).rule == "R4.6"
    assert breach([*lines, first, flush, told, *flushed[1:]], **edition).rule == "R4.6"
    assert breach([*lines, *flushed], **edition).rule == "R4.7"
    green_first = face_up(f"green {L} red {L} red")
    assert breach([*lines, first, *flushed[:2], green_first], **edition).rule == "R4.8"


def test_shuffle_when_the_deck_has_run_out() -> None:
    """R4.8: at the moment when a card is needed, with all discards, and no card twice."""
    cards = {"green": 4, "white": 4, "red": 5, "blue": 1}
    edition = {**SHORT, "cards": cards}
    lines = [*opening(), *BEGIN]
    drawn = [draw(1, "blue"), shuffle(1), draw(1, "green")]
    rest = [offer(0, "a-c a-d b-d"), keep(0, "a-c", "a-d b-d")]
    end = ending(tickets=(-7, -1))
    end["result"]["scores"][0]["failed"] = ["a-b", "a-c"]
    judge([*lines, *drawn, *rest, end], **edition)
    assert breach([*lines, draw(1, "blue"), draw(1, "green")], **edition).rule == "R4.8"
    assert breach([*lines, draw(1, "blue"), shuffle(2), draw(1, "green")], **edition).rule == "R4.8"
    assert breach([*lines, shuffle(1), *drawn], **edition).rule == "R4.8"
    assert breach([*lines, draw(1, "blue"), shuffle(1), draw(1, "red")], **edition).rule == "R2.1"
    # R4.9: nothing is left for player 0, neither blind nor face up.
    assert breach([*lines, *drawn, draw(0, "red")], **edition).rule == "R4.9"
    assert breach([*lines, *drawn, take(0, 0, "red")], **edition).rule == "R4.9"


def test_no_second_card_when_the_first_was_the_last() -> None:
    """R4.9: the turn ends after one card, and a second is refused."""
    cards = {"green": 4, "white": 4, "red": 6}
    edition = {**SHORT, "trains": 45, "cards": cards}
    lines = [*opening(), take(0, 0, "red"), refill(0, "red")]
    assert breach([*lines, take(0, 1, "red")], **edition).rule == "R4.9"
    assert breach([*lines, claim(1, "d-e", "white", 2)], **edition).rule == "R10.1"


def test_too_few_cards_for_the_display() -> None:
    """R4.10: a place stays empty until a card can fill it."""
    cards = {"green": 4, "white": 4, "red": 2}
    edition = {**SHORT, "cards": cards}
    lines = opening("red red - - -")
    filled = [shuffle(1), refill(2, "green")]
    other = [claim(1, "b-c", "white white white", 4)]
    more = [shuffle(3), refill(3, "white"), refill(4, "white")]
    rest = [offer(0, "a-c a-d b-d"), keep(0, "a-c", "a-d b-d")]
    end = ending(claimed=(1, 4), tickets=(-7, -1), trail=(1, 3), winner=1)
    end["result"]["scores"][0]["failed"] = ["a-b", "a-c"]
    judge([*lines, *BEGIN, *filled, *other, *more, *rest, end], **edition)
    judge([*lines, BEGIN[0], *filled, BEGIN[1], *other, *more, *rest, end], **edition)
    assert breach([*lines, *BEGIN, *other], **edition).rule == "R4.10"
    assert breach([*lines, *BEGIN, shuffle(1), refill(0, "green")], **edition).rule == "R4.10"


def test_tunnel_over_a_shuffle() -> None:
    """R7.6: the last of the old deck come first; what was laid is not among the discards."""
    cards = {"green": 4, "white": 4, "red": 5, "blue": 1}
    edition = {**SHORT, "trains": 45, "cards": cards}
    lines = [*opening(), claim(0, "d-e", "green", 1), claim(1, "b-c", "white white white", 4)]
    dig = tunnel(0, "b-d", "green green", "blue green white", 1)
    right = [shuffle(4), dig, claim(0, "b-d", "green green green", 2)]
    assert breach([*lines, *right], **edition).message.startswith("the record ends")
    swapped = {**dig, "revealed": ["green", "blue", "white"]}
    assert breach([*lines, shuffle(4), swapped], **edition).rule == "R4.8"
    assert breach([*lines, shuffle(6), dig], **edition).rule == "R4.8"
    assert breach([*lines, dig], **edition).rule == "R4.8"
    laid_again = {**dig, "revealed": ["blue", "green", "green"], "extra": 2}
    assert breach([*lines, shuffle(4), laid_again], **edition).rule == "R2.1"
    fewer = tunnel(0, "b-d", "green green", "blue", 0)
    assert breach([*opening(), fewer, claim(0, "b-d", "green green", 1)], **edition).rule == "R10.1"


def test_tunnel_of_locomotives_alone() -> None:
    """R7.3: only locomotives count then, and only locomotives pay."""
    lines = opening()
    lines[1] = deal(0, f"{L} {L} {L} green")
    edition = {**SHORT, "trains": 45}
    dig = tunnel(0, "b-d", f"{L} {L}", f"green {L} red", 1)
    assert breach([*lines, {**dig, "extra": 2}], **edition).rule == "R7.3"
    pay = claim(0, "b-d", f"{L} {L} green", 2)
    assert breach([*lines, dig, pay], **edition).rule == "R7.3"
    pay = claim(0, "b-d", f"{L} {L} {L}", 2)
    assert breach([*lines, dig, pay], **edition).message.startswith("the record ends")


def test_withdrawn_cards_are_in_the_hand_again() -> None:
    """R7.4, R7.5: the laid cards come back, those turned up are discarded, the turn is over."""
    cards = {"green": 5, "white": 4, "red": 7}
    edition = {**SHORT, "cards": cards}
    dig = tunnel(0, "b-d", "green green", "green red red", 1)
    lines = [*opening(), dig, event("withdraw", 0, route="b-d")]
    assert breach([*lines, draw(0, "red")], **edition).rule == "R3.1"
    lines += [shuffle(3), draw(1, "green"), draw(1, "red")]
    assert breach([*lines, claim(0, "d-e", "green", 2)], **edition).rule == "R10.1"
    all_back = [*lines, tunnel(0, "b-d", "green green", "red", 0)]
    assert breach(all_back, **edition).message.startswith("the record ends")


def test_pass_and_the_end_when_all_pass() -> None:
    """R3.2, R3.3: who can do nothing passes; when all pass the game is over."""
    cards = {"green": 4, "white": 4, "red": 5}
    edition = {**SHORT, "trains": 45, "cards": cards}
    two = {**BOARD, "tickets": [t for t in tickets_of_board() if t["id"] in ("a-b", "d-e")]}
    closed = [r for r in routes_of_board() if r["id"] in ("a-d", "c-d")]
    lines = [{**header(), "board": {**two, "routes": closed}}, *opening()[1:]]
    passes = [event("pass", 0), event("pass", 1)]
    end = ending(claimed=(0, 0), trail=(0, 0), winner=1)
    judge([*lines, *passes, end], **edition)
    assert breach([*lines, *passes, event("pass", 0), end], **edition).rule == "R3.3"
    assert breach([*lines, passes[0], end], **edition).rule == "R10.2"
    # Each thing that a player could still do forbids the pass.
    with_station = {**edition, "stations": 1}
    assert breach([*lines, *passes], **with_station).rule == "R3.2"
    assert breach([*lines, *passes], **{**edition, "cards": {**cards, "red": 6}}).rule == "R3.2"
    lines[0]["board"] = {**two, "routes": routes_of_board()}
    assert breach([*lines, *passes], **edition).rule == "R3.2"
    lines[0]["board"] = {**BOARD, "routes": closed}
    assert breach([*lines, *passes], **edition).rule == "R3.2"


def routes_of_board() -> list[Line]:
    """Return the routes of the tiny board."""
    return [r for r in BOARD["routes"] if isinstance(r, dict)]


def tickets_of_board() -> list[Line]:
    """Return the tickets of the tiny board."""
    return [t for t in BOARD["tickets"] if isinstance(t, dict)]


def test_order_of_the_ticket_deck() -> None:
    """Unseen tickets come first, then those of the start, then those given back in turns."""
    edition = {
        **SHORT,
        "trains": 45,
        "start": [{"long": 0, "regular": 3, "least": 1, "most": 3}],
        "back": {"long": "out", "regular": "bottom"},
    }
    lines = opening()[:4]
    lines += [offer(0, "a-b a-c a-d"), keep(0, "a-b", "a-c a-d")]
    lines += [offer(1, "b-d b-e c-d"), keep(1, "b-d b-e", "c-d")]
    early = offer(0, "c-e a-c d-e")
    assert breach([*lines, early], **edition).rule == "R8.1"
    lines += [offer(0, "d-e c-e c-d"), keep(0, "c-e", "c-d d-e")]
    assert breach([*lines, offer(1, "a-c c-d a-d")], **edition).rule == "R8.1"
    assert breach([*lines, offer(1, "a-d a-c d-e")], **edition).rule == "R8.1"
    lines += [offer(1, "a-d a-c c-d"), keep(1, "a-d a-c c-d")]
    assert breach([*lines, offer(0, "d-e d-e d-e")], **edition).rule == "R8.1"
    lines += [offer(0, "d-e"), keep(0, "d-e")]
    assert breach([*lines, offer(1, "d-e")], **edition).rule == "R8.1"
    assert breach(lines, **edition).message.startswith("the record ends")


def test_two_long_then_regular_tickets() -> None:
    """R1.3: never both long ones, and three regular ones without a long one."""
    edition = {
        **SHORT,
        "start": [
            {"long": 2, "regular": 0, "least": 0, "most": 1},
            {"long": 0, "regular": 4, "least": 2, "least_without_long": 3, "most": 4},
        ],
    }
    start = [*opening()[:4], offer(0, "a-e b-c")]
    without = [*start, keep(0, "", "a-e b-c"), offer(0, "a-b a-c a-d b-d")]
    with_one = [*start, keep(0, "b-c", "a-e"), offer(0, "a-b a-c a-d b-d")]
    two, three = keep(0, "a-b a-c", "a-d b-d"), keep(0, "a-b a-c a-d", "b-d")
    assert breach([*start, keep(0, "a-e b-c")], **edition).rule == "R1.3"
    assert breach([*start[:4], offer(0, "a-b a-c")], **edition).rule == "R1.3"
    assert breach([*without, two], **edition).rule == "R1.3"
    assert breach([*with_one, keep(0, "a-b", "a-c a-d b-d")], **edition).rule == "R1.3"
    assert breach([*without, three], **edition).message.startswith("the record ends")
    assert breach([*with_one, two], **edition).message.startswith("the record ends")


def test_ticket_packs_join_their_decks() -> None:
    """R1.4: the tickets of a pack are dealt; in some editions only those with the mark."""
    new = {"id": "max:c-b", "cities": ["c", "b"], "points": 7, "long": False, "mark": False}
    lines = opening()
    lines[0] |= {"extras": ["max"], "packs": {"max": [new]}}
    lines[4:6] = [offer(0, "max:c-b"), keep(0, "max:c-b")]
    assert breach(lines, **SHORT).message.startswith("the record ends")
    lines[0]["packs"] = [{"name": "max", "board": "tiny", "tickets": [new]}]
    assert breach(lines, **SHORT).message.startswith("the record ends")
    assert breach(lines, **SHORT, marked_only=True).rule == "record"
    lines[0]["packs"] = {"max": [{**new, "id": "a-b"}]}
    assert breach(lines, **SHORT).rule == "R1.4"
    lines[0]["packs"] = {"max": [{**new, "cities": ["a", "z"]}]}
    assert breach(lines, **SHORT).rule == "R1.4"


def test_doubles_with_four_players() -> None:
    """R5.6, R5.7: with four the other half stays open, but not to the owner of the first."""
    lines = [header(4), *[deal(seat, "red red blue blue") for seat in range(4)]]
    lines.append(face_up("red red white white white"))
    for seat, name in enumerate(("a-b", "a-c", "a-d", "b-d")):
        lines += [offer(seat, name), keep(seat, name)]
    lines += [claim(0, "a-b-red", "red red", 2), claim(1, "a-b-blue", "blue blue", 2)]
    edition = {**SHORT, "trains": 45}
    assert breach(lines, **edition).message.startswith("the record ends")
    lines[-1] = claim(1, "b-c", "red blue blue", 4)
    assert breach(lines, **edition).rule == "R5.1"
    lines[-1:] = [offer(1, "b-e c-d c-e"), keep(1, "b-e c-d c-e")]
    lines += [offer(2, "d-e"), keep(2, "d-e"), draw(3, "white"), draw(3, "white")]
    assert breach([*lines, claim(0, "a-b-blue", "blue blue", 2)], **edition).rule == "R5.6"


# The scorer alone.


def longest_by_subsets(edges: list[tuple[str, str, int]]) -> int:
    """Return the longest trail another way: a connected set with two odd cities at most."""
    best = 0
    for number in range(1, len(edges) + 1):
        for some in combinations(edges, number):
            degree = Counter(end for a, b, _ in some for end in (a, b))
            group = {some[0][0]}
            for _ in some:
                group |= {end for a, b, _ in some if group & {a, b} for end in (a, b)}
            if group == set(degree) and sum(d % 2 for d in degree.values()) <= 2:
                best = max(best, sum(spaces for _, _, spaces in some))
    return best


def test_longest_of_small_networks() -> None:
    """R10.5: loops and cities passed twice count, a route counts once."""
    assert longest([]) == 0
    assert longest([("a", "b", 2)]) == 2
    assert longest([("a", "b", 2), ("c", "d", 3)]) == 3
    assert longest([("a", "b", 2), ("a", "c", 3), ("a", "d", 4)]) == 7
    loop = [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)]
    assert longest([*loop, ("a", "d", 5), ("a", "e", 6)]) == 14


def test_longest_of_random_networks() -> None:
    """Every trail and every set of routes give the same answer."""
    rng = random.Random(1)
    for _ in range(60):
        edges = []
        for _ in range(rng.randint(1, 9)):
            a, b = rng.sample("abcdef", 2)
            edges.append((a, b, rng.choice([1, 2, 3, 4, 6, 8])))
        assert longest(edges) == longest_by_subsets(edges)


ROUTES = [
    route("a", "b", 1, "gray"),  # 0
    route("b", "c", 1, "gray"),  # 1
    route("b", "c", 1, "red", name="b-c-red"),  # 2
    route("c", "d", 1, "gray"),  # 3
    route("d", "e", 1, "gray"),  # 4
]


def borrowing(owner: dict[str, int], stations: str, *tickets: Line) -> dict[str, Any]:
    """Score the tickets of player 0."""
    return tickets_with_stations(ROUTES, owner, 0, stations.split(), tickets)


def test_the_choice_of_borrowed_routes() -> None:
    """R9.3, R9.4: points, then tickets, then few routes, then low numbers, then early stations."""
    owner = {"a-b": 0, "b-c": 1, "b-c-red": 2, "c-d": 1}
    own = borrowing(owner, "", ticket("a-c", 5))
    assert (own["tickets"], own["borrowed"]) == (-5, {})
    low = borrowing(owner, "c", ticket("a-c", 5))
    assert (low["tickets"], low["borrowed"]) == (5, {"c": "b-c"})
    assert borrowing(owner, "c b", ticket("a-c", 5))["borrowed"] == {"c": "b-c"}
    assert borrowing(owner, "b c", ticket("a-c", 5))["borrowed"] == {"b": "b-c"}
    assert borrowing(owner, "d b", ticket("a-d", 5))["borrowed"] == {"d": "c-d", "b": "b-c"}
    # The list is in the order of the stations: [b-c, c-d] is before [c-d, b-c].
    assert borrowing(owner, "c b d", ticket("a-d", 5))["borrowed"] == {"c": "b-c", "d": "c-d"}
    # An unclaimed route and a route of one's own are of no use.
    assert borrowing({"a-b": 0}, "c", ticket("a-c", 5))["borrowed"] == {}
    assert borrowing(owner, "d", ticket("d-e", 5))["failed"] == ["d-e"]
    assert borrowing(owner, "a", ticket("a-b", 5))["borrowed"] == {}


def test_equal_points_go_by_tickets_completed() -> None:
    """R9.4: of two choices with equal points the one that completes more tickets is made."""
    owner = {"a-b": 1, "b-c": 1, "c-d": 0}
    tickets = [ticket("a-b", 4), ticket("b-c", 2), {**ticket("b-d", 2), "set": "other"}]
    answer = borrowing(owner, "b", *tickets)
    assert answer["completed"] == ["b-c", "b-d"]
    assert answer["borrowed"] == {"b": "b-c"}
    assert answer["tickets"] == 0


@pytest.mark.parametrize(
    ("completed", "built", "bonus", "expected"),
    [
        ((2, 1), (3, 0), (0, 10), [0]),
        ((2, 2), (1, 0), (10, 0), [1]),
        ((2, 2), (1, 1), (0, 10), [1]),
        ((2, 2), (1, 1), (10, 10), [0, 1]),
        ((2, 2), (1, 1), (0, 0), [0, 1]),
    ],
)
def test_ties(
    completed: tuple[int, int], built: tuple[int, int], bonus: tuple[int, int], expected: list[int]
) -> None:
    """R10.6: tickets completed, fewest stations, European Express, then shared."""
    scores = [
        {"total": 50, "completed": ["x"] * completed[seat], "bonus": bonus[seat]} for seat in (0, 1)
    ]
    assert winners(scores, built, EDITIONS["europe"]["tie_break"]) == expected


def test_ties_of_usa() -> None:
    """R10.6: without stations the longest route decides after the tickets."""
    scores: list[dict[str, Any]] = [
        {"total": 50, "completed": [], "bonus": 0},
        {"total": 50, "completed": [], "bonus": 10},
        {"total": 49, "completed": ["x"], "bonus": 10},
    ]
    assert winners(scores, [0, 0, 0], EDITIONS["usa"]["tie_break"]) == [1]


def test_cards_of_a_game() -> None:
    """R2.1: 110 cards."""
    assert sum(CARDS.values()) == 110
