"""What can be done with a finished match: fetch its record, play it again, or play on from one of its steps."""

from __future__ import annotations

import json
from collections.abc import Sequence

from skerry import bots
from skerry.engine.errors import BadOption, Illegal
from skerry.engine.game_record import PlayedUnder, write_record
from skerry.engine.match import Match
from skerry.engine.messages import say
from skerry.server.challenges import ChallengeService
from skerry.server.errors import Forbidden, MatchNotFinished
from skerry.server.hub import SEATS_CHANGED
from skerry.server.match_log import LogRow, decode_step
from skerry.server.match_service import ME, OPEN, MatchService
from skerry.server.match_session import MatchSession, SeatHolder


def chain_of(log: Sequence[LogRow], last: int) -> list[LogRow]:
    """The rows of the actions that led to a number of a log, without those that were undone."""
    rows = {row.seq: row for row in log}
    chain = []
    seq = last
    while seq in rows:
        if rows[seq].action >= 0:
            chain.append(rows[seq])
        seq = rows[seq].before
    return chain[::-1]


class FinishedMatchService:
    def __init__(self, matches: MatchService, challenges: ChallengeService) -> None:
        self.matches = matches
        self.challenges = challenges
        self.sessions = matches.sessions
        self.store = matches.store

    async def full_match(self, session: MatchSession) -> Match:
        """A finished match with all its steps, without those that were undone."""
        if session.ended is None:
            raise MatchNotFinished("the record of a match is available only after its end")
        names = [holder.name or holder.bot or "" for holder in session.seats]
        match = session.match.variant.new(int(session.header.seed), names)
        match.replace_content(session.initial_state)
        match.stored_result = session.match.stored_result
        for row in chain_of(await self.sessions.log(session), session.seq):
            match.apply(decode_step(match, row, match.content))
        return match

    async def record(self, session: MatchSession) -> str:
        full = await self.full_match(session)
        return write_record(full, await self._played_under(session, full))

    async def _played_under(self, session: MatchSession, full: Match) -> PlayedUnder | None:
        """The versions of the rules that a match was played under; None if only the installed one."""
        if session.version_at(0) == session.game.version:
            return None
        rows = chain_of(await self.store.log(session.id), session.seq)
        changes: dict[int, int] = {}
        for number, row in enumerate(rows):
            version = session.version_at(row.seq)
            if version > max([session.version_at(0), *changes.values()]):
                changes[number] = version
        content = bytes(rows[-1].state) if rows else full.content
        return PlayedUnder(session.version_at(0), changes, content)

    async def rematch(self, session: MatchSession, guest: str) -> MatchSession:
        """The same game with the same people. The first request opens it; later ones get the match it opened."""
        if session.ended is None:
            raise MatchNotFinished("a rematch is possible only after the end of the match")
        header = await self.store.match(session.id)
        if header is not None and header.next:
            return await self.sessions.get(header.next)
        if not session.seats_of(guest) and session.header.owner != guest:
            raise Forbidden("only the players of this match can ask for a rematch")
        players = [ME if holder.guest == guest else holder.bot or OPEN for holder in session.seats]
        options = json.loads(session.header.options)
        again = await self.matches.open(
            guest,
            session.game.name,
            options,
            players,
            session.header.listed,
            session.header.clock,
            hints=session.header.hints,
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
        if not session.path_at(session.seq).continues:
            raise Illegal(say("this match cannot be continued: its rules have changed since"))
        full = await self.full_match(session)
        full.check_seat(seat)
        if not 0 <= at < len(full.steps):
            raise BadOption(say("a match can be continued from steps 0 to {last}", last=len(full.steps) - 1))
        bot = bots.default_bot(session.game)
        seats = [SeatHolder(guest) if place == seat else SeatHolder(bot=bot) for place in range(len(session.seats))]
        start = session.initial_state
        challenge = await self.challenges.challenge_of(session)  # whose deal it is
        first = {"start": start, "waiting": full.waiting_in(start), "challenge": challenge}
        return await self.matches.create(
            full.variant, full.seed, guest, seats, full.steps[:at], origin=session.id, **first
        )
