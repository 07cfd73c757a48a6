"""Several workers on one machine: one port, one log, one runner of each match's bots; deaths and stops."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import random
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from skerry.games import all_games, find_game
from skerry.server.app import make_app, services_in
from skerry.server.bot_runner import BotRunner
from skerry.server.hub import ALL_MATCHES, SEATS_CHANGED
from skerry.server.match_log import LogRow, unpack_row
from skerry.server.match_session import MatchSession
from skerry.server.partition import Partition
from skerry.server.services import Services
from skerry.server.sessions import SessionRegistry
from skerry.server.settings import Settings
from skerry.server.worker_hub import WorkerHub
from tests.server.backing_services import free_port
from tests.server.conftest import Guest, client_of
from tests.server.server_processes import ROOT, ServerProcess, connect, running
from tests.server.simulated_players import Listener, Player, check_logs
from tests.server.waiting import until

pytestmark = pytest.mark.anyio

HEALTH_REQUESTS = re.compile(r"skerry_requests_total\{[^}]*/healthz[^}]*\} ([\d.]+)")


def children_of(process: int) -> set[int]:
    return set(map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split()))


def is_alive(process: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


# Real processes


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.slow)])
async def test_workers_are_killed_and_started_again_and_nothing_is_lost(
    tmp_path: Path, database: str, kills: int
) -> None:
    server = ServerProcess(tmp_path, ("cartagena",), database=database, workers=2)
    chance = random.Random(5)
    stop = asyncio.Event()
    with running(server):
        assert server.process is not None
        parent = server.process.pid
        async with contextlib.AsyncExitStack() as clients:
            # A client for each player and listener, because each keeps its connections to one of the workers.
            players = [await new_player(clients, server, number) for number in range(4)]
            listeners = [
                Listener(await with_own_client(clients, server, player.guest), player.match, seat)
                for player in players
                for seat in (0, None)
            ]
            tasks = [asyncio.create_task(one.play(stop)) for one in players]
            tasks += [asyncio.create_task(one.listen(stop)) for one in listeners]
            for _ in range(kills):
                before = sum(len(player.acknowledged) for player in players)
                victim = chance.choice(sorted(children_of(parent)))
                os.kill(victim, signal.SIGKILL)

                async def replaced(victim: int = victim) -> bool:
                    return victim not in children_of(parent) and len(children_of(parent)) == 2

                async def played_on(before: int = before) -> bool:
                    return sum(len(player.acknowledged) for player in players) > before + 40

                await until(replaced)
                await until(played_on)
            stop.set()
            await asyncio.gather(*tasks[: len(players)])
            for player in players:
                seqs = {(await player.guest.view(player.match))["seq"] for _ in range(5)}
                assert len(seqs) == 1, "the workers do not agree"
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    await check_logs(Settings(database=database).database_url, players)
    assert server.log().count("a worker has died and is started again") == kills
    assert "trace" not in server.log()


async def new_player(clients: contextlib.AsyncExitStack, server: ServerProcess, number: int) -> Player:
    client = await clients.enter_async_context(connect(server))
    return await Player.register(client, number, "cartagena", ["me", "me"])


async def with_own_client(clients: contextlib.AsyncExitStack, server: ServerProcess, guest: Guest) -> Guest:
    client = await clients.enter_async_context(connect(server))
    return Guest(client, guest.name, guest.headers["authorization"].partition(" ")[2])


async def test_what_one_worker_writes_reaches_the_streams_of_all(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, ("cartagena",), database=f"sqlite:///{tmp_path / 'table.db'}", workers=3)
    stop = asyncio.Event()
    with running(server):
        async with contextlib.AsyncExitStack() as clients:
            player = await new_player(clients, server, 1)
            listeners = [
                Listener(await with_own_client(clients, server, player.guest), player.match, 0) for _ in range(12)
            ]
            tasks = [asyncio.create_task(listener.listen(stop)) for listener in listeners]
            seq = 0
            while seq < 8:  # each request through another connection, which any worker may have
                async with connect(server) as client:
                    guest = Guest(client, "", player.guest.headers["authorization"].partition(" ")[2])
                    seat = (await guest.view(player.match))["waiting"][0]
                    view = await guest.view(player.match, seat)
                    if view["legal"]:  # otherwise this worker has not heard of the last action yet
                        answer = await guest.act(player.match, seat, view["legal"][0]["action"], view["seq"])
                        seq = answer.json().get("seq", seq)

            async def all_have_seen() -> bool:
                return all(listener.seen >= seq for listener in listeners)

            await until(all_have_seen, 10)  # sooner than the refresh that makes up for lost hints
            stop.set()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
def command(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """``skerry serve --workers 2``, as the leader of a process group."""
    arguments = ["serve", "--port", str(free_port()), "--workers", "2"]
    with subprocess.Popen(
        [sys.executable, "-m", "skerry.cli", *arguments],
        cwd=ROOT,
        env={**os.environ, "SKERRY_DATA": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        yield process
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def test_ctrl_c_ends_all_workers_with_one_line(command: subprocess.Popen[bytes]) -> None:
    assert command.stdout is not None and b"Skerry is running" in command.stdout.readline()
    workers = children_of(command.pid)
    assert len(workers) == 2
    check_metrics(command)
    os.killpg(command.pid, signal.SIGINT)  # as a terminal does
    _, said = command.communicate(timeout=60)
    assert (said, command.returncode) == (b"Stopped.\n", 130)
    assert not any(map(is_alive, workers))


def check_metrics(command: subprocess.Popen[bytes]) -> None:
    """The requests to all workers are counted, whichever of them is asked."""
    assert isinstance(command.args, list)
    url = f"http://127.0.0.1:{command.args[command.args.index('--port') + 1]}"
    for _ in range(20):
        assert httpx.get(f"{url}/healthz").status_code == 200
    answers = [httpx.get(f"{url}/metrics").text for _ in range(8)]
    counts = [HEALTH_REQUESTS.findall(answer) for answer in answers]
    assert counts == [["20.0"]] * 8


async def test_workers_end_when_their_parent_is_killed(command: subprocess.Popen[bytes]) -> None:
    assert command.stdout is not None and b"Skerry is running" in command.stdout.readline()
    workers = children_of(command.pid)
    command.kill()

    async def gone() -> bool:
        return not any(map(is_alive, workers))

    await until(gone)


def test_workers_that_cannot_start_are_not_started_for_ever(tmp_path: Path) -> None:
    """The second worker fails each time: the command gives up, and says why."""
    program = f"""
