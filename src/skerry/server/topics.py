"""Topics: each change of a match is rendered once for all subscribers who see the same.

A topic is a match, a seat, a language, and a format: page or data. A message holds the steps since the previous message
and, for a page, the parts that changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from skerry.server.match_log import LogEntry
from skerry.server.match_session import MatchSession
from skerry.server.presenter import Snapshot, data_message, page_message
from skerry.server.renderer import Fingerprints, Parts, Renderer, renderer_for

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
        self._own_fingerprints = Fingerprints()
        if key.page:
            match_topics.common_changes(snapshot, self.renderer, snapshot.version)
            self._own_fingerprints.update(snapshot.own_parts(key.seat, self.renderer.words), snapshot.version)

    def publish(self, snapshot: Snapshot, entries: list[LogEntry]) -> None:
        """Publish a message that leads from what was published last to a snapshot."""
        if self.key.page:
            self._publish_page(snapshot, entries)
        elif entries:
            data = data_message(snapshot.session, self.key.seat, self.key.language, entries)
            self._push(sse_message(snapshot.session.seq, data))
        self.seq = snapshot.session.seq
        self.version = snapshot.version

    def _publish_page(self, snapshot: Snapshot, entries: list[LogEntry]) -> None:
        common = self.match_topics.common_changes(snapshot, self.renderer, self.version)
        parts = [*common, *self._own_changes(snapshot)]
        if parts or entries:
            seq = snapshot.session.seq
            steps = snapshot.steps_json(self.key.seat, self.renderer.words, entries)
            self._push(sse_message(seq, page_message(seq, steps, parts)))

    def _own_changes(self, snapshot: Snapshot) -> list[str]:
        """The changed parts that only this topic's seat sees."""
        parts = snapshot.own_parts(self.key.seat, self.renderer.words)
        self._own_fingerprints.update(parts, snapshot.version)
        return changed_parts(self.renderer, self._own_fingerprints, parts, self.version)

    def _push(self, message: bytes) -> None:
        self.messages.append(message)
        del self.messages[:-BACKLOG]
        self.message_count += 1
        for subscription in self.subscriptions:
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
        self._version = 0
        self._snapshot: Snapshot | None = None  # until all topics have published it
        self._common_fingerprints: dict[str, Fingerprints] = {}  # by language
        self._common_changes: dict[tuple[str, int], list[str]] = {}  # by language and version

    @property
    def present(self) -> frozenset[int]:
        """The seats whose page is open at this process."""
        return frozenset(key.seat for key in self.topics if key.seat is not None)

    def invalidate(self) -> None:
        """Drop the snapshot: the match has changed, or nobody needs it any more."""
        self._snapshot = None
        self._common_changes.clear()

    def snapshot(self, session: MatchSession) -> Snapshot:
        if self._snapshot is None:
            self._version += 1
            self._snapshot = Snapshot(session, self.present, self._version)
        return self._snapshot

    def common_changes(self, snapshot: Snapshot, renderer: Renderer, version: int) -> list[str]:
        """The rendered parts that look the same to all readers of a language and have changed since a version."""
        language = renderer.words.language
        key = language, version
        if key not in self._common_changes:
            parts = snapshot.common_parts(renderer.words)
            fingerprints = self._common_fingerprints.setdefault(language, Fingerprints())
            fingerprints.update(parts, snapshot.version)
            self._common_changes[key] = changed_parts(renderer, fingerprints, parts, version)
        return self._common_changes[key]

    def player_topics(self, snapshot: Snapshot) -> list[Topic]:
        """The topics of the seats to move and of the seat that acted last."""
        recent = snapshot.session.recent
        seats = {*snapshot.waiting, recent[-1].step.seat if recent else None}
        return [topic for topic in self.topics.values() if topic.key.seat in seats]

    def outdated_topics(self, snapshot: Snapshot) -> list[Topic]:
        """The topics that have not published a snapshot yet."""
        return [topic for topic in self.topics.values() if topic.version != snapshot.version]


def changed_parts(renderer: Renderer, fingerprints: Fingerprints, parts: Parts, version: int) -> list[str]:
    return [renderer.part_json(part) for part in fingerprints.changed_since(parts, version)]


def recent_entries(session: MatchSession, topic: Topic) -> list[LogEntry]:
    """The log entries in memory that a topic has not published yet."""
    return [entry for entry in session.recent if entry.seq > topic.seq]


def sse_message(seq: int, data: str) -> bytes:
    """A server-sent event, numbered by the log."""
    return f"id: {seq}\ndata: {data}\n\n".encode()
