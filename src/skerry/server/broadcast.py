"""The broadcaster: sends what happened to open pages and listening programs.

The messages about a match are numbered by its log. When steps come faster than they can be rendered, several of them
share a message, and actions never wait for rendering. Players get their message at once; spectators when nothing else
is waiting, at intervals that the eye can follow, and after a second at the latest.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Iterator

from skerry.server.catch_up import missed_message, read_missed
from skerry.server.errors import MatchNotFound, MatchUnreadable, RateLimited
from skerry.server.faults import contain
from skerry.server.match_log import decode_entry
from skerry.server.match_service import MatchService
from skerry.server.match_session import MatchSession
from skerry.server.presenter import Snapshot
from skerry.server.store import StoreDown
from skerry.server.subscriptions import Subscription
from skerry.server.topics import MatchTopics, Topic, TopicKey, recent_entries

logger = logging.getLogger(__name__)

TIME_SLICE = 0.002  # seconds of publishing before other tasks get their turn
SPECTATOR_DEADLINE = 1.0  # seconds after which spectators are served, whatever else is waiting
SPECTATOR_INTERVAL = 0.05  # seconds between two messages to spectators
RETRY = 1.0  # seconds until a match that could not be published is tried again


class Broadcaster:
    """Publishes changed matches to their topics, and keeps the subscriptions."""

    def __init__(self, matches: MatchService, heartbeat: float, max_streams: int, max_streams_per_guest: int) -> None:
        self.matches = matches
        self.sessions = matches.sessions
        self.heartbeat = heartbeat
        self.max_streams = max_streams
        self.max_streams_per_guest = max_streams_per_guest
        self.topics_by_match: dict[str, MatchTopics] = {}
        self.stream_count = 0
        self.streams_by_guest: dict[str, int] = {}
        self._due_to_players: dict[str, None] = {}  # matches to publish to their players, in order
        self._due_to_spectators: dict[str, float] = {}  # matches to publish to their spectators, with their deadlines
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        self.sessions.observers.append(self.match_changed)
        self._tasks = [asyncio.create_task(self._publish_changes()), asyncio.create_task(self._send_heartbeats())]

    async def close(self) -> None:
        self.sessions.observers.remove(self.match_changed)
        self.close_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def close_streams(self) -> None:
        """Close all event streams. Their clients reconnect to whichever process serves them then."""
        for subscription in self._subscriptions():
            subscription.close()

    def match_changed(self, session: MatchSession) -> None:
        if session.id in self.topics_by_match:
            self.topics_by_match[session.id].close_streams_of_former_holders(session)
            self.topics_by_match[session.id].invalidate()
            self._due_to_players[session.id] = None
            self._wake.set()

    def is_watched(self, session: MatchSession) -> bool:
        return session.id in self.topics_by_match

    def present(self, session: MatchSession) -> frozenset[int]:
        """The seats whose page is open at this process."""
        return self.present_at(session.id)

    def present_at(self, match: str) -> frozenset[int]:
        """The same for a match that need not be in memory."""
        return self.topics_by_match[match].present if match in self.topics_by_match else frozenset()

    def snapshot(self, session: MatchSession) -> Snapshot:
        return Snapshot(session, self.present(session))

    # Publishing

    async def _publish_changes(self) -> None:
        """Publish one match after another, yielding regularly: actions take precedence."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            began = time.perf_counter()
            while self._due_to_players or self._due_to_spectators:
                if not self._due_to_players or time.perf_counter() - began > TIME_SLICE:
                    await asyncio.sleep(0)
                    began = time.perf_counter()
                match, to_all = self._next_match()
                try:
                    await self._publish_match(match, to_all)
                except Exception as error:  # a fault in one match must not silence the others
                    logger.error("a match could not be broadcast", exc_info=error)
                    asyncio.get_running_loop().call_later(RETRY, self._retry, match)

    def _next_match(self) -> tuple[str, bool]:
        """The match to publish next, and whether to all of its topics. Overdue spectators come first, then players,
        then the other spectators."""
        waiting = next(iter(self._due_to_spectators), None)
        overdue = waiting is not None and self._due_to_spectators[waiting] < time.monotonic()
        if waiting is not None and (overdue or not self._due_to_players):
            del self._due_to_spectators[waiting]
            self._due_to_players.pop(waiting, None)
            return waiting, True
        match = next(iter(self._due_to_players))
        del self._due_to_players[match]
        return match, False

    def _retry(self, match: str) -> None:
        session = self.sessions.in_memory.get(match)
        if session is not None:
            self.match_changed(session)

    async def _publish_match(self, match: str, to_all: bool) -> None:
        session = self.sessions.in_memory.get(match)
        match_topics = self.topics_by_match.get(match)
        if session is None or match_topics is None:
            return
        snapshot = match_topics.snapshot(session)
        for topic in match_topics.outdated_topics(snapshot) if to_all else match_topics.player_topics(snapshot):
            await self._publish_topic(session, topic)
        if not match_topics.outdated_topics(snapshot):
            match_topics.all_published(snapshot)
            self._due_to_spectators.pop(match, None)
        elif match not in self._due_to_spectators and not match_topics.spectators_paused:
            self._schedule_spectators(match, match_topics)

    def _schedule_spectators(self, match: str, match_topics: MatchTopics) -> None:
        """Queue a match for its spectators, not before the interval since their last message is over."""
        pause = match_topics.published_at + SPECTATOR_INTERVAL - time.monotonic()
        if pause > 0:
            match_topics.spectators_paused = True
            asyncio.get_running_loop().call_later(pause, self._resume_spectators, match)
        else:
            self._due_to_spectators[match] = time.monotonic() + SPECTATOR_DEADLINE

    def _resume_spectators(self, match: str) -> None:
        if match in self.topics_by_match:
            self.topics_by_match[match].spectators_paused = False
            self._due_to_spectators.setdefault(match, time.monotonic() + SPECTATOR_DEADLINE)
            self._wake.set()

    async def _publish_topic(self, session: MatchSession, topic: Topic) -> None:
        """Bring one topic up to date, reading the log if the entries in memory do not go back far enough."""
        entries = recent_entries(session, topic)
        while len(entries) < session.seq - topic.seq:
            published, seq = topic.seq, session.seq
            rows = await self.sessions.log(session, published)
            if (topic.seq, session.seq) == (published, seq):
                entries = [decode_entry(session.match, row) for row in rows if row.seq <= seq]
            else:  # the match went on meanwhile, or another task has published to the topic
                entries = recent_entries(session, topic)
        if self.sessions.in_memory.get(session.id) is session:  # otherwise it was dropped meanwhile
            topic.publish(topic.match_topics.snapshot(session), entries)

    async def _send_heartbeats(self) -> None:
        """Send heartbeats, so that both sides notice a dead connection; check for lost hints; and drop idle
        sessions."""
        while True:
            await asyncio.sleep(self.heartbeat)
            for subscription in self._subscriptions():
                subscription.heartbeat_due = True
                subscription.wake()
            try:
                await self._refresh()
            except StoreDown:
                pass
            except Exception as error:
                contain("refresh", error)
            self.sessions.drop_idle(self.is_watched)

    async def _refresh(self) -> None:
        """Catch up on changes that nobody announced: the hint was lost, or a write failed after it was committed."""
        await self.sessions.record_ends()
        await self.matches.refresh(list(self.sessions.in_memory))
        for match in self.topics_by_match.keys() - self.sessions.in_memory.keys():
            with contextlib.suppress(MatchNotFound, MatchUnreadable):
                await self.sessions.get(match)

    def _subscriptions(self) -> Iterator[Subscription]:
        for match_topics in list(self.topics_by_match.values()):
            for topic in list(match_topics.topics.values()):
                yield from list(topic.subscriptions)

    # Subscribing

    async def subscribe(self, session: MatchSession, key: TopicKey, since: int | None, guest: str) -> Subscription:
        """Open a subscription for a client that knows the match up to ``since`` (None: send only what is new)."""
        self._count_stream(guest)
        try:
            missed = b""
            if since is not None:
                session, missed = await self._missed(session, key, since)
        except BaseException:
            self._uncount_stream(guest)
            raise
        match_topics = self.topics_by_match.setdefault(session.id, MatchTopics())
        if key not in match_topics.topics:
            match_topics.topics[key] = Topic(key, match_topics, match_topics.snapshot(session))
        topic = match_topics.topics[key]
        subscription = Subscription(self, topic, missed, guest)
        topic.subscriptions.add(subscription)
        self.match_changed(session)  # the presence of seats has changed
        return subscription

    def _count_stream(self, guest: str) -> None:
        if self.stream_count >= self.max_streams:
            raise RateLimited("this table has too many open pages; try again later", 30)
        if self.streams_by_guest.get(guest, 0) >= self.max_streams_per_guest:
            raise RateLimited("you have too many pages open; close some", 30)
        self.stream_count += 1
        self.streams_by_guest[guest] = self.streams_by_guest.get(guest, 0) + 1

    def _uncount_stream(self, guest: str) -> None:
        self.stream_count -= 1
        self.streams_by_guest[guest] -= 1
        if not self.streams_by_guest[guest]:
            del self.streams_by_guest[guest]

    def unsubscribe(self, subscription: Subscription) -> None:
        topic = subscription.topic
        if subscription not in topic.subscriptions:
            return
        topic.subscriptions.discard(subscription)
        self._uncount_stream(subscription.guest)
        match = topic.key.match
        match_topics = topic.match_topics
        if not topic.subscriptions:
            match_topics.topics.pop(topic.key, None)
        if not match_topics.topics:
            self.topics_by_match.pop(match, None)
        session = self.sessions.in_memory.get(match)
        if session is not None:
            self.match_changed(session)

    async def _missed(self, session: MatchSession, key: TopicKey, since: int) -> tuple[MatchSession, bytes]:
        """One message with what happened after ``since``, up to exactly where the topic's next message begins; and the
        session as it is then, for the given one may be dropped meanwhile."""
        if since > session.seq:  # the client comes from another process, which knows more
            async with session.lock:
                await self.sessions.catch_up(session)
        while True:
            session = await self.sessions.get(session.id)
            match_topics = self.topics_by_match.get(session.id)
            topic = None if match_topics is None else match_topics.topics.get(key)
            if topic is not None and topic.seq != session.seq:
                await self._publish_topic(session, topic)
            seq = session.seq
            missed = await read_missed(self.sessions, session, since)
            is_current = self.sessions.in_memory.get(session.id) is session
            if is_current and session.seq == seq and (topic is None or topic.seq == seq):
                return session, missed_message(self.snapshot(session), key, missed)

    async def catch_up(self, subscription: Subscription) -> bytes:
        """The message for a client that was too slow for the messages that are kept."""
        session = await self.sessions.get(subscription.topic.key.match)
        _, missed = await self._missed(session, subscription.topic.key, subscription.seq)
        return missed
