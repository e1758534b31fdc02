"""The analysis of whole games: what it says, on what grounds, and that it says it again."""

from functools import cache
from itertools import product
from pathlib import Path

import msgspec
import numpy as np
import pytest

from ferrovia.analysis.analysis import SEED, NotFinished, _Run, analyse, budget_for, record_hash
from ferrovia.analysis.analysis_file import (
    AnalysisError,
    KeptAnalyses,
    place_beside,
    read_analyses,
    write_analyses,
)
from ferrovia.analysis.findings import Analysis, Budget
from ferrovia.analysis.judge import choices_of, try_choice
from ferrovia.analysis.reasons import Reason, end_facts, open_tickets, reasons_for
from ferrovia.analysis.samples import Interval, interval_of
from ferrovia.analysis.sheet import PARTS
from ferrovia.boards import load_edition
from ferrovia.bots import make
from ferrovia.bots.search.workspace import make_workspace
from ferrovia.game import (
    ClaimRoute,
    DrawCard,
    Game,
    KeepTickets,
    TakeCard,
    read_position,
)
from ferrovia.game.events import Offer
from ferrovia.game.records.decisions import decisions_of
from ferrovia.game.records.turns import split_turns
from ferrovia.rules.state.layout import STATE
from ferrovia.terminal.analysis_lines import (
    _REASONS,
    analysis_lines,
    deed_text,
    reason_text,
    summary_text,
)
from ferrovia.terminal.sentences import Narrator
from tests.memory import fields

pytestmark = pytest.mark.xdist_group("analysis")  # of one game: in one process, it is kept

FEW = Budget(worlds=24, seconds=600.0)


@cache
def played(edition: str = "usa", bots: tuple[str, ...] = ("random", "planner")) -> Game:
    game = Game(edition, len(bots), seed=11)
    seated = [make(bot, seat) for seat, bot in enumerate(bots)]
    while not game.over:
        seat = game.awaited[0]
        game.play(seat, seated[seat].decide(game.view(seat)))
    return game


@cache
def analysed() -> Analysis:
    return analyse(played(), FEW)


class TestAnAnalysis:
    def test_has_a_sheet_for_every_seat_that_closes(self) -> None:
        totals = [score.total for score in played().result().scores]
        for sheet in analysed().sheets:
            assert sheet.result == totals[sheet.seat]
            parts = sum(getattr(sheet, part) for part in PARTS)
            assert parts == pytest.approx(sheet.result, abs=1e-6)
            assert sum(sheet.whole.values()) == sheet.result

    def test_books_luck_on_tickets_only_in_turns_that_drew_some(self) -> None:
        game = played()
        _, turns = split_turns(game.events, game.players, len(game.edition.deals))
        run = _Run(game, FEW, SEED, lambda _done, _total: None)
        after_the_start = list(zip(run.places[3:], run._steps()[3:], strict=True))
        for place, step in after_the_start:
            drew = any(isinstance(event, Offer) for event in turns[place.turn - 1])
            assert step.luck == ("tickets" if drew else "cards")
        assert {step.luck for _, step in after_the_start} == {"tickets", "cards"}

    def test_finds_the_choices_of_a_careless_player_and_none_of_the_judge_itself(self) -> None:
        careless, judge = analysed().sheets
        assert careless.choices < -20
        assert judge.choices == 0.0  # it did what the judge would have done
        assert any(it.seat == 0 and it.kind == "missed" for it in analysed().remarks)

    def test_remarks_only_where_the_interval_excludes_zero(self) -> None:
        for remark in analysed().remarks:
            assert remark.points.low > 0
            assert remark.points.low < remark.points.mean < remark.points.high
            assert remark.played != remark.better
            assert all(len(option.points) == 2 for option in remark.options)

    def test_is_the_same_again(self) -> None:
        again = analyse(Game.from_record(played().record().text()), FEW)
        assert msgspec.structs.replace(again, seconds=0.0) == msgspec.structs.replace(
            analysed(), seconds=0.0
        )

    def test_says_by_whom_and_of_what(self) -> None:
        found = analysed()
        assert (found.judge, found.budget, found.complete) == ("planner", FEW, True)
        assert found.record == record_hash(played())
        assert found.course[-1].points == tuple(
            float(score.total) for score in played().result().scores
        )

    def test_stops_when_its_time_is_up_and_says_so(self) -> None:
        found = analyse(played(), Budget(worlds=100, seconds=0.0))
        assert not found.complete
        for sheet in found.sheets:
            assert sum(sheet.whole.values()) == sheet.result

    def test_reports_its_progress(self) -> None:
        steps: list[tuple[int, int]] = []
        analyse(played(), Budget(worlds=10, seconds=600.0), report=lambda *it: steps.append(it))
        assert steps == sorted(steps)
        assert steps[-1][0] == steps[-1][1]

    def test_is_for_finished_games_alone(self) -> None:
        with pytest.raises(NotFinished):
            analyse(Game("usa", 2, seed=1))

    def test_reads_in_words(self) -> None:
        text = "\n".join(analysis_lines(played(), analysed()))
        assert "your choices cost" in text.lower()
        assert "with open cards" in text.lower()
        only = "\n".join(analysis_lines(played(), analysed(), [1]))
        assert played().names[0] not in only

    @pytest.mark.parametrize(
        ("action", "words"),
        [
            ("draw", "draw a card from the deck"),
            ("take locomotive", "take a locomotive from the display"),
            ("keep 1 3 back 2", "keep Boston – Miami (12) and Duluth – El Paso (10)"),
            ("keep none", "keep no ticket"),
            ("claim chicago-toronto", "claim Chicago – Toronto"),
            (
                "claim chicago-toronto red red locomotive locomotive",
                "claim Chicago – Toronto with 2 red, 2 locomotives",
            ),
            ("claim atlanta-new_orleans", "claim Atlanta – New Orleans (orange)"),
            ("station miami blue", "build a station in Miami with 1 blue"),
            ("pay blue", "pay 1 blue for the tunnel"),
            ("withdraw", "take the cards back"),
            ("pass", "pass"),
        ],
    )
    def test_says_what_was_done_in_words(self, action: str, words: str) -> None:
        edition = load_edition("usa")
        narrator = Narrator(edition, ["Ada", "Ben"])
        offer = [ticket.id for ticket in edition.tickets if ticket.points in (12, 10, 13)][:3]
        assert deed_text(action, narrator, offer) == words

    def test_budgets_are_those_of_the_seats(self) -> None:
        assert [budget_for(seats).seconds for seats in (2, 3, 4, 5)] == [30, 60, 60, 60]


