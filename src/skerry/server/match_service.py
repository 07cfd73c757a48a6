"""The authority: who may do what at which match, and in which order it happened. Commit, then tell."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from skerry import bots
from skerry.engine.errors import BadOption, UnknownSeat, Unreadable
from skerry.engine.game import Game, Variant
from skerry.engine.game_record import write_record
from skerry.engine.match import Match, Step
from skerry.engine.messages import say
from skerry.server.errors import NoMatch, NotYet, NotYours, Stale, Taken, TooMuch
from skerry.server.hub import EVERYTHING, SEATS, Hub
from skerry.server.match_session import BACK, LogRow, MatchSession, SeatHolder, logged, step_of
from skerry.server.schema import UNDO
from skerry.server.settings import Limits
from skerry.server.store import Store, StoreDown

ME, OPEN = "me", "open"
IDLE = 300.0  # seconds after which a match that nobody looks at leaves the memory
ID = re.compile("[A-Za-z0-9_-]{1,24}")
LONGEST_KEY = 64
LONGEST_CLOCK = 30 * 24 * 3600

Watch = Callable[[MatchSession], None]


class MatchService:
    def __init__(self, store: Store, hub: Hub, find: Callable[[str], Game], limits: Limits) -> None:
        self.store = store
        self.hub = hub
        self.find = find
        self.limits = limits
        self.sessions: dict[str, MatchSession] = {}
        self.watchers: list[Watch] = []  # called after something happened to a match
        self._loading: dict[str, asyncio.Future[MatchSession]] = {}

    # Opening, finding

    async def open(
        self,
        guest: str,
        game: str,
        options: Mapping[str, Any],
        sitting: Sequence[str],
        listed: bool = False,
        clock: int | None = None,
        seed: int | None = None,
        guide: bool = False,
    ) -> MatchSession:
        """A new match. ``sitting`` says for each seat ``me``, ``open`` or a bot's name; missing ones are open."""
        variant = configured(self.find(game), options)
        seats = _seated(variant, sitting, guest)
        if clock is not None and not 5 <= clock <= LONGEST_CLOCK:
            raise BadOption(say("a clock gives 5 seconds to 30 days for a decision, not {clock}", clock=clock))
        chance = secrets.randbits(64) if seed is None else seed
        return await self._begin(variant, chance, guest, seats, listed=listed, clock=clock, guide=guide)

    async def _begin(
        self,
        variant: Variant,
        seed: int,
        guest: str,
        seats: list[SeatHolder],
        steps: Sequence[Step] = (),
        **columns: Any,
    ) -> MatchSession:
        if await self.store.count_open(guest) >= self.limits.matches:
            raise TooMuch(
                say("you have {count} unfinished matches; finish or leave some first", count=self.limits.matches), 60
            )
        head: dict[str, Any] = {
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
            **columns,
        }
        log = [vars(logged(head["id"], number, step)) for number, step in enumerate(steps, 1)]
        await self.store.add_match(head, [{"guest": who.guest, "bot": who.bot} for who in seats], log)
        session = await self.get(head["id"])
        self._changed(session, SEATS)
        return session

    async def get(self, match: str) -> MatchSession:
        """A match by its id, from memory or from the store."""
        session = self.sessions.get(match)
        if session is None:
            if not ID.fullmatch(match):  # not all that a path can hold is text to a database
                raise NoMatch("there is no such match here")
            session = await self._load(match)
        session.used = time.monotonic()
        return session

    async def _load(self, match: str) -> MatchSession:
        """Two who ask at the same time get the same one."""
        if match not in self._loading:
            self._loading[match] = asyncio.ensure_future(self._read(match))
            self._loading[match].add_done_callback(lambda _: self._loading.pop(match))
        return await asyncio.shield(self._loading[match])

    async def _read(self, match: str) -> MatchSession:
        head = await self.store.match(match)
        if head is None:
            raise NoMatch("there is no such match here")
        game = self.find(head.game)
        if game.version != head.version:
            raise NoMatch(
                say(
                    "this match was begun under version {old} of the rules; here is {new}",
                    old=head.version,
                    new=game.version,
                )
            )
        session = MatchSession(head, game.configure(json.loads(head.options)))
        session.load(await self.store.tail(match, BACK))
        await self._recall(session)
        await self._read_seats(session)
        self.sessions[match] = session
        await self._note_end(session)
        self._tell_watchers(session)  # it may have been let go of with its last step untold
        return session

    async def _read_seats(self, session: MatchSession) -> None:
        rows = await self.store.seats(session.id)
        names = await self.store.names([row.guest for row in rows if row.guest])
        session.seats = tuple(SeatHolder(row.guest, row.bot, names.get(row.guest, "")) for row in rows)

    def forget(self, match: str) -> None:
        """Let go of what is in memory; the next who asks reads the store."""
        self.sessions.pop(match, None)

    def evict_idle(self, needed: Callable[[MatchSession], bool]) -> None:
        """Forget the matches that nobody has used for a while."""
        before = time.monotonic() - IDLE
        for session in [session for session in self.sessions.values() if session.used < before and not needed(session)]:
            self.forget(session.id)

    # Acting

    async def act(self, session: MatchSession, seat: int, given: str | int, seq: int, key: str | None = None) -> int:
        """Play an action for a seat that has seen ``seq``; the number it got. ``UNDO`` as an id takes one back."""
        if key is not None and not (0 < len(key) <= LONGEST_KEY and key.isprintable()):
            raise Unreadable(say("a key has 1 to {most} characters", most=LONGEST_KEY))
        async with session.lock:
            if self.sessions.get(session.id) is session:
                return await self._act(session, seat, given, seq, key)
        # While it waited for its turn, the match was let go of: somebody's write failed.
        return await self.act(await self.get(session.id), seat, given, seq, key)

    async def _act(self, session: MatchSession, seat: int, given: str | int, seq: int, key: str | None) -> int:
        if seq > session.seq:  # the asker comes from another process, which knows more
            await self.catch_up(session)
        if seq != session.seq:
            earlier = await self._earlier(session, seat, key)
            if earlier is not None:
                return earlier
            raise Stale(session.seq)
        row = session.undoing(seat, key) if given == UNDO else session.playing(seat, given, key)
        if not await self._write(session, row):
            earlier = await self._earlier(session, seat, key)
            if earlier is not None:
                return earlier
            raise Stale(session.seq)
        await self._go_on(session)
        return row.seq

    async def _earlier(self, session: MatchSession, seat: int, key: str | None) -> int | None:
        """The number that the same request got before, if its answer was lost."""
        row = await self.store.entry_by_key(session.id, key) if key is not None else None
        if row is not None and row.seat != seat:
            raise Taken("this key was used for another seat")
        return row.seq if row is not None else None

    async def _write(self, session: MatchSession, row: LogRow) -> bool:
        """Add a row to the log and follow it; False if another took its number, or its key was used before."""
        try:
            written = await self.store.append(vars(row))
        except BaseException:
            self.forget(session.id)  # nobody knows whether it is on disk: the store will tell
            raise
        if not written:
            await self.catch_up(session)
            return False
        session.follow(row)
        await self._recall(session)
        self._changed(session, session.seq)
        await self._note_end(session)
        return True

    async def _go_on(self, session: MatchSession) -> None:
        """What is forced happens by itself, once there is no way back anyway: the rest of a row of draws."""
        try:
            while session.match.steps and session.match.steps[-1].sealed and session.ended is None:
                forced = session.match.forced_action()
                if forced is None or session.seats[forced[0]].bot is not None:
                    return
                if not await self._write(session, session.playing(forced[0], forced[1].id, None)):
                    return
        except StoreDown:
            pass  # what was asked for is done and acknowledged; the rest can be asked for

    async def catch_up(self, session: MatchSession) -> None:
        """Follow the log as far as the store has it."""
        rows = await self.store.log(session.id, session.seq)
        for row in rows:
            if row.seq == session.seq + 1:
                session.follow(row)
        if rows:
            await self._recall(session)
            await self._note_end(session)
            self._tell_watchers(session)

    async def _recall(self, session: MatchSession) -> None:
        """Who takes back more steps than are kept at hand gets the one before them from the store."""
        if not session.unread:
            return
        with contextlib.suppress(StoreDown):  # it cannot be taken back then, until the match is read again
            row = await self.store.entry(session.id, session.base)
            before = await self.store.entry(session.id, row.before) if row is not None else None
            if row is not None and session.unread:
                session.recall(row, session.start if before is None else before.state)

    async def _note_end(self, session: MatchSession) -> None:
        if session.ended is None and session.match.result is not None:
            session.ended = session.match.result.reason
            with contextlib.suppress(StoreDown):  # what ended it is on disk: who reads the match next notes it
                await self.store.change_match(session.id, ended=session.ended)

    # Seats

    async def sit(self, session: MatchSession, seat: int, guest: str, who: str) -> None:
        """Change who plays a seat: ``me`` takes a free one or one's own again, ``open`` leaves it, a bot's name
        hands it to that bot. The host of a match may also do this with seats that are nobody's."""
        if not 0 <= seat < len(session.seats):
            raise UnknownSeat(
                say("there is no seat {seat}; seats go from 0 to {last}", seat=seat, last=len(session.seats) - 1)
            )
        was = session.seats[seat]
        may = was.guest == guest or (was.guest is None and ((was.open and who == ME) or session.head.owner == guest))
        if not may:
            raise (
                NotYours("this seat is somebody else's")
                if was.guest
                else NotYours("this seat is a bot's; only the host can change it")
            )
        if who not in (ME, OPEN):
            bots.find(session.game, who)
        mine = guest if who == ME or (who != OPEN and was.guest == guest) else None
        if not await self.store.set_seat(session.id, seat, was, mine, None if who in (ME, OPEN) else who):
            await self._seats_changed(session)
            raise Taken("somebody was quicker: the seat has changed")
        await self._seats_changed(session)
        self.hub.tell(session.id, SEATS)

    async def _seats_changed(self, session: MatchSession) -> None:
        await self._read_seats(session)
        self._tell_watchers(session)

    async def renamed(self, guest: str) -> None:
        """Show a guest's new name at the tables in memory."""
        for session in [session for session in self.sessions.values() if session.seats_of(guest)]:
            await self._seats_changed(session)
            self.hub.tell(session.id, SEATS)

    async def forget_guest(self, guest: str) -> None:
        shared = await self.store.forget_guest(guest)
        for session in [
            session for session in self.sessions.values() if session.seats_of(guest) or session.head.owner == guest
        ]:
            self.forget(session.id)
        for match in shared:
            self._changed(await self.get(match), SEATS)

    # After the end

    async def rematch(self, session: MatchSession, guest: str) -> MatchSession:
        """The same game with the same people once more; who asks second gets what the first opened."""
        if session.ended is None:
            raise NotYet("a rematch comes after the end")
        head = await self.store.match(session.id)
        if head is not None and head.next:
            return await self.get(head.next)
        if not session.seats_of(guest) and session.head.owner != guest:
            raise NotYours("only who sat at this match can ask for a rematch")
        sitting = [ME if who.guest == guest else who.bot or OPEN for who in session.seats]
        options = json.loads(session.head.options)
        again = await self.open(guest, session.game.name, options, sitting, session.head.listed, session.head.clock)
        if not await self.store.set_next(session.id, again.id):
            return await self.rematch(session, guest)
        session.head = await self.store.match(session.id)
        await self._reserve(session, again)
        self._changed(session, SEATS)
        return again

    async def _reserve(self, session: MatchSession, again: MatchSession) -> None:
        """The others' seats wait for them."""
        for seat, who in enumerate(session.seats):
            if again.seats[seat].open and who.guest:
                await self.store.set_seat(again.id, seat, again.seats[seat], who.guest, None)
        await self._seats_changed(again)

    async def full(self, session: MatchSession) -> Match:
        """A finished match with all its steps, as a record tells it."""
        if session.ended is None:
            raise NotYet("the record of a match is open after its end")
        names = [who.name or who.bot or "" for who in session.seats]
        match = session.match.variant.new(int(session.head.seed), names)
        rows = {row.seq: row for row in await self.store.log(session.id)}
        chain, seq = [], session.seq
        while seq in rows:
            chain.append(rows[seq])
            seq = rows[seq].before
        for row in reversed(chain):
            match.apply(step_of(match, row, match.content))
        return match

    async def play_on(self, session: MatchSession, guest: str, at: int, seat: int) -> MatchSession:
        """A new match that begins with the first steps of a finished one, bots at the other seats. Its log holds these
        steps as if they had been played in it, so its record replays like any other."""
        full = await self.full(session)
        full.check_seat(seat)
        if not 0 <= at < len(full.steps):
            raise BadOption(say("one can play on from step 0 to {last}", last=len(full.steps) - 1))
        bot = bots.default_bot(session.game)
        seats = [SeatHolder(guest) if place == seat else SeatHolder(bot=bot) for place in range(len(session.seats))]
        return await self._begin(full.variant, full.seed, guest, seats, full.steps[:at], origin=session.id)

    async def record(self, session: MatchSession) -> str:
        return write_record(await self.full(session))

    # Other processes

    async def hear(self, match: str, seq: int) -> None:
        """A hint from another process. If the store is away just now, the next look around makes it good."""
        session = self.sessions.get(match)
        with contextlib.suppress(StoreDown):
            if match == EVERYTHING:
                await self.refresh(list(self.sessions))
            elif session is not None and seq == SEATS:
                await self._seats_changed(session)
            elif session is not None and seq > session.seq:
                async with session.lock:
                    await self.catch_up(session)

    async def refresh(self, ids: Sequence[str]) -> None:
        """Find out what others did to these matches while hints were lost."""
        for match, seq in (await self.store.last_seqs(ids)).items() if ids else ():
            session = self.sessions.get(match)
            if session is not None and seq > session.seq:
                async with session.lock:
                    await self.catch_up(session)

    def _changed(self, session: MatchSession, seq: int) -> None:
        self.hub.tell(session.id, seq)
        self._tell_watchers(session)

    def _tell_watchers(self, session: MatchSession) -> None:
        for watch in self.watchers:
            watch(session)


def configured(game: Game, options: Mapping[str, Any]) -> Variant:
    """The game with its options; what would read a file of the server is refused."""
    for option in game.options:
        if option.name in options and option.opens_file(options[option.name]):
            raise BadOption(say("option {name} cannot name a file of this server", name=option.name))
    return game.configure(options)


def _seated(variant: Variant, sitting: Sequence[str], guest: str) -> list[SeatHolder]:
    if len(sitting) > variant.players:
        raise UnknownSeat(
            say("{given} seats are filled, but {players} play", given=len(sitting), players=variant.players)
        )
    seats = []
    for who in [*sitting, *[OPEN] * (variant.players - len(sitting))]:
        if who not in (ME, OPEN):
            bots.find(variant.game, who)
        seats.append(SeatHolder(guest if who == ME else None, None if who in (ME, OPEN) else who))
    return seats
