"""What the server refuses, in addition to what the rules refuse."""

from __future__ import annotations

from skerry.engine.errors import Refusal
from skerry.engine.messages import Message, say


class NoMatch(Refusal):
    """There is no such match, or none that this guest may know of."""


class NotYours(Refusal):
    """The seat is somebody else's, or only its guest or the host of the match may do this."""


class Stale(Refusal):
    """The match has gone on since the client's last message."""

    def __init__(self, seq: int) -> None:
        super().__init__(say("the match has gone on: it is at {seq} now; look again", seq=seq))
        self.seq = seq


class Taken(Refusal):
    """Another request was quicker."""


class TooMuch(Refusal):
    """A limit of this server is reached. ``wait`` is the number of seconds until a retry makes sense."""

    def __init__(self, message: Message | str, wait: float = 1.0) -> None:
        super().__init__(message)
        self.wait = wait


class NotYet(Refusal):
    """Available only after the end of a match."""


class NotKnown(Refusal):
    """The guest is unknown to this server, or no longer known."""
