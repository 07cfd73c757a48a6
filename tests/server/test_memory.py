"""Memory: what a match needs is freed after it, and caches are bounded."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections import Counter
from pathlib import Path

import httpx
import pytest

from skerry.games import all_games, find_game
from skerry.server.app import make_app, services_in
from skerry.server.fragment_cache import OVERHEAD, FragmentCache
from skerry.server.rate_limit import MAX_BUCKETS, RateLimiter
from skerry.server.sessions import IDLE, IDLE_ENDED
from skerry.server.settings import Settings
from tests.server.conftest import Guest, client_of
from tests.server.server_processes import ServerProcess, connect, running
from tests.server.simulated_players import Listener, Player

pytestmark = pytest.mark.anyio

# What bounded caches keep of matches that are gone.
CACHED = {"ActionLabel", "EventLabel", "Labels", "Name", "Message", "Noun", "Action", "Part", "PartFamily", "Guest"}
MINUTES = 10.0  # of the long run
PLAYERS = 6


async def test_after_matches_nothing_of_them_is_left(settings: Settings) -> None:
    app = make_app(settings, all_games, find_game)
    services = services_in(app)
    async with client_of(app) as client:
        ana = await Guest.register(client, "Ana")
        await play_matches(ana)
        services.sessions.in_memory.clear()
        before = live_objects()
        await play_matches(ana)
        assert live_objects()["MatchSession"] > before["MatchSession"]
        services.sessions.in_memory.clear()
        assert live_objects() == before


async def play_matches(guest: Guest) -> None:
    """A match of each game: some actions, the pages, and the streams of pages and programs."""
    for game in all_games():
        match = (await guest.open(game.name, ["me", "me"], options={"players": 2}))["id"]
        for _ in range(6):
            await guest.play_first(match, (await guest.view(match))["waiting"][0])
        for params in ({"seat": 0, "since": 0, "page": True}, {"seat": 1, "page": True}, {"since": 0}):
            await guest.ask("GET", f"/matches/{match}/stream", params=params)
        assert (await guest.client.get(f"/m/{match}", headers=guest.headers)).status_code == 200


def live_objects() -> Counter[str]:
    """How many objects of our classes there are, by the class's name."""
    gc.collect()
    classes = Counter(type(one) for one in gc.get_objects())
    ours = {kind: count for kind, count in classes.items() if str(kind.__module__).startswith("skerry.")}
    return Counter({kind.__name__: count for kind, count in ours.items() if kind.__name__ not in CACHED})


async def test_matches_that_are_over_leave_memory_sooner(settings: Settings) -> None:
    app = make_app(settings, all_games, find_game)
    sessions = services_in(app).sessions
    async with client_of(app) as client:
        ana = await Guest.register(client, "Ana")
        running_match, over = [(await ana.open("cartagena", ["me", "me"]))["id"] for _ in range(2)]
        sessions.in_memory[over].ended = "escaped"
        for idle, left in ((IDLE_ENDED + 1, {running_match}), (IDLE + 1, set[str]())):
            for session in sessions.in_memory.values():
                session.last_used = time.monotonic() - idle
            sessions.drop_idle(lambda session: False)
            assert sessions.in_memory.keys() == left


def test_a_fragment_cache_keeps_what_is_used_within_its_bounds() -> None:
    cache = FragmentCache(100_000)
    for number in range(5_000):
        cache.put(number, b"x" * (number % 300))
        assert cache.size <= 100_000 + OVERHEAD + 1_000
        if cache.get("often") is None:
            assert number < 10, "what is used often was dropped"
            cache.put("often", b"y")
    assert cache.get(1) is None and cache.get(4_999) == b"x" * (4_999 % 300)
    assert 10 < len(cache) < 300


def test_full_buckets_of_a_rate_limit_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    limiter = RateLimiter(rate=10, burst=20)
    for number in range(5 * MAX_BUCKETS):
        now += 0.01
        limiter.take(f"guest {number}")
        assert len(limiter._buckets) <= MAX_BUCKETS + 1


@pytest.mark.slow
async def test_memory_reaches_a_plateau(tmp_path: Path) -> None:
    """Games of all kinds, one after another, each with an open page: what is kept stops growing."""
    server = ServerProcess(tmp_path, tuple(game.name for game in all_games()), database=f"sqlite:///{tmp_path / 'db'}")
    megabytes: list[float] = []
    stop = asyncio.Event()
    with running(server):
        async with connect(server, limits=httpx.Limits(max_connections=None)) as client:
            players = [asyncio.create_task(play_on_and_on(client, number, stop)) for number in range(PLAYERS)]
            steps = 20
            for step in range(steps):
                await asyncio.sleep(60 * MINUTES / steps)
                megabytes.append(server.memory / 2**20)
                print(f"{(step + 1) * MINUTES / steps:5.1f} minutes: {megabytes[-1]:.1f} MiB", flush=True)
            stop.set()
            await asyncio.gather(*players)
    half, most = megabytes[steps // 2], max(megabytes[steps // 2 :])
    assert most - half < 10, f"it grew by {most - half:.0f} MiB in the second half"


async def play_on_and_on(client: httpx.AsyncClient, number: int, stop: asyncio.Event) -> None:
    """Play one game after another, until told to stop."""
    chance = random.Random(number)
    games = [game.name for game in all_games()]
    while not stop.is_set():
        player = await Player.register(client, number, chance.choice(games), ["me", "me"])
        over = asyncio.Event()
        listening = asyncio.create_task(Listener(player.guest, player.match, 0).listen(over))
        playing = asyncio.create_task(player.play(over))
        while not stop.is_set() and not await player.over():
            await asyncio.sleep(0.5)
        over.set()
        await playing
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