import socket
from skerry.server.workers import Worker, Workers, listen

def serve(worker: Worker) -> None:
    if worker.partition.index:
        raise OSError("no such thing")
    worker.ready()
    import time
    time.sleep(60)

Workers(listen("127.0.0.1", {free_port()}, 2, 10), serve, lambda: print("all are ready"), 2).run()
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert done.returncode == 1 and done.stdout == b"" and b"no such thing" in done.stderr


# Two workers in this process


class InProcess(NamedTuple):
    """A worker in this process."""

    client: httpx.AsyncClient
    services: Services

    def guest(self, guest: Guest) -> Guest:
        """A guest as a client of this worker."""
        return Guest(self.client, guest.name, guest.headers["authorization"].partition(" ")[2])


@contextlib.asynccontextmanager
async def two_workers(settings: Settings) -> AsyncIterator[list[InProcess]]:
    pipes = [os.pipe() for _ in range(2)]
    for end in (end for pipe in pipes for end in pipe):
        os.set_blocking(end, False)
    async with contextlib.AsyncExitStack() as stack:
        workers = []
        for index in range(2):
            hub = WorkerHub(pipes[index][0], [pipes[1 - index][1]])
            app = make_app(settings, all_games, find_game, hub, Partition(index, 2))
            workers.append(InProcess(await stack.enter_async_context(client_of(app)), services_in(app)))
        yield workers
    for end in (end for pipe in pipes for end in pipe):
        os.close(end)


async def test_the_bots_of_a_match_are_run_by_the_worker_that_owns_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    decisions: Counter[tuple[str, int, int]] = Counter()  # by match, number of the log and seat
    runners: dict[str, set[int]] = {}
    decide = BotRunner.play_decision

    async def counted(runner: BotRunner, session: Any, seat: int, name: str) -> None:
        decisions[session.id, session.seq, seat] += 1
        runners.setdefault(session.id, set()).add(runner.partition.index)
        await decide(runner, session, seat, name)

    monkeypatch.setattr(BotRunner, "play_decision", counted)
    async with two_workers(settings) as workers:
        ana = await Guest.register(workers[0].client, "Ana")
        everywhere = [ana, workers[1].guest(ana)]
        for number in range(6):
            here, there = everywhere[number % 2], everywhere[1 - number % 2]
            match = (await here.open("cartagena", ["me", "random"], options={"players": 2}))["id"]
            for guest in (here, there, here, there):

                async def asked(match: str = match) -> bool:
                    views = [await guest.view(match, 0) for guest in everywhere]
                    return all(view["waiting"] == [0] for view in views) and len({view["seq"] for view in views}) == 1

                await until(asked)
                await guest.play_first(match, 0)
            assert runners.get(match, set()) <= {next(i for i in (0, 1) if Partition(i, 2).owns(match))}
    assert {index for some in runners.values() for index in some} == {0, 1}, "one worker did everything"
    assert max(decisions.values()) == 1, "a decision was made twice"


async def test_a_seat_that_another_worker_has_given_is_the_guests_at_once(settings: Settings) -> None:
    async with two_workers(settings) as workers:
        ana = await Guest.register(workers[0].client, "Ana")
        bea = await Guest.register(workers[0].client, "Bea")
        elsewhere = workers[1].guest(bea)
        match = (await ana.open("cartagena", ["me", "open"], options={"players": 2}))["id"]
        await elsewhere.view(match)
        assert (await bea.sit(match, 1)).status_code == 200
        await elsewhere.view(match, 1)


