"""The match service: two instances with one store, like two server processes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from skerry.engine.errors import NoUndo
from skerry.games import find_game
from skerry.server.challenges import ChallengeService
from skerry.server.errors import Conflict, MatchNotFound, Stale
from skerry.server.hub import LocalHub
from skerry.server.match_service import MatchService
from skerry.server.match_session import MatchSession
from skerry.server.match_summaries import MatchSummaries
from skerry.server.schema import UNDO
from skerry.server.seat_service import SeatService
from skerry.server.sessions import SessionRegistry
from skerry.server.settings import Settings
from skerry.server.store import Store, StoreDown
from tests.server.conftest import Guest
from tests.server.server_main import FREE
from tests.server.waiting import until

pytestmark = pytest.mark.anyio


@pytest.fixture
async def two(settings: Settings) -> AsyncIterator[tuple[MatchService, MatchService]]:
    stores = [Store(settings.database_url) for _ in range(2)]
    for store in stores:
        await store.open()
    here, there = (MatchService(SessionRegistry(store, find_game), LocalHub(), FREE) for store in stores)
    yield here, there
    for store in stores:
        await store.close()


async def long_draft(matches: MatchService, steps: int) -> tuple[MatchSession, list[bytes]]:
    """A match of Hashi with numbers written and rewritten, all of which can be undone; and its states."""
    session = await matches.open("ana", "hashi", {"players": 2}, ["me", "me"], seed=5)
    states = [session.match.content]
    starts = [action.id for action in session.match.legal(0) if action.verb == "start"]
    for number in range(steps):
        await matches.act(session, 0, starts[number % 7], session.seq)
        states.append(session.match.content)
    return session, states


@pytest.mark.parametrize("undone", [0, 1, 39, 40, 41, 60, 90])
async def test_a_reloaded_match_has_the_same_state_and_can_be_undone_to_its_start(
    two: tuple[MatchService, MatchService], undone: int
) -> None:
    here, there = two
    session, states = await long_draft(here, 90)
    for _ in range(undone):
        await here.act(session, 0, UNDO, session.seq)
    again = await there.sessions.get(session.id)
    assert again.seq == session.seq and again.match.content == session.match.content == states[90 - undone]
    for left in range(90 - undone, 0, -1):
        assert again.match.undoable_step(0).seat == 0
        await there.act(again, 0, UNDO, again.seq)
        assert again.match.content == states[left - 1]
    with pytest.raises(NoUndo):
        await there.act(again, 0, UNDO, again.seq)
    await here.sessions.catch_up(session)
    assert session.match.content == states[0] and session.seq == again.seq


async def test_another_process_that_catches_up_has_the_same_states(two: tuple[MatchService, MatchService]) -> None:
    here, there = two
    session, _ = await long_draft(here, 50)
    far = await there.sessions.get(session.id)
    for _ in range(45):
        await here.act(session, 0, UNDO, session.seq)
        await there.sessions.catch_up(far)
        assert far.match.content == session.match.content and far.seq == session.seq
        assert (await there.store.entry(session.id, far.seq)).state == far.match.content  # type: ignore[union-attr]


async def test_a_client_that_knows_more_than_this_process_is_served(two: tuple[MatchService, MatchService]) -> None:
    here, there = two
    session, _ = await long_draft(here, 3)
    far = await there.sessions.get(session.id)
    await here.act(session, 0, UNDO, 3)
    assert await there.act(far, 0, UNDO, 4) == 5
    with pytest.raises(Stale) as stale:
        await here.act(session, 0, UNDO, 4)
    assert stale.value.seq == 5


async def test_a_repeated_request_gets_its_first_number(two: tuple[MatchService, MatchService]) -> None:
    here, there = two
    session, _ = await long_draft(here, 2)
    one, another = [action.id for action in session.match.legal(0) if action.verb == "start"][5:7]
    assert await here.act(session, 0, one, 2, "k") == 3
    for matches in two:
        known = await matches.sessions.get(session.id)
        assert await matches.act(known, 0, one, 2, "k") == 3
        assert await matches.act(known, 0, another, known.seq, "k") == 3, "repeated with a newer number"
        with pytest.raises(Conflict):
            await matches.act(known, 1, one, known.seq, "k")
    assert len(await here.store.log(session.id)) == 3
    assert (await there.sessions.get(session.id)).seq == 3


async def test_a_request_that_waited_while_a_write_failed_gets_the_reloaded_match(
    two: tuple[MatchService, MatchService], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store reports a failure although the row was written: the connection broke after the commit."""
    here, _ = two
    session, _ = await long_draft(here, 1)
    notified: list[tuple[MatchSession, int]] = []
    here.sessions.observers.append(lambda one: notified.append((one, one.seq)))
    append = here.store.append

    async def lost(row: dict[str, Any]) -> bool:
        monkeypatch.setattr(here.store, "append", append)
        await append(row)
        raise StoreDown("the connection broke")

    monkeypatch.setattr(here.store, "append", lost)
    starts = [action.id for action in session.match.legal(0) if action.verb == "start"]
    first, second, third = await asyncio.gather(
        here.act(session, 0, starts[1], 1, "first"),
        here.act(session, 0, starts[2], 1, "second"),
        here.act(session, 0, starts[3], 2, "third"),
        return_exceptions=True,
    )
    assert isinstance(first, StoreDown) and isinstance(second, Stale) and third == 3
    now = await here.sessions.get(session.id)
    assert now.seq == 3 and now.match.content == (await here.store.log(session.id))[-1].state
    assert await here.act(now, 0, starts[1], 1, "first") == 2
    assert (now, 2) in notified and (now, 3) in notified, "observers get the written row once it is found"


