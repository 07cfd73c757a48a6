"""The match service: opens matches and decides which actions enter their logs, in which order.

An action is committed to the store before it is announced to anybody.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any

from skerry import bots
from skerry.engine.errors import BadOption, UnknownSeat, Unreadable
from skerry.engine.game import Game, Variant
from skerry.engine.match import Step
from skerry.engine.messages import say
from skerry.server.errors import Conflict, RateLimited, Stale
from skerry.server.hub import ALL_MATCHES, SEATS_CHANGED, Hub
from skerry.server.match_log import LogRow, row_of_step
from skerry.server.match_session import MatchSession, SeatHolder
from skerry.server.moments import check_has_time, immediate_step, step_to_play
from skerry.server.schema import UNDO
from skerry.server.sessions import SessionRegistry
from skerry.server.settings import Limits
from skerry.server.store import StoreDown

ME, OPEN = "me", "open"  # values for a seat's player other than bots' names
LONGEST_KEY = 64
SHORTEST_CLOCK = 5
LONGEST_CLOCK = 30 * 24 * 3600
REFRESHED_TOGETHER = 1000  # matches: a statement has a limited number of parameters


class MatchService:
    def __init__(self, sessions: SessionRegistry, hub: Hub, limits: Limits) -> None:
        self.sessions = sessions
        self.store = sessions.store
        self.hub = hub
        self.limits = limits

    # Opening

    async def open(
        self,
        guest: str,
        game: str,
        options: Mapping[str, Any],
        players: Sequence[str],
        listed: bool = False,
        clock: int | None = None,
        seed: int | None = None,
        guide: bool = False,
        hints: bool = False,
    ) -> MatchSession:
        """Open a new match. ``players`` says for each seat ``me``, ``open`` or a bot's name; missing ones are open."""
        variant = configured(self.sessions.find(game), options)
        seats = seat_holders(variant, players, guest)
        if clock is not None and not SHORTEST_CLOCK <= clock <= LONGEST_CLOCK:
            raise BadOption(
                say("the clock must give between 5 seconds and 30 days per decision, not {clock}", clock=clock)
            )
        if seed is None:
            seed = secrets.randbits(64)
        return await self.create(variant, seed, guest, seats, listed=listed, clock=clock, guide=guide, hints=hints)

    async def create(
        self,
        variant: Variant,
        seed: int,
        guest: str,
        seats: Sequence[SeatHolder],
        steps: Sequence[Step] = (),
        **columns: Any,
    ) -> MatchSession:
        """Store a new match, with the first steps of its log if there are any."""
        if await self.store.count_open(guest) >= self.limits.unfinished_matches:
            raise RateLimited(
                say(
                    "you have {count} unfinished matches; finish or leave some first",
                    count=self.limits.unfinished_matches,
                ),
                60,
            )
        start = variant.new(seed)
        header: dict[str, Any] = {
            "id": secrets.token_urlsafe(16),
            "game": variant.game.name,
            "version": variant.game.version,
            "options": json.dumps(variant.options),
            "seed": str(seed),
            "owner": guest,
            "listed": False,
            "clock": None,
            "created": time.time(),
            "ended": None,
            "next": None,
            "guide": False,
            "origin": None,
            "start": start.content,
            "waiting": start.waiting_in(start.content),
            "result": None,
            "hints": False,
            **columns,
        }
        log = [
            vars(row_of_step(header["id"], seq, step, start.waiting_in(step.after)))
            for seq, step in enumerate(steps, 1)
        ]
        await self.store.add_match(header, [{"guest": holder.guest, "bot": holder.bot} for holder in seats], log)
        session = await self.sessions.get(header["id"])
        self.announce(session, SEATS_CHANGED)
        return session

    # Acting

    async def act(self, session: MatchSession, seat: int, given: str | int, seq: int, key: str | None = None) -> int:
        """Play an action (or ``UNDO``) for a seat that knows the match up to ``seq``; return its number in the log.

        ``key`` makes a request repeatable: the same key is not played twice.
        """
        if key is not None and not (0 < len(key) <= LONGEST_KEY and key.isprintable()):
            raise Unreadable(say("a key must have 1 to {most} characters", most=LONGEST_KEY))
        async with session.lock:
            if self.sessions.in_memory.get(session.id) is session:
                return await self._act(session, seat, given, seq, key)
        # While this request waited for the lock, a write failed and the session was dropped.
        return await self.act(await self.sessions.get(session.id), seat, given, seq, key)

    async def _act(self, session: MatchSession, seat: int, given: str | int, seq: int, key: str | None) -> int:
        if seq > session.seq:  # the client comes from another process, which knows more
            await self.sessions.catch_up(session)
        if seq != session.seq:
            return await self._played_before(session, seat, key)
        if given == UNDO:
            row = session.row_for_undo(seat, key)
        else:
            row = session.row_for_action(seat, given, key)
            check_has_time(session, seat, given)
        if not await self._commit(session, row):
            return await self._played_before(session, seat, key)
        await self._play_immediate(session)
        return row.seq

    async def _played_before(self, session: MatchSession, seat: int, key: str | None) -> int:
        """The number that the same request got before, if only its answer was lost; otherwise it is stale."""
        row = await self.store.entry_by_key(session.id, key) if key is not None else None
        if row is None:
            raise Stale(session.seq)
        if row.seat != seat:
            raise Conflict("this key was used for another seat")
        return int(row.seq)

    async def _commit(self, session: MatchSession, row: LogRow) -> bool:
        """Append a row to the log, then apply and announce it. False if its number or its key was taken."""
        try:
            written = await self.store.append(vars(row))
        except BaseException:
            self.sessions.forget(session.id)  # the row may be on disk or not: the next load will show
            raise
        if not written:
            await self.sessions.catch_up(session)
            return False
        session.apply_row(row)
        await self.sessions.load_previous_step(session)
        self.hub.publish_row(row)
        self.sessions.notify(session)
        await self.sessions.record_end(session)
        return True

    async def play_due(self, session: MatchSession) -> None:
        """Play what goes by itself, unless that has just changed: another process has played it, somebody has done
        something else, or asks the table to wait."""
        async with session.lock:
            if self.sessions.in_memory.get(session.id) is not session:
                return
            due = step_to_play(session)
            if due is not None and await self._commit(session, session.row_for_action(due.seat, due.action.id, None)):
                await self._play_immediate(session)

    async def _play_immediate(self, session: MatchSession) -> None:
        """Play what goes by itself and nobody could interrupt, such as the rest of a series of draws."""
        try:
            while (due := immediate_step(session)) is not None:
                if not await self._commit(session, session.row_for_action(due.seat, due.action.id, None)):
                    return
        except StoreDown:
            pass  # the requested action is committed and will be acknowledged; the rest can be requested

    # Other processes

    def announce(self, session: MatchSession, seq: int) -> None:
        """Tell the other processes and the observers that a match has changed."""
        self.hub.publish(session.id, seq)
        self.sessions.notify(session)

    async def handle_change_elsewhere(self, match: str, seq: int) -> None:
        """React to news from another process. If the store is down just now, the next refresh makes up for it."""
        session = self.sessions.changed_elsewhere(match)
        with contextlib.suppress(StoreDown):
            if match == ALL_MATCHES:
                await self.refresh(list(self.sessions.in_memory))
            elif session is not None and seq == SEATS_CHANGED:
                await self.sessions.reload_seats(session)
            elif session is not None and seq > session.seq:
                async with session.lock:
                    await self.sessions.catch_up(session, self.hub.rows(match))

    async def refresh(self, ids: Sequence[str]) -> None:
        """Catch up on what other processes did to these matches while hints were lost."""
        for first in range(0, len(ids), REFRESHED_TOGETHER):
            some = ids[first : first + REFRESHED_TOGETHER]
            await self.sessions.refresh_seats(some)
            for match, seq in (await self.store.last_seqs(some)).items():
                session = self.sessions.in_memory.get(match)
                if session is not None and seq > session.seq:
                    async with session.lock:
                        await self.sessions.catch_up(session)


def configured(game: Game, options: Mapping[str, Any]) -> Variant:
    """The game with its options. An option that would make the server read a file is refused."""
    for option in game.options:
        if option.name in options and option.opens_file(options[option.name]):
            raise BadOption(say("option {name} cannot name a file of this server", name=option.name))
    return game.configure(options)


def seat_holders(variant: Variant, players: Sequence[str], guest: str) -> list[SeatHolder]:
    if len(players) > variant.players:
        raise UnknownSeat(
            say("{given} seats are filled, but {players} play", given=len(players), players=variant.players)
        )
    seats = []
    for player in [*players, *[OPEN] * (variant.players - len(players))]:
        if player not in (ME, OPEN):
            bots.find(variant.game, player)
        seats.append(SeatHolder(guest if player == ME else None, None if player in (ME, OPEN) else player))
    return seats
