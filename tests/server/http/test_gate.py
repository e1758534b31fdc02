"""The network rules: origins, hosts, prefixes, headers, sizes and rates."""

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from ferrovia.server.http.listen import PortTaken, listen, listen_from
from ferrovia.server.http.origins import Origins
from ferrovia.server.http.pages.plain_page import preferred
from ferrovia.server.rates import Rate, RateLimiter, RateLimiters
from ferrovia.server.settings import Settings
from tests.server.support.people import OPEN, PERSON, Closed, Person, api, bot, create
from tests.server.support.processes import FREE, Server

# Who may speak


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost:8765", True),
        ("127.0.0.1:8765", True),
        ("[::1]:8765", True),
        ("192.168.1.20", True),
        ("club.example", True),
        ("CLUB.example.:443", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
        (None, False),
        ("[::1", False),
    ],
)
def test_only_hosts_that_we_answer_to(host: str | None, known: bool) -> None:
    origins = Origins(Settings(public_url="https://club.example/trains"))
    assert origins.knows_host(host) is known


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://localhost:8765", True),
        ("https://localhost:8765", True),
        ("https://club.example", True),
        ("https://club.example:443", True),
        ("http://club.example", False),
        ("http://localhost:9999", False),
        ("https://evil.example", False),
        ("null", False),
        ("", False),
        ("file://", False),
        ("https://club.example.evil.example", False),
    ],
)
def test_only_pages_that_are_ours(origin: str | None, allowed: bool) -> None:
    origins = Origins(Settings(public_url="https://club.example/trains"))
    assert origins.allows(origin, "localhost:8765") is allowed


def test_a_foreign_page_reaches_nothing(house: Server) -> None:
    url = house.address.replace("http", "ws", 1) + "socket"
    with pytest.raises(InvalidStatus) as refused, connect(url, origin="https://evil.example"):  # type: ignore[arg-type]
        pass
    assert refused.value.response.status_code == 403
    answer = api(house.address).post(
        "/api/tables", json={}, headers={"origin": "https://evil.example"}
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")
    answer = api(house.address).get("/healthz", headers={"host": "evil.example"})
    assert (answer.status_code, answer.json()["code"]) == (421, "foreign_host")
    with connect(url, origin=house.address.rstrip("/")):  # type: ignore[arg-type]
        pass


# What is said and answered


def test_files_with_a_hash_in_their_name_are_kept_for_ever(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    web = tmp_path / "web"
    (web / "assets").mkdir(parents=True)
    names = ["assets/index-Do7I0_r8.js", "assets/plain.js", "entry.js", "my-CgsGjdXU.json"]
    for name in ("index.html", *names):
        (web / name).write_text("//")
    client = api(serving(f"{tmp_path}/games.sqlite", web=str(web)).address)
    kept = [client.get(f"/{name}").headers["cache-control"] for name in names]
    assert kept == ["public, max-age=31536000, immutable", *["no-cache"] * 3]
    for page in ("/", "/table/abc", "/index.html"):
        assert client.get(page).headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("es", "es"),
        ("pt-BR,pt;q=0.9,en;q=0.8", "pt"),
        ("sv-SE, sv;q=0.9, ro;q=0.8, en;q=0.7", "ro"),
        ("en;q=0.2, ES-mx;q=0.3", "es"),
        ("ro;q=0, *;q=0.5", "en"),
        ("es;q=much, ;;,,q", "en"),
        ("sv", "en"),
    ],
)
def test_a_page_without_the_client_is_in_the_readers_language(accepted: str, language: str) -> None:
    assert preferred(accepted) == language


def test_a_server_without_the_client_says_so_on_a_page(house: Server) -> None:
    """Before, these paths were answered with 404 and a code."""
    client = api(house.address)
    for path in ("/", "/table/abc"):
        page = client.get(path, headers={"accept-language": "es"})
        assert page.status_code == 503
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert page.headers["content-language"] == "es"
        assert page.headers["cache-control"] == "no-store"
        assert "instaló sin el juego" in page.text
        assert "make web" in page.text
        [style] = re.findall("<style>(.*)</style>", page.text)
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        assert f"style-src 'sha256-{digest}'" in page.headers["content-security-policy"]
        assert "script" not in page.headers["content-security-policy"]
    assert client.get("/app/entry.js").status_code == 404
    assert client.get("/healthz").status_code == 200


