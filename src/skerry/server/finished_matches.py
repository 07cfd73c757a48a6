"""What can be done with a finished match: fetch its record, play it again, or play on from one of its steps."""

from __future__ import annotations

import json

from skerry import bots
from skerry.engine.errors import BadOption
from skerry.engine.game_record import write_record
from skerry.engine.match import Match
from skerry.engine.messages import say
from skerry.server.errors import NotYet, NotYours
from skerry.server.hub import SEATS_CHANGED
from skerry.server.match_log import decode_step
from skerry.server.match_service import ME, OPEN, MatchService
from skerry.server.match_session import MatchSession, SeatHolder


class FinishedMatchService:
    def __init__(self, matches: MatchService) -> None:
        self.matches = matches
        self.sessions = matches.sessions
        self.store = matches.store

    async def full_match(self, session: MatchSession) -> Match:
        """A finished match with all its steps, without those that were undone."""
        if session.ended is None:
            raise NotYet("the record of a match is open after its end")
        names = [holder.name or holder.bot or "" for holder in session.seats]
        match = session.match.variant.new(int(session.header.seed), names)
        rows = {row.seq: row for row in await self.store.log(session.id)}
        chain = []
        seq = session.seq
        while seq in rows:
            chain.append(rows[seq])
            seq = rows[seq].before
        for row in reversed(chain):
            match.apply(decode_step(match, row, match.content))
        return match

    async def record(self, session: MatchSession) -> str:
        return write_record(await self.full_match(session))

    async def rematch(self, session: MatchSession, guest: str) -> MatchSession:
        """The same game with the same people. The first request opens it; later ones get the match it opened."""
        if session.ended is None:
            raise NotYet("a rematch comes after the end")
        header = await self.store.match(session.id)
        if header is not None and header.next:
            return await self.sessions.get(header.next)
        if not session.seats_of(guest) and session.header.owner != guest:
            raise NotYours("only who sat at this match can ask for a rematch")
        players = [ME if holder.guest == guest else holder.bot or OPEN for holder in session.seats]
        options = json.loads(session.header.options)
        again = await self.matches.open(
            guest, session.game.name, options, players, session.header.listed, session.header.clock
        )
        if not await self.store.set_next(session.id, again.id):
            return await self.rematch(session, guest)
        session.header = await self.store.match(session.id)
        await self._reserve_seats(session, again)
        self.matches.announce(session, SEATS_CHANGED)
        return again

    async def _reserve_seats(self, session: MatchSession, again: MatchSession) -> None:
        """Keep the other guests' seats for them."""
        for seat, holder in enumerate(session.seats):
            if again.seats[seat].open and holder.guest:
                await self.store.set_seat(again.id, seat, again.seats[seat], holder.guest, None)
        await self.sessions.reload_seats(again)

    async def play_on(self, session: MatchSession, guest: str, at: int, seat: int) -> MatchSession:
        """Open a match that begins with the first ``at`` steps of a finished one, bots at the other seats.

        Its log holds these steps as if they had been played in it, so its record replays like any other.
        """
        full = await self.full_match(session)
        full.check_seat(seat)
        if not 0 <= at < len(full.steps):
            raise BadOption(say("one can play on from step 0 to {last}", last=len(full.steps) - 1))
        bot = bots.default_bot(session.game)
        seats = [SeatHolder(guest) if place == seat else SeatHolder(bot=bot) for place in range(len(session.seats))]
        return await self.matches.create(full.variant, full.seed, guest, seats, full.steps[:at], origin=session.id)
