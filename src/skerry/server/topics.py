"""Those who follow a match: each change is put into words and pictures once for all who see the same.

Who reads a stream belongs to a channel: a match, a seat, a language, page or data. A message holds what happened since
the last one and the parts of the page that changed by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from skerry.server.match_session import Happened, Live
from skerry.server.presenter import Moment, data_message, page_message
from skerry.server.renderer import Artist, Marks, Parts, artist

if TYPE_CHECKING:
    from skerry.server.subscriptions import Stream

KEPT = 4  # messages a channel keeps for its slower readers


class Key(NamedTuple):
    match: str
    seat: int | None
    language: str
    page: bool  # for a browser: with the parts to draw; else data only


class Channel:
    """All who see the same of a match."""

    def __init__(self, key: Key, following: Following, moment: Moment) -> None:
        self.key = key
        self.following = following
        self.art = artist(moment.live.game, key.language)
        self.streams: set[Stream] = set()
        self.messages: list[bytes] = []  # those that some reader has not taken yet, at most so many
        self.number = 0  # of messages so far
        self.seq, self.version = moment.live.seq, moment.version
        self._own = Marks()
        if key.page:
            following.alike(moment, self.art, moment.version)
            self._own.note(moment.own(key.seat, self.art.words), moment.version)

    def tell(self, moment: Moment, steps: list[Happened]) -> None:
        """Make the message that leads from what was told last to what is now."""
        seq, seat, art = moment.live.seq, self.key.seat, self.art
        if not self.key.page:
            if steps:
                self.push(message(seq, data_message(moment.live, seat, self.key.language, steps)))
        else:
            parts = [*self.following.alike(moment, art, self.version), *self._changed(moment)]
            if parts or steps:
                self.push(message(seq, page_message(seq, moment.told(seat, art.words, steps), parts)))
        self.seq, self.version = seq, moment.version

    def _changed(self, moment: Moment) -> list[str]:
        """The parts that only these readers see so."""
        shown = moment.own(self.key.seat, self.art.words)
        self._own.note(shown, moment.version)
        return written(self.art, self._own, shown, self.version)

    def push(self, data: bytes) -> None:
        self.messages.append(data)
        del self.messages[:-KEPT]
        self.number += 1
        for stream in self.streams:
            stream.wake()

    def since(self, number: int) -> bytes | None:
        """The messages after a number, or None if some are no longer kept."""
        behind = self.number - number
        if behind > len(self.messages):
            return None
        return b"".join(self.messages[len(self.messages) - behind :])

    def taken(self) -> None:
        """What all have taken need not be kept."""
        if self.messages and all(stream.number == self.number for stream in self.streams):
            self.messages = []


class Following:
    """A match and all who follow it."""

    def __init__(self) -> None:
        self.channels: dict[Key, Channel] = {}
        self.told = 0.0  # when all were, the last time
        self.looking = False  # some look on, and are given time to see what they were told
        self._version = 0
        self._moment: Moment | None = None  # as long as some have not been told of it
        self._common: dict[str, Marks] = {}  # what all see alike, by language
        self._alike: dict[tuple[str, int], list[str]] = {}

    @property
    def present(self) -> frozenset[int]:
        """The seats whose page is open here."""
        return frozenset(key.seat for key in self.channels if key.seat is not None)

    def changed(self) -> None:
        """What was made for the last moment holds no longer."""
        self._moment = None
        self._alike.clear()

    def moment(self, live: Live) -> Moment:
        if self._moment is None:
            self._version += 1
            self._moment = Moment(live, self.present, self._version)
        return self._moment

    def alike(self, moment: Moment, art: Artist, version: int) -> list[str]:
        """The parts that all readers of a language see alike and that are not as they were in a version, written."""
        key = art.words.language, version
        if key not in self._alike:
            shown = moment.common(art.words)
            marks = self._common.setdefault(art.words.language, Marks())
            marks.note(shown, moment.version)
            self._alike[key] = written(art, marks, shown, version)
        return self._alike[key]

    def players(self, moment: Moment) -> list[Channel]:
        """Those whose decision the game waits for, and who acted last."""
        recent = moment.live.recent
        seats = {*moment.waiting, recent[-1].step.seat if recent else None}
        return [channel for channel in self.channels.values() if channel.key.seat in seats]

    def behind(self, moment: Moment) -> list[Channel]:
        return [channel for channel in self.channels.values() if channel.version != moment.version]


def written(art: Artist, marks: Marks, shown: Parts, version: int) -> list[str]:
    return [*map(art.written, marks.since(shown, version))]


def recent(live: Live, channel: Channel) -> list[Happened]:
    return [entry for entry in live.recent if entry.seq > channel.seq]


def message(seq: int, data: str) -> bytes:
    return f"id: {seq}\ndata: {data}\n\n".encode()
