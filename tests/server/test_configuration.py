"""Settings by file, environment and option; health and metrics for the people who run it."""

import asyncio
import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ferrovia.server.configuration import ConfigurationError, configure
from ferrovia.server.http.connections import Connections, raise_descriptor_limit
from ferrovia.server.http.listen import NoSuchHost, PortTaken, host_and_port, listen
from ferrovia.server.http.proxies import TrustedProxies
from ferrovia.server.networks import network_of, site_of
from ferrovia.server.rates import Rate
from ferrovia.server.run import address_of, note_loop_problem
from ferrovia.server.settings import Limits, Settings
from tests.server.support.people import api
from tests.server.support.processes import METRICS_TOKEN, Server

FILE = """
port = 9000
host = "0.0.0.0"
store = "postgresql://club:secret@db/ferrovia"
trusted_proxies = ["10.0.0.0/8"]

[limits]
connections_in_all = 500
requests = { burst = 10, per_second = 1 }
"""


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text('prot = 9000\nport = "many"\n[limits]\nconections_in_all = 5\n')
    with pytest.raises(ConfigurationError) as caught:
        configure({}, file, {"FERROVIA_METRICS_TOKN": "x"})
    told = str(caught.value)
    for part in (
        "'prot'; did you mean port?",
        "limits.connections_in_all?",
        "port: ",
        "FERROVIA_METRICS_TOKN; did you mean FERROVIA_METRICS_TOKEN?",
    ):
        assert part in told


def test_variables_of_others_are_left_alone() -> None:
    others = {
        "FERROVIA_DATA": "/d",
        "FERROVIA_HOME": "https://a/b/c",
        "FERROVIA_COLOUR_OF_SKY": "1",
    }
    assert configure({}, None, others).settings == Settings()


def test_the_address_in_a_network_is_one_that_phones_understand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with listen("0.0.0.0", 0) as listening:
        port = listening.getsockname()[1]
        monkeypatch.setattr("ferrovia.server.run._address_in_network", lambda: "192.0.2.7")
        assert address_of(Settings(), listening) == f"http://192.0.2.7:{port}/"
        monkeypatch.setattr("ferrovia.server.run._address_in_network", lambda: None)
        monkeypatch.setattr("socket.gethostname", lambda: "kiosk")
        assert address_of(Settings(), listening) == f"http://kiosk:{port}/"


def test_an_option_comes_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text(FILE)
    environment = {
        "FERROVIA_PORT": "9001",
        "FERROVIA_HOST": "127.0.0.2",
        "FERROVIA_LIMITS_FRAMES": "{ burst = 7, per_second = 1.5 }",
        "FERROVIA_METRICS_TOKEN": "12345",
        "FERROVIA_CONFIG": str(file),
    }
    found = configure({"host": "127.0.0.3", "public_url": None}, environment=environment)
    settings = found.settings
    assert (settings.host, settings.port) == ("127.0.0.3", 9001)
    assert settings.trusted_proxies == ("10.0.0.0/8",)
    assert settings.limits.requests == Rate(10, 1)
    assert settings.limits.frames == Rate(7, 1.5)
    assert settings.limits.connections_in_all == 500
    assert settings.metrics_token == "12345"
    assert found.file == file
    names = ("host", "port", "trusted_proxies", "bot_pace", "limits.frames")
    sources = [found.sources[name] for name in names]
    assert sources == ["option", "environment", "file", "default", "environment"]
    shown = {name: value for name, value, _ in found.lines()}
    assert "secret@" not in shown["store"]
    assert "12345" not in shown["metrics_token"]
    assert shown["limits.requests"] == "{ burst = 10, per_second = 1 }"