class TestTheJudge:
    def test_knows_only_what_the_seat_knew(self) -> None:
        """With other hidden cards and tickets the same choice is judged the same way."""
        game = played()
        decision = next(it for it in decisions_of(game) if it.turn == 9)
        other = decision.before.copy()
        s, rival = fields(other, STATE), 1 - decision.seat
        s.hand[rival], s.deck[:] = s.known[rival], s.deck + s.hand[rival] - s.known[rival]
        for _ in range(int(s.hand_size[rival]) - int(s.known[rival].sum())):
            card = int(np.flatnonzero(s.deck)[-1])
            s.deck[card] -= 1
            s.hand[rival, card] += 1
        s.rng[:] += np.uint32(1)
        assert other != decision.before
        trials = []
        for state in (decision.before, other):
            workspace = make_workspace(bytes(32))
            seen = decision._replace(before=state)
            [choice, *_] = choices_of(game.lexicon, seen, workspace)
            trials.append(try_choice(game.lexicon, choice, choice.options, 0, 8, workspace))
        for one, same in zip(trials[0], trials[1], strict=True):
            assert one.options == same.options
            for place in product(range(one.options), range(one.players)):
                assert one[place] == same[place]

    def test_tries_every_option_in_the_same_worlds(self) -> None:
        game, workspace = played(), make_workspace(bytes(32))
        decision = next(it for it in decisions_of(game) if it.turn == 9)
        [choice, *_] = choices_of(game.lexicon, decision, workspace)
        twice = (choice.options[0], choice.options[0])
        trial = try_choice(game.lexicon, choice, twice, 0, 8, workspace)
        assert all(trial.points[0, seat] == trial.points[1, seat] for seat in (0, 1))

    @pytest.mark.uncompiled
    def test_the_last_decision_leads_to_the_result(self) -> None:
        """Whatever the others hold: nobody plays after it, so the points are those of the game."""
        game, workspace = played(), make_workspace(bytes(32))
        *_, last = decisions_of(game)
        totals = [score.total for score in game.result().scores]
        [choice, *_] = choices_of(game.lexicon, last, workspace)
        trial = try_choice(game.lexicon, choice, choice.options, 0, 2, workspace)
        assert list(trial.points[choice.played, choice.seat]) == [totals[choice.seat]] * 2

    def test_gives_an_interval(self) -> None:
        assert interval_of(np.array([1.0])).low == float("-inf")
        sure = interval_of(np.full(50, 3.0))
        assert sure == Interval(3.0, 3.0, 3.0)
        assert sure.is_above_zero
        assert not interval_of(np.array([-1.0, 1.0] * 20)).is_above_zero


