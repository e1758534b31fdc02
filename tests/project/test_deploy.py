"""The files for people who run a server: they are sound, and proxies pass on what the game needs.

What checks them is used where it is installed: hadolint, docker, systemd-analyze, nginx, caddy,
promtool, fail2ban-regex.
"""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from ferrovia.server.configuration import configure
from ferrovia.server.records.source import MAX_RECORD
from tests.server.support.people import PERSON, Person, api, create, metrics
from tests.server.support.processes import Server

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
COMPOSE: Any = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
UNIT = ROOT / "deploy" / "ferrovia.service"
NIGHTLY = ROOT / "deploy" / "ferrovia-nightly.service"


def run(*command: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)


def settings_of(service: Any) -> dict[str, str]:
    """The environment of a service, as compose fills it in."""
    given = {"FERROVIA_URL": "https://games.example/", "FERROVIA_PASSWORD": "secret"}
    return {
        name: re.sub(r"\$\{(\w+)[^}]*\}", lambda it: given[it[1]], value)
        for name, value in service["environment"].items()
    }


# The image


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile and their arguments, continued lines joined."""
    lines = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.MULTILINE))
    return [(word, rest) for word, _, rest in (it.partition(" ") for it in lines.split("\n") if it)]


def test_the_image_is_built_in_one_stage_and_run_in_another_by_nobody_special() -> None:
    found = instructions()
    assert [word for word, _ in found].count("FROM") == 2
    last = found[max(n for n, (word, _) in enumerate(found) if word == "FROM") :]
    one = dict(last)
    assert re.fullmatch(r"\d{4,}", one["USER"]), "a number, which a host can check"
    assert one["VOLUME"] == "/data"
    assert "/readyz" in one["HEALTHCHECK"]
    assert one["ENTRYPOINT"] == '["ferrovia"]'
    assert one["CMD"] == '["serve"]'
    assert "FERROVIA_HOST=0.0.0.0" in one["ENV"]
    assert "FERROVIA_DATA=/data" in one["ENV"]
    assert not any(word == "ADD" for word, _ in found)


def test_the_image_has_a_python_that_we_test() -> None:
    [python] = re.findall(r"^ARG PYTHON=(\S+)$", DOCKERFILE, re.MULTILINE)
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8"))
    assert python in workflow["jobs"]["package"]["strategy"]["matrix"]["python"]


@pytest.mark.skipif(shutil.which("hadolint") is None, reason="hadolint is not installed here")
def test_hadolint_finds_nothing() -> None:
    done = run("hadolint", ROOT / "Dockerfile")
    assert done.returncode == 0, done.stdout


def allowed_into_the_image() -> list[str]:
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert "*" in lines
    return [line[1:] for line in lines if line.startswith("!")]


def test_what_comes_into_the_image_builds_the_package(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    for name in allowed_into_the_image():
        if (ROOT / name).is_dir():
            skip = shutil.ignore_patterns("node_modules", "__pycache__", "tests", "client")
            shutil.copytree(ROOT / name, sources / name, ignore=skip)
        else:
            shutil.copy(ROOT / name, sources / name)
    environment = {**os.environ, "FERROVIA_WITHOUT_CLIENT": "1"}
    build = ["hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = run(sys.executable, "-m", *build, cwd=sources, env=environment)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.glob("*.whl"))
    assert (sources / "web" / "src").is_dir(), "the client is built in the image"


# The composition


def test_the_composition_starts_the_server_on_postgresql() -> None:
    server, database = COMPOSE["services"]["server"], COMPOSE["services"]["database"]
    settings = configure({}, None, settings_of(server)).settings
    assert settings.store == "postgresql://ferrovia@database/ferrovia"
    assert settings.public_url == "https://games.example/"
    assert server["depends_on"]["database"]["condition"] == "service_healthy"
    assert database["environment"]["POSTGRES_USER"] == "ferrovia"
    assert database["environment"]["POSTGRES_DB"] == "ferrovia"
    assert "ports" not in database
    for port in server["ports"]:
        assert port.startswith("127.0.0.1:"), "the proxy has the certificate"
    for service in (server, database):
        for volume in service["volumes"]:
            assert volume.partition(":")[0] in COMPOSE["volumes"]
    assert server["read_only"] is True
    assert server["cap_drop"] == ["ALL"]


def test_the_composition_trusts_the_proxies_of_its_own_network() -> None:
    [network] = COMPOSE["networks"]["default"]["ipam"]["config"]
    settings = configure({}, None, settings_of(COMPOSE["services"]["server"])).settings
    assert settings.trusted_proxies == (network["subnet"],)


def test_no_password_is_in_the_repository() -> None:
    text = (ROOT / "compose.yaml").read_text("utf-8")
    for value in re.findall(r"PASSWORD: (.+)", text):
        assert value.startswith("${FERROVIA_PASSWORD:?")
    assert ".env" in (ROOT / ".gitignore").read_text("utf-8").split()


def test_docker_reads_the_composition() -> None:
    if shutil.which("docker") is None or run("docker", "compose", "version").returncode != 0:
        pytest.skip("docker compose is not installed here")
    environment = {**os.environ, "FERROVIA_PASSWORD": "secret"}
    done = run("docker", "compose", "config", "--quiet", cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr


# The unit of systemd


def unit(file: Path = UNIT) -> dict[str, dict[str, list[str]]]:
    """The sections of a unit: the values of each key, which can occur more than once."""
    sections: dict[str, dict[str, list[str]]] = {}
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            section.setdefault(key, []).append(value)
    return sections


def test_the_unit_starts_a_server_that_can_write_to_its_own_folder_alone() -> None:
    service = unit()["Service"]
    [start] = service["ExecStart"]
    program, command = shlex.split(start)
    assert (Path(program).name, command) == ("ferrovia", "serve")
    assert service["EnvironmentFile"] == ["-/etc/ferrovia.env"]
    assert "FERROVIA_DATA=/var/lib/ferrovia" in service["Environment"]
    assert service["StateDirectory"] == ["ferrovia"]
    assert service["ProtectSystem"] == ["strict"]
    for each in ("DynamicUser", "NoNewPrivileges", "MemoryDenyWriteExecute"):
        assert service[each] == ["yes"]


def test_systemd_finds_no_fault_in_the_units(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed here")
    for unit in (UNIT, NIGHTLY, NIGHTLY.with_suffix(".timer")):
        there = tmp_path / unit.name
        text = unit.read_text("utf-8")
        there.write_text(text.replace("/opt/ferrovia/bin/ferrovia", shutil.which("true") or ""))
        done = run("systemd-analyze", "verify", "--man=no", there)
        assert done.returncode == 0, done.stderr
        assert unit.name not in done.stderr
        if unit.suffix == ".service":
            exposed = run("systemd-analyze", "security", "--offline=true", "--threshold=20", there)
            assert exposed.returncode == 0, exposed.stdout


def test_the_service_of_the_night_finds_the_store_of_the_server() -> None:
    server, night = unit()["Service"], unit(NIGHTLY)["Service"]
    [start] = night["ExecStart"]
    assert start == server["ExecStart"][0].replace(" serve", " store nightly")
    assert night["User"] == [UNIT.stem], "of a dynamic user the name is that of its unit"
    for each in ("DynamicUser", "StateDirectory", "EnvironmentFile", "UMask"):
        assert night[each] == server[each]
    variables = dict(each.split("=") for each in night["Environment"][0].split())
    assert f"FERROVIA_DATA={variables['FERROVIA_DATA']}" in server["Environment"]
    settings = configure({}, None, variables).settings
    assert settings.backups == f"{variables['FERROVIA_DATA']}/backups"


# Proxies


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Server]:
    """A server that people reach as games.example."""
    port = free_port()
    public = f"https://games.example:{port}/"
    server = Server(f"{tmp_path}/games.sqlite", port=port, public_url=public).start()
    yield server
    server.stop()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def port_of(server: Server) -> int:
    return int(server.settings["port"])


def await_answer(port: int) -> httpx2.Client:
    client = httpx2.Client(
        base_url=f"http://127.0.0.1:{port}", headers={"host": "games.example"}, timeout=60
    )
    for _ in range(300):
        try:
            client.get("/healthz")
        except httpx2.TransportError:
            time.sleep(0.05)
        else:
            return client
    raise AssertionError("the proxy did not come up")


def play_through(port: int) -> None:
    """Everything that a browser needs, through a proxy: pages, tables, and a socket that stays."""
    client = await_answer(port)
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/").status_code == 503, "a page that says that there is no client"
    address = f"http://127.0.0.1:{port}/"
    made = create(address, PERSON, PERSON)
    ada = Person(address, made["table"], made["held"][0]["token"]).come()
    assert ada.decide()["type"] == "accepted"
    ada.go()


@contextmanager
def nginx(folder: Path, *servers: int) -> Iterator[int]:
    """Run our settings of nginx before servers on these ports; yields its port."""
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed here")
    port = free_port()
    text = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    text = re.sub(r"^ +ssl_.*\n| +listen \[::\].*\n", "", text, flags=re.MULTILINE)
    text = text.replace("listen 443 ssl http2", f"listen 127.0.0.1:{port}")
    text = text.replace("listen 80", f"listen 127.0.0.1:{free_port()}")
    text = text.replace("/var/log/nginx", str(folder))
    lines = ("    server 127.0.0.1:8765", "    # server 127.0.0.1:8766")
    for shown, real in zip(lines, servers, strict=False):
        text = text.replace(shown, f"    server 127.0.0.1:{real}")
    settings = folder / "nginx.conf"
    folders = "".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    settings.write_text(
        f"pid {folder}/pid; daemon off; master_process off; events {{}}\n"
        f"error_log {folder}/error.log;\nhttp {{ access_log off; {folders}\n{text}\n}}\n"
    )
    process = subprocess.Popen(["nginx", "-p", str(folder), "-c", str(settings)])
    try:
        yield port
    finally:
        process.terminate()
        process.wait(60)


@contextmanager
def caddy(folder: Path, *servers: int) -> Iterator[int]:
    """Run our settings of Caddy before servers on these ports; yields its port."""
    if shutil.which("caddy") is None:
        pytest.skip("caddy is not installed here")
    port = free_port()
    text = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
    text = text.replace("games.example {", f"http://:{port} {{\n\tbind 127.0.0.1")
    text = text.replace("/var/log/caddy", str(folder))
    text = text.replace("127.0.0.1:8765", " ".join(f"127.0.0.1:{port}" for port in servers))
    settings = folder / "Caddyfile"
    settings.write_text(f"{{\n\tadmin off\n}}\n{text}")
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    command = ["caddy", "run", "--config", str(settings), "--adapter", "caddyfile"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        yield port
    finally:
        process.terminate()
        process.wait(60)


PROXIES = pytest.mark.parametrize("proxy", [nginx, caddy])


@PROXIES
def test_a_proxy_passes_everything_on(house: Server, tmp_path: Path, proxy: Any) -> None:
    with proxy(tmp_path, port_of(house)) as port:
        play_through(port)
        client = await_answer(port)
        assert client.get("/healthz").headers["strict-transport-security"] == "max-age=31536000"
        # A record as large as the server takes it, and nothing much larger.
        large, huge = b" " * (MAX_RECORD - 1), b" " * (6 << 20)
        assert client.post("/api/films", content=large).json()["code"] == "invalid_record"
        with suppress(httpx2.TransportError):  # it may hang up on somebody who still sends
            assert client.post("/api/films", content=huge).status_code in (413, 502)
        client.get("/api/tables/secret-of-a-table/record?at=3")
        client.get("/table/secret-of-a-table")
    log = (tmp_path / "ferrovia.log").read_text("utf-8")
    assert "/api/tables/-/record" in log
    assert "secret-of-a-table" not in log


@PROXIES
def test_a_server_that_is_killed_or_restarts_is_passed_over(tmp_path: Path, proxy: Any) -> None:
    """A plain upstream of nginx answered 502 to everybody for as long as ten seconds and more."""
    ports = {"a": free_port(), "b": free_port()}
    one, other = (
        Server(f"{tmp_path}/{name}.sqlite", port=port, public_url=f"https://games.example:{port}/")
        for name, port in ports.items()
    )
    one.start()
    other.start()
    try:
        with proxy(tmp_path, port_of(one), port_of(other)) as port:
            client = await_answer(port)

            def answers() -> set[int]:
                return {client.get("/healthz").status_code for _ in range(40)}

            assert answers() == {200}
            one.kill()
            assert answers() == {200}
            one.start()
            other.stop()  # the turn of the next
            assert answers() == {200}
            other.start()
            assert answers() == {200}
    finally:
        one.stop()
        other.stop()


# What watches a server


def test_alerts_and_dashboard_are_about_what_is_counted(house: Server) -> None:
    rules = yaml.safe_load((ROOT / "deploy" / "alerts.yml").read_text("utf-8"))
    asked = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    dashboard = json.loads((ROOT / "deploy" / "grafana.json").read_text("utf-8"))
    asked += [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    counted = metrics(f"http://127.0.0.1:{port_of(house)}/")
    for name in set(re.findall(r"(?:ferrovia|process)_\w+", " ".join(asked))):
        assert f"# TYPE {name.removesuffix('_bucket')}" in counted, name


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed here")
def test_prometheus_finds_no_fault_in_the_alerts() -> None:
    done = run("promtool", "check", "rules", ROOT / "deploy" / "alerts.yml")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("fail2ban-regex") is None, reason="fail2ban is not installed here")
def test_fail2ban_finds_addresses_in_the_log(tmp_path: Path) -> None:
    limits = {"requests": {"burst": 2, "per_second": 0}}
    server = Server(f"{tmp_path}/games.sqlite", log_refused=True, limits=limits).start()
    with api(server.address) as client:
        for address in ("203.0.113.7", "2001:db8:1:2::3"):
            for _ in range(4):
                client.get("/api/tables", headers={"x-forwarded-for": address})
    server.stop()
    log = tmp_path / "log"
    log.write_text("".join(server.log))
    done = run("fail2ban-regex", "--out", "ip", log, ROOT / "deploy" / "fail2ban.conf")
    found = Counter(done.stdout.split())
    assert found == {"203.0.113.7": 2, "2001:db8:1:2::/64": 2}, done.stdout + done.stderr
