"""Whole games as text, from the first question to the final score."""

import random
import re
from collections.abc import Callable

import pytest

from ferrovia.bots import LEVELS, make
from ferrovia.game import Game, read_position
from ferrovia.game.cheapest_way import cheapest_way
from ferrovia.terminal import hint_lines
from ferrovia.terminal.screens import routes_of_city, ticket_lines
from ferrovia.terminal.sentences import Narrator
from ferrovia.terminal.text_game import PlayerLeft, TextGame


class Table:
    """A text game whose player is a function from what it says to an answer."""

    def __init__(
        self, game: Game, bots: int, answer: Callable[["Table"], str | None], width: int = 78
    ) -> None:
        self.lines: list[str] = []
        self.answers: list[str] = []
        self.game = game

        def ask(prompt: str) -> str | None:
            line = answer(self)
            self.lines.append(f"{prompt}{line}")
            return line

        def write(text: str) -> None:
            self.lines += text.split("\n")

        seated = {seat: make("random", seat) for seat in range(1, bots + 1)}
        names = ["Me", *("Random" for _ in seated)]
        self.play = TextGame(game, 0, seated, names, ask, write, width).play

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def script(*answers: str) -> Callable[[Table], str | None]:
    lines = iter(answers)
    return lambda table: next(lines, None)


def chooser(seed: int) -> Callable[[Table], str]:
    """Asks for `legal`, and then picks one of the lines; the number of a list when asked."""
    dice = random.Random(seed)

    def answer(table: Table) -> str:
        last = next(
            at
            for at in range(len(table.lines), -1, -1)
            if at == 0 or "> " in table.lines[at - 1][:2]
        )
        said = table.lines[last:]
        if any(line.startswith("How do you pay?") for line in said):
            return str(dice.randint(1, sum(bool(re.match(r"  \d+\. ", line)) for line in said)))
        if last and table.lines[last - 1] == "> legal":
            return dice.choice([line for line in said if line])
        return "legal"

    return answer


def test_on_a_narrow_terminal_everything_wraps() -> None:
    looks = ("help", "hand", "keep 1 2", "tickets", "players", "routes", "routes paris", "board")
    texts = []
    for width in (34, 78):
        table = Table(Game("europe", ["Me", "Bot"], seed=1), 1, script(*looks), width)
        with pytest.raises(PlayerLeft):
            table.play()
        texts.append(table.lines)
    narrow, usual = texts
    assert max(map(len, narrow)) <= 34
    assert " ".join(narrow).split() == " ".join(usual).split()


@pytest.mark.parametrize(
    ("edition", "bots"),
    [("europe", 1), ("usa", 4), ("mega-europe", 2), ("big-cities", 1), ("usa-classic", 2)],
)
def test_a_whole_game_with_answers_from_legal(edition: str, bots: int) -> None:
    game = Game(edition, ["Me", *(f"bot:{n}" for n in range(bots))], seed=bots)
    table = Table(game, bots, chooser(bots))
    table.play()
    assert game.over
    assert "Final score" in table.text
    assert re.search(r"(win|wins|share the victory) with", table.lines[-1])
    for score in game.result().scores:
        assert f": {score.total} points" in table.text
    assert "LAST ROUND" in table.text
    assert "Not allowed" not in table.text
    assert "I do not understand" not in table.text
    assert max(map(len, table.lines)) <= 80
    assert Game.from_record(game.record().text()).over


def test_the_cards_that_others_draw_blind_are_never_told_before_the_end() -> None:
    game = Game("usa", ["Me", "bot"], seed=5)
    table = Table(game, 1, chooser(1))
    table.play()
    last = max(at for at, line in enumerate(table.lines) if line.startswith("> "))
    told = " ".join(table.lines[:last])
    assert "Random drew" in told
    assert not re.search(r"Random (got|drew an? \w+ card from)", told)


def test_every_look_works_at_every_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ferrovia.terminal.hint_lines.ADVISER", "planner")  # it thinks no second
    looks = ["help", "hand", "tickets", "board", "players", "log", "legal claim", "hint"]
    looks += ["routes", "routes par", "routes nowhere", "", "xyzzy", "1 2 3 4 5 6 7 8 9", "999999"]
    legal = chooser(3)
    waiting: list[str] = []

    def answer(table: Table) -> str:
        if not waiting:
            waiting.extend([*looks, "legal", "CHOOSE"])
        word = waiting.pop(0)
        return legal(table) if word == "CHOOSE" else word

    game = Game("europe", ["Me", "bot"], seed=2)
    table = Table(game, 1, answer)
    table.play()
    assert game.over
    assert max(map(len, table.lines)) <= 80


def test_garbage_is_answered_and_changes_nothing() -> None:
    dice = random.Random(0)
    words = [
        "claim",
        "paris",
        "take",
        "keep",
        "pay",
        "station",
        "ü",
        "-",
        "2",
        "back",
        "\x00",
        "🚂",
    ]
    game = Game("europe", ["Me", "bot"], seed=2)
    before = game.state.copy()
    garbage = [" ".join(dice.choices(words, k=dice.randint(1, 5))) for _ in range(300)]
    garbage = [line for line in garbage if not re.match(r"keep [\d ]+$|[\d ]+$", line)]
    with pytest.raises(PlayerLeft):
        Table(game, 1, script(*garbage)).play()
    assert game.state == before


