"""The match sessions in memory: loaded from the store on demand, kept in step with it, dropped when idle."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from collections.abc import Callable
from typing import Protocol

from skerry.engine.game import Game
from skerry.engine.messages import say
from skerry.server.errors import NoMatch
from skerry.server.match_session import HISTORY, MatchSession, SeatHolder
from skerry.server.store import Store, StoreDown

IDLE = 300.0  # seconds after which an unused session is dropped from memory
MATCH_ID = re.compile("[A-Za-z0-9_-]{1,24}")


class Observer(Protocol):
    """Called after something happened to a match: a step, an undo, another holder of a seat."""

    def __call__(self, session: MatchSession, /) -> None: ...


class FindGame(Protocol):
    """Returns the game of a name, or raises ``UnknownGame``."""

    def __call__(self, name: str, /) -> Game: ...


class SessionRegistry:
    """The sessions in memory, by match id, and the observers of all of them."""

    def __init__(self, store: Store, find: FindGame) -> None:
        self.store = store
        self.find = find
        self.in_memory: dict[str, MatchSession] = {}
        self.observers: list[Observer] = []
        self._loading: dict[str, asyncio.Future[MatchSession]] = {}

    async def get(self, match: str) -> MatchSession:
        """The session of a match, from memory or from the store."""
        session = self.in_memory.get(match)
        if session is None:
            if not MATCH_ID.fullmatch(match):  # a path may hold characters that a database does not accept
                raise NoMatch("there is no such match here")
            session = await self._load_once(match)
        session.last_used = time.monotonic()
        return session

    async def _load_once(self, match: str) -> MatchSession:
        """Load a session. Requests that come at the same time share it."""
        if match not in self._loading:
            self._loading[match] = asyncio.ensure_future(self._load(match))
            self._loading[match].add_done_callback(lambda _: self._loading.pop(match))
        return await asyncio.shield(self._loading[match])

    async def _load(self, match: str) -> MatchSession:
        header = await self.store.match(match)
        if header is None:
            raise NoMatch("there is no such match here")
        game = self.find(header.game)
        if game.version != header.version:
            raise NoMatch(
                say(
                    "this match was begun under version {old} of the rules; here is {new}",
                    old=header.version,
                    new=game.version,
                )
            )
        session = MatchSession(header, game.configure(json.loads(header.options)))
        session.restore(await self.store.tail(match, HISTORY))
        await self.load_previous_step(session)
        await self._load_seats(session)
        self.in_memory[match] = session
        await self.record_end(session)
        self.notify(session)  # its last step may not have been broadcast before it was dropped
        return session

    async def _load_seats(self, session: MatchSession) -> None:
        rows = await self.store.seats(session.id)
        names = await self.store.names([row.guest for row in rows if row.guest])
        session.seats = tuple(SeatHolder(row.guest, row.bot, names.get(row.guest, "")) for row in rows)

    def forget(self, match: str) -> None:
        """Drop a session from memory. The next request loads it from the store."""
        self.in_memory.pop(match, None)

    def drop_idle(self, is_needed: Callable[[MatchSession], bool]) -> None:
        """Drop the sessions that have not been used for a while."""
        before = time.monotonic() - IDLE
        for session in list(self.in_memory.values()):
            if session.last_used < before and not is_needed(session):
                self.forget(session.id)

    def notify(self, session: MatchSession) -> None:
        for observer in self.observers:
            observer(session)

    # Keeping in step with the store

    async def catch_up(self, session: MatchSession) -> None:
        """Apply the log rows that other processes have written. The caller holds the session's lock."""
        rows = await self.store.log(session.id, session.seq)
        for row in rows:
            if row.seq == session.seq + 1:
                session.apply_row(row)
        if rows:
            await self.load_previous_step(session)
            await self.record_end(session)
            self.notify(session)

    async def load_previous_step(self, session: MatchSession) -> None:
        """Read the last step from the store if it is not in memory, so that it can be undone."""
        if not session.lacks_previous_step:
            return
        with contextlib.suppress(StoreDown):  # it cannot be undone then, until the match is loaded again
            row = await self.store.entry(session.id, session.base_seq)
            before = await self.store.entry(session.id, row.before) if row is not None else None
            if row is not None and session.lacks_previous_step:
                session.restore_previous_step(row, session.initial_state if before is None else before.state)

    async def record_end(self, session: MatchSession) -> None:
        """Note in the store that a match is over."""
        if session.ended is None and session.match.result is not None:
            session.ended = session.match.result.reason
            with contextlib.suppress(StoreDown):  # the final action is on disk: the next load will note it
                await self.store.change_match(session.id, ended=session.ended)

    async def reload_seats(self, session: MatchSession) -> None:
        await self._load_seats(session)
        self.notify(session)
