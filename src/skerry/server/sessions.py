"""The match sessions in memory: loaded from the store on demand, kept in step with it, dropped when idle."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from skerry.engine.errors import Refusal, UnknownGame
from skerry.engine.game import Game
from skerry.engine.upgrades import upgrade_path
from skerry.server.errors import MatchNotFound, MatchUnreadable, cannot_be_opened, not_installed
from skerry.server.faults import contain
from skerry.server.match_log import LogRow
from skerry.server.match_session import HISTORY, MatchSession, SeatHolder
from skerry.server.schema import RULES
from skerry.server.store import Row, Store, StoreDown
from skerry.server.stored_results import CLOSED, encode_result

IDLE = 300.0  # seconds after which an unused session is dropped from memory
IDLE_ENDED = 30.0  # if its match is over
MATCH_ID = re.compile("[A-Za-z0-9_-]{1,24}")


class Observer(Protocol):
    """Called after something happened to a match: a step, an undo, another holder of a seat."""

    def __call__(self, session: MatchSession, /) -> None: ...


class FindGame(Protocol):
    """Returns the game of a name, or raises ``UnknownGame``."""

    def __call__(self, name: str, /) -> Game: ...


class GameReady(Protocol):
    """Waits until the rules of a game are compiled."""

    async def __call__(self, game: Game, /) -> None: ...


async def _always_ready(game: Game, /) -> None:
    pass


class SessionRegistry:
    """The sessions in memory, by match id, and the observers of all of them. ``game_ready`` is awaited before the first
    session of a game is made."""

    def __init__(
        self, store: Store, find: FindGame, game_ready: GameReady = _always_ready, moment_seconds: float = 0.0
    ) -> None:
        self.store = store
        self.moment_seconds = moment_seconds
        self.find = find
        self.game_ready = game_ready
        self.in_memory: dict[str, MatchSession] = {}
        self.observers: list[Observer] = []
        self._loading: dict[str, asyncio.Future[MatchSession]] = {}
        self._ends: dict[str, dict[str, Any]] = {}  # by match: how it ended, until the store has it
        self._changed_while_loading: set[str] = set()  # by other processes

    async def get(self, match: str) -> MatchSession:
        """The session of a match, from memory or from the store."""
        session = self.in_memory.get(match)
        if session is None:
            if not MATCH_ID.fullmatch(match):  # a path may hold characters that a database does not accept
                raise MatchNotFound("match not found")
            session = await self._load_once(match)
        session.last_used = time.monotonic()
        return session

    async def game_of(self, match: str) -> Game | None:
        """The game of a match that need not be in memory; None if there is no such match or no such game."""
        header = await self.store.match(match) if MATCH_ID.fullmatch(match) else None
        try:
            return None if header is None else self.find(header.game)
        except UnknownGame:
            return None

    async def _load_once(self, match: str) -> MatchSession:
        """Load a session. Requests that come at the same time share it."""
        if match not in self._loading:
            self._loading[match] = asyncio.ensure_future(self._load(match))
            self._loading[match].add_done_callback(lambda _: self._loaded(match))
        return await asyncio.shield(self._loading[match])

    def _loaded(self, match: str) -> None:
        self._loading.pop(match)
        self._changed_while_loading.discard(match)

    async def _load(self, match: str) -> MatchSession:
        header = await self.store.match(match)
        if header is None:
            raise MatchNotFound("match not found")
        try:
            session = await self._read(header)
        except StoreDown:
            raise
        except UnknownGame:
            raise MatchUnreadable(not_installed(header.game)) from None
        except Refusal as refusal:
            raise MatchUnreadable(cannot_be_opened(refusal)) from refusal
        except Exception as error:
            contain("match", error, match=match)
            raise MatchUnreadable("what is stored of this match is damaged") from error
        await self._adopt_rules(session)
        await self.load_previous_step(session)
        await self._load_seats(session)
        self.in_memory[match] = session
        await self._catch_up_after_loading(session)
        await self.record_end(session)
        self.notify(session)  # its last step may not have been broadcast before it was dropped
        return session

    def changed_elsewhere(self, match: str) -> MatchSession | None:
        """The session of a match that another process has changed, if it is in memory. One that is being loaded will
        read again what it may have missed."""
        if match in self._loading:
            self._changed_while_loading.add(match)
        return self.in_memory.get(match)

    async def _catch_up_after_loading(self, session: MatchSession) -> None:
        while session.id in self._changed_while_loading:
            self._changed_while_loading.discard(session.id)
            with contextlib.suppress(StoreDown):  # the next refresh makes up for it
                async with session.lock:
                    await self.catch_up(session)
                await self._load_seats(session)

    async def _read(self, header: Row) -> MatchSession:
        """The session of a stored match at the end of its log, as the installed version of its rules reads it."""
        game = self.find(header.game)
        path = upgrade_path(game, header.version)
        await self.game_ready(game)
        changes = await self.store.rules_changes(header.id) if path.is_needed else ()
        variant = game.configure(path.options(json.loads(header.options)))
        session = MatchSession(header, variant, changes, self.moment_seconds)
        session.restore(await self.tail(session, HISTORY))
        return session

    async def _adopt_rules(self, session: MatchSession) -> None:
        """Let an unfinished match of earlier rules go on under the installed ones; if it cannot, close it."""
        path = session.path_at(session.seq)
        if session.ended not in (None, CLOSED):
            return
        if not path.continues:
            session.close(path)
            await self.store.change_match(session.id, ended=CLOSED)
            return
        if session.ended is not None:
            session.ended = None
            await self.store.change_match(session.id, ended=None)
        if path.is_needed:
            row = session.row_for_rules()
            if await self.store.append(vars(row)):
                session.apply_row(row)
            else:
                await self.catch_up(session)

    async def _load_seats(self, session: MatchSession) -> None:
        async with session.seats_lock:  # so that the latest to be read are the latest to be set
            session.seats = await self.seat_holders(session.id)

    async def seat_holders(self, match: str) -> tuple[SeatHolder, ...]:
        """Who holds the seats of a match, as the store has it."""
        rows = await self.store.seats(match)
        guests = await self.store.guests([row.guest for row in rows if row.guest])
        return tuple(SeatHolder.of_row(row, guests.get(row.guest)) for row in rows)

    def forget(self, match: str) -> None:
        """Drop a session from memory. The next request loads it from the store."""
        self.in_memory.pop(match, None)

    def drop_idle(self, is_needed: Callable[[MatchSession], bool]) -> None:
        """Drop the sessions that have not been used for a while."""
        now = time.monotonic()
        for session in list(self.in_memory.values()):
            idle = IDLE if session.ended is None else IDLE_ENDED
            if session.last_used < now - idle and not is_needed(session):
                self.forget(session.id)

    def notify(self, session: MatchSession) -> None:
        for observer in self.observers:
            observer(session)

    # Reading logs, as the installed version of the rules would have written them

    async def log(self, session: MatchSession, after: int = 0, limit: int | None = None) -> list[LogRow]:
        """The rows of a log after a number."""
        return session.upgraded(await self.store.log(session.id, after, limit))

    async def tail(self, session: MatchSession, limit: int) -> list[LogRow]:
        """The last rows of a log, oldest first."""
        return session.upgraded(await self.store.tail(session.id, limit))

    async def entry(self, session: MatchSession, seq: int) -> LogRow | None:
        """One row of a log."""
        row = await self.store.entry(session.id, seq)
        return None if row is None else session.upgraded([row])[0]

    # Keeping in step with the store

    async def catch_up(self, session: MatchSession, told: Sequence[LogRow] = ()) -> None:
        """Apply the log rows that other processes have written: those that they have told, unless some are missing;
        otherwise those in the store. The caller holds the session's lock."""
        rows = [row for row in told if row.seq > session.seq]
        if not rows or rows[0].seq != session.seq + 1:
            rows = await self.log(session, session.seq)
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
            row = await self.entry(session, session.base_seq)
            before = await self.entry(session, row.before) if row is not None else None
            if row is not None and row.action != RULES and session.lacks_previous_step:
                session.restore_previous_step(row, session.initial_state if before is None else before.state)

    async def record_end(self, session: MatchSession) -> None:
        """Note in the store that a match is over."""
        if session.ended is None and session.match.result is not None:
            session.ended = session.match.result.reason
            self._ends[session.id] = {"ended": session.ended, "result": encode_result(session.match.result)}
            with contextlib.suppress(StoreDown):  # the final action is on disk: the next refresh will note it
                await self.record_ends()

    async def record_ends(self) -> None:
        """Note in the store which matches are over, as far as it has not been noted yet."""
        for match, columns in list(self._ends.items()):
            await self.store.change_match(match, **columns)
            self._ends.pop(match, None)

    async def reload_seats(self, session: MatchSession) -> None:
        """Read again who holds the seats, and whether the match has a rematch."""
        await self._load_seats(session)
        if session.ended is not None and session.header.next is None:
            session.header = await self.store.match(session.id) or session.header
        self.notify(session)

    async def refresh_seats(self, ids: Sequence[str]) -> None:
        """Take over the seats and rematches of several matches that other processes have changed. Those that were
        deleted are dropped."""
        known = {match: session.seats for match in ids if (session := self.in_memory.get(match)) is not None}
        rematches = await self.store.rematches(ids)
        holders: dict[str, list[SeatHolder]] = {match: [] for match in ids}
        for row in await self.store.seats_of_matches(ids):
            holders[row.match].append(SeatHolder.of_row(row, row))
        for match, before in known.items():
            session = self.in_memory.get(match)
            if session is None or session.seats is not before:  # read again meanwhile
                continue
            if not holders[match]:
                self.forget(match)
            elif tuple(holders[match]) != before or rematches.get(match) != session.header.next:
                await self.reload_seats(session)
