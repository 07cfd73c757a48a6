"""The instructions of docs/hosting.md, carried out."""

from __future__ import annotations

import contextlib
import json
import os
import re
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from skerry.server.settings import Settings
from tests.programs import needs
from tests.server import backing_services
from tests.server.conftest import LocalServer

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/hosting.md").read_text()


def block(language: str, holding: str = "") -> str:
    """The only code block in a language that contains some text."""
    found = re.findall(rf"^```{language}\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)
    (text,) = [text for text in found if holding in text]
    return str(text)


def run(script: str, **environment: str) -> str:
    done = subprocess.run(
        ["sh", "-eu", "-c", script], env={**os.environ, **environment}, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def opened_match(url: str) -> tuple[str, dict[str, str]]:
    """A match with one action in it, and the headers of its guest."""
    with httpx.Client(base_url=f"{url}/api/v1", timeout=30) as client:
        token = client.post("/guests", json={"name": "Ana"}).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        body = {"game": "cartagena", "options": {"players": 2, "first": 0}, "seats": ["me", "me"]}
        match = client.post("/matches", json=body).json()["id"]
        play_first(client, match)
    return match, {"authorization": f"Bearer {token}"}


def play_first(client: httpx.Client, match: str, seen: int = 0) -> None:
    while (standing := client.get(f"/matches/{match}").json())["seq"] < seen:
        time.sleep(0.02)  # this process may be a moment behind the other one
    seat = standing["waiting"][0]
    view = client.get(f"/matches/{match}/view", params={"seat": seat}).json()
    body = {"seat": seat, "action": view["legal"][0]["action"], "seq": view["seq"]}
    assert client.post(f"/matches/{match}/actions", json=body).status_code == 200


def seq_of(url: str, match: str, headers: dict[str, str]) -> int:
    return int(httpx.get(f"{url}/api/v1/matches/{match}", headers=headers, timeout=30).json()["seq"])


@needs("sqlite3")
def test_a_backup_of_a_running_server_can_be_restored(tmp_path: Path, settings: Settings) -> None:
    backup = tmp_path / "backup"
    backup.mkdir()
    places = {"SKERRY_DATA": str(settings.data), "BACKUP": str(backup)}
    first = LocalServer(settings)
    url = first.start()
    match, guest = opened_match(url)
    assert run(block("sh", ".backup"), **places).strip() == "ok"
    with httpx.Client(base_url=f"{url}/api/v1", headers=guest, timeout=30) as client:
        play_first(client, match)
    assert seq_of(url, match, guest) == 2
    first.stop()
    run(block("sh", "rm -f"), **places)
    second = LocalServer(settings)
    assert seq_of(second.start(), match, guest) == 1
    second.stop()


def test_the_housekeeping_of_a_running_server(tmp_path: Path, settings: Settings) -> None:
    elsewhere = f"sqlite:///{tmp_path / 'elsewhere.db'}"
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    places = {"SKERRY_DATA": str(settings.data), "BACKUP": str(tmp_path), "ELSEWHERE": elsewhere, "PATH": programs}
    server = LocalServer(settings)
    url = server.start()
    match, guest = opened_match(url)
    printed = run(block("sh", "admin backup"), **places)
    assert "Backed up 1 guest, 1 match and" in printed and "Restored 1 guest, 1 match and" in printed
    printed = run(block("sh", "admin prune"), **places)
    assert "would delete 0 finished matches" in printed and "The database had" in printed
    between = block("sh", "admin export").replace("export MATCH", f"export {match}")
    assert "seat 0: Ana\nseat 1: skilled" in run(f"cd {tmp_path}\n{between}", **places)
    mine = httpx.get(f"{url}/api/v1/matches", params={"mine": True}, headers=guest, timeout=30).json()
    assert len(mine) == 2
    server.stop()


@needs("systemd-analyze")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    unit = block("ini", "[Unit]")
    many = re.sub(r"ExecStart=.*\n", block("ini", "EnvironmentFile"), unit)
    for name, text in (("skerry.service", unit), ("skerry@8001.service", many)):
        file = tmp_path / name
        file.write_text(text.replace("/opt/skerry/bin/skerry", sys.executable))
        done = subprocess.run(["systemd-analyze", "verify", str(file)], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and name not in done.stderr, done.stderr


def test_the_documented_options_are_those_of_the_command() -> None:
    command = [sys.executable, "-m", "skerry.cli", "serve", "--help"]
    printed = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"}, timeout=60)
    there = set(re.findall(r"(--[a-z]+)\b", printed.stdout)) - {"--help", "--open"}
    table = PAGE[PAGE.index("| option of") : PAGE.index("## One machine")]
    assert set(re.findall(r"`(--[a-z]+)", table)) == there
    assert set(re.findall(r"SKERRY_[A-Z]+", printed.stdout)) <= set(re.findall(r"SKERRY_[A-Z]+", table))


# Two processes behind a proxy


@contextlib.contextmanager
def process(command: list[str], ready: str, **environment: str) -> Iterator[None]:
    """A program that runs until the end of the block, once a URL answers."""
    running = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)
    try:
        limit = time.monotonic() + 120
        while True:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(ready, timeout=5, context=ssl._create_unverified_context()).close()
                break
            assert running.poll() is None and time.monotonic() < limit, f"{command[0]} does not answer"
            time.sleep(0.1)
        yield
    finally:
        running.terminate()
        running.wait(30)


@contextlib.contextmanager
def two_servers(database: str) -> Iterator[list[int]]:
    ports = [backing_services.free_port(), backing_services.free_port()]
    shared = {"SKERRY_DATABASE": database, "SKERRY_REDIS": backing_services.redis_url()}
    with contextlib.ExitStack() as stack:
        for port in ports:
            command = [sys.executable, "-m", "skerry.cli", "serve", "--port", str(port), "--https", "--pace", "0"]
            stack.enter_context(process(command, f"http://127.0.0.1:{port}/healthz", **shared))
        yield ports


def certificate(folder: Path) -> None:
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    key = ["-keyout", str(folder / "key"), "-out", str(folder / "certificate")]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject, *key]
    subprocess.run(command, check=True, capture_output=True, timeout=60)


def nginx(folder: Path, port: int, ports: list[int]) -> list[str]:
    site = block("nginx")
    for old, new in (
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("play.example.org;", "localhost;"),
        ("/etc/ssl/play.example.org.pem", str(folder / "certificate")),
        ("/etc/ssl/play.example.org.key", str(folder / "key")),
        ("127.0.0.1:8001", f"127.0.0.1:{ports[0]}"),
        ("127.0.0.1:8002", f"127.0.0.1:{ports[1]}"),
    ):
        assert old in site
        site = site.replace(old, new)
    places = "".join(
        f"{kind}_temp_path {folder / kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    around = (
        f"daemon off; pid {folder / 'pid'}; error_log {folder / 'log'}; events {{}} http {{ access_log off; {places}"
    )
    (folder / "nginx.conf").write_text(f"{around}\n{site}}}\n")
    return ["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "log")]


def caddy(folder: Path, port: int, ports: list[int]) -> list[str]:
    site = block("caddyfile")
    tls = f"\ttls {folder / 'certificate'} {folder / 'key'}\n"
    for old, new in (
        ("play.example.org {\n", f"https://localhost:{port} {{\n{tls}"),
        ("127.0.0.1:8001", f"127.0.0.1:{ports[0]}"),
        ("127.0.0.1:8002", f"127.0.0.1:{ports[1]}"),
    ):
        assert old in site
        site = site.replace(old, new)
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https disable_redirects\n}}\n{site}")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@pytest.mark.slow
@needs("openssl")
@pytest.mark.parametrize("proxy", [pytest.param(proxy, marks=needs(proxy.__name__)) for proxy in (nginx, caddy)])
def test_two_processes_work_behind_the_documented_proxy(tmp_path: Path, proxy: Any) -> None:
    certificate(tmp_path)
    port = backing_services.free_port()
    url = f"https://localhost:{port}"
    with backing_services.postgresql_database() as database, two_servers(database) as ports:
        command = proxy(tmp_path, port, ports)
        home = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        with process(command, f"{url}/healthz", **home):
            check_whole_game(url, tmp_path)
            check_stream_is_not_buffered(url, ports, tmp_path)
            check_closed_page_is_noticed(ports)
            check_proxy_headers(url, tmp_path)


