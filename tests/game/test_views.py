"""Views, read as plain numbers and written as plain data, agree with the kernel that they show."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from ferrovia import Game
from ferrovia.game.codec.fields import ScoreReading, StateReading
from ferrovia.game.errors import IllegalAction
from ferrovia.game.scores import raw_score
from ferrovia.rules.state.layout import SCORE, STATE
from tests.memory import fields


def positions(edition: str, players: int, seed: int, every: int = 1) -> Iterator[Game]:
    """A game of random actions, claims first, as it stands every few actions."""
    game, chance = Game(edition, players, seed=seed), random.Random(seed)
    played = 0
    while not game.over:
        if played % every == 0:
            yield game
        played += 1
        seat = chance.choice(game.awaited)
        actions = game.legal_actions(seat)
        claims = [a for a in actions if str(a).startswith(("claim", "station"))]
        game.play(seat, chance.choice(claims if claims and chance.random() < 0.7 else actions))
    yield game


@pytest.mark.parametrize("edition", ["europe", "usa", "mega-europe"])
def test_every_field_reads_as_in_the_record(edition: str) -> None:
    for game in positions(edition, 3, 1, every=40):
        state, score = StateReading(game.state), ScoreReading(raw_score(game.lexicon, game.state))
        for reading, record, kind in (
            (state, fields(game.state, STATE), STATE),
            (score, fields(raw_score(game.lexicon, game.state), SCORE), SCORE),
        ):
            for name in kind.fields:
                assert np.array_equal(np.array(getattr(reading, name)), record[name]), name
        with pytest.raises(AttributeError):
            state.no_such_field  # noqa: B018


@pytest.mark.parametrize("edition", ["europe", "usa"])
def test_the_texts_of_legal_actions_are_theirs_in_their_order(edition: str) -> None:
    for game in positions(edition, 2, 2):
        for seat in (0, 1):
            view = game.view(seat)
            assert view.legal_texts() == list(map(str, view.legal_actions()))


def test_what_is_barred_is_what_the_rules_refuse_with_their_reason() -> None:
    seen = set()
    for game in positions("europe", 3, 4, every=7):
        for seat in range(3):
            reasons = game.view(seat).barred()
            texts = game.view(seat).legal_texts()
            if not reasons:
                assert seat not in game.awaited or game.phase.name not in ("TURN", "SECOND_CARD")
                continue
            for subject, reason in reasons.items():
                assert not any(text == subject or text.startswith(f"{subject} ") for text in texts)
                if subject.startswith(("take", "draw", "tickets")):
                    refused = game.why_not(seat, subject)
                    assert isinstance(refused, IllegalAction)
                    assert refused.reason == reason
                seen.add(reason)
            possible = {" ".join(text.split()[:2]) for text in texts if text != "pass"}
            assert possible.isdisjoint(reasons)
    assert {
        "too_few_cards",
        "route_claimed",
        "not_face_up",
        "station_cards",
        "locomotive_second",
    } <= seen
