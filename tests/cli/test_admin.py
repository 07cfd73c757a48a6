"""``skerry admin``, as somebody who runs a server uses it: beside the server, in processes of its own."""

from __future__ import annotations

import json
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.cli.commands import run, start
from tests.server import backing_services
from tests.server.server_processes import ServerProcess, running

GAME = "cartagena"


@pytest.fixture(params=["sqlite", "postgresql"])
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """An empty database, and one of the other kind."""
    file = f"sqlite:///{tmp_path / 'skerry.db'}"
    with backing_services.postgresql_database() as url:
        yield (file, url) if request.param == "sqlite" else (url, file)


class Player:
    """A guest who plays at both seats of a match, in a thread."""

    def __init__(self, url: str) -> None:
        self.client = httpx.Client(base_url=f"{url}/api/v1", timeout=30)
        token = self.client.post("/guests", json={"name": "Ana"}).json()["token"]
        self.client.headers["authorization"] = f"Bearer {token}"
        self.client.patch("/me", json={"by_hand": True}).raise_for_status()  # nothing goes by itself meanwhile
        self.acknowledged = 0

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def open(self) -> str:
        body = {"game": GAME, "options": {"players": 2}, "seats": ["me", "me"]}
        return str(self.client.post("/matches", json=body).json()["id"])

    def play(self, match: str) -> None:
        seat = self.client.get(f"/matches/{match}").json()["waiting"][0]
        view = self.client.get(f"/matches/{match}/view", params={"seat": seat}).json()
        body = {"seat": seat, "action": view["legal"][-1]["action"], "seq": view["seq"]}
        self.acknowledged = self.client.post(f"/matches/{match}/actions", json=body).raise_for_status().json()["seq"]

    @contextmanager
    def playing(self, match: str) -> Iterator[None]:
        """Play until the end of the block, and check that it went on all the time."""
        stop, failed = threading.Event(), list[BaseException]()

        def go_on() -> None:
            try:
                while not stop.is_set():
                    self.play(match)
                    time.sleep(0.02)
            except BaseException as error:
                failed.append(error)

        before = self.acknowledged
        thread = threading.Thread(target=go_on)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
        assert not failed, failed
        assert self.acknowledged > before


def test_housekeeping_beside_a_running_server(databases: tuple[str, str], tmp_path: Path) -> None:
    database, other = databases
    here, there = ("--database", database), ("--database", other)
    backup, exported = str(tmp_path / "backup"), str(tmp_path / "match")
    server = ServerProcess(tmp_path, (GAME,), database=database, secret="")
    with running(server), Player(server.url) as ana:
        match, key = ana.open(), ana.client.headers["authorization"]
        ana.play(match)
        with ana.playing(match):
            assert "1 guest, 1 match and" in run("admin", "backup", backup, *here)
            checked = run("admin", "verify", *here)
            assert "Checked 1 match" in checked and "No faults." in checked
            (listed,) = json.loads(run("admin", "list", "--json", *here))
            assert (listed["id"], listed["game"], listed["players"]) == (match, GAME, ["Ana", "Ana"])
            assert match in run("admin", "list", "--unfinished", *here)
            assert "Nothing has been deleted" in run("admin", "prune", "--matches-older-than", "1", *here)
            assert "0 unfinished matches" in run("admin", "prune", "--matches-older-than", "1", "--yes", *here)
            assert "The database had" in run("admin", "vacuum", *here)
            assert f"Exported match {match}" in run("admin", "export", match, exported, *here)
            refused = run("admin", "restore", backup, "--replace", *here, status=2)
            assert "stop the server first" in " ".join(refused.split())
    assert "Restored 1 guest, 1 match and" in run("admin", "restore", backup, *there)
    assert "No faults." in run("admin", "verify", *there)
    again = ServerProcess(tmp_path, (GAME,), database=other, secret="")
    with running(again), Player(again.url) as ana:
        ana.client.headers["authorization"] = key
        me = ana.client.get("/me").json()
        assert me.get("name") == "Ana", "the key that signs cookies is in the backup"
        ana.play(match)
        printed = run("admin", "import", exported, "--seat", f"0={me['id']}", "--seat", "1=random", *there)
        assert "seat 0: Ana\nseat 1: random" in printed
        new = printed.split("/m/")[1].split()[0]
        assert new != match, "the id is taken"
        assert ana.client.get(f"/matches/{new}").json()["seats"][0]["mine"]
    assert "Checked 2 matches" in run("admin", "verify", *there)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a server that was started once, with a match in it."""
    monkeypatch.setenv("SKERRY_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("SKERRY_DATABASE", raising=False)
    server = ServerProcess(tmp_path, (GAME,), database=f"sqlite:///{tmp_path / 'data' / 'skerry.db'}")
    with running(server), Player(server.url) as player:
        match = player.open()
        for _ in range(3):
            player.play(match)
    return tmp_path / "data"


def damage(folder: Path) -> str:
    connection = sqlite3.connect(folder / "skerry.db")
    (match,) = connection.execute("UPDATE actions SET state = zeroblob(9) WHERE seq = 2 RETURNING match").fetchone()
    connection.commit()
    connection.close()
    return str(match)


def test_a_fault_is_a_row_of_a_table_and_an_exit_status(data: Path) -> None:
    assert "No faults." in run("admin", "verify")
    match = damage(data)
    printed = run("admin", "verify", status=1)
    (line,) = [line for line in printed.splitlines() if match in line]
    assert line.split(maxsplit=2) == [match, "2", "the state is not what the rules give"]
    told = json.loads(run("admin", "verify", "--json", status=1))
    assert told["faults"] == [{"match": match, "text": "the state is not what the rules give", "first": 2, "last": 2}]


def test_the_settings_are_those_of_the_server(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(json.loads(run("admin", "list", "--json"))) == 1, "SKERRY_DATA"
    monkeypatch.setenv("SKERRY_DATABASE", f"sqlite:///{tmp_path / 'nowhere.db'}")
    assert "there is no database at" in run("admin", "list", status=2).lower()
    assert len(json.loads(run("admin", "list", "--json", "--database", f"sqlite:///{data / 'skerry.db'}"))) == 1


@pytest.mark.parametrize("command", ["backup FILE", "restore FILE", "verify"])
def test_a_wrong_database_is_one_line(command: str, tmp_path: Path) -> None:
    words = command.replace("FILE", str(tmp_path / "file")).split()
    printed = run("admin", *words, "--database", "mysql://ana:secret@host/name", status=2)
    assert len(printed.strip().splitlines()) == 1 and printed.startswith("skerry: ") and "secret" not in printed


def test_ctrl_c_during_a_backup_leaves_nothing(data: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(data / "skerry.db")  # so much that it takes a while
    many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)"
    columns = "(id, name, language, created)"
    connection.execute(f"{many} INSERT INTO guests {columns} SELECT 'guest ' || i, hex(randomblob(15)), 'en', 0 FROM n")
    connection.commit()
    connection.close()
    folder = tmp_path / "backups"
    folder.mkdir()
    database = f"sqlite:///{data / 'skerry.db'}"
    process = start("admin", "backup", str(folder / "backup"), "--database", database, data=tmp_path)
    while not list(folder.glob(".*.part")):
        assert process.poll() is None, "it was quicker than this test"
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "Stopped.\n")
    assert list(folder.iterdir()) == []
