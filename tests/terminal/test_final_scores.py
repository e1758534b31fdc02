"""The final score in words: how a tie was decided, and the longest routes."""

from ferrovia.bots import make
from ferrovia.game import Game, read_position
from ferrovia.game.finale import finale_of
from ferrovia.terminal.final_scores import longest_route_lines, score_lines

LEVEL = 62  # two greedy players end this game with the same points


def test_a_tie_is_told_with_what_decided_it() -> None:
    game = Game("usa", 2, seed=LEVEL)
    bots = [make("greedy", seat) for seat in range(2)]
    while not game.over:
        [seat] = game.awaited[:1]
        game.play(seat, bots[seat].decide(game.view(seat)))
    one, other = game.result().scores
    assert one.total == other.total
    assert len(other.completed) > len(one.completed)
    text = " ".join(score_lines(game, ["Ada", "Bob"]))
    assert f"Bob wins with {other.total} points." in text
    assert "it was decided by tickets completed, then the longest route." in text
    run = " ".join(longest_route_lines(game, finale_of(game.lexicon, game.state), ["Ada", "Bob"]))
    assert run.strip().startswith("The longest route of Ada: Portland – ")
    assert "Bob" not in run


def test_a_victory_is_shared_by_those_whom_nothing_tells_apart() -> None:
    game = read_position("""
        edition: usa
        turn: 0
        last round: 1
        seat 0: hand red
        seat 1: hand red
    """)
    for _ in range(2):
        game.play(0, "draw")
    assert game.over
    assert score_lines(game)[-1] == "Player 1 and Player 2 share the victory with 0 points."
