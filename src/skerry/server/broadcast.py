"""Broadcasts what happened to the open pages.

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
from skerry.server.match_service import MatchService
from skerry.server.match_session import MatchSession, happened
from skerry.server.presenter import Snapshot, data_message, page_message, parts_at
from skerry.server.renderer import parts_by_id, renderer_for
from skerry.server.subscriptions import Subscription
from skerry.server.topics import MatchTopics, Topic, TopicKey, message, recent

log = logging.getLogger(__name__)

BREATH = 0.002  # seconds of broadcasting, then others have their turn
LATEST = 1.0  # seconds after which those who look on are told, whatever else waits
PICTURE = 0.05  # seconds that those who look on have to see what they were told, before they are told again
STUCK = 90.0  # seconds after which a reader that takes nothing is let go


class Broadcaster:
    def __init__(self, matches: MatchService, heartbeat: float, most: int, most_a_guest: int) -> None:
        self.matches = matches
        self.heartbeat = heartbeat
        self.most, self.most_a_guest = most, most_a_guest
        self.matches_followed: dict[str, MatchTopics] = {}
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
        self.end_all()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def end_all(self) -> None:
        """End all subscriptions; their readers come back to whoever serves then."""
        for subscription in self._streams():
            subscription.gone = True
            subscription.wake()

    def watch(self, session: MatchSession) -> None:
        if session.id in self.matches_followed:
            self.matches_followed[session.id].changed()
            self._urgent[session.id] = None
            self._wake.set()

    def watched(self, session: MatchSession) -> bool:
        return session.id in self.matches_followed

    def present(self, session: MatchSession) -> frozenset[int]:
        """The seats whose page is open somewhere."""
        return self.matches_followed[session.id].present if session.id in self.matches_followed else frozenset()

    def snapshot(self, session: MatchSession) -> Snapshot:
        return Snapshot(session, self.present(session))

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
        session = self.matches.sessions.get(match)
        if session is not None:
            self.watch(session)

    async def _tell_match(self, match: str, everybody: bool) -> None:
        session, match_topics = self.matches.sessions.get(match), self.matches_followed.get(match)
        if session is None or match_topics is None:
            return
        snapshot = match_topics.snapshot(session)
        for topic in match_topics.behind(snapshot) if everybody else match_topics.players(snapshot):
            await self._tell_topic(session, topic)
        if not match_topics.behind(snapshot):
            match_topics.changed()  # nobody needs what was made for this
            match_topics.told = time.monotonic()
            self._patient.pop(match, None)
        elif match not in self._patient and not match_topics.looking:
            self._let_look(match, match_topics)

    def _let_look(self, match: str, match_topics: MatchTopics) -> None:
        """Those who look on wait their turn, and first as long as they need for what they see now."""
        rest = match_topics.told + PICTURE - time.monotonic()
        if rest > 0:
            match_topics.looking = True
            asyncio.get_running_loop().call_later(rest, self._have_looked, match)
        else:
            self._patient[match] = time.monotonic() + LATEST

    def _have_looked(self, match: str) -> None:
        if match in self.matches_followed:
            self.matches_followed[match].looking = False
            self._patient.setdefault(match, time.monotonic() + LATEST)
            self._wake.set()

    async def _tell_topic(self, session: MatchSession, topic: Topic) -> None:
        """Bring one topic up to date, with the log's help if what is at hand does not reach back so far."""
        steps = recent(session, topic)
        while len(steps) < session.seq - topic.seq:
            told, seq = topic.seq, session.seq
            rows = await self.matches.store.log(session.id, told)
            if (topic.seq, session.seq) == (told, seq):
                steps = [happened(session.match, row) for row in rows if row.seq <= seq]
            else:  # it went on meanwhile, or another has told it
                steps = recent(session, topic)
        topic.tell(topic.match_topics.snapshot(session), steps)

    async def _beat(self) -> None:
        """Now and then a sign of life, so that both sides notice a dead line; and a look for lost hints."""
        while True:
            await asyncio.sleep(self.heartbeat)
            late = time.monotonic() - STUCK
            for subscription in self._streams():
                subscription.beat = True
                subscription.wake()
                if 0 < subscription.sending_since < late and subscription.task is not None:
                    subscription.task.cancel()
            if self.matches.hub.remote:
                with contextlib.suppress(Exception):
                    await self.matches.refresh(list(self.matches_followed))
            self.matches.evict_idle(self.watched)

    def _streams(self) -> Iterator[Subscription]:
        for match_topics in list(self.matches_followed.values()):
            for topic in list(match_topics.topics.values()):
                yield from list(topic.subscriptions)

    # Coming and going

    async def join(self, session: MatchSession, key: TopicKey, since: int | None, guest: str) -> Subscription:
        """A new reader, who has seen the match up to ``since`` (None: who wants only what comes)."""
        self._count(guest)
        try:
            missed = b"" if since is None else await self.missed(session, key, since)
        except BaseException:
            self._uncount(guest)
            raise
        match_topics = self.matches_followed.setdefault(session.id, MatchTopics())
        if key not in match_topics.topics:
            match_topics.topics[key] = Topic(key, match_topics, match_topics.snapshot(session))
        topic = match_topics.topics[key]
        subscription = Subscription(self, topic, missed, guest)
        topic.subscriptions.add(subscription)
        self.watch(session)  # somebody is here now
        return subscription

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

    def leave(self, subscription: Subscription) -> None:
        topic = subscription.topic
        if subscription not in topic.subscriptions:
            return
        topic.subscriptions.discard(subscription)
        self._uncount(subscription.guest)
        match, match_topics = topic.key.match, topic.match_topics
        if not topic.subscriptions:
            match_topics.topics.pop(topic.key, None)
        if not match_topics.topics:
            self.matches_followed.pop(match, None)
        session = self.matches.sessions.get(match)
        if session is not None:
            self.watch(session)

    async def missed(self, session: MatchSession, key: TopicKey, since: int) -> bytes:
        """Exactly what happened after ``since`` and what it changed, up to what the topic will tell next."""
        if since > session.seq:  # the reader comes from another process, which knows more
            async with session.lock:
                await self.matches.catch_up(session)
        while True:
            match_topics = self.matches_followed.get(session.id)
            topic = None if match_topics is None else match_topics.topics.get(key)
            if topic is not None and topic.seq != session.seq:
                await self._tell_topic(session, topic)
            seq = session.seq
            rows = await self.matches.store.log(session.id, max(since, 0)) if since < seq else []
            then = await self._state_at(session, since)
            if session.seq == seq and (topic is None or topic.seq == seq):
                break
        steps = [happened(session.match, row) for row in rows if row.seq <= seq]
        if not key.page:
            return message(seq, data_message(session, key.seat, key.language, steps))
        renderer = renderer_for(session.game, key.language)
        snapshot = self.snapshot(session)
        now = parts_by_id(snapshot.scene(key.seat, renderer))
        old = {} if then is None else parts_at(session, key.seat, renderer, then)
        changed = [renderer.written(piece) for name, piece in now.items() if old.get(name) != piece]
        return message(seq, page_message(seq, snapshot.told(key.seat, renderer.words, steps), changed))

    async def _state_at(self, session: MatchSession, seq: int) -> bytes | None:
        """The state at a number of the log; None if there is no such number."""
        if seq == session.seq:
            return session.match.content
        if seq == 0:
            return session.start
        row = await self.matches.store.entry(session.id, seq) if 0 < seq < session.seq else None
        return None if row is None else bytes(row.state)

    async def catch_up(self, subscription: Subscription) -> bytes:
        """For a reader who was too slow for the messages that are kept."""
        session = await self.matches.get(subscription.topic.key.match)
        return await self.missed(session, subscription.topic.key, subscription.seq)
