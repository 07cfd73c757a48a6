"""The challenge service: the same deal for several groups, and who may see anything of it.

The seed of a challenge never leaves the server. But the record of a finished match reveals it, and watching one group
tells what the next will draw. So matches of a challenge are shown to their own players, and to those who have finished
theirs.
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skerry import bots
from skerry.engine.errors import BadOption
from skerry.engine.game import Game, Variant
from skerry.engine.messages import say
from skerry.engine.options import Choice
from skerry.server.challenge_store import ChallengeStore
from skerry.server.errors import ChallengeNotFound, Conflict, DealHidden, Forbidden, MatchNotFinished, RateLimited
from skerry.server.match_service import ME, OPEN, MatchService, configured, seat_holders
from skerry.server.match_session import MatchSession
from skerry.server.match_summaries import MatchSummaries, MatchSummary
from skerry.server.outcomes import is_won
from skerry.server.sessions import MATCH_ID
from skerry.server.store import Row
from skerry.server.stored_results import CLOSED

UNPLAYED_CHALLENGES = 60  # made by a guest, and begun by nobody
LEVELS = 3  # difficulties of the deal of the day in a co-operative game
DIFFICULTY = "difficulty"
NO_LEVEL = ""
DAYS_BACK = 35  # whose deals can still be played
KNOWN_CACHE_SIZE = 10_000


@dataclass(frozen=True)
class Challenge:
    """A deal that several groups play."""

    id: str
    game: str
    version: int  # of the rules
    options: dict[str, Any]
    owner: str | None
    day: str | None  # of a deal of the day
    level: str  # its difficulty


@dataclass(frozen=True)
class BoardEntry:
    """A finished match of a challenge."""

    summary: MatchSummary
    steps: int
    final_state: bytes | None
    first_try: bool

    @property
    def won(self) -> bool:
        """Whether the team has won or, where each plays alone, a person and not a bot."""
        if self.is_cooperative:
            return is_won(self.summary)
        winners = (self.summary.result or {"winners": ()})["winners"]
        return any(self.summary.seats[seat].guest is not None for seat in winners)

    @property
    def is_cooperative(self) -> bool:
        return self.summary.game is not None and self.summary.game.cooperative

    @property
    def best_score(self) -> float:
        result = self.summary.result
        return max(result["scores"], default=0.0) if result else 0.0

    @property
    def rank_key(self) -> tuple[bool, float, int]:
        """Won before lost, then more points, then fewer steps; a team that lost, the later the better."""
        lost_later = self.is_cooperative and not self.won
        return not self.won, -self.best_score, -self.steps if lost_later else self.steps


class ChallengeService:
    """Makes challenges, opens their matches, and says who may see them."""

    def __init__(self, matches: MatchService, summaries: MatchSummaries) -> None:
        self.matches = matches
        self.sessions = matches.sessions
        self.summaries = summaries
        self.store = ChallengeStore(matches.store.database)
        self.secret = ""  # from which the seeds of the deals of the day are derived
        self._finished: dict[tuple[str, str], None] = {}  # challenges and guests who have finished them

    # Making

    async def of_match(self, session: MatchSession, guest: str) -> Challenge:
        """The challenge to play the deal of a finished match; made by the first who asks for it."""
        if session.ended is None:
            raise MatchNotFinished("a match can be made a challenge only after its end")
        if session.header.guide or session.ended == CLOSED:
            raise BadOption("this match cannot be made a challenge")
        if not session.seats_of(guest) and session.header.owner != guest:
            raise Forbidden("only the players of this match can make it a challenge")
        known = await self.store.of_match(session.id) or await self._with_same_deal(session)
        if known is None:
            known = await self._add(session.match.variant, int(session.header.seed), guest)
        await self.store.adopt_matches(known, session.game.name, session.header.seed)
        session.header.challenge = known
        return await self.get(known)

    async def _with_same_deal(self, session: MatchSession) -> str | None:
        row = await self.store.with_seed(session.game.name, session.header.seed)
        return None if row is None else str(row.id)

    async def new(self, guest: str, game: Game, options: Mapping[str, Any]) -> Challenge:
        """A challenge with chosen options, dealt by chance."""
        variant = configured(game, options)
        return await self.get(await self._add(variant, secrets.randbits(64), guest))

    async def _add(self, variant: Variant, seed: int, guest: str) -> str:
        if await self.store.unplayed_of(guest) >= UNPLAYED_CHALLENGES:
            raise RateLimited(
                say("you have made {count} challenges that nobody has begun", count=UNPLAYED_CHALLENGES), 60
            )
        columns = self._columns(variant, seed)
        await self.store.add({**columns, "owner": guest})
        return str(columns["id"])

    def _columns(self, variant: Variant, seed: int) -> dict[str, Any]:
        return {
            "id": secrets.token_urlsafe(16),
            "game": variant.game.name,
            "version": variant.game.version,
            "options": json.dumps(variant.options),
            "seed": str(seed),
            "owner": None,
            "created": time.time(),
            "day": None,
            "level": None,
        }

    async def get(self, challenge: str) -> Challenge:
        return _challenge_of(await self._row(challenge))

    async def _row(self, challenge: str) -> Row:
        row = await self.store.get(challenge) if MATCH_ID.fullmatch(challenge) else None
        if row is None:
            raise ChallengeNotFound("there is no such challenge")
        return row

    # The deal of the day

    async def of_day(self, game: Game, day: datetime.date, level: str) -> Challenge | None:
        """The deal of a day, if somebody has begun it."""
        row = await self.store.of_day(game.name, day.isoformat(), level)
        return None if row is None else _challenge_of(row)

    async def begin_day(self, game: Game, day: datetime.date, level: str) -> Challenge:
        """The deal of a day, which is stored now if it was not yet."""
        check_day(day)
        check_level(game, level)
        found = await self.of_day(game, day, level)
        if found is None:
            await self.sessions.game_ready(game)
            variant, seed = self._deal_of_day(game, day, level)
            columns = {**self._columns(variant, seed), "day": day.isoformat(), "level": level}
            await self.store.add(columns)
            found = await self.of_day(game, day, level)
            assert found is not None, "it has just been added"
            await self.store.adopt_matches(found.id, game.name, str(seed))
        return found

    def _deal_of_day(self, game: Game, day: datetime.date, level: str) -> tuple[Variant, int]:
        """Its options and its seed, which nobody can compute who does not have the server's secret. A game's own
        puzzle of the day is the same everywhere."""
        if game.daily_text:
            puzzle = game.daily_match(day)
            return puzzle.variant, puzzle.seed
        text = f"deal of the day/{game.name}/{day.isoformat()}/{level}"
        digest = hmac.digest(self.secret.encode(), text.encode(), hashlib.sha256)
        return game.configure(day_options(game, level)), int.from_bytes(digest[:8])

    # Playing

    async def begin(self, challenge: Challenge, guest: str, players: Sequence[str]) -> MatchSession:
        """Open a table with the deal, or go back to the one that the guest still plays at."""
        running = await self.store.running(challenge.id, guest)
        if running is not None:
            return await self.sessions.get(running)
        game = self.sessions.find(challenge.game)
        if game.version != challenge.version:
            raise Conflict("the rules of this game have changed since this challenge was made: it cannot be begun")
        await self.sessions.game_ready(game)
        row = await self._row(challenge.id)
        variant = game.configure(challenge.options)
        holders = seat_holders(variant, players, guest)
        match = secrets.token_urlsafe(16)
        async with self.store.noting(challenge.id, guest, match) as known:
            return await self.matches.create(
                variant, int(row.seed), guest, holders, id=match, challenge=challenge.id, known=known
            )

    @contextlib.asynccontextmanager
    async def entering(self, session: MatchSession, guest: str) -> AsyncIterator[None]:
        """Note that a guest takes a seat at a table with a deal; refused while the guest plays it elsewhere."""
        challenge = await self.challenge_of(session)
        if challenge is None:
            yield
            return
        running = await self.store.running(challenge, guest)
        if running is not None and running != session.id and not session.seats_of(guest):
            raise Conflict("you are playing this deal at another table; finish that game or leave it first")
        async with self.store.noting(challenge, guest, session.id) as known:
            yield
            if known:
                await self.store.mark_known(session.id)
                session.header.known = True

    # Who may see it

    async def challenge_of(self, session: MatchSession) -> str | None:
        """The challenge of a match. One that is over, or that continues another, may have become part of one since it
        was loaded, perhaps by another process."""
        header = session.header
        found: str | None = header.challenge
        if found is None and (session.ended is not None or header.origin is not None):
            found = header.challenge = await self.store.of_match(session.id)
        return found

    async def check_visible(self, session: MatchSession, guest: str | None) -> None:
        """Refuse to show anything of a match whose deal somebody has yet to play."""
        if not await self.is_visible(session, guest):
            raise DealHidden(session.id, await self.challenge_of(session) or "")

    async def is_visible(self, session: MatchSession, guest: str | None) -> bool:
        challenge = await self.challenge_of(session)
        if challenge is None:
            return True
        if guest is None:
            return False
        if session.seats_of(guest) or session.header.owner == guest:
            return True
        return await self.has_finished(challenge, guest)

    async def has_finished(self, challenge: str, guest: str | None) -> bool:
        """Whether a guest has played a challenge to its end."""
        if guest is None:
            return False
        if (challenge, guest) in self._finished:
            return True
        finished = await self.store.has_finished(challenge, guest)
        if finished:
            if len(self._finished) >= KNOWN_CACHE_SIZE:
                del self._finished[next(iter(self._finished))]
            self._finished[challenge, guest] = None
        return finished

    # Results

    async def board(self, challenge: Challenge, guest: str | None) -> list[BoardEntry] | None:
        """The results, the best first and second tries last; None for a guest who has not finished it."""
        if not await self.has_finished(challenge.id, guest):
            return None
        rows = await self.store.results(challenge.id)
        found = await self.summaries.with_seats(rows)
        states = await self.store.last_states([row.id for row in rows])
        entries = [_board_entry(summary, states.get(summary.id)) for summary in found]
        return sorted(entries, key=lambda entry: (not entry.first_try, *entry.rank_key))


def _board_entry(summary: MatchSummary, last: tuple[int, bytes] | None) -> BoardEntry:
    steps, final_state = (0, None) if last is None else last
    return BoardEntry(summary, steps, final_state, first_try=not summary.header.known)


def _challenge_of(row: Row) -> Challenge:
    options = json.loads(row.options)
    return Challenge(row.id, row.game, row.version, options, row.owner, row.day, row.level or NO_LEVEL)


# Days


def today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()


def check_day(day: datetime.date) -> None:
    """Refuse days that are not in the calendar: those to come, and those long ago."""
    if not 0 <= (today() - day).days <= DAYS_BACK:
        raise BadOption(say("only the deals of the last {days} days can be played", days=DAYS_BACK))


def levels_of(game: Game) -> tuple[str, ...]:
    """The difficulties of a game's deal of the day; a single empty text if it has none."""
    difficulty = next((option for option in game.options if option.name == DIFFICULTY), None)
    if not game.cooperative or not isinstance(difficulty, Choice):
        return (NO_LEVEL,)
    return difficulty.choices[:LEVELS]


def check_level(game: Game, level: str) -> None:
    if level not in levels_of(game):
        raise BadOption(say("there is no such difficulty: {level}", level=level))


def day_options(game: Game, level: str) -> dict[str, Any]:
    """The options of a deal of the day: for two, where two can play."""
    players = 2 if 2 in game.seats else game.seats.start
    return {"players": players, **({DIFFICULTY: level} if level else {})}


def seats_for(game: Game, players: int, with_friends: bool) -> list[str]:
    """Who sits where at a new table: the guest, and bots or open seats."""
    return [ME, *[OPEN if with_friends else bots.default_bot(game)] * (players - 1)]


def streak(days: Sequence[datetime.date], until: datetime.date) -> int:
    """How many days in a row were played, up to a day or the day before it."""
    played = set(days)
    day = until if until in played else until - datetime.timedelta(days=1)
    length = 0
    while day in played:
        length += 1
        day -= datetime.timedelta(days=1)
    return length
