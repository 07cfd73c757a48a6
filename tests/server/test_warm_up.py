"""Warm-up: the server answers at once, compiles games in other processes, and lets people in as soon as it can."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from skerry.engine.game import Game
from skerry.engine.kernel import INTERPRETED
from skerry.games import all_games, find_game
from skerry.server import warm_up
from skerry.server.game_stages import Stage, exercise, kernels_of_stage, stage_of_bot
from skerry.server.warm_up import WarmUp
from tests.server.command import ServeCommand, wait_until_gone

compiled_only = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
GAME = "hashi"
FORM = {"players": "2"}


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., ServeCommand]]:
    """Starts ``skerry serve`` with a cache of kernels and a database of its own."""
    started: list[ServeCommand] = []

    def start(cache: Path | str = tmp_path / "cache") -> ServeCommand:
        started.append(ServeCommand(tmp_path / f"data-{len(started)}", str(cache)))
        return started[-1]

    yield start
    for server in started:
        server.kill()
        wait_until_gone(server)


def play_now(server: ServeCommand) -> httpx.Response:
    return server.post(f"/play/{GAME}", FORM)


def play_when_ready(server: ServeCommand) -> str:
    """Press *Play now* until there is a board; its page."""
    limit = time.monotonic() + 120
    answer = play_now(server)
    while answer.status_code == 202:
        assert time.monotonic() < limit, "the game does not get ready"
        time.sleep(0.2)
        answer = play_now(server)
    assert answer.status_code == 303
    page = server.get(answer.headers["location"])
    assert page.status_code == 200
    return page.text


@compiled_only
def test_pages_without_a_board_answer_before_anything_is_compiled(serve: Callable[..., ServeCommand]) -> None:
    server = serve()
    pages = [server.get(path) for path in ("/", f"/rules/{GAME}", f"/new/{GAME}", "/me")]
    assert [page.status_code for page in pages] == [200] * 4
    assert server.get(f"/getting-ready/{GAME}").json()["ready"] is False


@compiled_only
def test_play_now_leads_to_the_board_by_a_page_that_shows_progress(serve: Callable[..., ServeCommand]) -> None:
    server = serve()
    answer = play_now(server)
    assert answer.status_code == 202 and 'data-getting-ready="hashi"' in answer.text
    assert re.search(r'<input type="hidden" name="players" value="2">', answer.text), "what was chosen is lost"
    seen: list[dict[str, Any]] = []
    while not seen or not seen[-1]["ready"]:
        seen.append(server.get(f"/getting-ready/{GAME}").json())
        time.sleep(0.1)
    shares = [one["done"] / one["total"] for one in seen if one["total"]]
    assert shares == sorted(shares) and len(set(shares)) > 5 and shares[-1] > 0.8, "that is no true progress"
    assert 'id="table-prompt"' in play_when_ready(server)


@compiled_only
def test_two_servers_share_the_work_and_one_may_be_killed_in_the_middle(serve: Callable[..., ServeCommand]) -> None:
    first, second = serve(), serve()
    play_now(first)
    while not first.get(f"/getting-ready/{GAME}").json()["done"]:
        time.sleep(0.05)
    first.kill()
    assert 'id="table-prompt"' in play_when_ready(second)
    wait_until_gone(first)


@compiled_only
def test_a_cache_that_cannot_be_written_is_no_obstacle(serve: Callable[..., ServeCommand]) -> None:
    assert 'id="table-prompt"' in play_when_ready(serve("/proc/skerry"))


@compiled_only
def test_a_match_asked_for_by_the_api_waits_for_its_game(serve: Callable[..., ServeCommand]) -> None:
    server = serve()
    token = server.client.post("/api/v1/guests", json={"name": "Ana"}).json()["token"]
    body = {"game": GAME, "seats": ["me", "skilled"]}
    answer = server.client.post("/api/v1/matches", json=body, headers={"authorization": f"Bearer {token}"}, timeout=120)
    assert answer.status_code == 201


@compiled_only
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_nothing_is_compiled_or_loaded_on_the_event_loop(game: Game) -> None:
    command = [sys.executable, "-m", "tests.server.kernels_on_event_loop", game.name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "none"


# Which bots need what


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_stage_of_every_game_can_be_exercised(game: Game) -> None:
    for stage in Stage:
        exercise(game, stage)


def test_bots_need_the_stages_of_their_kind() -> None:
    game = find_game("cartagena")
    stages = [stage_of_bot(game, name) for name in ("random", "novice", "skilled", "expert", "expert:20")]
    assert stages == [Stage.BOTS, Stage.BOTS, Stage.BOTS, Stage.EXPERT, Stage.EXPERT]


@compiled_only
def test_each_stage_has_kernels_of_its_own() -> None:
    game = find_game("cartagena")
    rules, bots, expert = (kernels_of_stage(game, stage) for stage in Stage)
    assert rules and bots and expert
    assert not rules & bots and not (rules | bots) & expert


# The order of the work


class Recorder:
    """Replaces the compiling processes: each job waits until it is told to end."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[tuple[str, Stage]] = []
        self.ends = asyncio.Event()
        monkeypatch.setattr(WarmUp, "_prepare", self._prepare_instead())
        monkeypatch.setattr(warm_up, "INTERPRETED", False)

    def _prepare_instead(self) -> Callable[..., Awaitable[None]]:
        async def prepare(service: WarmUp, job: warm_up.Job) -> None:
            self.begun.append((job.game.name, job.stage))
            await self.ends.wait()
            job.ready.set()
            service.start_jobs()

        return prepare


@pytest.mark.anyio
async def test_rules_come_first_the_opened_game_before_all_and_experts_last(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder(monkeypatch)
    service = WarmUp(all_games, processes=2)
    await service.open()
    opened = all_games()[-1]
    assert not await service.wait(opened, Stage.BOTS, 0.01)
    assert len(recorder.begun) == 3, "two processes, and one for the game that somebody waits for"
    assert recorder.begun[2] == (opened.name, Stage.RULES)
    recorder.ends.set()
    while not all(service.is_ready(game, stage) for game in all_games() for stage in Stage):
        await asyncio.sleep(0)
    stages = [stage for name, stage in recorder.begun if name != opened.name]
    assert stages == sorted(stages)
    bots = [name for name, stage in recorder.begun if stage is Stage.BOTS]
    assert bots[0] == opened.name
    await service.close()
