"""Moves to find: two judges of different kinds agree, by a margin, and what is wrong is refuted."""

from types import SimpleNamespace

import pytest

from ferrovia.analysis.samples import Interval
from ferrovia.bots.net.net_bot import has_learned
from ferrovia.game import View, read_action, read_position
from research.puzzles import judgement, moves
from research.puzzles.judgement import Difference
from research.puzzles.makers import Rejected

# The last turn of all: one claim wins, everything else loses.
LAST_TURN = """
edition: usa-classic
turn: 1
last round: 1
display: red blue blue green white
seat 0: routes portland-seattle seattle-vancouver | trains 2
seat 1: hand yellow*6 red
"""


def view_of(text: str) -> View:
    return read_position(text).view(1)


@pytest.fixture
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, worlds in {"_GLANCE": 4, "_CHOOSING": 4, "_FIRST": 8, "_SECOND": 4}.items():
        monkeypatch.setattr(moves, name, worlds)
    monkeypatch.setattr(moves, "_ENDINGS", 4)


def bots_that(monkeypatch: pytest.MonkeyPatch, action: str) -> None:
    """Let all bots whose moves are options decide like this."""
    decided = read_action(action)
    bot = SimpleNamespace(decide=lambda _view: decided)
    monkeypatch.setattr(moves, "make", lambda _name, _seed: bot)


@pytest.mark.usefixtures("few_worlds")
class TestAMove:
    def test_is_found_where_both_judges_agree(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bots_that(monkeypatch, "draw")
        answers, judges = moves.find_move(view_of(LAST_TURN), seed=1)
        right = [it.answer for it in answers if it.right]
        assert right == ["claim helena-seattle"]
        assert (judges.first, judges.second) == ("planner", "net")
        wrong = {it.answer: it for it in answers if not it.right}
        assert len(wrong) >= 2
        drawn = wrong["draw"].judged
        assert drawn is not None
        assert drawn.points.low == drawn.points.high == 25.0  # the route, and the longest one
        assert drawn.wins.mean == 1.0
        assert drawn.lead.low > 25.0
        assert [it.key for it in drawn.reasons] == ["could_be_paid"]
        assert next(it for it in answers if it.right).judged is None

    def test_is_the_same_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bots_that(monkeypatch, "draw")
        assert moves.find_move(view_of(LAST_TURN), 1) == moves.find_move(view_of(LAST_TURN), 1)

    def test_that_every_bot_finds_is_none(self) -> None:
        with pytest.raises(Rejected, match="every bot finds it"):
            moves.find_move(view_of(LAST_TURN), seed=1)

    def test_is_none_where_nothing_differs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bots_that(monkeypatch, "draw")
        poor = LAST_TURN.replace("hand yellow*6 red", "hand yellow")
        with pytest.raises(Rejected, match=r"worth the same|too few"):
            moves.find_move(view_of(poor), seed=1)

    def test_needs_the_second_judge(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bots_that(monkeypatch, "draw")
        look_ahead = judgement.TwoJudges.look_ahead
        monkeypatch.setattr(
            judgement.TwoJudges,
            "look_ahead",
            lambda *asked: -look_ahead(*asked),  # of another mind
        )
        with pytest.raises(Rejected, match="the second judge knows a better one"):
            moves.find_move(view_of(LAST_TURN), seed=1)


def test_the_second_judge_knows_only_what_it_has_learned() -> None:
    own = read_position(
        "edition: tests/boards/small.json\nturn: 0\nseat 0: hand red\nseat 1: hand red\n"
    ).view(0)
    assert not has_learned(own.lexicon, 2)
    with pytest.raises(ValueError, match="has not learned"):
        judgement.TwoJudges(own, bytes(32))


def _sure(mean: float) -> Interval:
    return Interval(mean, mean, mean)


@pytest.mark.parametrize(
    ("points", "wins", "lead", "right", "wrong"),
    [
        (_sure(9.0), _sure(0.2), _sure(5.0), False, True),
        (_sure(1.5), _sure(0.02), _sure(0.0), True, False),
        (_sure(-1.0), _sure(-0.1), _sure(-3.0), True, False),
        # Neither: not surely beyond the margin, in one of the two, or the judges differ.
        (Interval(5.0, 1.9, 8.1), _sure(0.2), _sure(5.0), False, False),
        (_sure(9.0), Interval(0.1, 0.02, 0.18), _sure(5.0), False, False),
        (_sure(9.0), _sure(0.2), Interval(1.0, -0.1, 2.1), False, False),
        (_sure(1.0), _sure(0.0), _sure(5.0), False, False),
    ],
)
def test_every_answer_within_the_margin_counts(
    points: Interval, wins: Interval, lead: Interval, right: bool, wrong: bool
) -> None:
    found = Difference(points, wins, lead)
    assert (found.is_right, found.is_wrong) == (right, wrong)
