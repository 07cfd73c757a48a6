"""The way back into a tutorial: a guided match that begins where another one left its line."""

from __future__ import annotations

from skerry.server.errors import Conflict
from skerry.server.finished_matches import chain_of
from skerry.server.match_log import decode_step
from skerry.server.match_service import MatchService
from skerry.server.match_session import MatchSession, SeatHolder
from skerry.server.tutorial import tutorial_line


async def rejoin_tutorial(matches: MatchService, session: MatchSession, guest: str) -> MatchSession:
    """Open a guided match with the steps of this one up to the last position of the tutorial.

    What has been revealed since cannot be taken back in a match, so the match that strayed stays as it is.
    """
    if not session.header.guide:
        raise Conflict("this match is no tutorial")
    line = tutorial_line(session.game)
    match = session.match.variant.new(int(session.header.seed))
    match.replace_content(session.initial_state)
    start = match.content
    followed = 0
    last = session.seq  # the match may go on while its log is read
    for row in chain_of(await matches.sessions.log(session), last):
        match.apply(decode_step(match, row, match.content))
        if match.content in line:
            followed = len(match.steps)
    return await matches.create(
        match.variant,
        match.seed,
        guest,
        [SeatHolder(holder.guest, holder.bot) for holder in session.seats],
        match.steps[:followed],
        guide=True,
        start=start,
        waiting=match.waiting_in(start),
    )