async def test_a_match_that_changes_while_it_is_loaded_is_not_left_behind(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_seats = SessionRegistry._load_seats
    async with two_workers(settings) as (here, there):
        ana = await Guest.register(here.client, "Ana")
        match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
        loaded, go_on = asyncio.Event(), asyncio.Event()

        async def slow(sessions: SessionRegistry, session: MatchSession) -> None:
            await load_seats(sessions, session)
            if sessions is there.services.sessions:
                loaded.set()
                await go_on.wait()

        monkeypatch.setattr(SessionRegistry, "_load_seats", slow)
        loading = asyncio.create_task(there.services.sessions.get(match))
        await loaded.wait()
        seq = await ana.play_first(match, (await ana.view(match))["waiting"][0])

        async def told() -> bool:
            return match in there.services.sessions._changed_while_loading

        await until(told)
        go_on.set()
        assert (await loading).seq == seq


async def test_a_worker_reads_nothing_that_another_has_told_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one worker writes, the other applies without the store: actions, forced actions and undos alike."""
    async with two_workers(settings) as (here, there):
        ana = await Guest.register(here.client, "Ana")
        match = (await ana.open("forbidden-island", ["me", "me"], options={"players": 2, "first": 0}))["id"]
        session = await there.services.sessions.get(match)

        async def refused(*_: Any) -> Any:
            raise AssertionError("the log was read")

        monkeypatch.setattr(there.services.store, "log", refused)
        for number in range(25):
            view = await ana.view(match, session.match.waiting[0])
            seat, seq = view["seat"], view["seq"]
            if view["undo"] and number % 3 == 0:
                answer = await ana.ask("POST", f"/matches/{match}/undo", json={"seat": seat, "seq": seq})
            else:
                answer = await ana.act(match, seat, view["legal"][-1]["action"], seq, key=f"Ä {number}")
            assert answer.status_code == 200, answer.text
            latest = await here.services.sessions.get(match)

            async def told(latest: MatchSession = latest) -> bool:
                return session.seq == latest.seq

            await until(told)
            assert session.match.content == latest.match.content
            assert list(session.recent) == list(latest.recent)
            assert [step.log_rows for step in session.match.steps] == [step.log_rows for step in latest.match.steps]
            if latest.ended is not None:
                break
        assert session.seq >= 10


async def test_a_worker_that_was_not_told_a_row_reads_the_log(settings: Settings) -> None:
    async with two_workers(settings) as (here, there):
        ana = await Guest.register(here.client, "Ana")
        match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
        session = await there.services.sessions.get(match)
        hub = here.services.hub
        with pytest.MonkeyPatch.context() as silence:
            silence.setattr(hub, "publish_row", lambda row: None)
            await ana.play_first(match, session.match.waiting[0])
        latest = await here.services.sessions.get(match)
        await ana.play_first(match, latest.match.waiting[0])

        async def told() -> bool:
            return session.seq == latest.seq

        await until(told)
        assert session.match.content == latest.match.content


# The hub


def test_a_row_that_finds_no_room_is_left_out_of_its_hint() -> None:
    read, write = os.pipe()
    for end in (read, write):
        os.set_blocking(end, False)
    hub = WorkerHub(read, [write])
    row = LogRow("match", 7, 0, 1, 'a "key"\n', b"[[1,2]]", False, 6, bytes(range(256)), 1.5, None)
    hub.publish_row(row)
    hint, _, rest = os.read(read, 10_000).partition(b"\n")
    assert hint.startswith(b"match 7 [") and rest == b"" and unpack_row(hint[len("match 7 ") :]) == row
    hub.publish_row(dataclasses.replace(row, state=bytes(10_000)))
    assert os.read(read, 10_000) == b"match 7\n"
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(write, b"x" * 4096)
    os.read(read, 4096)  # now there is room for one more page, which a short hint shares with others
    hub.publish_row(row)
    hub.publish_row(row)
    assert not hub._missing
    for end in (read, write):
        os.close(end)


async def test_a_worker_that_missed_hints_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    for end in (read, write):
        os.set_blocking(end, False)
    sender, receiver = WorkerHub(read, [write]), WorkerHub(read, [])
    heard: list[tuple[str, int]] = []

    async def hear(match: str, seq: int) -> None:
        heard.append((match, seq))

    sender.publish("first", 1)
    sender.publish("first", 2)
    sender.publish("first", SEATS_CHANGED)
    for number in range(100_000):
        sender.publish(f"match-{number}", number)
    await receiver.open(hear)

    async def read_all() -> bool:
        return len(heard) > 1000

    await until(read_all)
    sender.publish("last", 7)

    async def told() -> bool:
        return ("last", 7) in heard

    await until(told)
    await receiver.close()
    assert heard[:2] == [("first", 2), ("first", SEATS_CHANGED)]
    assert len(heard) < 100_000 and heard[-2:] == [(ALL_MATCHES, 0), ("last", 7)]
    for end in (read, write):
        os.close(end)
