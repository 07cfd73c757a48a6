"""The seat service: who holds which seat of a match."""

from __future__ import annotations

import contextlib

from skerry import bots
from skerry.engine.errors import UnknownSeat
from skerry.engine.messages import say
from skerry.server.challenges import ChallengeService
from skerry.server.errors import Conflict, Forbidden
from skerry.server.hub import SEATS_CHANGED
from skerry.server.match_service import ME, OPEN, MatchService
from skerry.server.match_session import MatchSession, SeatHolder
from skerry.server.moments import stance_of_waiting
from skerry.server.stances import Stance


class SeatService:
    def __init__(self, matches: MatchService, challenges: ChallengeService) -> None:
        self.matches = matches
        self.challenges = challenges
        self.sessions = matches.sessions
        self.store = matches.store
        self.hub = matches.hub

    async def sit(self, session: MatchSession, seat: int, guest: str, player: str) -> None:
        """Change who plays a seat. ``me`` takes an open seat, or takes back a seat from a bot; ``open`` leaves it; a
        bot's name hands it to that bot. The host of a match may also do this with seats that no guest holds."""
        if not 0 <= seat < len(session.seats):
            raise UnknownSeat(
                say("there is no seat {seat}; seats go from 0 to {last}", seat=seat, last=len(session.seats) - 1)
            )
        holder = session.seats[seat]
        _check_may_change(session, holder, guest, player)
        if player not in (ME, OPEN):
            bots.find(session.game, player)
        new_guest = guest if player == ME or (player != OPEN and holder.guest == guest) else None
        new_bot = None if player in (ME, OPEN) else player
        entering = self.challenges.entering(session, guest) if player == ME else contextlib.nullcontext()
        async with entering:
            if not await self.store.set_seat(session.id, seat, holder, new_guest, new_bot):
                await self.sessions.reload_seats(session)
                raise Conflict("somebody else was faster: the seat has changed")
        await self.sessions.reload_seats(session)
        self.hub.publish(session.id, SEATS_CHANGED)

    async def wait(self, session: MatchSession, seat: int, guest: str) -> None:
        """Let the table wait for a seat that could do something before what goes by itself."""
        await self._set_stance(session, seat, guest, stance_of_waiting(session, seat))

    async def go_on(self, session: MatchSession, seat: int, guest: str) -> None:
        """Let the table go on without waiting for a seat in this turn."""
        await self._set_stance(session, seat, guest, session.stance(seat).going_on())

    async def _set_stance(self, session: MatchSession, seat: int, guest: str, stance: Stance) -> None:
        before = session.seats[seat].stance
        encoded = None if before is None else before.encode()
        if not await self.store.set_stance(session.id, seat, guest, encoded, stance.encode()):
            await self.sessions.reload_seats(session)
            raise Conflict("somebody else was faster: the seat has changed")
        await self.sessions.reload_seats(session)
        self.hub.publish(session.id, SEATS_CHANGED)

    async def guest_changed(self, guest: str) -> None:
        """Take over a guest's new name and settings in the matches in memory."""
        for session in [session for session in self.sessions.in_memory.values() if session.seats_of(guest)]:
            await self.sessions.reload_seats(session)
            self.hub.publish(session.id, SEATS_CHANGED)

    async def forget_guest(self, guest: str) -> None:
        """Delete a guest and their matches. Matches with other guests stay, with the seats left open."""
        shared = await self.store.forget_guest(guest)
        for session in list(self.sessions.in_memory.values()):
            if session.seats_of(guest) or session.header.owner == guest:
                self.sessions.forget(session.id)
        for match in shared:
            self.matches.announce(await self.sessions.get(match), SEATS_CHANGED)


def _check_may_change(session: MatchSession, holder: SeatHolder, guest: str, player: str) -> None:
    if holder.guest == guest:
        return
    if holder.guest is not None:
        raise Forbidden("this seat is somebody else's")
    takes_open_seat = holder.open and player == ME
    if not takes_open_seat and session.header.owner != guest:
        raise Forbidden("this seat is a bot's; only the host can change it")