def check_whole_game(url: str, folder: Path) -> None:
    command = [sys.executable, str(ROOT / "examples/api_bot.py"), "--table", url, "--seats", "me,random", "--seed", "1"]
    environment = {**os.environ, "SSL_CERT_FILE": str(folder / "certificate")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].endswith("won")
    assert "trying again" not in done.stdout, "the stream was cut"


def trust_context(folder: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(folder / "certificate"))


def check_stream_is_not_buffered(url: str, ports: list[int], folder: Path) -> None:
    """An action at either process reaches the stream through the proxy at once."""
    match, guest = opened_match(f"http://127.0.0.1:{ports[0]}")
    with (
        httpx.Client(base_url=f"{url}/api/v1", headers=guest, verify=trust_context(folder), timeout=30) as client,
        client.stream("GET", f"/matches/{match}/stream", params={"since": 1}) as stream,
    ):
        events = (json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: "))
        assert next(events)["steps"] == []
        for number, port in enumerate((*ports, *ports), start=2):
            with httpx.Client(base_url=f"http://127.0.0.1:{port}/api/v1", headers=guest, timeout=30) as direct:
                began = time.monotonic()
                play_first(direct, match, number - 1)
            while next(events)["seq"] < number:
                pass  # a message about presence
            assert time.monotonic() - began < 5, "the stream is buffered, or only heartbeats bring it up to date"


def check_closed_page_is_noticed(ports: list[int]) -> None:
    limit = time.monotonic() + 10
    for port in ports:
        while "skerry_streams 0.0" not in httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=30).text:
            assert time.monotonic() < limit, "the proxy keeps closed streams open"
            time.sleep(0.2)


