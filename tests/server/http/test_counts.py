"""Counting a game on a table over HTTP: its score, its picture, and a count of two people."""

from typing import Any

import httpx2

from tests.server.support.people import api
from tests.server.support.processes import Server

SEATS: list[dict[str, Any]] = [
    {
        "routes": ["paris-zurich", "munchen-zurich"],
        "stations": ["wien"],
        "tickets": ["europe:paris-wien"],
        "name": "Ana",
        "color": "black",
    },
    {"routes": ["paris-zurich"], "name": "Rui", "color": "red"},
]


def ask(house: Server, path: str, **body: Any) -> httpx2.Response:
    with api(house.address) as client:
        return client.post(path, json=body)


def test_a_table_is_scored_and_drawn(house: Server) -> None:
    answer = ask(house, "/api/counts", edition="europe", seats=SEATS)
    assert answer.status_code == 200
    count = answer.json()
    first, second = count["result"]["scores"]
    assert (first["routes"], first["tickets"], second["routes"]) == (4 + 2, -8, 0)
    assert count["misfits"] == [
        {"seat": 1, "kind": "route", "id": "paris-zurich", "why": "taken", "other": 0}
    ]
    picture = ask(house, "/api/counts/picture", edition="europe", seats=SEATS)
    assert picture.headers["content-type"] == "image/svg+xml"
    assert f"Ana {first['total']}" in picture.text


def test_nonsense_is_refused(house: Server) -> None:
    for body, code in (
        ({"edition": "nowhere", "seats": SEATS}, "no_such_edition"),
        ({"edition": "../../etc/passwd", "seats": SEATS}, "no_such_edition"),
        ({"edition": "europe", "seats": SEATS[:1]}, "invalid_setup"),
        ({"edition": "europe", "seats": [{"routes": ["x"] * 500}, {}]}, "bad_message"),
        ({"edition": "europe", "seats": [{"color": "'/><script>"}, {}]}, "bad_message"),
    ):
        answer = ask(house, "/api/counts", **body)
        assert answer.status_code in (400, 422)
        assert answer.json()["code"] == code


def test_two_people_enter_one_count(house: Server) -> None:
    path = "/api/counts/shared/abcdefghijklmnopqrstuv"
    entered = {"key": "route:paris-zurich", "value": "0"}
    assert ask(house, path, since=0, changes=[entered]).json()["number"] == 1
    seen = ask(house, path, since=0, changes=[{"key": "route:munchen-zurich", "value": "1"}]).json()
    assert [change["key"] for change in seen["changes"]] == [
        "route:paris-zurich",
        "route:munchen-zurich",
    ]
    back = ask(house, path, since=2, changes=[{"key": "route:paris-zurich", "value": None}]).json()
    assert back == {"number": 3, "changes": [{"key": "route:paris-zurich", "value": None}]}
    # A server that has forgotten the count says so by its number.
    assert ask(house, path + "-other", since=7).json() == {"number": 0, "changes": []}
    many = [{"key": f"route:{number}", "value": "0"} for number in range(500)]
    assert ask(house, path, since=3, changes=many).status_code == 200
    more = [{"key": f"city:{number}", "value": "0"} for number in range(200)]
    refused = ask(house, path, since=503, changes=more)
    assert refused.json()["code"] == "too_large"
    assert ask(house, path, since=503).json() == {"number": 503, "changes": []}
    assert ask(house, "/api/counts/shared/short", since=0).status_code == 404


def test_who_begins_many_counts_ends_nobody_elses(house: Server) -> None:
    """Three hundred were kept in all, which one address began within a minute."""

    def share(name: str, address: str, **body: Any) -> Any:
        headers = {"x-forwarded-for": address}
        with api(house.address) as client:
            return client.post(f"/api/counts/shared/{name}", json=body, headers=headers).json()

    own = "a-count-of-some-family"
    entered = {"key": "route:paris-zurich", "value": "0"}
    share(own, "203.0.113.7", since=0, changes=[entered])
    for number in range(40):
        answer = share(f"a-count-of-a-stranger-{number}", "2001:db8::1", since=0, changes=[entered])
        assert answer["number"] == 1
    assert share(own, "203.0.113.7", since=1) == {"number": 1, "changes": []}
    assert share("a-count-of-a-stranger-39", "2001:db8::1", since=1)["number"] == 1
    assert share("a-count-of-a-stranger-0", "2001:db8::1", since=1)["number"] == 0
