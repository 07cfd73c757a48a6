"""Topics: each change of a match is rendered once for all subscribers who see the same.

A topic is a match, a seat, a language, and a format: page or data. A message holds the steps since the previous message
and, for a page, the parts that changed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from skerry.engine.scene import Scene
from skerry.server.match_log import LogEntry
from skerry.server.match_session import MatchSession, SeatHolder
from skerry.server.presenter import Snapshot, data_message, page_message
from skerry.server.renderer import PartChanges, Renderer, changed_parts, renderer_for

if TYPE_CHECKING:
    from skerry.server.subscriptions import Subscription

BACKLOG = 4  # messages that a topic keeps for its slower subscribers


class TopicKey(NamedTuple):
    match: str
    seat: int | None
    language: str
    page: bool  # for a browser: with rendered parts; otherwise data only


class Topic:
    """The subscribers who see the same of a match, and the last messages to them."""

    def __init__(self, key: TopicKey, match_topics: MatchTopics, snapshot: Snapshot) -> None:
        self.key = key
        self.match_topics = match_topics
        self.renderer = renderer_for(snapshot.session.game, key.language)
        self.subscriptions: set[Subscription] = set()
        self.messages: list[bytes] = []  # the last ones, as long as some subscriber has not sent them yet
        self.message_count = 0  # messages published so far
        self.seq = snapshot.session.seq  # what has been published: up to this log row
        self.version = snapshot.version  # and this snapshot
        self._personal_parts: Scene = {}  # as they were published last
        if key.page:
            match_topics.shared_changes(snapshot, self.renderer, snapshot.version)
            self._personal_parts = snapshot.personal_parts(key.seat, self.renderer.translations)

    def publish(self, snapshot: Snapshot, entries: list[LogEntry]) -> None:
        """Publish a message that leads from what was published last to a snapshot."""
        personal = self._personal_parts
        if self.key.page:
            personal = snapshot.personal_parts(self.key.seat, self.renderer.translations)
            data = self._page_data(snapshot, personal, entries)
        else:
            data = self._program_data(snapshot, entries)
        self._personal_parts = personal  # from here on nothing can fail
        self.seq = snapshot.session.seq
        self.version = snapshot.version
        if data:
            self._push(sse_message(self.seq, data))

    def _program_data(self, snapshot: Snapshot, entries: list[LogEntry]) -> bytes:
        """The data of a message to programs; empty if nothing happened."""
        return data_message(snapshot.session, self.key.seat, self.key.language, entries) if entries else b""

    def _page_data(self, snapshot: Snapshot, personal: Scene, entries: list[LogEntry]) -> bytes:
        """The data of a message to pages; empty if nothing happened and nothing looks different."""
        shared = self.match_topics.shared_changes(snapshot, self.renderer, self.version)
        changed = changed_parts(personal, self._personal_parts)
        parts = [*shared, *(self.renderer.part_json(part) for part in changed)]
        if not parts and not entries:
            return b""
        steps = snapshot.steps_json(self.key.seat, self.renderer.translations, entries)
        return page_message(snapshot.session.seq, steps, parts)

    def _push(self, message: bytes) -> None:
        """Write a message to the subscribers who have read all before it, and keep it for the others."""
        self.message_count += 1
        late = [subscription for subscription in self.subscriptions if not subscription.write(message)]
        self.messages = [*self.messages, message][-BACKLOG:] if late else []
        for subscription in late:
            subscription.wake()

    def messages_since(self, count: int) -> bytes | None:
        """The messages after the first ``count``, or None if some of them are no longer kept."""
        behind = self.message_count - count
        if behind > len(self.messages):
            return None
        return b"".join(self.messages[len(self.messages) - behind :])

    def drop_sent(self) -> None:
        """Drop the messages once all subscribers have sent them."""
        if self.messages and all(subscription.sent == self.message_count for subscription in self.subscriptions):
            self.messages = []


class MatchTopics:
    """The topics of one match, and what they share."""

    def __init__(self) -> None:
        self.topics: dict[TopicKey, Topic] = {}
        self.published_at = 0.0  # when all topics were last up to date
        self.spectators_paused = False  # spectators are given time to see the last message
        self._checked_seats: Sequence[SeatHolder] = ()  # whose streams were checked last
        self._version = 0
        self._snapshot: Snapshot | None = None  # until all topics have published it
        self._shared_parts: dict[str, PartChanges] = {}  # by language
        self._shared_changes: dict[tuple[str, int], list[bytes]] = {}  # by language and version

    @property
    def present(self) -> frozenset[int]:
        """The seats whose page is open at this process."""
        return frozenset(key.seat for key in self.topics if key.seat is not None)

    def close_streams_of_former_holders(self, session: MatchSession) -> None:
        """Close the streams of guests who have left the seat that they look from: they may not see its secrets."""
        if session.seats is self._checked_seats:
            return
        self._checked_seats = session.seats
        for key, topic in self.topics.items():
            if key.seat is not None:
                for subscription in topic.subscriptions:
                    if subscription.guest != session.seats[key.seat].guest:
                        subscription.close()

    def invalidate(self) -> None:
        """Drop the snapshot: the match has changed, or nobody needs it any more."""
        self._snapshot = None
        self._shared_changes.clear()

    def all_published(self, snapshot: Snapshot) -> None:
        """All topics have published a snapshot, which need not be the latest: the match may have changed meanwhile."""
        self.invalidate()
        for changes in self._shared_parts.values():
            changes.forget(snapshot.version)
        self.published_at = time.monotonic()

    def snapshot(self, session: MatchSession) -> Snapshot:
        if self._snapshot is None:
            self._version += 1
            self._snapshot = Snapshot(session, self.present, self._version)
        return self._snapshot

    def shared_changes(self, snapshot: Snapshot, renderer: Renderer, version: int) -> list[bytes]:
        """The rendered parts that look the same to all readers of a language and have changed since a version."""
        language = renderer.translations.language
        key = language, version
        if key not in self._shared_changes:
            changes = self._shared_parts.setdefault(language, PartChanges())
            changes.update(snapshot.shared_parts(renderer.translations), snapshot.version)
            self._shared_changes[key] = [renderer.part_json(part) for part in changes.since(version)]
        return self._shared_changes[key]

    def player_topics(self, snapshot: Snapshot) -> list[Topic]:
        """The topics of the seats to move and of the seat that acted last."""
        recent = snapshot.session.recent
        seats = {*snapshot.waiting, recent[-1].step.seat if recent else None}
        return [topic for topic in self.topics.values() if topic.key.seat in seats]

    def outdated_topics(self, snapshot: Snapshot) -> list[Topic]:
        """The topics that have not published a snapshot yet."""
        return [topic for topic in self.topics.values() if topic.version != snapshot.version]


def recent_entries(session: MatchSession, topic: Topic) -> list[LogEntry]:
    """The log entries in memory that a topic has not published yet."""
    newest_first = takewhile(lambda entry: entry.seq > topic.seq, reversed(session.recent))
    return list(newest_first)[::-1]


def sse_message(seq: int, data: bytes) -> bytes:
    """A server-sent event, numbered by the log."""
    return b"id: %d\ndata: %b\n\n" % (seq, data)