def check_proxy_headers(url: str, folder: Path) -> None:
    with httpx.Client(base_url=url, verify=trust_context(folder), timeout=30) as client:
        assert client.get("/metrics").status_code == 404
        entered = client.get("/")
        assert entered.status_code == 200
        token = client.post("/api/v1/guests", json={"name": "Ana"}).json()["token"]
        body = {"game": "hashi", "options": {"players": 1}, "seats": ["me"]}
        opened = client.post("/api/v1/matches", json=body, headers={"authorization": f"Bearer {token}"}).json()
        assert opened["link"].startswith(f"{url}/m/"), "links use the proxy's address"
        link = client.post("/api/v1/me/link", headers={"authorization": f"Bearer {token}"}).json()["link"]
        cookie = client.post(httpx.URL(link).path, headers={"origin": url}).headers["set-cookie"]
        assert "Secure" in cookie
        mark = cookie.partition(";")[0]
        for origin, status in ((url, 303), ("https://elsewhere.example", 403)):
            said = client.post(httpx.URL(link).path, headers={"origin": origin, "cookie": mark})
            assert said.status_code == status
        assert client.post("/api/v1/guests", content=b"x" * 70_000).status_code == 413


@pytest.mark.slow
@needs("pg_dump")
def test_a_backup_of_two_running_servers_can_be_restored(tmp_path: Path) -> None:
    with backing_services.postgresql_database() as database, two_servers(database) as ports:
        match, guest = opened_match(f"http://127.0.0.1:{ports[0]}")
        run(block("sh", "pg_dump"), SKERRY_DATABASE=database, BACKUP=str(tmp_path))
    with backing_services.postgresql_database() as fresh:
        run(block("sh", "pg_restore"), SKERRY_DATABASE=fresh, BACKUP=str(tmp_path))
        with two_servers(fresh) as ports:
            assert seq_of(f"http://127.0.0.1:{ports[0]}", match, guest) == 1
