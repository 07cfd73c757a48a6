"""Those who follow a match: each change is put into words and pictures once for all who see the same.

Whoever reads a stream subscribes to a topic: a match, a seat, a language, page or data. A message holds what happened
since the last one and the parts of the page that changed by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from skerry.server.match_session import LogEntry, MatchSession
from skerry.server.presenter import Snapshot, data_message, page_message
from skerry.server.renderer import Fingerprints, Parts, Renderer, renderer_for

if TYPE_CHECKING:
    from skerry.server.subscriptions import Subscription

KEPT = 4  # messages a topic keeps for its slower readers


class TopicKey(NamedTuple):
    match: str
    seat: int | None
    language: str
    page: bool  # for a browser: with the parts to draw; else data only


class Topic:
    """All who see the same of a match."""

    def __init__(self, key: TopicKey, match_topics: MatchTopics, snapshot: Snapshot) -> None:
        self.key = key
        self.match_topics = match_topics
        self.renderer = renderer_for(snapshot.session.game, key.language)
        self.subscriptions: set[Subscription] = set()
        self.messages: list[bytes] = []  # those that some reader has not taken yet, at most so many
        self.number = 0  # of messages so far
        self.seq, self.version = snapshot.session.seq, snapshot.version
        self._own = Fingerprints()
        if key.page:
            match_topics.alike(snapshot, self.renderer, snapshot.version)
            self._own.note(snapshot.own(key.seat, self.renderer.words), snapshot.version)

    def tell(self, snapshot: Snapshot, steps: list[LogEntry]) -> None:
        """Make the message that leads from what was told last to what is now."""
        seq, seat, renderer = snapshot.session.seq, self.key.seat, self.renderer
        if not self.key.page:
            if steps:
                self.push(message(seq, data_message(snapshot.session, seat, self.key.language, steps)))
        else:
            parts = [*self.match_topics.alike(snapshot, renderer, self.version), *self._changed(snapshot)]
            if parts or steps:
                self.push(message(seq, page_message(seq, snapshot.told(seat, renderer.words, steps), parts)))
        self.seq, self.version = seq, snapshot.version

    def _changed(self, snapshot: Snapshot) -> list[str]:
        """The parts that only these readers see so."""
        shown = snapshot.own(self.key.seat, self.renderer.words)
        self._own.note(shown, snapshot.version)
        return written(self.renderer, self._own, shown, self.version)

    def push(self, data: bytes) -> None:
        self.messages.append(data)
        del self.messages[:-KEPT]
        self.number += 1
        for subscription in self.subscriptions:
            subscription.wake()

    def since(self, number: int) -> bytes | None:
        """The messages after a number, or None if some are no longer kept."""
        behind = self.number - number
        if behind > len(self.messages):
            return None
        return b"".join(self.messages[len(self.messages) - behind :])

    def taken(self) -> None:
        """What all have taken need not be kept."""
        if self.messages and all(subscription.number == self.number for subscription in self.subscriptions):
            self.messages = []


class MatchTopics:
    """A match and all who follow it."""

    def __init__(self) -> None:
        self.topics: dict[TopicKey, Topic] = {}
        self.told = 0.0  # when all were, the last time
        self.looking = False  # some look on, and are given time to see what they were told
        self._version = 0
        self._snapshot: Snapshot | None = None  # as long as some have not been told of it
        self._common: dict[str, Fingerprints] = {}  # what all see alike, by language
        self._alike: dict[tuple[str, int], list[str]] = {}

    @property
    def present(self) -> frozenset[int]:
        """The seats whose page is open here."""
        return frozenset(key.seat for key in self.topics if key.seat is not None)

    def changed(self) -> None:
        """What was made for the last snapshot holds no longer."""
        self._snapshot = None
        self._alike.clear()

    def snapshot(self, session: MatchSession) -> Snapshot:
        if self._snapshot is None:
            self._version += 1
            self._snapshot = Snapshot(session, self.present, self._version)
        return self._snapshot

    def alike(self, snapshot: Snapshot, renderer: Renderer, version: int) -> list[str]:
        """The parts that all readers of a language see alike and that are not as they were in a version, written."""
        key = renderer.words.language, version
        if key not in self._alike:
            shown = snapshot.common(renderer.words)
            marks = self._common.setdefault(renderer.words.language, Fingerprints())
            marks.note(shown, snapshot.version)
            self._alike[key] = written(renderer, marks, shown, version)
        return self._alike[key]

    def players(self, snapshot: Snapshot) -> list[Topic]:
        """Those whose decision the game waits for, and who acted last."""
        recent = snapshot.session.recent
        seats = {*snapshot.waiting, recent[-1].step.seat if recent else None}
        return [topic for topic in self.topics.values() if topic.key.seat in seats]

    def behind(self, snapshot: Snapshot) -> list[Topic]:
        return [topic for topic in self.topics.values() if topic.version != snapshot.version]


def written(renderer: Renderer, marks: Fingerprints, shown: Parts, version: int) -> list[str]:
    return [*map(renderer.written, marks.since(shown, version))]


def recent(session: MatchSession, topic: Topic) -> list[LogEntry]:
    return [entry for entry in session.recent if entry.seq > topic.seq]


def message(seq: int, data: str) -> bytes:
    return f"id: {seq}\ndata: {data}\n\n".encode()