TICKETS = "europe:berlin-roma europe:frankfurt-kobenhavn"
POSITION = """
edition: europe
turn: 0
seat 0: hand {hand} | routes frankfurt-paris | tickets {tickets}
seat 1: hand blue*4
"""


class TestReasons:
    def view(self, hand: str = "white*3 red*3 locomotive"):
        return read_position(POSITION.format(hand=hand, tickets=TICKETS)).view(0)

    def test_are_facts_of_the_position(self) -> None:
        view = self.view()
        assert {ticket.id for ticket in open_tickets(view)} == {
            "europe:berlin-roma",
            "europe:frankfurt-kobenhavn",
        }
        found = reasons_for(view, DrawCard(), ClaimRoute("essen-kobenhavn", ()), ())
        assert Reason("could_be_paid", {"route": "essen-kobenhavn"}) in found

    def test_name_a_locomotive_that_is_the_whole_turn(self) -> None:
        found = reasons_for(self.view(), TakeCard("locomotive"), TakeCard("red"), ())
        assert Reason("locomotive_is_the_turn") in found

    def test_count_locomotives_that_were_spent(self) -> None:
        route = "paris-zurich"
        dear = ClaimRoute(route, ("white", "locomotive", "locomotive"))
        cheap = ClaimRoute(route, ("white", "white", "white"))
        assert Reason("locomotives_spent", {"count": 2}) in reasons_for(
            self.view(), dear, cheap, ()
        )

    def test_say_nothing_where_nothing_is_known(self) -> None:
        assert reasons_for(self.view(), KeepTickets((1,)), KeepTickets((1,)), ()) == ()

    def test_all_have_a_sentence(self) -> None:
        game = played("europe", ("random", "stoker", "planner"))
        narrator = Narrator(game.edition, game.names)
        for fact in end_facts(game):
            assert reason_text(fact.reason, narrator)
        assert all(key.islower() for key in _REASONS)

    @pytest.mark.parametrize(
        ("reason", "sentence"),
        [
            (
                Reason("few_left", {"card": "orange", "count": 0}),
                "no orange cards could still turn up",
            ),
            (Reason("few_left", {"card": "red", "count": 1}), "1 red card could still turn up"),
            (Reason("tickets_in_last_round", {"turns": 1}), "only 1 turn remained"),
            (
                Reason("stations_left", {"count": 2}),
                "2 stations remained, with a ticket unfinished",
            ),
            (
                Reason("ticket_too_far", {"ticket": "1", "trains": None}),
                "took too many trains more",
            ),
        ],
    )
    def test_count_as_people_do(self, reason: Reason, sentence: str) -> None:
        game = played()
        about = {
            **reason.about,
            **({"ticket": game.edition.tickets[0].id} if "ticket" in reason.about else {}),
        }
        assert reason_text(Reason(reason.key, about), Narrator(game.edition, game.names)).endswith(
            sentence
        )

    def test_of_the_end_are_those_of_the_result(self) -> None:
        game = played("europe", ("random", "stoker", "planner"))
        failed = [score.failed for score in game.result().scores]
        for fact in end_facts(game):
            if "ticket" in fact.reason.about:
                assert fact.reason.about["ticket"] in failed[fact.seat]


class TestTheFileBeside:
    def test_keeps_the_older_result_when_one_is_renewed(self, tmp_path: Path) -> None:
        place = place_beside(tmp_path / "game.jsonl")
        assert place == tmp_path / "game.analysis.json"
        assert read_analyses(place) == KeptAnalyses()
        first = analysed()
        second = msgspec.structs.replace(first, seed="11" * 32)
        write_analyses(place, read_analyses(place).with_newer(first))
        write_analyses(place, read_analyses(place).with_newer(second))
        kept = read_analyses(place)
        assert [it.seed for it in kept.analyses] == [second.seed, first.seed]
        assert kept.newest(first.record) == second
        assert kept.newest("of another record") is None

    @pytest.mark.parametrize(
        "text", ["", "[]", '{"version": 2, "analyses": []}', '{"analyses": 3}']
    )
    def test_is_refused_when_it_is_none(self, tmp_path: Path, text: str) -> None:
        place = tmp_path / "game.analysis.json"
        place.write_text(text)
        with pytest.raises(AnalysisError, match=r"game\.analysis\.json"):
            read_analyses(place)


def test_the_sentence_says_only_what_is_sure() -> None:
    sheet = analysed().sheets[0]
    unsure = msgspec.structs.replace(sheet, errors=dict.fromkeys(PARTS, 1000.0))
    assert summary_text(unsure) == "nothing stood out beyond chance."