def test_without_anything_all_is_as_built_in() -> None:
    found = configure({}, environment={"FERROVIA_TRUSTED_PROXIES": "10.0.0.7, ::1"})
    assert found.settings.limits == Limits()
    assert found.settings.trusted_proxies == ("10.0.0.7", "::1")
    assert found.settings.port == Settings().port


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("prot = 1", "there is no setting 'prot'; did you mean port?"),
        ("port = 'many'", "port: Expected `int`"),
        ("port = ", "Invalid value"),
        ("port = 70000", "port: 70000 is no port: give a whole number from 0 to 65535"),
        ("port = -1", "-1 is no port"),
        ("limits = 3", "it is a table"),
        ("[limits]\nframe = 3", "'limits.frame'; did you mean limits.frames?"),
        ("trusted_proxies = ['here']", "'here' is no trusted proxy"),
        ("metrics_address = 'here'", "'here' is no address"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "server.toml"
    file.write_text(text)
    with pytest.raises(ConfigurationError) as problem:
        configure({}, file, {})
    assert str(file) in str(problem.value)
    assert told in str(problem.value)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        configure({}, tmp_path / "none.toml", {})
    with pytest.raises(ConfigurationError, match="FERROVIA_PORT"):
        configure({}, environment={"FERROVIA_PORT": "many"})


@pytest.mark.parametrize(
    "line", ["keep_finished = '1 year'", "keep_left = 'soon'", "backups_kept = 0"]
)
def test_what_is_kept_is_read_before_anything_is_deleted(tmp_path: Path, line: str) -> None:
    file = tmp_path / "server.toml"
    file.write_text(line)
    with pytest.raises(ConfigurationError, match=r"an age|newest"):
        configure({}, file, {})


def test_doctor_prints_the_settings(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text(FILE)
    command = [sys.executable, "-m", "ferrovia", "doctor", "--settings"]
    environment = {**os.environ, "FERROVIA_CONFIG": str(file)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "port = 9000  # file" in done.stdout
    assert "secret@" not in done.stdout
    more = [*command, "--json"]
    done = subprocess.run(more, env=environment, capture_output=True, text=True, check=True)
    lines = {line["name"]: line for line in json.loads(done.stdout)}
    assert lines["port"] == {"name": "port", "value": "9000", "source": "file"}
    named = subprocess.run([*command, "--config", file], capture_output=True, text=True, check=True)
    assert "port = 9000  # file" in named.stdout
    file.write_text("prot = 1")
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert "did you mean port" in done.stderr


# Addresses


def test_a_household_is_one_address() -> None:
    assert network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::9")
    assert network_of("2001:db8:1:2::1") != network_of("2001:db8:1:3::1")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") == "192.0.2.1"
    assert network_of("fe80::1%eth0") == network_of("fe80::2")
    assert network_of("?") == "?"
    assert site_of("2001:db8:1:2::/64") == site_of(network_of("2001:db8:1:3::1"))
    assert site_of("2001:db8:1:2::/64") != site_of("2001:db8:2:2::/64")
    assert (site_of("192.0.2.1"), site_of("?")) == ("192.0.2.1", "?")


def test_proxies() -> None:
    proxies = TrustedProxies(["10.0.0.0/8", "::1"])
    assert "10.1.2.3" in proxies
    assert "::1" in proxies
    assert "11.1.2.3" not in proxies
    assert "nonsense" not in proxies


def test_there_are_far_fewer_connections_than_open_files() -> None:
    found = raise_descriptor_limit()
    assert found is None or found >= 256

    def most(descriptors: int | None) -> int:
        return Connections(Limits(), TrustedProxies([]), descriptors, lambda _: None).most

    assert [most(256), most(1024), most(1_000_000), most(None)] == [128, 512, 10_000, 10_000]


class Transport(asyncio.Transport):
    """A transport that only knows whether it was aborted."""

    aborted = False

    def abort(self) -> None:
        self.aborted = True


@pytest.mark.parametrize(
    ("host", "proxy"), [("203.0.113.7", "10.0.0.7"), ("2001:db8::7", "fd00::7")]
)
def test_a_proxy_is_limited_for_each_of_its_clients(host: str, proxy: str) -> None:
    refused: list[str] = []
    limits = Limits(connections_of_address=4)
    connections = Connections(limits, TrustedProxies([proxy]), None, refused.append)
    through = [connections.open(Transport(), proxy, 0.0) for _ in range(20)]
    assert refused == []
    for one in through[:4]:
        assert one is not None
        assert connections.move(one, host)
        connections.serve(one)
    assert through[4] is not None
    assert not connections.move(through[4], host)
    assert connections.move(through[4], "203.0.113.8")
    direct = [connections.open(Transport(), "203.0.113.9", 0.0) for _ in range(9)]
    aborted = [one.transport.aborted for one in direct if one is not None]  # type: ignore[attr-defined]
    assert aborted == [True] * 5 + [False] * 4  # the newest wins while nobody has asked anything


def test_all_addresses_of_a_site_together_do_not_take_every_connection() -> None:
    """Fifty of the 65,536 networks of one house did, and nobody else came in."""
    connections = Connections(Limits(), TrustedProxies([]), 4_000, lambda _: None)
    assert connections.most == 2_000

    def come(host: str) -> bool:
        connection = connections.open(Transport(), host, 0.0)
        if connection is not None:
            connections.serve(connection)
        return connection is not None

    came = sum(come(f"2001:db8:7:{number}::1") for number in range(2_000))
    assert came == connections.most_of_site == 1_000
    assert not come("2001:db8:7:ffff::1")
    assert come("2001:db8:8::1")
    assert all(come(f"192.0.2.{number}") for number in range(200))


def test_a_storm_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.new_event_loop()
    problem = OSError(errno.EMFILE, "too many open files")
    with caplog.at_level("INFO"):
        for _ in range(1000):
            about = {"message": "socket.accept() out of system resource", "exception": problem}
            note_loop_problem(loop, about)
            note_loop_problem(loop, {"message": "x", "exception": ConnectionResetError()})
    loop.close()
    assert [record.message for record in caplog.records] == ["accepting_failed"]


def test_a_port_that_is_taken_names_the_option_for_another() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortTaken, match="choose another with --port"):
            listen("127.0.0.1", port)
        with pytest.raises(PortTaken, match="choose another with --metrics-address"):
            listen("127.0.0.1", port, "--metrics-address")


def test_host_and_port() -> None:
    assert host_and_port("127.0.0.1:80") == ("127.0.0.1", 80)
    assert host_and_port("[::1]:80") == ("::1", 80)
    with pytest.raises(NoSuchHost):
        host_and_port("nowhere")


# Health and metrics


def test_metrics_need_their_token(house: Server) -> None:
    assert api(house.address).get("/metrics").status_code == 403
    assert api(house.address, "wrong").get("/metrics").status_code == 403
    answer = api(house.address, METRICS_TOKEN).get("/metrics")
    assert "ferrovia_viewers" in answer.text
    assert answer.headers["content-type"].startswith("text/plain")


def test_without_a_token_there_are_none(tmp_path: Path, serving: Callable[..., Server]) -> None:
    server = serving(str(tmp_path / "games.sqlite"), metrics_token=None)
    assert api(server.address).get("/metrics").status_code == 404


def test_metrics_have_an_address_of_their_own(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    server = serving(
        str(tmp_path / "games.sqlite"), metrics_token=None, metrics_address="127.0.0.1:0"
    )
    line = next(line for line in server.log if "serving_metrics" in line)
    own = f"http://127.0.0.1:{json.loads(line)['port']}"
    assert "ferrovia_connections " in api(own).get("/metrics").text
    assert "process_open_fds" in api(own).get("/metrics").text
    assert api(own).get("/healthz").json() == api(own).get("/readyz").json() == {"status": "ok"}
    assert api(own).get("/api/tables").status_code == 404  # nothing else is there
    assert api(server.address).get("/metrics").status_code == 404
    assert api(server.address).get("/api/tables").status_code == 200