@pytest.mark.parametrize("answers", [(), ("quit",), ("1 2", "quit")])
def test_the_end_of_the_input_and_quit_leave_the_game_as_it_stands(
    answers: tuple[str, ...],
) -> None:
    game = Game("europe", ["Me", "bot"], seed=2)
    with pytest.raises(PlayerLeft):
        Table(game, 1, script(*answers)).play()
    assert Game.from_record(game.record().text()).events == game.events


POSITION = """
edition: europe
turn: 0
display: red blue green locomotive white
seat 0: hand red*4 blue*2 locomotive | routes paris-zurich | tickets europe:paris-wien
seat 1: hand white*2 | routes bruxelles-paris
"""


def play_from(position: str, *answers: str) -> str:
    table = Table(read_position(position), 1, script(*answers))
    with pytest.raises(PlayerLeft):
        table.play()
    return table.text


def test_a_payment_is_asked_for_only_when_there_is_a_choice() -> None:
    asked = play_from(POSITION, "claim marseille paris", "1")
    assert "How do you pay?" in asked
    assert "You claimed Marseille – Paris with" in asked
    alone = play_from(POSITION, "claim bruxelles amsterdam", "claim essen berlin 2 blue")
    assert "How do you pay?" not in alone
    assert "You claimed Berlin – Essen with 2 blue for 2 points." in alone


def test_refusals_say_why() -> None:
    said = play_from(
        POSITION,
        "claim paris zurich 3 red",
        "claim bruxelles paris",
        "claim palermo smyrna",
        "claim petrograd stockholm",
        "take purple",
        "pay red",
        "keep 1",
        "pass",
    )
    for reason in (
        "this route is claimed already (R5.5)",
        "closed: with two or three players",
        "this ferry needs more locomotives than you have; Palermo – Smyrna takes 6 of any",
        "too few cards of one colour; Petrograd – Stockholm takes 8 of any colour, tunnel",
        "no such card lies face up (R4.1)",
        "there is nothing to pay (R7.2)",
        "there are no tickets to choose from (R8.2)",
        "you may not pass while you can do anything (R3.2)",
    ):
        assert reason in " ".join(said.split())


def test_a_tunnel_asks_for_more_or_gives_the_cards_back() -> None:
    tunnel = POSITION.replace("red*4", "green*3") + "next: green blue white\n"
    paid = play_from(tunnel, "claim zurich venezia 2 green", "pay green")
    assert "The tunnel costs 1 more card." in paid
    assert "with 3 green for 2 points" in paid
    assert "You took the cards back." in play_from(
        tunnel, "claim zurich venezia 2 green", "withdraw"
    )


def test_own_tickets_tell_what_is_still_to_do() -> None:
    view = read_position(POSITION).view(0)
    narrator = Narrator(view.edition, ["Me", "Ada"], 0)
    [line, *_] = ticket_lines(view, narrator, 0)
    assert line.startswith("  not yet   Paris – Wien (8): 5 trains to go")
    done = read_position(
        POSITION.replace("paris-zurich", "paris-zurich munchen-zurich munchen-wien")
    ).view(0)
    assert ticket_lines(done, narrator, 0) == ["  done      Paris – Wien (8)"]


def test_the_cheapest_way_uses_own_routes_and_goes_round_those_of_others() -> None:
    view = read_position(POSITION).view(0)
    way = cheapest_way(view, "paris", "wien")
    assert way is not None
    assert [route.id for route in way] == ["munchen-zurich", "munchen-wien"]
    assert cheapest_way(view, "paris", "zurich") == ()
    lonely = POSITION.replace("bruxelles-paris", "edinburgh-london")
    assert cheapest_way(read_position(lonely).view(0), "edinburgh", "paris") is None


def test_the_routes_of_a_city_tell_who_owns_them() -> None:
    view = read_position(POSITION).view(0)
    lines = routes_of_city(view, Narrator(view.edition, ["Me", "Ada"], 0), "paris")
    assert any("Zürich" in line and "owned by you" in line for line in lines)
    assert any("Bruxelles" in line and "owned by Ada" in line for line in lines)
    assert any("Bruxelles" in line and "closed" in line for line in lines)
    assert any("Marseille" in line and line.endswith("open") for line in lines)


def test_a_hint_is_that_of_the_best_level_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hint_lines.ADVISER == list(LEVELS)[-1] == "director"
    monkeypatch.setattr(hint_lines, "ADVISER", "planner")
    game = Game("europe", ["Me", "bot"], seed=2)
    narrator = Narrator(game.edition, ["Me", "bot"], 0)
    said: list[str] = []
    seen = set()
    while not game.over and len(seen) < 4:
        seat = game.awaited[0]
        if seat == 0:
            said = hint_lines.hint_lines(game.view(0), narrator)
            assert said[0].startswith("Planner would say: ")
            text = " ".join(said)
            for words in ("By the shortest open way", "It is meant for", "way of", "completes"):
                if words in text:
                    seen.add(words)
        game.play(seat, make("planner", 0).decide(game.view(seat)))
    assert {"By the shortest open way", "It is meant for"} <= seen
