"""Watching together: one leads, the others are sent what is shown."""

import pytest

from tests.server.support.people import PERSON, Person, bot, create
from tests.server.support.processes import Server


@pytest.fixture(scope="module")
def over(house: Server) -> Person:
    made = create(house.address, PERSON, bot(), edition="usa")
    ada = Person(house.address, made["table"], made["held"][0]["token"], seed=5).come()
    ada.play()
    return ada


def test_one_leads_and_the_others_follow(house: Server, over: Person) -> None:
    first, second = (Person(house.address, over.table).come() for _ in range(2))
    over.say(type="film", at="12.1", eyes="1", pointer="boston-montreal")
    for watcher in (first, second):
        shown = watcher.hear("film")
        assert (shown["leader"], shown["name"]) == (0, "Ada")
        assert (shown["at"], shown["eyes"], shown["pointer"]) == ("12.1", "1", "boston-montreal")
    late = Person(house.address, over.table).come()
    assert late.hear("film")["at"] == "12.1"
    over.say(type="film", lead=False)
    for watcher in (first, second, late):
        assert watcher.hear("film")["leader"] is None
    over.say(type="film", at="3")
    assert first.hear("film")["at"] == "3"
    over.go()
    assert first.hear("film")["leader"] is None
    over.come()
    for watcher in (first, second, late):
        watcher.go()


def test_spectators_lead_only_where_nobody_played(house: Server, over: Person) -> None:
    watcher = Person(house.address, over.table).come()
    watcher.say(type="film", at="1")
    assert watcher.hear("refused")["code"] == "not_seated"
    watcher.say(type="film", at="1" * 17)
    assert watcher.hear("refused")["code"] == "bad_message"
    watcher.go()


def test_a_running_game_is_not_watched_as_a_film(house: Server) -> None:
    made = create(house.address, PERSON, bot(), edition="usa")
    ada = Person(house.address, made["table"], made["held"][0]["token"], seed=5).come()
    ada.say(type="film", at="1")
    assert ada.hear("refused")["code"] == "not_over"
    ada.go()
