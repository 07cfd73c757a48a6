"""Decision clocks: when a player's time is up, a bot makes one decision, and the seat stays the player's."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Protocol

from skerry import bots
from skerry.engine.errors import Refusal
from skerry.server.errors import MatchNotFound, MatchUnreadable, Stale, TooEarly
from skerry.server.faults import contain
from skerry.server.match_session import MatchSession
from skerry.server.moments import held_until
from skerry.server.sessions import SessionRegistry

logger = logging.getLogger(__name__)

SHORTEST = 0.05  # seconds, for a clock that has run out already
RETRY = 5.0  # seconds until a decision that failed is tried again


class PlayDecision(Protocol):
    """Lets a bot make one decision for a seat."""

    async def __call__(self, session: MatchSession, seat: int, name: str, /) -> None: ...


class DecisionClocks:
    """One timer for each running match with a clock."""

    def __init__(self, sessions: SessionRegistry, play_decision: PlayDecision) -> None:
        self.sessions = sessions
        self.play_decision = play_decision
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()  # decisions that are being made now

    def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()

    def restart(self, session: MatchSession) -> None:
        """Set the timer of a match to the end of its current decision."""
        timer = self._timers.pop(session.id, None)
        if timer is not None:
            timer.cancel()
        if session.ended is None:
            end = max(session.last_activity + session.header.clock, held_until(session))
            left = max(SHORTEST, end - time.time())
            loop = asyncio.get_running_loop()
            self._timers[session.id] = loop.call_later(left, self._on_timer, session.id, session.seq)

    def _on_timer(self, match: str, seq: int) -> None:
        task = asyncio.create_task(self._time_is_up(match, seq))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _time_is_up(self, match: str, seq: int) -> None:
        try:
            session = await self.sessions.get(match)
            late = session.people_to_move
            if session.seq == seq and late:
                await self.play_decision(session, late[0], bots.default_bot(session.game))
            else:
                self.restart(session)
        except (Stale, MatchNotFound, MatchUnreadable):
            pass
        except TooEarly:  # somebody has asked the table to wait meanwhile
            self.restart(session)
        except Refusal as refusal:
            logger.error("the clock could not play", extra={"error": str(refusal)})
            self._retry(match, seq)
        except Exception as error:  # the bot is at fault
            contain("clock", error, match=match)
            self._retry(match, seq)

    def _retry(self, match: str, seq: int) -> None:
        self._timers[match] = asyncio.get_running_loop().call_later(RETRY, self._on_timer, match, seq)
