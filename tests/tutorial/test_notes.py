"""Tutorials: notes that fit their records, in all languages, and what is refused."""

import json
from collections.abc import Mapping

import pytest

from ferrovia.game import BuildStation, ClaimRoute, DrawTickets, Game, read_record
from ferrovia.game.records.steps import replay_steps, step_of_turn
from ferrovia.languages import LANGUAGES
from ferrovia.tutorial.notes import (
    MOST_WORDS,
    Goal,
    NotesError,
    builtin,
    check_beside,
    names,
    read_notes,
)


@pytest.mark.parametrize("name", names())
class TestATutorialThatComesWithFerrovia:
    def test_fits_its_record(self, name: str) -> None:
        notes, record = builtin(name)
        game = check_beside(notes, record)
        assert game.over

    def test_has_all_languages_and_short_steps(self, name: str) -> None:
        notes = builtin(name)[0]
        said = [notes.title]
        for step in notes.steps:
            told = [step.text, step.touch, step.keys, step.otherwise]
            told = [texts for texts in told if texts is not None]
            for texts in told:
                assert all(len(text.split()) < MOST_WORDS for text in texts.values())
            said += told + list(step.question.answers if step.question else ())
        for texts in said:
            assert set(texts) == set(LANGUAGES)

    def test_takes_a_slow_reader_no_longer_than_is_promised(self, name: str) -> None:
        """Two words a second, and ten seconds for every decision and answer."""
        seconds, first_claim = 0.0, None
        for step in builtin(name)[0].steps:
            longest = max((step.text, step.touch, step.keys), key=_words)
            seconds += _words(longest) / 2
            if step.goal is not None:
                seconds += 20 if step.goal.does in ("cards", "tickets") else 10
                if step.goal.does == "claim" and first_claim is None:
                    first_claim = seconds
            if step.question is not None:
                seconds += 10
        assert first_claim is not None
        assert first_claim <= 60
        assert seconds <= (240 if name == "usa" else 180)

    def test_points_at_what_it_asks_for(self, name: str) -> None:
        steps = builtin(name)[0].steps
        asking = [step for step in steps if step.goal is not None and step.goal.does != "any"]
        assert all(step.arrow is not None for step in asking)

    def test_can_be_done_where_it_begins(self, name: str) -> None:
        """At every place where a step begins anew, a move that meets its goal is legal."""
        read, record = builtin(name)
        game, steps = replay_steps(read_record(record))
        for step in read.steps:
            if step.at is None or step.goal is None:
                continue
            turn, _, part = step.at.partition(".")
            state = steps[step_of_turn(steps, int(turn), int(part) if part else None)].state
            here = Game.standing_at(game.lexicon, game.names, game.seed, state, list(game.events))
            assert any(
                meets(here, read.seat, step.goal, it) for it in here.legal_actions(read.seat)
            )


def _words(texts: Mapping[str, str] | None) -> int:
    return max((len(text.split()) for text in (texts or {}).values()), default=0)


def meets(game: Game, seat: int, goal: Goal, action: object) -> bool:
    if goal.does == "claim":
        if not isinstance(action, ClaimRoute):
            return False
        route = game.edition.board.route(action.route)
        if (goal.tunnel and not route.tunnel) or (goal.ferry and not route.ferry):
            return False
        if goal.completes:
            after = game.copy()
            after.play(seat, action)
            before = set(game.result().scores[seat].completed)
            return set(after.result().scores[seat].completed) > before
        return True
    if goal.does == "station":
        return isinstance(action, BuildStation)
    if goal.does == "tickets":
        return isinstance(action, DrawTickets)
    return True


NOTES = {
    "notes": "ferrovia",
    "version": 1,
    "record": "0" * 64,
    "title": {"en": "T"},
    "seat": 0,
    "steps": [{"at": "0", "text": {"en": "Do it."}}],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "version 2"),
        ({"steps": []}, "no notes"),
        ({"steps": [{"text": {"en": "x"}}]}, "needs `at`"),
        ({"steps": [{"at": "0", "text": {"es": "x"}}]}, "needs English"),
        ({"steps": [{"at": "0", "text": {"en": "a " * 30}}]}, "fewer than 25 words"),
        ({"steps": [{"at": "x", "text": {"en": "x"}}]}, "no notes"),
        ({"surprise": 1}, "no notes"),
        (
            {"steps": [{"at": "0", "text": {"en": "x"}, "question": {"answers": [], "right": 0}}]},
            "not among the answers",
        ),
    ],
)
def test_notes_of_people_are_read_strictly(change: dict[str, object], message: str) -> None:
    with pytest.raises(NotesError, match=message):
        read_notes(json.dumps({**NOTES, **change}).encode())


def test_notes_for_another_record_are_refused() -> None:
    with pytest.raises(NotesError, match="another record"):
        check_beside(read_notes(json.dumps(NOTES).encode()), builtin("usa")[1])


def test_there_is_no_other_tutorial() -> None:
    with pytest.raises(KeyError):
        builtin("../usa")
