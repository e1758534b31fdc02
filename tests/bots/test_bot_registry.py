from pathlib import Path

import pytest

from ferrovia.bots import LEVELS, SOCIABLE, make, names, register, registry
from ferrovia.bots.registry import script_kind
from ferrovia.game import Game
from ferrovia.languages import LANGUAGES, catalogue

ROOT = Path(__file__).parents[2]
SMALL = ROOT / "tests" / "boards" / "small.json"


def test_bots_are_known_by_their_names():
    assert set(names()) >= {"random", "greedy"}
    assert all(make(name, 1).name == name for name in names())


def test_unknown_bot_suggests_close_names():
    with pytest.raises(ValueError, match="there is no bot 'gredy'; did you mean greedy\\?"):
        make("gredy", 1)


def test_unknown_bot_lists_all_when_none_is_close():
    with pytest.raises(ValueError, match="there are random, greedy"):
        make("xyzzy", 1)


def test_options_after_a_colon_reach_the_maker(monkeypatch):
    monkeypatch.setattr(registry, "_makers", dict(registry._makers))
    register("echo", lambda options, seed: (options, seed))
    assert make("echo:0.5s:deep", 2) == ("0.5s:deep", bytes(31) + b"\x02")
    assert "echo" in names()


def test_scripts_have_no_options():
    with pytest.raises(ValueError, match="greedy has no options; what is 'hard'"):
        make("greedy:hard", 1)


@pytest.mark.parametrize("name", ["greedy", "a:b"])
def test_a_name_is_registered_once_and_has_no_colon(name):
    with pytest.raises(ValueError, match="is taken or has a colon"):
        register(name, lambda options, seed: make("random", seed))


@pytest.mark.parametrize("seed", [b"short", -1, 1 << 256])
def test_seed_is_32_bytes_or_a_number(seed):
    with pytest.raises(ValueError, match="a seed is 32 bytes"):
        make("greedy", seed)


def test_a_bot_stays_at_its_seat():
    game = Game("usa", 2, seed=1)
    bot = make("greedy", 1)
    bot.decide(game.view(0))
    with pytest.raises(ValueError, match="sits at seat 0, not 1"):
        bot.decide(game.view(1))


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_is_a_bot_that_people_can_choose(level):
    assert make(level, 1).name == level, "LEVELS in bots/registry.py names no bot"
    page = (ROOT / "docs" / "bots.md").read_text("utf-8")
    assert f"| `{level}` |" in page, "docs/bots.md does not say what the level is"
    for language in LANGUAGES:
        for key in (f"bot.{level}", f"level.{level}"):
            assert key in catalogue(language), f"texts/{language}.json has no '{key}'"


def test_a_level_plays_as_the_bot_behind_it():
    game = Game("europe", 2, seed=4)
    assert make("conductor", 4).decide(game.view(0)) == make("greedy", 4).decide(game.view(0))


def test_the_only_option_of_a_level_is_the_sociable_style_of_the_strong_ones():
    with pytest.raises(ValueError, match="the level driver has no option but sociable; what is"):
        make("driver:9", 1)
    assert [make(name, 1).name for name in SOCIABLE] == list(SOCIABLE)
    assert all(script_kind(name) is None for name in SOCIABLE)
