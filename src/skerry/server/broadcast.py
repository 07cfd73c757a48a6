"""Telling the open pages what happened.

The stream of a match is numbered by the log. When more happens than can be drawn, several steps share a message, and
actions never wait for drawing. Who plays is told at once; who looks on is told when nothing else waits, not more often
than an eye can follow, and at the latest after a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Iterator

from skerry.server.errors import TooMuch
from skerry.server.match_service import Matches
from skerry.server.match_session import Live, happened
from skerry.server.presenter import Moment, data_message, old_pieces, page_message
from skerry.server.renderer import artist, pieces
from skerry.server.subscriptions import Stream
from skerry.server.topics import Channel, Following, Key, message, recent

log = logging.getLogger(__name__)

BREATH = 0.002  # seconds of telling, then others have their turn
LATEST = 1.0  # seconds after which those who look on are told, whatever else waits
PICTURE = 0.05  # seconds that those who look on have to see what they were told, before they are told again
STUCK = 90.0  # seconds after which a reader that takes nothing is let go


class Telling:
    def __init__(self, matches: Matches, heartbeat: float, most: int, most_a_guest: int) -> None:
        self.matches = matches
        self.heartbeat = heartbeat
        self.most, self.most_a_guest = most, most_a_guest
        self.followed: dict[str, Following] = {}
        self.count = 0
        self.by_guest: dict[str, int] = {}
        self._urgent: dict[str, None] = {}  # matches whose players are to be told, in order
        self._patient: dict[str, float] = {}  # matches whose others are, and until when
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        self.matches.watchers.append(self.watch)
        self._tasks = [asyncio.create_task(self._tell()), asyncio.create_task(self._beat())]

    async def close(self) -> None:
        self.matches.watchers.remove(self.watch)
        self.let_all_go()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def let_all_go(self) -> None:
        """End all streams; their readers come back to whoever serves then."""
        for stream in self._streams():
            stream.gone = True
            stream.wake()

    def watch(self, live: Live) -> None:
        if live.id in self.followed:
            self.followed[live.id].changed()
            self._urgent[live.id] = None
            self._wake.set()

    def watched(self, live: Live) -> bool:
        return live.id in self.followed

    def present(self, live: Live) -> frozenset[int]:
        """The seats whose page is open somewhere."""
        return self.followed[live.id].present if live.id in self.followed else frozenset()

    def moment(self, live: Live) -> Moment:
        return Moment(live, self.present(live))

    async def _tell(self) -> None:
        """One match after the other, and every now and then whatever else waits: actions come first."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            began = time.perf_counter()
            while self._urgent or self._patient:
                if not self._urgent or time.perf_counter() - began > BREATH:
                    await asyncio.sleep(0)
                    began = time.perf_counter()
                match, everybody = self._next()
                try:
                    await self._tell_match(match, everybody)
                except Exception as error:  # one match must not silence the others
                    log.error("a match could not be told", exc_info=error)
                    asyncio.get_running_loop().call_later(1, self._again, match)

    def _next(self) -> tuple[str, bool]:
        """The match to tell of, and whether to all: who has waited too long, who plays, who looks on."""
        waiting = next(iter(self._patient), None)
        late = waiting is not None and self._patient[waiting] < time.monotonic()
        if waiting is not None and (late or not self._urgent):
            del self._patient[waiting]
            self._urgent.pop(waiting, None)
            return waiting, True
        match = next(iter(self._urgent))
        del self._urgent[match]
        return match, False

    def _again(self, match: str) -> None:
        live = self.matches.live.get(match)
        if live is not None:
            self.watch(live)

    async def _tell_match(self, match: str, everybody: bool) -> None:
        live, following = self.matches.live.get(match), self.followed.get(match)
        if live is None or following is None:
            return
        moment = following.moment(live)
        for channel in following.behind(moment) if everybody else following.players(moment):
            await self._tell_channel(live, channel)
        if not following.behind(moment):
            following.changed()  # nobody needs what was made for this
            following.told = time.monotonic()
            self._patient.pop(match, None)
        elif match not in self._patient and not following.looking:
            self._let_look(match, following)

    def _let_look(self, match: str, following: Following) -> None:
        """Those who look on wait their turn, and first as long as they need for what they see now."""
        rest = following.told + PICTURE - time.monotonic()
        if rest > 0:
            following.looking = True
            asyncio.get_running_loop().call_later(rest, self._have_looked, match)
        else:
            self._patient[match] = time.monotonic() + LATEST

    def _have_looked(self, match: str) -> None:
        if match in self.followed:
            self.followed[match].looking = False
            self._patient.setdefault(match, time.monotonic() + LATEST)
            self._wake.set()

    async def _tell_channel(self, live: Live, channel: Channel) -> None:
        """Bring one channel up to date, with the log's help if what is at hand does not reach back so far."""
        steps = recent(live, channel)
        while len(steps) < live.seq - channel.seq:
            told, seq = channel.seq, live.seq
            rows = await self.matches.store.log(live.id, told)
            if (channel.seq, live.seq) == (told, seq):
                steps = [happened(live.match, row) for row in rows if row.seq <= seq]
            else:  # it went on meanwhile, or another has told it
                steps = recent(live, channel)
        channel.tell(channel.following.moment(live), steps)

    async def _beat(self) -> None:
        """Now and then a sign of life, so that both sides notice a dead line; and a look for lost hints."""
        while True:
            await asyncio.sleep(self.heartbeat)
            late = time.monotonic() - STUCK
            for stream in self._streams():
                stream.beat = True
                stream.wake()
                if 0 < stream.sending_since < late and stream.task is not None:
                    stream.task.cancel()
            if self.matches.hub.remote:
                with contextlib.suppress(Exception):
                    await self.matches.look_around(list(self.followed))
            self.matches.let_go(self.watched)

    def _streams(self) -> Iterator[Stream]:
        for following in list(self.followed.values()):
            for channel in list(following.channels.values()):
                yield from list(channel.streams)

    # Coming and going

    async def join(self, live: Live, key: Key, since: int | None, guest: str) -> Stream:
        """A new reader, who has seen the match up to ``since`` (None: who wants only what comes)."""
        self._count(guest)
        try:
            missed = b"" if since is None else await self.missed(live, key, since)
        except BaseException:
            self._uncount(guest)
            raise
        following = self.followed.setdefault(live.id, Following())
        if key not in following.channels:
            following.channels[key] = Channel(key, following, following.moment(live))
        channel = following.channels[key]
        stream = Stream(self, channel, missed, guest)
        channel.streams.add(stream)
        self.watch(live)  # somebody is here now
        return stream

    def _count(self, guest: str) -> None:
        if self.count >= self.most:
            raise TooMuch("this table has as many open pages as it can hold; try again later", 30)
        if self.by_guest.get(guest, 0) >= self.most_a_guest:
            raise TooMuch("you have too many pages open; close some", 30)
        self.count += 1
        self.by_guest[guest] = self.by_guest.get(guest, 0) + 1

    def _uncount(self, guest: str) -> None:
        self.count -= 1
        self.by_guest[guest] -= 1
        if not self.by_guest[guest]:
            del self.by_guest[guest]

    def leave(self, stream: Stream) -> None:
        channel = stream.channel
        if stream not in channel.streams:
            return
        channel.streams.discard(stream)
        self._uncount(stream.guest)
        match, following = channel.key.match, channel.following
        if not channel.streams:
            following.channels.pop(channel.key, None)
        if not following.channels:
            self.followed.pop(match, None)
        live = self.matches.live.get(match)
        if live is not None:
            self.watch(live)

    async def missed(self, live: Live, key: Key, since: int) -> bytes:
        """Exactly what happened after ``since`` and what it changed, up to what the channel will tell next."""
        if since > live.seq:  # the reader comes from another process, which knows more
            async with live.lock:
                await self.matches.catch_up(live)
        while True:
            following = self.followed.get(live.id)
            channel = None if following is None else following.channels.get(key)
            if channel is not None and channel.seq != live.seq:
                await self._tell_channel(live, channel)
            seq = live.seq
            rows = await self.matches.store.log(live.id, max(since, 0)) if since < seq else []
            then = await self._state_at(live, since)
            if live.seq == seq and (channel is None or channel.seq == seq):
                break
        steps = [happened(live.match, row) for row in rows if row.seq <= seq]
        if not key.page:
            return message(seq, data_message(live, key.seat, key.language, steps))
        art = artist(live.game, key.language)
        moment = self.moment(live)
        now = pieces(moment.scene(key.seat, art))
        old = {} if then is None else old_pieces(live, key.seat, art, then)
        changed = [art.written(piece) for name, piece in now.items() if old.get(name) != piece]
        return message(seq, page_message(seq, moment.told(key.seat, art.words, steps), changed))

    async def _state_at(self, live: Live, seq: int) -> bytes | None:
        """The state at a number of the log; None if there is no such number."""
        if seq == live.seq:
            return live.match.content
        if seq == 0:
            return live.start
        row = await self.matches.store.entry(live.id, seq) if 0 < seq < live.seq else None
        return None if row is None else bytes(row.state)

    async def catch_up(self, stream: Stream) -> bytes:
        """For a reader who was too slow for the messages that are kept."""
        live = await self.matches.get(stream.channel.key.match)
        return await self.missed(live, stream.channel.key, stream.seq)