OPENED = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}  # as browsers do


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "This page does not exist"),
        ("es", "Esta página no existe"),
        ("pt", "Esta página não existe"),
        ("ro", "Această pagină nu există"),
    ],
)
def test_a_person_at_an_unknown_path_is_shown_a_page(
    house: Server, language: str, title: str
) -> None:
    """Before, the code for programs was shown."""
    page = api(house.address).get("/no/where", headers={**OPENED, "accept-language": language})
    assert page.status_code == 404
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert (page.headers["content-language"], page.headers["vary"]) == (
        language,
        "accept, accept-language",
    )
    assert f"<h1>{title}</h1>" in page.text
    assert re.findall('href="(.*?)"', page.text) == ["/"]
    assert "script" not in page.text + page.headers["content-security-policy"]


def test_a_wrong_method_is_told_the_right_ones(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html><title>Ferrovia</title>")
    for web in (None, str(tmp_path)):
        with Server(str(tmp_path / "games.sqlite"), web=web) as server:
            client = api(server.address)
            for path, allowed in (("/api/tables", "GET, HEAD, POST"), ("/", "GET, HEAD")):
                refused = client.delete(path, headers=OPENED)
                assert (refused.status_code, refused.json()) == (405, {"code": "not_found"})
                assert refused.headers["allow"] == allowed


def test_every_answer_has_the_headers(house: Server) -> None:
    for path in ("/", "/healthz", "/api/tables", "/nowhere", "/api/tables/none"):
        headers = api(house.address).get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


def test_bad_requests_get_a_code_and_no_traceback(house: Server) -> None:
    client = api(house.address)
    cases = [
        (client.post("/api/tables", content=b"{"), 400, "bad_message"),
        (client.post("/api/tables", content=b"\xff\xfe"), 400, "bad_message"),
        (client.post("/api/tables", content=b"[" * 60_000), 400, "bad_message"),
        (client.post("/api/tables", content=b" " * 70_000), 413, "too_large"),
        (client.post("/api/tables", json={"edition": "europe"}), 400, "bad_message"),
        (client.get("/api/tables/none"), 404, "no_such_table"),
        (client.post("/api/tables/none/join", json={"name": "Eve"}), 404, "no_such_table"),
        (client.get("/api/tables/none/record"), 404, "no_such_table"),
        (client.get("/nowhere"), 404, "not_found"),
        (client.delete("/api/tables"), 405, "not_found"),
        (client.get("/api/editions/..%2f..%2fetc"), 404, "not_found"),
        (client.get("/api/editions/atlantis"), 422, "no_such_edition"),
        (client.get("/api/tables", headers={"authorization": "Bearer x"}), 200, None),
        (
            client.get("/api/tables/none/record", headers={"authorization": "Bearer x"}),
            400,
            "bad_message",
        ),
    ]
    for answer, status, code in cases:
        assert answer.status_code == status, answer.text
        assert "Traceback" not in answer.text
        if code is not None:
            assert answer.json()["code"] == code


def test_what_can_be_asked_for(house: Server) -> None:
    client = api(house.address)
    assert client.get("/healthz").json() == {"status": "ok"}
    offerings = client.get("/api/offerings").json()
    assert "europe" in [edition["id"] for edition in offerings["editions"]]
    assert "greedy" in offerings["bots"]
    drawn = client.get("/api/editions/usa/picture").json()
    assert len(drawn["routes"]) == 100
    edition = client.get("/api/editions/europe").json()
    assert edition["edition"]["trains"] == 45
    assert len(edition["in_play"]) == 46
    assert client.get("/readyz").json() == {"status": "ok"}


def test_listed_tables_are_found_and_private_ones_are_not(house: Server) -> None:
    listed = create(house.address, PERSON, OPEN, listed=True)["table"]
    private = create(house.address, PERSON, OPEN)["table"]
    found = [line["table"] for line in api(house.address).get("/api/tables").json()["tables"]]
    assert listed in found
    assert private not in found


def test_repeated_requests_have_no_second_effect(house: Server) -> None:
    token = "T" * 43
    request = {"edition": "europe", "seats": [PERSON, OPEN, OPEN], "id": "mine"}
    first = api(house.address, token).post("/api/tables", json=request).json()
    again = api(house.address, token).post("/api/tables", json=request).json()
    assert first == again
    other = api(house.address, "U" * 43)
    seats = [
        other.post(f"/api/tables/{first['table']}/join", json={"name": "Bob"}).json()["seat"]
        for _ in range(2)
    ]
    assert seats == [1, 1]


def test_a_token_is_needed_to_hold_a_seat(house: Server) -> None:
    made = create(house.address, PERSON, bot(), spectators=False)
    for token in (None, "wrong" * 9):
        with pytest.raises(Closed, match="4403"):
            Person(house.address, made["table"], token).come()
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        record = api(house.address).get(f"/api/tables/{made['table']}/record", headers=headers)
        assert record.status_code == 403
    with pytest.raises(Closed, match="4404"):
        Person(house.address, "nowhere").come()


def test_a_record_of_a_running_game_hides_what_its_reader_may_not_know(house: Server) -> None:
    made = create(house.address, PERSON, bot())
    token = made["held"][0]["token"]
    path = f"/api/tables/{made['table']}/record"
    public = api(house.address).get(path).text.splitlines()
    own = api(house.address, token).get(path).text.splitlines()
    for lines in (public, own):
        assert json.loads(lines[0])["seed"] is None
    assert json.loads(public[1])["cards"] == [None] * 4
    assert None not in json.loads(own[1])["cards"]
    assert json.loads(own[2])["cards"] == [None] * 4


def test_a_seat_that_changed_hands_shows_nothing_to_who_left_it(house: Server) -> None:
    made = create(house.address, PERSON, OPEN, OPEN)
    table = made["table"]
    joined = api(house.address).post(f"/api/tables/{table}/join", json={"name": "Eve"}).json()
    eve = Person(house.address, table, joined["token"]).come()
    assert eve.command("leave")["type"] == "accepted"
    for name in ("Bob", "Cleo"):
        api(house.address).post(f"/api/tables/{table}/join", json={"name": name})
    while eve.state["table"]["status"] != "running":
        eve.hear("state")
    assert eve.state["own"] is None
    assert eve.command("decide", action="keep 1")["code"] == "not_seated"


# Rates


def test_a_rate_is_an_ordinary_value() -> None:
    limiter = RateLimiter(Rate(burst=2, per_second=1))
    assert [limiter.take(0.0), limiter.take(0.0), limiter.take(0.0)] == [True, True, False]
    assert [limiter.take(1.0), limiter.take(1.0)] == [True, False]
    assert [limiter.take(100.0) for _ in range(3)] == [True, True, False]


def test_addresses_are_counted_apart_and_forgotten_in_time() -> None:
    limiters = RateLimiters(Rate(burst=1, per_second=0), most=2)
    assert [limiters.take("a", 0.0), limiters.take("a", 0.0), limiters.take("b", 0.0)] == [
        True,
        False,
        True,
    ]
    limiters.take("c", 0.0)
    assert limiters.take("a", 0.0)  # the longest unseen was forgotten


def test_a_site_has_no_more_than_eight_of_its_addresses() -> None:
    """Whoever rents a machine has 65,536 networks of IPv6, each of which had a limit of its own."""
    limiters = RateLimiters(Rate(burst=2, per_second=0))
    taken = [limiters.take(f"2001:db8:7:{number}::/64", 0.0) for number in range(100)]
    assert taken == [True] * 16 + [False] * 84
    assert limiters.take("2001:db8:8::/64", 0.0)
    assert all(limiters.take(f"192.0.2.{number}", 0.0) for number in range(100))


def ask_ten_times(person: Person) -> None:
    for _ in range(10):
        person.say(type="ping")
        person.hear("refused")


def test_who_asks_too_fast_is_refused(tmp_path: Path, serving: Callable[..., Server]) -> None:
    slow = {"burst": 3, "per_second": 0}
    limits = {**FREE, "messages": slow, "creations": slow, "refusals_in_a_row": 5}
    server = serving(str(tmp_path / "games.sqlite"), limits=limits)
    made = create(server.address, PERSON, OPEN)
    ada = Person(server.address, made["table"], made["held"][0]["token"]).come()
    for _ in range(3):
        ada.say(type="ping")
        ada.hear("pong")
    ada.say(type="ping")
    assert ada.hear("refused")["code"] == "too_fast"
    with pytest.raises(Closed, match="4429"):
        ask_ten_times(ada)
    request = {"edition": "europe", "seats": [PERSON, OPEN]}
    answers = [api(server.address).post("/api/tables", json=request) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]


def test_a_message_over_the_limit_closes_the_socket(house: Server) -> None:
    made = create(house.address, PERSON, OPEN)
    ada = Person(house.address, made["table"], made["held"][0]["token"]).come()
    assert ada.socket is not None
    ada.socket.send("x" * 70_000)
    with pytest.raises(Closed, match="1009"):
        ada.hear("nothing")


# Where it is reached


@pytest.mark.parametrize("stripped", [True, False])
def test_behind_a_proxy_under_a_prefix(tmp_path: Path, stripped: bool) -> None:
    web = tmp_path / "web"
    web.mkdir()
    (web / "index.html").write_text("<!doctype html><title>Ferrovia</title>")
    (web / "app.js").write_text("// nothing")
    settings = {"public_url": "https://club.example/trains/", "web": str(web)}
    server = Server(str(tmp_path / "games.sqlite"), **settings)
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    listening.close()
    server.settings["port"] = port
    assert server.try_to_start() == "READY https://club.example/trains/"
    try:
        prefix = "" if stripped else "/trains"
        client = api(f"http://127.0.0.1:{port}")
        headers = {"host": "club.example", "origin": "https://club.example"}
        assert client.get(f"{prefix}/healthz", headers=headers).json() == {"status": "ok"}
        assert "Ferrovia" in client.get(f"{prefix}/", headers=headers).text
        assert "Ferrovia" in client.get(f"{prefix}/table/abc", headers=headers).text
        assert client.get(f"{prefix}/app.js", headers=headers).status_code == 200
        unknown = client.get(f"{prefix}/no/where", headers={**headers, **OPENED})
        assert (unknown.status_code, 'href="/trains/"' in unknown.text) == (404, True)
        assert client.get(f"{prefix}/nowhere", headers=headers).json() == {"code": "not_found"}
        made = client.post(
            f"{prefix}/api/tables",
            json={"edition": "europe", "seats": [PERSON, bot()]},
            headers=headers,
        ).json()
        url = f"ws://127.0.0.1:{port}{prefix}/socket"
        with connect(url, origin="https://club.example") as socket:  # type: ignore[arg-type]
            hello = {"type": "hello", "table": made["table"], "token": made["held"][0]["token"]}
            socket.send(json.dumps(hello))
            assert json.loads(socket.recv())["type"] == "state"
    finally:
        server.stop()


def test_a_taken_port_is_an_error_or_the_next_one_is_free() -> None:
    taken = listen("127.0.0.1", 0)
    port = taken.getsockname()[1]
    with pytest.raises(PortTaken, match=f"port {port}.*--port"):
        listen("127.0.0.1", port)
    other = listen_from("127.0.0.1", port)
    assert other.getsockname()[1] > port
    other.close()
    taken.close()


def test_a_server_that_cannot_start_says_why(house: Server, tmp_path: Path) -> None:
    store = str(tmp_path / "games.sqlite")
    port = house.settings["port"]
    second = Server(store, port=port)
    assert second.try_to_start().startswith(f"REFUSED port {port} of 127.0.0.1 is taken")
    # Before, it left an empty store behind.
    assert list(tmp_path.iterdir()) == []
    others = [second]
    for another_port in (0, port):  # the store is the better reason
        same = Server(house.settings["store"], port=another_port)
        said = same.try_to_start()
        assert said.startswith(f"REFUSED another Ferrovia server (process {house.process.pid},")  # type: ignore[union-attr]
        others.append(same)
    assert [server.process.wait() for server in others] == [2, 2, 2]  # type: ignore[union-attr]


def test_a_token_is_sent_beside_the_password_of_a_proxy(house: Server) -> None:
    """The browser's token took the header in which it sends that password: 401 for everything."""
    made = create(house.address, PERSON, bot())
    path, token = f"/api/tables/{made['table']}/record", made["held"][0]["token"]
    basic = {"authorization": "Basic Y2x1YjpzZWNyZXQ="}

    def record(**headers: str) -> httpx2.Response:
        return api(house.address).get(path, headers={**basic, **headers})

    own = record(**{"ferrovia-token": token})
    assert api(house.address, token).get(path).text.startswith(own.text)  # the bot plays on
    assert record().text != own.text  # as a spectator
    assert record(**{"ferrovia-token": "nonsense"}).json()["code"] == "bad_message"
    assert record(**{"ferrovia-token": "x" * 43}).json()["code"] == "wrong_token"


def test_addresses_are_in_the_log_where_that_is_asked_for(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    slow = {"burst": 2, "per_second": 0}
    for asked in (False, True):
        limits = {**FREE, "requests": slow}
        server = serving(str(tmp_path / f"{asked}.sqlite"), limits=limits, log_refused=asked)
        headers = {"x-forwarded-for": "203.0.113.7"}
        codes = [api(server.address).get("/api/tables", headers=headers) for _ in range(9)]
        assert codes[-1].status_code == 429
        server.stop()
        lines = [json.loads(line) for line in server.log if "203.0.113.7" in line]
        assert bool(lines) == asked
        assert all(line["event"] == "address_refused" for line in lines)
        if asked:
            filter = Path("deploy/fail2ban.conf").read_text("utf-8")
            found = re.search(r"^failregex = (.*)$", filter, re.MULTILINE)
            assert found is not None
            pattern = found[1].replace("<SUBNET>", "(?P<address>[0-9a-f.:/]+)")
            said = next(line for line in server.log if "203.0.113.7" in line).strip()
            matched = re.match(pattern, said)
            assert matched is not None
            assert matched["address"] == "203.0.113.7"


def test_a_private_server_asks_for_its_word_once(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    server = serving(str(tmp_path / "games.sqlite"), word="Orient Express", log_refused=True)
    stranger, member = api(server.address), api(server.address)
    request = {"edition": "usa", "seats": [PERSON, bot()]}
    for answer in (
        stranger.get("/api/tables"),
        stranger.get("/api/offerings"),
        stranger.post("/api/tables", json=request),
        stranger.get("/api/tables", headers={"cookie": "ferrovia_word=Orient Express"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "word_needed")
    assert stranger.get("/healthz").status_code == 200
    wrong = stranger.post("/api/word", json={"word": "Transsib"})
    assert (wrong.status_code, wrong.json()["code"]) == (403, "wrong_word")
    said = member.post("/api/word", json={"word": " Orient Express "})
    assert said.status_code == 204
    assert "HttpOnly" in said.headers["set-cookie"]
    assert "Orient" not in said.headers["set-cookie"]
    made = member.post("/api/tables", json=request).json()
    assert member.get("/api/tables").status_code == 200
    url = server.address.replace("http", "ws") + "socket"
    with pytest.raises(InvalidStatus):
        connect(url)
    cookie = {"cookie": f"ferrovia_word={member.cookies['ferrovia_word']}"}
    with connect(url, additional_headers=cookie) as socket:
        hello = {"type": "hello", "table": made["table"], "token": made["held"][0]["token"]}
        socket.send(json.dumps(hello))
        assert json.loads(socket.recv())["type"] == "state"
    codes = [stranger.post("/api/word", json={"word": str(n)}).status_code for n in range(12)]
    assert codes[-1] == 429
    server.stop()
    lines = [json.loads(line) for line in server.log if "wrong_word" in line]
    assert {line["address"] for line in lines} == {"127.0.0.1"}
    assert "Orient" not in "".join(server.log)


def test_the_word_is_not_found_out_by_cookies(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    """Whoever guesses can make the cookie of every guess, if it follows from the word alone."""
    server = serving(str(tmp_path / "games.sqlite"), word="Transsib")
    guess = hmac.digest(b"Transsib", b"ferrovia word", hashlib.sha256).hex()
    other = serving(str(tmp_path / "other.sqlite"), word="Transsib")
    made = api(other.address).post("/api/word", json={"word": "Transsib"}).cookies
    for cookie in (guess, made["ferrovia_word"], "", "ü"):
        headers = {"cookie": f"ferrovia_word={cookie}".encode()}
        assert api(server.address).get("/api/tables", headers=headers).status_code == 403


def test_a_club_is_not_locked_out_by_old_cookies_and_slips(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    """All of a club are at one address; ten requests with a void cookie stopped everybody there."""
    path = str(tmp_path / "games.sqlite")
    before = serving(path, word="Transsib")
    old = api(before.address).post("/api/word", json={"word": "Transsib"}).cookies["ferrovia_word"]
    before.stop()
    server = serving(path, word="Orient Express")
    void = {"cookie": f"ferrovia_word={old}"}
    codes = {api(server.address).get("/api/tables", headers=void).status_code for _ in range(30)}
    assert codes == {403}
    for _ in range(20):  # more of them than wrong words are allowed
        member = api(server.address)
        assert member.post("/api/word", json={"word": "Orient Express"}).status_code == 204
        assert member.get("/api/tables").status_code == 200
    kept = member.cookies["ferrovia_word"]
    server.stop()
    again = serving(path, word="Orient Express")
    odd = {"cookie": f'seen={{"news": 3}}; ferrovia_word={kept}; odd cookie'}
    assert api(again.address).get("/api/tables", headers=odd).status_code == 200