async def test_an_end_that_could_not_be_stored_is_stored_by_the_next_load(
    two: tuple[MatchService, MatchService], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = two
    session = await here.open("ana", "forbidden-island", {"players": 2}, ["me", "me"], seed=3)

    async def fails(*_: Any, **__: Any) -> None:
        raise StoreDown("no room")

    monkeypatch.setattr(here.store, "change_match", fails)
    while session.ended is None:
        seat = session.match.waiting[0]
        await here.act(session, seat, session.match.legal_ids(seat)[-1], session.seq)
    assert await here.store.count_open("ana") == 1
    assert (await there.sessions.get(session.id)).ended == session.ended
    assert await here.store.count_open("ana") == 0


async def test_matches_of_a_forgotten_guest_are_dropped_from_memory(two: tuple[MatchService, MatchService]) -> None:
    here, _ = two
    await here.store.add_guest(id="ana", name="Ana", language="en", created=0.0)
    hosted = await here.open("ana", "cartagena", {"players": 2}, ["open", "open"])
    played = await here.open("ana", "cartagena", {"players": 2}, ["me", "open"])
    shared = await here.open("ana", "cartagena", {"players": 2}, ["me", "open"])
    await here.store.add_guest(id="ben", name="Ben", language="en", created=0.0)
    seats = SeatService(here, ChallengeService(here, MatchSummaries(here.store, find_game)))
    await seats.sit(shared, 1, "ben", "me")
    await seats.forget_guest("ana")
    for session in (hosted, played):
        with pytest.raises(MatchNotFound):
            await here.sessions.get(session.id)
    left = await here.sessions.get(shared.id)
    assert left.header.owner is None and [who.guest for who in left.seats] == [None, "ben"]


@pytest.mark.parametrize("match", ["", "a b", "a/b", "\0", "é", "x" * 25, "..", "%00"])
async def test_an_invalid_id_is_no_match(two: tuple[MatchService, MatchService], match: str) -> None:
    with pytest.raises(MatchNotFound):
        await two[0].sessions.get(match)


async def test_a_failing_bot_retries_later_and_its_seat_can_be_taken(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = 0

    async def has_tried() -> bool:
        return tried > 0

    class Broken:
        def with_time_limit(self, *_: Any) -> Broken:
            return self

        def reporting(self, *_: Any) -> Broken:
            return self

        def choose(self, *_: Any) -> None:
            nonlocal tried
            tried += 1
            raise ZeroDivisionError

    with monkeypatch.context() as broken:
        broken.setattr("skerry.server.bot_runner.bots.find", lambda *_: Broken())
        broken.setattr("skerry.server.bot_runner.BOT_RETRY", 0.3)
        ana = await Guest.register(client, "Ana")
        match = (await ana.open("cartagena", ["random", "me"], options={"players": 2, "first": 0}))["id"]
        await until(has_tried)  # the bot's kernels are loaded first
        before, start = tried, time.monotonic()
        await asyncio.sleep(1)
        most = (time.monotonic() - start) / 0.3 + 1  # a busy machine sleeps longer
        assert tried - before <= most, "the bot retries without a pause"
        assert (await ana.sit(match, 0)).status_code == 200
    assert await ana.play_first(match, 0) > 0
