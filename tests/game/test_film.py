"""Films: the state after every decision, from somebody's eyes, as changes."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ferrovia.boards.ways import shortest_way
from ferrovia.game import Game, PublicView, RecordError, read_record
from ferrovia.game.film import Eyes, Film, Frame, film_of
from ferrovia.game.finale import finale_of, run
from ferrovia.game.records.record import record_of
from ferrovia.game.records.replay import replay
from ferrovia.game.records.steps import Step, replay_steps, step_of_turn
from ferrovia.game.views import own_state, public_state

SMALL = Path(__file__).parents[1] / "boards" / "small.json"


def played(
    edition: str, players: int, seed: int, decisions: int = 100_000
) -> tuple[Game, list[Any]]:
    """A random game, and for each decision what everybody could know after it."""
    game, chance = Game(edition, players, seed=seed), random.Random(seed)
    seen = [_views(game)]
    while not game.over and decisions:
        seat = chance.choice(game.awaited)
        actions = list(map(str, game.legal_actions(seat)))
        claims = [one for one in actions if one.startswith(("claim", "station", "pay"))]
        game.play(seat, chance.choice(claims if claims and chance.random() < 0.6 else actions))
        seen.append(_views(game))
        decisions -= 1
    return game, seen


def _views(game: Game) -> dict[Any, Any]:
    own = {}
    for seat in range(game.players):
        state = own_state(game.view(seat))
        own[seat] = (state.hand, state.tickets, state.offer)
    public = {seat: public_state(game.view(seat)) for seat in range(game.players)}
    return {"own": own, **public, "public": public_state(game.view(None)), "over": game.over}


def frames(film: Film) -> list[Frame]:
    """All frames of a film, made from its changes as a client makes them, through JSON."""
    plain = msgspec.json.decode(msgspec.json.encode(film))
    frame = plain["first"]
    found = [frame]
    for step in plain["steps"]:
        seats = [dict(seat) for seat in frame["public"]["seats"]]
        for seat, changed in step["seats"].items():
            seats[int(seat)] |= changed
        hands = list(frame["hands"])
        for seat, changed in step["hands"].items():
            hands[int(seat)] = None if changed is None else (hands[int(seat)] or {}) | changed
        frame = {"public": frame["public"] | step["public"] | {"seats": seats}, "hands": hands}
        found.append(frame)
    return [msgspec.convert(frame, Frame) for frame in found]


@pytest.mark.parametrize(("edition", "players"), [("europe", 3), ("usa", 2), ("mega-europe", 2)])
def test_a_film_shows_what_everybody_could_know_at_that_moment(edition: str, players: int) -> None:
    game, seen = played(edition, players, 5, 140)
    _, steps = replay_steps(record_of(game))
    assert len(steps) == len(seen)
    every: list[Eyes] = ["all", "public", *range(players)]
    for eyes in every:
        shown = frames(film_of(game, steps, eyes))
        for frame, known in zip(shown, seen, strict=True):
            hands = [hand and (hand.hand, hand.tickets, hand.offer) for hand in frame.hands]
            if eyes == "all" or known["over"]:
                assert hands == list(known["own"].values())
            else:
                assert frame.public == known[eyes]
                assert hands == [known["own"][it] if it == eyes else None for it in range(players)]


def test_from_a_seat_s_eyes_the_events_are_those_that_it_saw() -> None:
    game, _ = played("europe", 3, 11, 60)
    _, steps = replay_steps(record_of(game))
    film = film_of(game, steps, 1)
    assert [*film.deal, *(event for step in film.steps for event in step.events)] == (
        game.events_for(1)
    )
    assert film.seed is film.result is film.finale is None
    assert not film.over
    assert film.whole


def test_without_spoilers_nothing_of_what_comes_later_is_in_the_film() -> None:
    game, _ = played("usa", 2, 3)
    assert game.over
    _, steps = replay_steps(record_of(game))
    whole = film_of(game, steps, "all")
    assert whole.over
    assert whole.result == game.result()
    part = film_of(game, steps, "all", until=step_of_turn(steps, 7))
    assert {step.turn for step in part.steps} == set(range(8))
    assert part.steps == whole.steps[: len(part.steps)]
    assert (part.whole, part.over, part.result, part.finale, part.seed) == (
        False,
        False,
        *[None] * 3,
    )
    longer = film_of(game, steps, "all", until=len(steps) - 1)
    assert longer == whole


def test_turns_and_their_parts_are_found() -> None:
    game, _ = played("usa", 2, 3, 40)
    _, steps = replay_steps(record_of(game))
    assert step_of_turn(steps, 0) == 0
    assert step_of_turn(steps, 0, 1) == 1
    assert step_of_turn(steps, 10_000) == len(steps) - 1
    for number, step in enumerate(steps[1:], start=1):
        first = next(at for at, one in enumerate(steps) if at and one.turn == step.turn)
        assert step_of_turn(steps, step.turn, number - first + 1) == number


def test_a_record_without_a_seed_has_the_same_steps() -> None:
    game, _ = played("europe", 4, 21, 120)
    record = record_of(game)
    unproved = msgspec.structs.replace(record.header, seed=None, commitment="")
    _, from_seed = replay_steps(record)
    _, from_tape = replay_steps(msgspec.structs.replace(record, header=unproved))
    assert _facts(game, from_seed) == _facts(game, from_tape)


def _facts(game: Game, steps: list[Step]) -> Any:
    return [(step[:4], public_state(PublicView(game.lexicon, step.state))) for step in steps]


def test_a_wrong_record_is_refused_with_the_same_words_as_by_replay() -> None:
    game, _ = played("usa", 2, 9, 50)
    lines = record_of(game).text().splitlines()
    for gone in (12, 20, len(lines) - 1):
        record = read_record("\n".join(lines[:gone] + lines[gone + 1 :]))
        expected = None
        try:
            replay(record)
        except RecordError as problem:
            expected = str(problem)
        if expected is not None:
            with pytest.raises(RecordError) as raised:
                replay_steps(record)
            assert str(raised.value) == expected


def test_the_finale_draws_every_completed_ticket_and_runs_the_longest_route() -> None:
    for edition, players, seed in (("europe", 3, 1), ("usa", 2, 2), ("europe", 5, 4)):
        game, _ = played(edition, players, seed)
        result = game.result()
        finale = film_of(game, replay_steps(record_of(game))[1], "all").finale
        assert finale is not None
        board = game.edition.board
        tickets = {ticket.id: ticket for ticket in game.edition.tickets}
        for seat, score in enumerate(result.scores):
            usable = {*game.view(None).of(seat).routes, *score.borrowed.values()}
            assert set(finale.ways[seat]) == set(score.completed)
            for ticket, way in finale.ways[seat].items():
                assert set(way) <= usable
                city = tickets[ticket].a
                for name in way:
                    route = board.route(name)
                    city = {route.a: route.b, route.b: route.a}[city]
                assert city == tickets[ticket].b
            trail, stops = finale.trails[seat], finale.stops[seat]
            assert sum(board.route(name).length for name in trail) == score.longest
            assert len(set(trail)) == len(trail)
            for name, pair in zip(trail, pairwise(stops), strict=True):
                assert {board.route(name).a, board.route(name).b} == set(pair)
        totals = sorted((score.total for score in result.scores), reverse=True)
        assert (finale.decided == "points") == (totals[0] > totals[1])


@pytest.mark.parametrize("criterion", ["tickets", "longest"])
def test_a_tie_is_decided_by_what_the_winner_has_more_of(criterion: str) -> None:
    for seed in range(400):
        game, chance = Game(SMALL, 2, seed=seed), random.Random(seed)
        while not game.over:
            seat = game.awaited[0]
            game.play(seat, chance.choice(game.legal_actions(seat)))
        if finale_of(game.lexicon, game.state).decided == criterion:
            break
    else:
        pytest.fail("no such game")
    result = game.result()
    [winner] = result.winners
    won, lost = result.scores[winner], result.scores[1 - winner]
    assert won.total == lost.total
    more_tickets = len(won.completed) - len(lost.completed)
    if criterion == "tickets":
        assert more_tickets > 0
    else:
        assert more_tickets == 0
        assert won.longest > lost.longest


def test_a_way_is_the_shortest_and_a_run_passes_every_route_once() -> None:
    board = Game("europe", 2, seed=1).edition.board
    loop = [board.route(name) for name in ("paris-zurich", "marseille-zurich", "marseille-paris")]
    assert shortest_way(loop, "paris", "zurich") == ("paris-zurich",)
    assert shortest_way(loop, "paris", "roma") is None
    trail, stops = run(loop)
    assert sorted(trail) == sorted(route.id for route in loop)
    assert stops[0] == stops[-1]
    assert run([]) == ((), ())


OLD = sorted((Path(__file__).parent / "records").glob("*.jsonl"))


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_records_of_every_version_open_for_ever(path: Path) -> None:
    """Files are named after the version that wrote them; none is ever written anew."""
    record = read_record(path.read_bytes())
    game, steps = replay_steps(record)
    film = film_of(game, steps, "all")
    assert film.over
    assert film.result == record.result
    assert sum(len(step.events) for step in film.steps) + len(film.deal) == len(record.events)
