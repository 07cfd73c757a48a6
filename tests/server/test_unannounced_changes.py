"""Changes that nobody announced: a hint was lost, or a write failed after it was committed. Bugs that simulated
histories have found."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from skerry.games import all_games, find_game
from skerry.server.app import make_app, services_in
from skerry.server.database import store_down
from skerry.server.match_session import MatchSession
from skerry.server.services import Services
from skerry.server.settings import Settings
from skerry.server.topics import TopicKey
from tests.server.conftest import Guest, client_of

pytestmark = pytest.mark.anyio


class OpenMatch:
    """A match of two seats, both the same guest's, on a server in this process."""

    def __init__(self, services: Services, guest: Guest, match: str) -> None:
        self.services, self.guest, self.match = services, guest, match

    @property
    def session(self) -> MatchSession:
        return self.services.sessions.in_memory[self.match]

    async def refresh(self) -> None:
        """What the server does with each heartbeat."""
        await self.services.broadcaster._refresh()

    async def act(self) -> int:
        return await self.guest.play_first(self.match, self.session.match.waiting[0])


@contextlib.asynccontextmanager
async def open_match(settings: Settings, **options: Any) -> AsyncIterator[OpenMatch]:
    app = make_app(settings, all_games, find_game)
    async with client_of(app) as client:
        ana = await Guest.register(client, "Ana")
        match = await ana.open("cartagena", ["me", "me"], options={"players": 2, **options})
        yield OpenMatch(services_in(app), ana, match["id"])


async def test_a_seat_taken_at_another_process_shows_although_its_hint_was_lost(settings: Settings) -> None:
    async with open_match(settings) as table:
        holder = table.session.seats[1]
        assert await table.services.store.set_seat(table.match, 1, holder, None, "random")
        assert table.session.seats[1] == holder
        await table.refresh()
        assert (table.session.seats[1].guest, table.session.seats[1].bot) == (None, "random")


async def test_a_rematch_opened_at_another_process_shows_although_its_hint_was_lost(settings: Settings) -> None:
    async with open_match(settings) as table:
        table.session.ended = "aboard"
        assert await table.services.store.set_next(table.match, "another")
        await table.refresh()
        assert table.session.header.next == "another"


async def test_a_deleted_match_leaves_the_memory(settings: Settings) -> None:
    async with open_match(settings) as table:
        await table.services.store.forget_guest(table.session.header.owner)
        await table.refresh()
        assert table.match not in table.services.sessions.in_memory


async def test_a_watched_match_is_loaded_again_after_a_write_failed(settings: Settings) -> None:
    async with open_match(settings) as table:
        key = TopicKey(table.match, 0, "en", True)
        subscription = await table.services.broadcaster.subscribe(table.session, key, None, "ana")
        table.services.sessions.forget(table.match)
        await table.refresh()
        assert table.match in table.services.sessions.in_memory
        table.services.broadcaster.unsubscribe(subscription)


async def test_the_end_of_a_match_is_noted_once_the_store_answers_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_match(settings, parts="4", pirates=4) as table:

        async def fails(*_: Any, **__: Any) -> None:
            raise store_down()

        with monkeypatch.context() as patch:
            patch.setattr(table.services.store, "change_match", fails)
            while table.session.match.result is None:
                session = table.session
                seat = session.match.waiting[0]
                # The first legal actions move pirates on, so that the game comes to its end.
                await table.services.matches.act(session, seat, session.match.legal(seat)[0].id, session.seq)
        header = await table.services.store.match(table.match)
        assert header is not None and header.ended is None
        await table.refresh()
        header = await table.services.store.match(table.match)
        assert header is not None and header.ended == table.session.match.result.reason


async def test_a_topic_is_never_published_from_a_dropped_session(settings: Settings) -> None:
    async with open_match(settings) as table:
        broadcaster, sessions = table.services.broadcaster, table.services.sessions
        dropped = table.session
        key = TopicKey(table.match, 0, "en", False)
        subscription = await broadcaster.subscribe(dropped, key, None, "ana")
        sessions.forget(table.match)
        await sessions.get(table.match)
        seq = await table.act()
        async with asyncio.timeout(20):
            while subscription.topic.seq < seq:
                await asyncio.sleep(0.005)
        await broadcaster._publish_topic(dropped, subscription.topic)
        another = await broadcaster.subscribe(dropped, key, 0, "ana")
        assert subscription.topic.seq == another.seq == seq, "the topic went back to the dropped session's step"
        for open_stream in (subscription, another):
            broadcaster.unsubscribe(open_stream)
